//===- NativeBarrier.h - NVIDIA's barriers in shared memory ----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// All of them read the barrier's address first; `extra` is the MemoryOp of the access to it.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_OPS_NATIVEBARRIER_H
#define TESSERA_TARGET_SIM_OPS_NATIVEBARRIER_H

#include "Target/Sim/Program.h"

#include <string_view>

namespace tessera::ir::sim {

/// The instruction of PTX with opcode \p opcode, which starts with "mbarrier."; null if it is not known. \p operands is
/// the number of its operands, \p results that of its results.
ExecFn phaseBarrierFunction(std::string_view opcode, unsigned operands, unsigned results);

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_OPS_NATIVEBARRIER_H
