//===- TuneMemory.cpp - what tuning must put back ----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Driver/TuneMemory.h"

#include <algorithm>

namespace tessera::ir {

using rt::MemoryRange;
using tessera::detail::LaunchSlot;
using tessera::detail::ParamLeaf;

void ArgumentUse::add(const KernelFacts &facts) {
  stored = stored | facts.stored;
  read = read | facts.read;
  zeroed = zeroed | facts.zeroed;
  storesElsewhere |= facts.storesElsewhere;
}

namespace {
/// What a pointer reaches. Of one of unknown size `range` holds the first element.
struct Reach {
  MemoryRange range;
  bool known = true;

  bool meets(const Reach &other) const { return range.overlaps(other.range); }
};
} // namespace

/// The elements of a view, whose extents and strides follow its base. A view's strides may run backwards.
static Reach viewReach(std::span<const LaunchSlot> slots, std::size_t base, int rank) {
  const auto size = static_cast<std::int64_t>(slots[base].dtype.bytes());
  std::int64_t low = 0, high = 0;
  bool overflow = false;
  for (int axis = 0; axis != rank; ++axis) {
    const auto extent = static_cast<std::int64_t>(slots[base + 1 + static_cast<std::size_t>(axis)].bits);
    const auto stride = static_cast<std::int64_t>(slots[base + 1 + static_cast<std::size_t>(rank + axis)].bits);
    if (extent <= 0)
      return {};
    std::int64_t reach = 0;
    overflow |= __builtin_mul_overflow(extent - 1, stride, &reach);
    overflow |= __builtin_add_overflow(reach < 0 ? low : high, reach, reach < 0 ? &low : &high);
  }
  overflow |= __builtin_add_overflow(high, std::int64_t{1}, &high);
  overflow |= __builtin_mul_overflow(low, size, &low) || __builtin_mul_overflow(high, size, &high);
  const std::uint64_t start = slots[base].bits;
  if (overflow)
    return {{start, start + static_cast<std::uint64_t>(size)}, false};
  return {{start + static_cast<std::uint64_t>(low), start + static_cast<std::uint64_t>(high)}, true};
}

static Reach reachOf(std::span<const LaunchSlot> slots, std::span<const ParamLeaf *const> leaves, std::size_t slot) {
  const LaunchSlot &pointer = slots[slot];
  const auto size = static_cast<std::uint64_t>(pointer.dtype.bytes());
  Reach given{{pointer.bits, pointer.bits + (pointer.sized ? pointer.bytes : size)}, pointer.sized};
  if (leaves[slot]->role != ParamLeaf::Role::ViewBase)
    return given;
  const Reach view = viewReach(slots, slot, leaves[slot]->viewRank);
  if (!given.known || !view.known)
    return view.known ? view : given;
  // Both: a kernel may follow the base of a view past its extents.
  return {{std::min(given.range.begin, view.range.empty() ? given.range.begin : view.range.begin),
           std::max(given.range.end, view.range.end)},
          true};
}

PointedMemory pointedMemory(std::span<const LaunchSlot> slots, std::span<const ParamLeaf *const> leaves) {
  PointedMemory memory;
  for (std::size_t i = 0; i != slots.size(); ++i) {
    if (slots[i].form != LaunchSlot::Form::Pointer)
      continue;
    const Reach reach = reachOf(slots, leaves, i);
    if (!reach.known && !memory.unknown)
      memory.unknown = i;
    if (slots[i].dtype.isPointer() && !memory.table)
      memory.table = i;
    memory.ranges.push_back(reach.range);
  }
  memory.ranges = rt::united(std::move(memory.ranges));
  return memory;
}

ChangedMemory changedMemory(std::span<const LaunchSlot> slots, std::span<const ParamLeaf *const> leaves,
                            const ArgumentUse &use) {
  std::vector<Reach> reaches(slots.size());
  for (std::size_t i = 0; i != slots.size(); ++i)
    if (slots[i].form == LaunchSlot::Form::Pointer)
      reaches[i] = reachOf(slots, leaves, i);
  ChangedMemory changed;
  changed.elsewhere = use.storesElsewhere;
  for (std::size_t i = 0; i != slots.size(); ++i) {
    if (!use.stored.test(i))
      continue;
    bool reads = use.read.test(i) && !use.zeroed.test(i);
    // Written through one argument and read through another: computed in place.
    for (std::size_t j = 0; j != slots.size(); ++j)
      reads |= j != i && use.read.test(j) && !use.zeroed.test(j) && reaches[i].meets(reaches[j]);
    if (!reads)
      continue;
    if (reaches[i].known)
      changed.ranges.push_back(reaches[i].range);
    else if (!changed.unknown)
      changed.unknown = i;
  }
  changed.ranges = rt::united(std::move(changed.ranges));
  return changed;
}

} // namespace tessera::ir
