//===- NativeWgmma.h - NVIDIA's products of a warpgroup --------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_OPS_NATIVEWGMMA_H
#define TESSERA_TARGET_SIM_OPS_NATIVEWGMMA_H

#include "Target/Sim/Ops/NativeMatrix.h"

#include <optional>
#include <string_view>

namespace tessera::ir::sim {

/// What "wgmma.mma_async.sync.aligned.m64n…" says.
struct WgmmaShape {
  unsigned n = 8, k = 16;
  MatrixType d = MatrixType::F32, a = MatrixType::F16, b = MatrixType::F16;
  bool hasAInRegisters = false, transposesA = false, transposesB = false;

  unsigned registersOfD() const { return n / 2 * bitsOf(d) / 32; }
  std::uint64_t encode() const;
  static WgmmaShape decode(std::uint64_t word);
};
/// Reads an opcode; the three flags come from the operands.
std::optional<WgmmaShape> parseWgmma(std::string_view opcode);

/// Writes the accumulator's registers; reads them, A (a descriptor, or four registers), the descriptor of B, and
/// whether the accumulator counts (an i1 or i32 that is not zero). `imm` is the shape, `extra` the MemoryOp of what is
/// read.
ExecFn wgmmaFunction(Type scale);
ExecFn wgmmaCommitFunction();
/// Writes registers; reads how many groups may stay under way, and the registers. `imm`: its number in the code.
ExecFn wgmmaWaitFunction();

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_OPS_NATIVEWGMMA_H
