//===- Buffers.cpp - the memory a launch may touch -------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Interp/Checks/Buffers.h"

#include "Target/Interp/Program.h"

#include "fmt/format.h"

#include <algorithm>

namespace tessera::ir::interp {

std::string Buffer::name() const {
  return argument.empty() ? fmt::format("a buffer of {} bytes", bytes()) : fmt::format("`{}`", argument);
}

void Buffers::add(const LiveBuffer &buffer) {
  Buffer &b = all.emplace_back();
  b.begin = buffer.address;
  b.end = buffer.address + buffer.bytes;
  b.written = buffer.written;
  b.readOnly = buffer.readOnly;
  b.sizeKnown = buffer.sizeKnown;
}

void Buffers::sort() {
  std::sort(all.begin(), all.end(), [](const Buffer &a, const Buffer &b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end; // an empty one first, which find() passes over
  });
  for (std::uint32_t i = 0; i != all.size(); ++i)
    all[i].index = i;
}

const Buffer *Buffers::find(std::uint64_t address) const {
  auto after =
      std::upper_bound(all.begin(), all.end(), address, [](std::uint64_t a, const Buffer &b) { return a < b.begin; });
  if (after != all.begin() && address < std::prev(after)->end)
    return &*std::prev(after);
  return nullptr;
}

Buffer *Buffers::pointedTo(std::uint64_t address) {
  if (Buffer *holder = find(address))
    return holder;
  auto after =
      std::upper_bound(all.begin(), all.end(), address, [](std::uint64_t a, const Buffer &b) { return a < b.begin; });
  return after != all.begin() && address == std::prev(after)->end ? &*std::prev(after) : nullptr;
}

const Buffer *Buffers::nearest(std::uint64_t address) const {
  const Buffer *best = nullptr;
  std::uint64_t bestDistance = ~std::uint64_t(0);
  for (const Buffer &b : all) {
    const std::uint64_t distance = address < b.begin ? b.begin - address : address >= b.end ? address - b.end : 0;
    if (!best || distance < bestDistance) {
      best = &b;
      bestDistance = distance;
    }
  }
  return best;
}

} // namespace tessera::ir::interp
