//===- NativeBulk.h - NVIDIA's copies of boxes -----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_OPS_NATIVEBULK_H
#define TESSERA_TARGET_SIM_OPS_NATIVEBULK_H

#include "Target/Sim/Program.h"

#include <optional>
#include <string_view>

namespace tessera::ir::sim {

/// What an opcode that starts with "cp.async.bulk." or "fence.proxy." does.
struct BulkInstruction {
  enum Kind : std::uint8_t {
    TensorLoad,  ///< operands: shared address, descriptor, coordinates, barrier
    TensorStore, ///< descriptor, coordinates, shared address
    Commit,
    Wait,    ///< how many groups may stay under way
    Fence,   ///< of what threads wrote to shared memory, for these copies
    Nothing, ///< of what is in order here anyway
  };
  Kind kind = Commit;
  unsigned rank = 0;
};
std::optional<BulkInstruction> parseBulk(std::string_view opcode);

/// `imm` is the rank of a copy, and the number of a wait or fence in the code; `extra` the MemoryOp of the access to
/// shared memory, the next one that to global memory.
ExecFn bulkFunction(BulkInstruction::Kind kind);

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_OPS_NATIVEBULK_H
