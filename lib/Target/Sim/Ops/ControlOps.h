//===- ControlOps.h - branches, and what lanes do together -----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_OPS_CONTROLOPS_H
#define TESSERA_TARGET_SIM_OPS_CONTROLOPS_H

#include "Target/Sim/Program.h"

namespace tessera::ir::sim {

/// To place `imm`.
ExecFn jumpFunction();
/// By the i1 in(0) to the place in the low half of `imm`, or to that in the high half.
ExecFn branchFunction();
/// By in(0) as table `extra` says.
ExecFn switchFunction(Type type);
ExecFn returnFunction();
/// What LLVM promised not to be reached.
ExecFn unreachableFunction();

/// `imm` is in all lanes of an i32.
enum class Special : std::uint8_t {
  ThreadId,
  LaneId,
  WarpId,
  BlockIdX,
  BlockIdY,
  BlockIdZ,
  NumBlocksX,
  NumBlocksY,
  NumBlocksZ,
};
ExecFn specialFunction(Special what);

ExecFn barrierFunction();
ExecFn clusterBarrierFunction();
/// The same, of which global memory learns nothing.
ExecFn sharedBarrierFunction();
/// Of in(0) as number for in(1) threads.
ExecFn namedBarrierFunction();
ExecFn warpSyncFunction();

enum class ShuffleOp : std::uint8_t { Idx, Xor, Up, Down };
/// An i32 from another lane.
ExecFn shuffleFunction(ShuffleOp how);
/// i64 of i1.
ExecFn ballotFunction();
enum class ReduceOp : std::uint8_t { Add, SMin, SMax, UMin, UMax, And, Or, Xor };
ExecFn reduceFunction(ReduceOp how);

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_OPS_CONTROLOPS_H
