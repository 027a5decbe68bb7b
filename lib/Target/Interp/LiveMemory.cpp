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

std::vector<LiveBuffer> LiveMemory::forLaunch(std::span<const rt::PointerExtent> extents) const {
  std::vector<LiveBuffer> buffers;
  std::lock_guard guard(lock);
  for (const auto &[address, allocation] : live)
    buffers.push_back({address, allocation.bytes, allocation.written.get()});

  // Other memory: sorted, overlapping pieces joined.
  constexpr std::uint64_t reach = std::uint64_t(1) << 32;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> others; // begin, end
  for (const rt::PointerExtent &extent : extents)
    if (extent.address && !find(addressOf(extent.address)))
      others.emplace_back(addressOf(extent.address), addressOf(extent.address) + (extent.bytes ? extent.bytes : reach));
  std::sort(others.begin(), others.end());
  for (std::size_t i = 0; i != others.size();) {
    auto [begin, end] = others[i++];
    for (; i != others.size() && others[i].first < end; ++i)
      end = std::max(end, others[i].second);
    if (auto next = live.upper_bound(begin); next != live.end())
      end = std::min(end, next->first);
    buffers.push_back({begin, end - begin, nullptr});
  }
  return buffers;
}

} // namespace tessera::ir::interp
