//===- NativeMath.h - NVIDIA's instructions on numbers ---------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Approximate instructions give the exact value, rounded once.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_OPS_NATIVEMATH_H
#define TESSERA_TARGET_SIM_OPS_NATIVEMATH_H

#include "Target/Sim/Program.h"

#include <string_view>

namespace tessera::ir::sim {

/// A function with the `imm` its instruction needs; a null function is none.
struct NativeMath {
  ExecFn exec = nullptr;
  std::uint64_t imm = 0;
};

/// The instruction of PTX with opcode \p opcode ("ex2.approx.ftz.f32", "cvt.rn.f16x2.f32"), if it computes lane by lane
/// and is known; \p operands is the number of its operands. Its registers hold what PTX's would.
NativeMath nativeMathFunction(std::string_view opcode, unsigned operands);

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_OPS_NATIVEMATH_H
