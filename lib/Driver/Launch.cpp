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
#include "Driver/LaunchRequest.h"
#include "Runtime/LaunchGrid.h"
#include "Support/Log.h"
#include "Support/Milliseconds.h"
#include "Support/Options.h"

#include "tessera/core/Error.h"

#include <cstddef>
#include <cstring>
#include <fmt/format.h>
#include <optional>

namespace tessera::ir {

using tessera::detail::KernelBase;
using tessera::detail::LaunchSlot;

namespace {

/// The words of a family's key. In this order: device, options, Opts, number of config words, config, bound element
/// types.
class KeyWords {
public:
  static constexpr std::size_t kOptions = 1, kPresent = 5, kConfig = 6;

  explicit KeyWords(const LaunchRequest &request) {
    words.push(reinterpret_cast<std::uintptr_t>(&request.device()));
    const CompileOptions &options = request.bound.options;
    // Those up to the contracts lie side by side.
    static_assert(tessera::detail::fieldCount<CompileOptions> == 12 && offsetof(CompileOptions, max_spill_bytes) == 24);
    std::uint64_t common[3];
    std::memcpy(common, &options, sizeof common);
    for (std::uint64_t word : common)
      words.push(word);
    words.push(static_cast<std::uint64_t>(static_cast<std::uint32_t>(options.max_spill_bytes)) << 32 |
               static_cast<std::uint32_t>(options.min_vector_bytes) << 1 | (options.require_matrix_unit ? 1U : 0U));
    words.push(request.present);
    words.push(request.bound.configWords.size());
    for (std::uint64_t word : request.bound.configWords)
      words.push(word);
    for (const LaunchSlot &slot : request.slots)
      if (slot.bound)
        words.push(static_cast<std::uint64_t>(slot.dtype.kind) << 8 | slot.dtype.pointers);
  }
  EntryKey get() const { return words.get(); }

private:
  KeyBuilder<7 + 64 + 256> words; // config words and slots are bounded by ConfigWords and LaunchArguments
};

} // namespace

static std::vector<DType> boundTypes(std::span<const LaunchSlot> slots) {
  std::vector<DType> types;
  for (const LaunchSlot &slot : slots)
    if (slot.bound)
      types.push_back(slot.dtype);
  return types;
}

std::string typesText(std::span<const LaunchSlot> slots) {
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
  if (record.origin == "bundle")
    return "from a bundle; ";
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
    VariantKey key = rt::variantFor(*family.facts(), pattern, fold);
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
  record.reason = !request.reason.empty() ? std::string(request.reason)
                  : general               ? "arguments break a requirement of the aligned variant"
                  : family.facts()        ? "other strides or alignment, or a grid to fold"
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
  CompiledKernel compiled = [&] {
    if (std::optional<CompiledKernel> found = findBundled(traced, key, device.properties, request.bound.options))
      return std::move(*found);
    try {
      return compileTraced(traced, key, device.properties.target, request.bound.options);
    } catch (const MissingKernel &missing) {
      throwLaunchError(kernel, request.at, missing.words);
    }
  }();
  const auto start = support::Clock::now();
  std::shared_ptr<const rt::LaunchPlan> plan = loadPlan(compiled, device);
  compiled.stages.emplace_back("load", support::msSince(start));
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
  const LoadedVariant &variant = family.add(key, std::move(plan), compiled.image);
  keepRecord(request, std::move(record));
  return variant;
}

/// The variant for these arguments, compiled if need be.
static const LoadedVariant &findVariant(const LaunchRequest &request, Family *&family, const SlotPattern &pattern,
                                        bool fold) {
  const KeyWords words(request);
  const EntryKey key = words.get();
  family = request.kernel().state->families.find(key);
  if (family)
    if (const KernelFacts *facts = family->facts())
      if (const LoadedVariant *variant = family->find(rt::variantFor(*facts, pattern, fold)))
        return *variant;
  if (!family)
    family = &request.kernel().state->families.findOrAdd(key, request.device());
  return compileVariant(request, *family, pattern, fold, false);
}

/// The variant that requires nothing, beside \p variant, which is for the same launch.
static const LoadedVariant &generalOf(const LaunchRequest &request, Family &family, const LoadedVariant &variant,
                                      const SlotPattern &pattern, bool fold) {
  VariantKey general = variant.key;
  general.aligned = false;
  const LoadedVariant *found = family.find(general);
  return found ? *found : compileVariant(request, family, pattern, fold, true);
}

static void remember(const LaunchRequest &request, const LoadedVariant &variant) {
  if (request.memo)
    request.memo->variant.store(&variant, std::memory_order_release);
}

/// Enqueues on the variant, or on the general one if the arguments break a requirement of it.
static void enqueue(const LaunchRequest &request, const std::array<std::int64_t, 3> &programs, bool fold,
                    std::span<rt::CallArgument> arguments) {
  const SlotPattern pattern = rt::checkSlots(request.kernel(), request.slots, request.device(), arguments, request.at);
  Family *family = nullptr;
  const LoadedVariant &variant = findVariant(request, family, pattern, fold);
  if ((pattern.readOnly & family->facts()->stored).any())
    rt::throwReadOnly(request.kernel(), request.slots, family->facts()->stored, request.at);
  if (variant.plan->launch(request.stream, programs, arguments))
    return remember(request, variant);
  const LoadedVariant &general = generalOf(request, *family, variant, pattern, fold);
  if (!general.plan->launch(request.stream, programs, arguments))
    throw InternalError(fmt::format("the general variant of kernel `{}` has requirements", request.kernel().name));
  remember(request, general);
}

/// Enqueues on the variant that the memo names, if that is one of the stream's device: with it the arguments were found
/// to be right.
static bool enqueueRemembered(const LaunchRequest &request, const std::array<std::int64_t, 3> &programs,
                              std::span<rt::CallArgument> arguments) {
  const auto *variant = request.memo
                            ? static_cast<const LoadedVariant *>(request.memo->variant.load(std::memory_order_acquire))
                            : nullptr;
  if (!variant || &variant->plan->device() != &request.device())
    return false;
  for (std::size_t i = 0; i != arguments.size(); ++i)
    arguments[i] = rt::callArgument(request.slots[i]);
  return variant->plan->launch(request.stream, programs, arguments);
}

/// Calls \p run with room for the arguments of a launch, which it writes before it reads them.
template <class Run> static void withArguments(std::size_t count, Run run) {
  // Not an array of them, which would be cleared.
  alignas(rt::CallArgument) std::byte room[256 * sizeof(rt::CallArgument)];
  run(std::span(reinterpret_cast<rt::CallArgument *>(room), count));
}

/// What to do with \p grid; UsageError if it cannot be launched.
static rt::GridDecision decide(const LaunchRequest &request, const Grid &grid) {
  const rt::DeviceState &device = request.device();
  rt::GridDecision decision = rt::decideGrid(grid.extents(), device.properties.maxGrid, device.name);
  if (decision.kind == rt::GridDecision::Refused)
    throwLaunchError(request.kernel(), request.at, decision.problem);
  return decision;
}

bool isEmpty(const LaunchRequest &request, const Grid &grid) {
  return decide(request, grid).kind == rt::GridDecision::Empty;
}

void checkArguments(const LaunchRequest &request) {
  withArguments(request.slots.size(), [&](std::span<rt::CallArgument> arguments) {
    rt::checkSlots(request.kernel(), request.slots, request.device(), arguments, request.at);
  });
}

void launch(const LaunchRequest &request, const Grid &grid) {
  const KernelBase &kernel = request.kernel();
  bool empty = false;
  try {
    withArguments(request.slots.size(), [&](std::span<rt::CallArgument> arguments) {
      const std::array<std::int64_t, 3> programs = grid.extents();
      if (enqueueRemembered(request, programs, arguments))
        return;
      const rt::GridDecision decision = decide(request, grid);
      empty = decision.kind == rt::GridDecision::Empty;
      if (!empty)
        enqueue(request, programs, decision.kind == rt::GridDecision::Folded, arguments);
    });
  } catch (const rt::LaunchProblem &problem) {
    const std::string argument =
        problem.argument < 0
            ? ""
            : argumentText(kernel, request.slots[static_cast<std::size_t>(problem.argument)].parameter) + " ";
    throwLaunchError(kernel, request.at, argument + problem.words);
  }
  if (!empty && support::logs(support::LogTopic::Launch))
    support::log(support::LogTopic::Launch,
                 fmt::format("kernel `{}` on {}, arguments: {}, grid ({}, {}, {})", kernel.name, request.device().name,
                             typesText(request.slots), grid.x, grid.y, grid.z));
}

ReadyKernel makeReady(const LaunchRequest &request, const Grid &grid, bool withGeneral) {
  const bool fold = decide(request, grid).kind == rt::GridDecision::Folded;
  ReadyKernel ready;
  withArguments(request.slots.size(), [&](std::span<rt::CallArgument> arguments) {
    const SlotPattern pattern =
        rt::checkSlots(request.kernel(), request.slots, request.device(), arguments, request.at);
    Family *family = nullptr;
    const LoadedVariant &variant = findVariant(request, family, pattern, fold);
    ready.image = &variant.plan->description();
    ready.code = variant.image;
    ready.facts = family->facts();
    if (withGeneral && !ready.image->requirements.empty())
      ready.general = generalOf(request, *family, variant, pattern, fold).image;
    if ((pattern.readOnly & ready.facts->stored).any())
      rt::throwReadOnly(request.kernel(), request.slots, ready.facts->stored, request.at);
  });
  return ready;
}

} // namespace tessera::ir

namespace tessera::detail {

void launch(const BoundView &bound, const Stream &stream, const Grid &grid, std::span<const LaunchSlot> slots,
            std::uint64_t present, std::source_location at, LaunchMemo *memo) {
  if (isTracing())
    ir::throwLaunchError(bound.kernel, at,
                         "a kernel is being recorded on this thread; call the function it was made from instead");
  ir::launch({bound, stream.state(), slots, present, at, {}, memo}, grid);
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
