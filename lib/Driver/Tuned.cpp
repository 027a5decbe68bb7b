//===- Tuned.cpp - launches of tuned kernels ---------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

//
// In the steady state a launch reads its key, finds the choice without a lock or memory, and goes on as any other.
//
//===---------------------------------------------------------------------===//

#include "Driver/Tuned.h"

#include "Driver/LaunchRequest.h"
#include "Runtime/DeviceRecords.h"
#include "Support/Environment.h"

#include "tessera/core/Error.h"

#include <bit>
#include <cmath>
#include <fmt/format.h>

namespace tessera::ir {

using tessera::detail::GridSource;
using tessera::detail::KernelBase;
using tessera::detail::LaunchSlot;
using tessera::detail::ParamLeaf;
using tessera::detail::TunedState;

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

KeyReader::KeyReader(const KernelBase &kernel, const void *config, TuneKey key, std::source_location at) {
  const tessera::detail::KernelSpec spec = kernel.spec(config);
  leaves = spec.describe(spec.names).leaves;
  for (const ParamLeaf &leaf : leaves)
    optionals |= leaf.optional >= 0;
  const auto fail = [&](const std::string &problem) {
    throw UsageError(at, fmt::format("autotune of kernel `{}`: {}", kernel.name, problem));
  };
  if (key.size() > kMostParts)
    fail(fmt::format("its key has {} parts; at most {} are possible", key.size(), kMostParts));
  std::string names;
  for (const ParamLeaf &leaf : leaves)
    if (leaf.form == ParamLeaf::Form::Scalar)
      names += (names.empty() ? "" : ", ") + leaf.path;
  for (KeyPart &part : key) {
    Part read{std::move(part), 0};
    if (read.part.parameter) {
      while (read.leaf != leaves.size() && leaves[read.leaf].path != read.part.text)
        ++read.leaf;
      if (read.leaf == leaves.size())
        fail(fmt::format("its key names `{}`, and the kernel has no such parameter; numbers among its parameters: {}",
                         read.part.text, names.empty() ? "none" : names));
      if (leaves[read.leaf].form != ParamLeaf::Form::Scalar)
        fail(fmt::format("its key names `{}`, which is a pointer; a key is made of numbers: {}", read.part.text,
                         names.empty() ? "none" : names));
      if (read.part.rounded && !leaves[read.leaf].dtype.isInt())
        fail(fmt::format("its key rounds `{}`, which is no integer", read.part.text));
    }
    parts.push_back(std::move(read));
  }
}

std::ptrdiff_t KeyReader::slotOf(std::size_t leaf, std::uint64_t present) const {
  if (!optionals)
    return static_cast<std::ptrdiff_t>(leaf);
  if (!isPresent(leaves[leaf], present))
    return -1;
  std::ptrdiff_t slot = 0;
  for (std::size_t i = 0; i != leaf; ++i)
    slot += isPresent(leaves[i], present);
  return slot;
}

/// What counts of a slot's value.
static std::uint64_t valueOf(const KeyPart &part, const LaunchSlot &slot) {
  const bool negative = slot.dtype.isSigned() && slot.dtype.bits() <= 64 && (slot.bits >> (slot.dtype.bits() - 1) & 1);
  if (!part.rounded || negative || slot.bits > std::uint64_t{1} << 62)
    return slot.bits;
  return std::bit_ceil(slot.bits);
}

void KeyReader::read(Words &words, const rt::DeviceState &device, std::span<const LaunchSlot> slots,
                     std::uint64_t present) const {
  words.push(reinterpret_cast<std::uintptr_t>(&device));
  words.push(present);
  for (const LaunchSlot &slot : slots)
    if (slot.bound)
      words.push(static_cast<std::uint64_t>(slot.dtype.kind) << 8 | slot.dtype.pointers);
  for (const Part &part : parts)
    if (part.part.parameter)
      if (const std::ptrdiff_t slot = slotOf(part.leaf, present); slot >= 0)
        words.push(valueOf(part.part, slots[static_cast<std::size_t>(slot)]));
}

std::string KeyReader::text(std::span<const LaunchSlot> slots, std::uint64_t present) const {
  std::string text;
  for (const Part &part : parts) {
    text += text.empty() ? "" : " ";
    if (!part.part.parameter) {
      text += part.part.text;
      continue;
    }
    const std::ptrdiff_t slot = slotOf(part.leaf, present);
    text += part.part.text + (part.part.rounded ? "<=" : "=");
    if (slot < 0) {
      text += "none";
      continue;
    }
    const LaunchSlot &value = slots[static_cast<std::size_t>(slot)];
    text += rt::elementText(valueOf(part.part, value), value.dtype);
  }
  return text;
}

std::vector<const ParamLeaf *> KeyReader::leavesOf(std::uint64_t present) const {
  std::vector<const ParamLeaf *> list;
  for (const ParamLeaf &leaf : leaves)
    if (isPresent(leaf, present))
      list.push_back(&leaf);
  return list;
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

static Grid gridOf(const TuneRequest &request, std::size_t index) {
  return request.grid.call(request.grid.function, request.state.items[index].config);
}

namespace {
struct Found {
  const TuneChoice *choice = nullptr; ///< null for a launch that does nothing and for which none was made
  bool now = false;                   ///< it was made by this call
};
} // namespace

static Found choiceFor(const TuneRequest &request) {
  TunedState &state = request.state;
  const KernelBase &kernel = *state.kernel;
  if (tessera::detail::isTracing())
    throwLaunchError(kernel, request.at,
                     "a kernel is being recorded on this thread; call the function it was made from instead");
  KeyReader::Words words;
  state.key.read(words, request.stream.device, request.slots, request.present);
  TunedProblem *problem = state.problems.find(words.get());
  const TuneChoice *choice = problem ? problem->choice.load(std::memory_order_acquire) : nullptr;
  if (choice)
    return {choice};

  const tessera::detail::BoundView first = state.bound(0);
  if (isEmpty({first, request.stream, request.slots, request.present, request.at}, gridOf(request, 0)))
    return {};
  if (!problem)
    problem = &state.problems.findOrAdd(words.get());
  if (problem->chooser.load() == std::this_thread::get_id())
    throwLaunchError(kernel, request.at, "it is being tuned on this thread; a hook must not launch what is tuned");
  const std::lock_guard lock(problem->mutex);
  if ((choice = problem->choice.load(std::memory_order_acquire)))
    return {choice};
  problem->chooser = std::this_thread::get_id();
  struct Done {
    TunedProblem &problem;
    ~Done() { problem.chooser = std::thread::id(); }
  } const done{*problem};
  choice = new TuneChoice(chooseCandidate(request));
  problem->choice.store(choice, std::memory_order_release);
  return {choice, true};
}

static void remember(TunedState &state, const TuneChoice *choice) {
  if (state.latest.load(std::memory_order_relaxed) != choice)
    state.latest.store(choice, std::memory_order_release);
}

} // namespace tessera::ir

namespace tessera {

std::int64_t TuneProblem::operator[](std::string_view name) const {
  std::string names;
  for (const auto &[known, value] : integers) {
    if (known == name)
      return value;
    names += (names.empty() ? "" : ", ") + known;
  }
  throw UsageError(fmt::format("a cost model asks for `{}`, and the kernel has no such integer argument; there are: {}",
                               name, names.empty() ? "none" : names));
}

namespace detail {

std::shared_ptr<TunedState> makeTuned(std::shared_ptr<const KernelBase> kernel, std::shared_ptr<const void> owner,
                                      std::vector<TuneItem> items, TuneKey key, TuneSettings settings,
                                      std::source_location at) {
  const auto require = [&](bool right, const char *words) {
    if (!right)
      throw UsageError(at, fmt::format("autotune of kernel `{}`: {}", kernel->name, words));
  };
  require(!items.empty(), "there is no candidate; the space is empty, or the constraint leaves none of it");
  require(std::isfinite(settings.budgetMs) && settings.budgetMs > 0, "budget_ms must be a positive number");
  require(std::isfinite(settings.timeLimitMs) && settings.timeLimitMs > 0, "time_limit_ms must be a positive number");
  require(settings.keep > 0, "keep must be at least 1");
  require(settings.snapshotBytes >= 0, "snapshot_bytes must not be negative");
  ir::KeyReader reader(*kernel, items.front().config, std::move(key), at);
  return std::shared_ptr<TunedState>(new TunedState{
      std::move(kernel), std::move(owner), std::move(items), std::move(settings), std::move(reader), {}, {}});
}

void launchTuned(TunedState &state, const Stream &stream, const GridSource &grid, std::span<const LaunchSlot> slots,
                 std::uint64_t present, std::source_location at) {
  const ir::TuneRequest request{state, stream.state(), grid, slots, present, at};
  const ir::Found found = ir::choiceFor(request);
  if (!found.choice)
    return;
  ir::remember(state, found.choice);
  // Memory that only the hook can put right is as the last candidate left it.
  if (found.now && found.choice->report.timing_ms > 0 && state.settings.preHook)
    state.settings.preHook(stream);
  const BoundView bound = state.bound(found.choice->index);
  ir::launch({bound, stream.state(), slots, present, at}, ir::gridOf(request, found.choice->index));
}

std::size_t chooseTuned(TunedState &state, const Stream &stream, const GridSource &grid,
                        std::span<const LaunchSlot> slots, std::uint64_t present, std::source_location at) {
  const ir::Found found = ir::choiceFor({state, stream.state(), grid, slots, present, at});
  if (!found.choice)
    return 0;
  ir::remember(state, found.choice);
  return found.choice->index;
}

std::ptrdiff_t latestChoice(const TunedState &state) {
  const ir::TuneChoice *choice = state.latest.load(std::memory_order_acquire);
  return choice ? static_cast<std::ptrdiff_t>(choice->index) : -1;
}

TuneReport latestReport(const TunedState &state) {
  const ir::TuneChoice *choice = state.latest.load(std::memory_order_acquire);
  return choice ? choice->report : TuneReport();
}

} // namespace detail
} // namespace tessera
