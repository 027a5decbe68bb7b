//===- Launch.cpp - find or compile a kernel and enqueue it ---------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The first half of a launch. What happens every time (launch) takes no lock and no memory; what happens once per
// variant (compileVariant) logs what it did and why.
//
//===---------------------------------------------------------------------===//

#include "tessera/runtime/Launch.h"

#include "Driver/KernelState.h"
#include "Driver/LaunchCheck.h"
#include "Runtime/LaunchGrid.h"
#include "Support/Log.h"
#include "Support/Options.h"

#include "tessera/core/Error.h"

#include <chrono>
#include <cstring>
#include <fmt/format.h>

namespace tessera::ir {

using tessera::detail::BoundView;
using tessera::detail::KernelBase;
using tessera::detail::LaunchSlot;

namespace {

/// Everything about one launch.
struct LaunchRequest {
  const BoundView &bound;
  rt::StreamState &stream;
  std::span<const LaunchSlot> slots;
  std::uint64_t present;
  std::source_location at;

  const KernelBase &kernel() const { return bound.kernel; }
  rt::DeviceState &device() const { return stream.device; }
};

/// The words of a family's key, built on the stack. In this order: device, options, Opts, number of config words,
/// config, bound element types.
class KeyWords {
public:
  static constexpr std::size_t kOptions = 1, kPresent = 4, kConfig = 5;

  explicit KeyWords(const LaunchRequest &request) {
    static_assert(sizeof(CompileOptions) == 24 && std::has_unique_object_representations_v<CompileOptions>);
    push(reinterpret_cast<std::uintptr_t>(&request.device()));
    std::uint64_t options[3];
    std::memcpy(options, &request.bound.options, sizeof options);
    for (std::uint64_t word : options)
      push(word);
    push(request.present);
    push(request.bound.configWords.size());
    for (std::uint64_t word : request.bound.configWords)
      push(word);
    for (const LaunchSlot &slot : request.slots)
      if (slot.bound)
        push(static_cast<std::uint64_t>(slot.dtype.kind) << 8 | slot.dtype.pointers);
  }
  FamilyKey get() const { return {{words, count}, hash}; }

private:
  void push(std::uint64_t word) {
    words[count++] = word;
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }

  std::uint64_t words[6 + 64 + 256]; // config words and slots are bounded by ConfigWords and LaunchArguments
  std::size_t count = 0;
  std::uint64_t hash = 0;
};

} // namespace

static std::vector<DType> boundTypes(std::span<const LaunchSlot> slots) {
  std::vector<DType> types;
  for (const LaunchSlot &slot : slots)
    if (slot.bound)
      types.push_back(slot.dtype);
  return types;
}

static std::string typesText(std::span<const LaunchSlot> slots) {
  std::vector<DType> types;
  SlotMask pointers;
  for (const LaunchSlot &slot : slots) {
    if (slot.form != LaunchSlot::Form::Scalar)
      pointers.set(types.size());
    types.push_back(slot.dtype);
  }
  return typesText(types, pointers);
}

static std::vector<bool> presentList(std::uint64_t bits) {
  std::vector<bool> list(64);
  for (std::size_t i = 0; i != list.size(); ++i)
    list[i] = bits >> i & 1;
  return list;
}

static VariantKey variantFor(const KernelFacts &facts, const SlotPattern &pattern, bool fold) {
  VariantKey key;
  key.unit = pattern.ones & facts.strides;
  key.aligned = !without(without(facts.pointers | facts.addresses, key.unit), pattern.multiples).any();
  key.fold = fold;
  return key;
}

/// Why \p family of \p kernel had to be compiled, by what it shares with the others.
static std::string reasonFor(FamilyTable &table, Family &family) {
  bool others = false, device = false, options = false, config = false;
  table.forEach([&](Family &other) {
    if (&other == &family || !other.compiledBefore)
      return;
    using K = KeyWords;
    const auto same = [&](std::size_t from, std::size_t to) {
      return std::equal(family.words.begin() + from, family.words.begin() + to, other.words.begin() + from);
    };
    const std::size_t configEnd = K::kConfig + 1 + family.words[K::kConfig];
    const bool sameDevice = &other.device == &family.device, sameOptions = same(K::kOptions, K::kPresent);
    const bool sameConfig = same(K::kConfig, configEnd);
    others = true;
    device |= sameDevice;
    options |= sameDevice && sameOptions;
    config |= sameDevice && sameOptions && sameConfig;
  });
  if (!others)
    return "first launch";
  if (!device)
    return "first launch on this device";
  if (config)
    return "other element types or optional arguments";
  return options ? "new config" : "new options or config";
}

static std::string stagesText(const CompileRecord &record) {
  std::string text;
  for (const auto &[stage, ms] : record.stages)
    text += fmt::format("{}{} {:.2f}", text.empty() ? "" : " + ", stage, ms);
  return text;
}

static std::string_view originText(const CompileRecord &record) {
  if (record.origin == "cache")
    return "from the disk cache; ";
  return record.origin == "process" ? "an equal kernel was compiled before; " : "";
}

static void keepRecord(const LaunchRequest &request, CompileRecord record) {
  if (support::logs(support::LogTopic::Compile)) {
    support::log(
        support::LogTopic::Compile,
        fmt::format("kernel `{}` for {}, arguments: {}, config {}, options: {}, variant: {}; reason: {}; {}{} ms",
                    request.kernel().name, record.target, record.arguments, record.config, record.options,
                    record.variant, record.reason, originText(record), stagesText(record)));
    for (const std::string &note : record.notes)
      support::log(support::LogTopic::Compile, note);
  }
  KernelBase::State &state = *request.kernel().state;
  const std::lock_guard lock(state.recordMutex);
  state.records.push_back(std::move(record));
}

/// Compiles, loads and publishes the variant that \p pattern asks for, or finds that another thread did meanwhile. With
/// \p general, takes the general variant instead of the aligned one.
static const LoadedVariant &compileVariant(const LaunchRequest &request, Family &family, const SlotPattern &pattern,
                                           bool fold, bool general) {
  const KernelBase &kernel = request.kernel();
  rt::DeviceState &device = request.device();
  const CompileGate::Entry entry(family.gate);
  if (!entry)
    throwLaunchError(kernel, request.at,
                     "another thread is recording this kernel and stands still, perhaps waiting for this launch; a "
                     "kernel's function must not wait for a launch of the kernel on another thread");
  const auto wanted = [&] {
    VariantKey key = variantFor(*family.facts(), pattern, fold);
    key.aligned &= !general;
    return key;
  };
  if (family.facts())
    if (const LoadedVariant *ready = family.find(wanted()))
      return *ready;

  if (device.driver.isCapturing(device.index, request.stream.native))
    throwLaunchError(kernel, request.at,
                     "the stream is being captured, and this kernel is not compiled yet for these arguments; "
                     "launch it once before the capture");
  if (const std::string problem = support::checkOptions(request.bound.options); !problem.empty())
    throwLaunchError(kernel, request.at, problem);

  CompileRecord record;
  record.reason = general          ? "arguments break a requirement of the aligned variant"
                  : family.facts() ? "other strides or alignment, or a grid to fold"
                                   : reasonFor(kernel.state->families, family);
  const std::string config = kernel.configText(request.bound.config);
  TracedKernel traced = [&] {
    const CompileGate::Recording recording(family.gate);
    return traceForLaunch(kernel.spec(request.bound.config), boundTypes(request.slots), presentList(request.present),
                          config);
  }();
  if (!family.facts())
    family.setFacts(traced.facts);
  const VariantKey key = wanted();
  CompiledKernel compiled = compileTraced(traced, key, device.properties.target, request.bound.options);
  const auto start = std::chrono::steady_clock::now();
  std::shared_ptr<const rt::LaunchPlan> plan = loadPlan(compiled, device);
  compiled.stages.emplace_back(
      "load", std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  if (plan->callerArguments() != request.slots.size())
    throw InternalError(fmt::format("kernel `{}` takes {} arguments once compiled; {} were packed", kernel.name,
                                    plan->callerArguments(), request.slots.size()));

  record.target = device.properties.target.str();
  record.arguments = typesText(family.facts()->dtypes, family.facts()->pointers);
  record.config = config;
  record.options = support::describeOptions(request.bound.options);
  record.variant = key.str(*family.facts());
  record.origin = compiled.origin;
  record.stages = std::move(compiled.stages);
  record.facts = plan->description().metadata;
  record.notes = std::move(compiled.notes);
  family.compiledBefore = true;
  const LoadedVariant &variant = family.add(key, std::move(plan));
  keepRecord(request, std::move(record));
  return variant;
}

/// The variant for these arguments, compiled if need be.
static const LoadedVariant &findVariant(const LaunchRequest &request, Family *&family, const SlotPattern &pattern,
                                        bool fold) {
  const KeyWords words(request);
  const FamilyKey key = words.get();
  family = request.kernel().state->families.find(key);
  if (family)
    if (const KernelFacts *facts = family->facts())
      if (const LoadedVariant *variant = family->find(variantFor(*facts, pattern, fold)))
        return *variant;
  if (!family)
    family = &request.kernel().state->families.findOrAdd(key, request.device());
  return compileVariant(request, *family, pattern, fold, false);
}

/// Enqueues on the variant, or on the general one if the arguments break a requirement of it.
static void enqueue(const LaunchRequest &request, const std::array<std::int64_t, 3> &programs, bool fold,
                    std::span<rt::CallArgument> arguments) {
  const SlotPattern pattern = checkSlots(request.kernel(), request.slots, request.device(), arguments, request.at);
  Family *family = nullptr;
  const LoadedVariant &variant = findVariant(request, family, pattern, fold);
  if ((pattern.readOnly & family->facts()->stored).any())
    throwReadOnly(request.kernel(), request.slots, family->facts()->stored, request.at);
  if (variant.plan->launch(request.stream, programs, arguments))
    return;
  VariantKey general = variant.key;
  general.aligned = false;
  const LoadedVariant *fallback = family->find(general);
  if (!fallback)
    fallback = &compileVariant(request, *family, pattern, fold, true);
  if (!fallback->plan->launch(request.stream, programs, arguments))
    throw InternalError(fmt::format("the general variant of kernel `{}` has requirements", request.kernel().name));
}

} // namespace tessera::ir

namespace tessera::detail {

void launch(const BoundView &bound, const Stream &stream, const Grid &grid, std::span<const LaunchSlot> slots,
            std::uint64_t present, std::source_location at) {
  const KernelBase &kernel = bound.kernel;
  if (isTracing())
    ir::throwLaunchError(kernel, at,
                         "a kernel is being recorded on this thread; call the function it was made from instead");
  rt::StreamState &state = stream.state();
  const rt::DeviceState &device = state.device;
  const rt::GridDecision decision = rt::decideGrid(grid.extents(), device.properties.maxGrid, device.name);
  if (decision.kind == rt::GridDecision::Empty)
    return;
  if (decision.kind == rt::GridDecision::Refused)
    ir::throwLaunchError(kernel, at, decision.problem);

  const ir::LaunchRequest request{bound, state, slots, present, at};
  const bool fold = decision.kind == rt::GridDecision::Folded;
  try {
    if (slots.size() <= 32) {
      rt::CallArgument arguments[32];
      ir::enqueue(request, grid.extents(), fold, {arguments, slots.size()});
    } else {
      rt::CallArgument arguments[256];
      ir::enqueue(request, grid.extents(), fold, {arguments, slots.size()});
    }
  } catch (const rt::LaunchProblem &problem) {
    const std::string argument =
        problem.argument < 0
            ? ""
            : ir::argumentText(kernel, slots[static_cast<std::size_t>(problem.argument)].parameter) + " ";
    ir::throwLaunchError(kernel, at, argument + problem.words);
  }
  if (support::logs(support::LogTopic::Launch))
    support::log(support::LogTopic::Launch,
                 fmt::format("kernel `{}` on {}, arguments: {}, grid ({}, {}, {})", kernel.name, device.name,
                             ir::typesText(slots), grid.x, grid.y, grid.z));
}

std::vector<CompileRecord> compilations(const KernelBase &kernel) {
  const std::lock_guard lock(kernel.state->recordMutex);
  return kernel.state->records;
}

std::array<std::uint64_t, 2> hashConfig(std::string_view text) {
  const support::Hash128 hash = support::hashText(text);
  return {hash.low, hash.high};
}

} // namespace tessera::detail
