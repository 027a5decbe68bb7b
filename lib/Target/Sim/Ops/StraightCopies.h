//===- StraightCopies.h - copies of whole warps to shared memory -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_OPS_STRAIGHTCOPIES_H
#define TESSERA_TARGET_SIM_OPS_STRAIGHTCOPIES_H

#include "Target/Sim/Program.h"

namespace tessera::ir::sim {

/// tessera.gpu.copy_to_shared: reads the lane's address in global memory, its mask and the warp's address in shared
/// memory. `extra` is the MemoryOp of the write, the next number that of the read.
ExecFn straightCopyFunction();
/// tessera.gpu.copy_wait: reads how many of the warp's latest copies may stay under way. `imm` is the number of the
/// wait in the code.
ExecFn straightWaitFunction();

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_OPS_STRAIGHTCOPIES_H
