//===- NativeMatrix.h - NVIDIA's matrix instructions of a warp -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_OPS_NATIVEMATRIX_H
#define TESSERA_TARGET_SIM_OPS_NATIVEMATRIX_H

#include "Target/Sim/Program.h"

#include <optional>
#include <string_view>

namespace tessera::ir::sim {

/// What matrix units multiply and add up.
enum class MatrixType : std::uint8_t { F16, BF16, TF32, F64, E4M3, E5M2, E4M3Fnuz, E5M2Fnuz, S8, U8, F32, S32 };
std::optional<MatrixType> matrixTypeNamed(std::string_view name);
/// Bits of one element in a register.
unsigned bitsOf(MatrixType type);
/// The value of element \p index of the elements packed at \p bits, as the units read it.
double matrixElement(MatrixType type, const std::byte *bits, unsigned index);
/// Puts \p value, rounded, where element \p index of \p bits is.
void storeMatrixElement(MatrixType type, std::byte *bits, unsigned index, double value, bool saturates);

/// mma.sync: what its opcode says.
struct MmaShape {
  unsigned m = 16, n = 8, k = 16;
  MatrixType d = MatrixType::F32, a = MatrixType::F16, b = MatrixType::F16;
  bool saturates = false;

  unsigned registersOfA() const { return m * k * bitsOf(a) / (32 * (a == MatrixType::F64 ? 64 : 32)); }
  unsigned registersOfB() const { return n * k * bitsOf(b) / (32 * (b == MatrixType::F64 ? 64 : 32)); }
  unsigned registersOfD() const { return m * n * bitsOf(d) / (32 * (d == MatrixType::F64 ? 64 : 32)); }
  std::uint64_t encode() const;
  static MmaShape decode(std::uint64_t word);
};
/// Reads an opcode that starts with "mma.sync."; nothing for one that is not known.
std::optional<MmaShape> parseMma(std::string_view opcode);
/// Writes the registers of D; reads those of A, B and C. `imm` is the shape.
ExecFn mmaFunction();

/// ldmatrix and stmatrix of 8 x 8 elements of 16 bits.
struct MatrixMove {
  unsigned count = 1; ///< matrices
  bool isTransposed = false;
  bool isStore = false;
};
std::optional<MatrixMove> parseMatrixMove(std::string_view opcode);
/// Reads the address and, of a store, the registers; `imm` 1: transposed. `extra` is its MemoryOp.
ExecFn matrixMoveFunction(bool isStore);

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_OPS_NATIVEMATRIX_H
