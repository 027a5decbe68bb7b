//===- Registers.cpp - places of registers in a frame ------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Interp/Registers.h"

#include <iterator>

namespace tessera::ir::interp {

Slot Registers::allocate(Elem elem, std::uint32_t count) {
  Slot slot{0, count, elem};
  const std::uint64_t bytes = rounded(slot.bytes());
  for (auto it = free.begin(); it != free.end(); ++it) {
    if (it->second < bytes)
      continue;
    slot.offset = static_cast<std::uint32_t>(it->first);
    const std::uint64_t rest = it->second - bytes, after = it->first + bytes;
    free.erase(it);
    if (rest)
      free[after] = rest;
    return slot;
  }
  return allocateForever(elem, count);
}

Slot Registers::allocateForever(Elem elem, std::uint32_t count) {
  const Slot slot{static_cast<std::uint32_t>(top), count, elem};
  top += rounded(slot.bytes());
  return slot;
}

void Registers::release(const Slot &slot) {
  auto [it, fresh] = free.emplace(slot.offset, rounded(slot.bytes()));
  if (auto next = std::next(it); next != free.end() && it->first + it->second == next->first) {
    it->second += next->second;
    free.erase(next);
  }
  if (it != free.begin())
    if (auto previous = std::prev(it); previous->first + previous->second == it->first) {
      previous->second += it->second;
      free.erase(it);
    }
}

} // namespace tessera::ir::interp
