//===- Access.h - which lanes may touch memory --------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Every instruction that touches memory asks here first. The answer is the lanes that may; the others were reported
// and must read zero or write nothing.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_INTERP_CHECKS_ACCESS_H
#define TESSERA_TARGET_INTERP_CHECKS_ACCESS_H

#include "Target/Interp/Checks/Races.h"
#include "Target/Interp/Frame.h"

#include <cstdint>

namespace tessera::ir::interp {

struct MemorySite;

/// Payload of instructions that touch memory.
struct MemoryPayload : Payload {
  std::uint32_t memory = 0; ///< index into Code::memory
};

/// The lanes of an access. A lane whose mask byte is zero touches nothing.
struct Lanes {
  const std::uint64_t *address;
  const Bool *mask; ///< null: all lanes
  std::uint32_t n;
};

struct Admitted {
  const Bool *mask; ///< lanes that may touch memory; null: all. Valid until the thread's next admit().
  bool contiguous;  ///< address[i] = address[0] + i * element size, for every lane
};

/// Checks one access of \p inst: bounds, alignment, memory never written, arguments that alias, races. \p kind is what
/// the lanes are about to do. With checks off it only looks for contiguity.
Admitted admit(Frame &frame, const Inst &inst, const MemorySite &site, Lanes lanes, AccessKind kind);

} // namespace tessera::ir::interp

#endif // TESSERA_TARGET_INTERP_CHECKS_ACCESS_H
