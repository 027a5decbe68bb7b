//===- Touch.h - a lane touches memory -------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Every access of a kernel goes through here: is it in a buffer, aligned, of the right memory, not a read of what was
// never written, not in conflict with another thread's.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_OPS_TOUCH_H
#define TESSERA_TARGET_SIM_OPS_TOUCH_H

#include "Target/Sim/Block.h"
#include "Target/Sim/Warp.h"

#include <cstdint>

namespace tessera::ir::sim {

enum class Use : std::uint8_t { Read, Write, ReadWrite };

/// A stretch of memory that a lane may use, or null where it may not: then a fault was reported.
struct Touched {
  std::byte *bytes = nullptr;
  /// Another thread wrote it in the same operation: to shared memory it must have written the same.
  bool sameOp = false;
  explicit operator bool() const { return bytes != nullptr; }
};

/// Checks that [\p address, + \p bytes) exists and may be used by \p inst, of which the memory knows \p op; notes the
/// use.
Touched touch(Warp &w, const Inst &inst, const MemoryOp &op, unsigned lane, std::uint64_t address, unsigned bytes,
              Use use);
/// The same for a write to the shared memory of block \p block of the warp's cluster, which must run.
Touched touchInCluster(Warp &w, const Inst &inst, const MemoryOp &op, unsigned lane, std::uint32_t block,
                       std::uint64_t address, unsigned bytes);
/// Notes that the warp executes \p op once more. Comes before its touches.
inline void beginTouches(Warp &w, const MemoryOp &op) { ++w.turns[op.number]; }

/// Reports that lanes or warps put different values at one place of shared memory in one operation.
void reportDifferentValues(Warp &w, const Inst &inst, unsigned lane, std::uint64_t address);

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_OPS_TOUCH_H
