//===- NativeAsync.h - NVIDIA's asynchronous copies ------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_OPS_NATIVEASYNC_H
#define TESSERA_TARGET_SIM_OPS_NATIVEASYNC_H

#include "Target/Sim/Memory/AsyncCopies.h"
#include "Target/Sim/Program.h"

namespace tessera::ir::sim {

/// cp.async: reads the address in shared memory, the one in global memory, the bytes to write and, if there are four
/// operands, the bytes to read. `extra` is the MemoryOp of the write, the next number that of the read.
ExecFn asyncCopyFunction();
ExecFn asyncCommitFunction();
/// Reads how many of the latest groups may stay under way. `imm` is the number of the wait in the code.
ExecFn asyncWaitFunction();
/// Waits for all, committed or not.
ExecFn asyncWaitAllFunction();

/// \p copies of lane \p lane have come to their end: their bytes are there, in an order drawn by the seed.
void completeCopies(Warp &w, unsigned lane, std::vector<AsyncCopy> copies);

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_OPS_NATIVEASYNC_H
