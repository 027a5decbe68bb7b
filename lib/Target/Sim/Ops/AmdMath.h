//===- AmdMath.h - AMD's instructions on numbers ---------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// An approximate instruction gives a neighbour of the exact value, above or below it as the bits of the operand have
// it, so that tests see an error of up to 1 ULP; what is exact stays so. It takes denormals for zeros and gives zeros
// for them. What hangs on the chip's modes comes out as a number that nobody wants.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_OPS_AMDMATH_H
#define TESSERA_TARGET_SIM_OPS_AMDMATH_H

#include "Target/Sim/Program.h"

#include "llvm/ADT/ArrayRef.h"

#include <string_view>

namespace tessera::ir::sim {

/// An instruction's function and the types of its registers.
struct AmdMath {
  ExecFn exec = nullptr; ///< null: unknown
  llvm::ArrayRef<Type> outs, ins;
};

/// The function of `llvm.amdgcn.<name>`, if it computes lane by lane and is known. \p hasFnuz says which fp8 the chip
/// has.
AmdMath amdMathFunction(std::string_view name, bool hasFnuz);

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_OPS_AMDMATH_H
