//===- MatrixInstruction.h - products that a warp multiplies ---*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTOROCDL_MATRIXINSTRUCTION_H
#define TESSERA_CONVERSION_LAYOUTTOROCDL_MATRIXINSTRUCTION_H

#include "Arch/Chip.h"
#include "Conversion/LayoutToLLVM/Product.h"
#include "IRSupport/LLVM.h"
#include "Layout/AmdMatrixUnits.h"

#include "tessera-ir/Dialect/Tile/IR/TileOps.h"

#include <array>
#include <optional>
#include <string>

namespace tessera::ir::gpu {

/// An MFMA or WMMA.
struct MatrixInstruction {
  enum class Operands {
    Mfma,        ///< A, B, C, and three immediates that are 0
    MfmaFormats, ///< A, B, C, the formats of A and B, and of each where its scale lies and the scale, all 0
    Wmma,        ///< A, B, C
    WmmaIntegers ///< each of A and B behind whether it is signed, then C, and whether sums saturate
  };

  std::string name; ///< "mfma.f32.32x32x8f16"
  Operands operands = Operands::Mfma;
  ::tessera::layout::AmdFragment fragment;
  Type a, b;                       ///< of elements of the product's operands, as converted exactly before
  Type operand;                    ///< what a lane gives of each
  Type result;                     ///< of an element
  std::array<int, 2> formats = {}; ///< of A and B: 0 is e4m3, 1 is e5m2
  bool isSplit = false;            ///< multiplies f32 in parts of bf16
};

/// That of \p chip for \p product, spread over \p warps; nothing if there is none that is exact enough. Of the operands
/// A is the right one, and B the left one.
std::optional<MatrixInstruction> matrixInstruction(const arch::Chip &chip, const Product &product,
                                                   ::tessera::layout::WarpGrid warps);

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTOROCDL_MATRIXINSTRUCTION_H
