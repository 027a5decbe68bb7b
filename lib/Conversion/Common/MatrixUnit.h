//===- MatrixUnit.h - which unit of a chip takes a product -----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Whoever chooses layouts, brings operands where they belong or emits code asks this one question and gets one answer.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_COMMON_MATRIXUNIT_H
#define TESSERA_CONVERSION_COMMON_MATRIXUNIT_H

#include "Arch/Chip.h"
#include "IRSupport/LLVM.h"
#include "Layout/MatrixLoad.h"
#include "Layout/SharedLayout.h"
#include "Layout/TileLayout.h"

#include "tessera-ir/Dialect/Tile/IR/TileOps.h"

#include <array>
#include <optional>
#include <string>

namespace tessera::ir {

/// How a chip's matrix unit takes a product that is spread over the warps of a program.
struct MatrixUnit {
  enum class Kind {
    Warp,  ///< each warp multiplies what its lanes hold
    Group, ///< groups of warps multiply what lies in shared memory, or `a` from registers, beside the program
  };
  /// The buffers from which an operand is read: that in which the axis of this number is contiguous, if there is one.
  using Buffers = std::array<std::optional<::tessera::layout::SharedLayout>, 2>;

  Kind kind = Kind::Warp;
  std::string instruction;            ///< as reports name it: "mma.m16n8k16.f32.f16.f16"
  ::tessera::layout::TileLayout acc;  ///< of the accumulator and the result
  ::tessera::layout::TileLayout a, b; ///< of operands in registers; no group has `b` there
  Type aElement, bElement;            ///< what operands are converted to, exactly
  std::int64_t depth = 0;             ///< along k of what a Warp reads at a time
  Buffers aBuffers, bBuffers;         ///< of a Group
  /// A Group multiplies the transposed operands in the other order: what is said of `a` is of the transposed right
  /// operand, of `b` the transposed left one. `acc` is of the product as it is.
  bool swapsOperands = false;
};

/// The matrix units of a chip.
class MatrixUnits {
public:
  virtual ~MatrixUnits();

  /// The unit that multiplies the operands of \p dot, spread over \p numWarps warps; nothing where there is none, or
  /// none that is exact enough. Layouts of the operands play no part; where they come from in memory may.
  virtual std::optional<MatrixUnit> matrixUnit(tile::DotOp dot, unsigned numWarps) const = 0;

  /// By which accesses of Layout/MatrixLoad.h warps load operands.
  virtual ::tessera::layout::MatrixLoads matrixLoads() const { return ::tessera::layout::MatrixLoads::None; }
};

/// The units of any chip, for passes that know it by name. What it gives lives for ever.
using MatrixUnitsOf = const MatrixUnits &(*)(const arch::Chip &chip);

} // namespace tessera::ir

#endif // TESSERA_CONVERSION_COMMON_MATRIXUNIT_H
