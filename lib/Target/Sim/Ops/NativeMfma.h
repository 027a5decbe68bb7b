//===- NativeMfma.h - AMD's matrix instructions of a warp ------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_OPS_NATIVEMFMA_H
#define TESSERA_TARGET_SIM_OPS_NATIVEMFMA_H

#include "Target/Sim/Ops/NativeMatrix.h"
#include "Target/Sim/Program.h"

#include <optional>
#include <string_view>

namespace tessera::ir::sim {

/// An MFMA or WMMA, whose rows and columns are as many.
struct MfmaShape {
  enum class Form : std::uint8_t {
    Mfma,   ///< of warps of 64
    Copies, ///< WMMA of warps of 32 whose halves both hold the operands
    Halves, ///< WMMA of warps of 32 whose halves hold other k
  };

  Form form = Form::Mfma;
  bool isWmma = false;
  bool hasFormats = false; ///< its operands' types are those of the call
  unsigned side = 16, k = 16;
  MatrixType d = MatrixType::F32, a = MatrixType::F16, b = MatrixType::F16;
  unsigned registers = 1;     ///< of each operand
  unsigned registerBytes = 4; ///< of one of them
  unsigned first = 0;         ///< operands of the call before A

  unsigned warpSize() const { return isWmma ? 32 : 64; }
  /// Elements of an operand that a lane has; of the result.
  unsigned elements() const { return form == Form::Copies ? k : side * k / warpSize(); }
  unsigned results() const { return side * side / warpSize(); }
  bool isInteger() const { return d == MatrixType::S32; }
  std::uint64_t encode() const;
  static MfmaShape decode(std::uint64_t word);
};

/// Reads a name behind `tessera.amd.`, where fp8 is fnuz if it \p isFnuz; nothing for one that is not known. `form`,
/// `registers`, `registerBytes` and `first` are those of the call, and so are `a` and `b` where it `hasFormats`.
std::optional<MfmaShape> parseMfma(std::string_view name, bool isFnuz);
/// Writes the registers of D; reads those of A, B and C behind `first`. `imm` is the shape.
ExecFn mfmaFunction();

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_OPS_NATIVEMFMA_H
