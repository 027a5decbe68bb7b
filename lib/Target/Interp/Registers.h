//===- Registers.h - places of registers in a frame -----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_INTERP_REGISTERS_H
#define TESSERA_TARGET_INTERP_REGISTERS_H

#include "Target/Interp/Instr.h"

#include <cstdint>
#include <map>

namespace tessera::ir::interp {

/// Hands out byte ranges of a frame, first fit, in units of a cache line.
class Registers {
public:
  Slot allocate(Elem elem, std::uint32_t count);
  /// A register that shares its place with no other, ever: for what is set before the first instruction.
  Slot allocateForever(Elem elem, std::uint32_t count);
  void release(const Slot &slot);
  /// Bytes a frame needs.
  std::uint64_t size() const { return top; }

private:
  static std::uint64_t rounded(std::uint64_t bytes) { return (bytes + 63) / 64 * 64; }
  std::map<std::uint64_t, std::uint64_t> free; ///< offset -> bytes, disjoint and not adjacent
  std::uint64_t top = 0;
};

} // namespace tessera::ir::interp

#endif // TESSERA_TARGET_INTERP_REGISTERS_H
