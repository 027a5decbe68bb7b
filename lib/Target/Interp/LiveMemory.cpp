//===- LiveMemory.cpp - the allocations of the interpreter's device -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Interp/LiveMemory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace tessera::ir::interp {

static std::uint64_t addressOf(const void *memory) { return reinterpret_cast<std::uint64_t>(memory); }

void LiveMemory::FreeCalloc::operator()(std::uint8_t *p) const { std::free(p); }

void LiveMemory::add(void *memory, std::size_t bytes) {
  // calloc, because it costs nothing for pages that are never touched. Without memory for it nothing is tracked.
  auto *written = static_cast<std::uint8_t *>(std::calloc(std::max<std::size_t>(bytes, 1), 1));
  std::lock_guard guard(lock);
  live[addressOf(memory)] = {bytes, std::unique_ptr<std::uint8_t[], FreeCalloc>(written)};
}

void LiveMemory::remove(void *memory) {
  std::lock_guard guard(lock);
  live.erase(addressOf(memory));
}

const std::pair<const std::uint64_t, LiveMemory::Allocation> *LiveMemory::find(std::uint64_t address) const {
  auto after = live.upper_bound(address);
  if (after == live.begin())
    return nullptr;
  --after;
  return address - after->first < after->second.bytes ? &*after : nullptr;
}

void LiveMemory::noteWritten(const void *memory, std::size_t bytes) {
  std::lock_guard guard(lock);
  if (const auto *found = find(addressOf(memory)); found && found->second.written) {
    const std::size_t offset = addressOf(memory) - found->first;
    std::memset(found->second.written.get() + offset, 1, std::min(bytes, found->second.bytes - offset));
  }
}

void LiveMemory::noteCopied(const void *to, const void *from, std::size_t bytes) {
  std::lock_guard guard(lock);
  const auto *target = find(addressOf(to)), *source = find(addressOf(from));
  if (!target || !target->second.written)
    return;
  const std::size_t offset = addressOf(to) - target->first;
  bytes = std::min(bytes, target->second.bytes - offset);
  if (!source || !source->second.written) {
    std::memset(target->second.written.get() + offset, 1, bytes);
    return;
  }
  const std::size_t sourceOffset = addressOf(from) - source->first;
  std::memmove(target->second.written.get() + offset, source->second.written.get() + sourceOffset,
               std::min(bytes, source->second.bytes - sourceOffset));
}

bool LiveMemory::owns(const void *memory) const {
  std::lock_guard guard(lock);
  return find(addressOf(memory)) || live.contains(addressOf(memory));
}

namespace {
/// Memory that is not ours, [begin, end).
struct Foreign {
  std::uint64_t begin, end;
  bool readOnly, sizeKnown;
};
} // namespace

/// What \p extent says, no further than addresses go.
static Foreign foreignOf(const rt::PointerExtent &extent) {
  constexpr std::uint64_t far = std::uint64_t(1) << 32;
  const std::uint64_t begin = addressOf(extent.address);
  return {begin, begin + std::min(extent.sized ? extent.bytes : far, ~begin), extent.readOnly, extent.sized};
}

std::vector<LiveBuffer> LiveMemory::forLaunch(std::span<const rt::PointerExtent> extents, std::span<const Lent> lent) {
  std::vector<LiveBuffer> buffers;
  std::lock_guard guard(lock);
  std::vector<const void *> lenders;
  for (const Lent &part : lent) {
    const std::uint64_t address = addressOf(part.memory);
    const auto *holder = find(address);
    std::uint8_t *written = holder ? holder->second.written.get() : nullptr;
    if (written) {
      written += address - holder->first;
      std::memset(written, part.zeroed, part.bytes);
    }
    if (holder)
      lenders.push_back(holder);
    if (part.memory)
      buffers.push_back({address, part.bytes, written, false});
  }
  for (const auto &allocation : live)
    if (std::find(lenders.begin(), lenders.end(), &allocation) == lenders.end())
      buffers.push_back({allocation.first, allocation.second.bytes, allocation.second.written.get(), false});

  // Other memory: sorted, overlapping pieces joined.
  std::vector<Foreign> others;
  for (const rt::PointerExtent &extent : extents)
    if (extent.address && !find(addressOf(extent.address)) && !live.contains(addressOf(extent.address)))
      others.push_back(foreignOf(extent));
  std::sort(others.begin(), others.end(),
            [](const Foreign &a, const Foreign &b) { return a.begin != b.begin ? a.begin < b.begin : a.end < b.end; });
  for (std::size_t i = 0; i != others.size();) {
    auto [begin, end, readOnly, sizeKnown] = others[i++];
    for (; i != others.size() && others[i].begin < end; ++i) {
      end = std::max(end, others[i].end);
      readOnly &= others[i].readOnly;
      sizeKnown &= others[i].sizeKnown;
    }
    if (auto next = live.upper_bound(begin); next != live.end())
      end = std::min(end, next->first);
    buffers.push_back({begin, end - begin, nullptr, readOnly, sizeKnown});
  }
  return buffers;
}

} // namespace tessera::ir::interp
