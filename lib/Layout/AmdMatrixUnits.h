//===- AmdMatrixUnits.h - how AMD's matrix units hold matrices -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The fragments of MFMA and WMMA, spread over tiles as MatrixUnits.h says of other units: the same axes, warps, copies.
//
// A lane gives an instruction some neighbours along k of one row of its left operand, and of one column of its right
// one. Lanes that have the same row differ in k, or hold copies. Its result is the other way round: a lane has one
// column, and several rows. So the operands are exchanged: what an instruction calls rows are columns here, and a lane
// has several columns of one row of the result.
//
// Which k, and which of its rows, an instruction calls which is free as long as all its matrices agree. So a lane has a
// run of neighbours along k that is as long as an access, for several instructions or a part of one; and a run of
// neighbouring columns of the result. With the same runs the result of one product is the left operand of the next,
// register for register.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_AMDMATRIXUNITS_H
#define TESSERA_LAYOUT_AMDMATRIXUNITS_H

#include "Layout/MatrixUnits.h"

#include <algorithm>
#include <string_view>

namespace tessera::layout {

/// An instruction, and the runs that a lane has for it. Numbers are exponents.
struct AmdFragment {
  /// Who tells the rows of an instruction's result apart, from the lowest bit of their number: 'r' the next bit of the
  /// register's number, 'l' the next of the lane's above those that tell its columns apart. It has as many columns.
  std::string_view rows = "rrll";
  int laneBits = 6;       ///< of a warp
  int depthBits = 2;      ///< along k, of what a lane gives an instruction
  int runBits = 3;        ///< that a lane should have side by side, along k and of columns of the result
  bool hasCopies = false; ///< lanes that have the same row of an operand have the same k

  /// The rows, and columns, of an instruction.
  int sideBits() const { return static_cast<int>(rows.size()); }
  /// The registers of its result.
  int resultBits() const;
  /// How lanes with the same row of an operand differ along k.
  int groupBits() const { return hasCopies ? 0 : laneBits - sideBits(); }
  /// The run along k in a product of so much \p depth: what a lane gives an instruction if that is deeper.
  int operandRunBits(std::int64_t depth) const;
  /// The depth of the instructions that share a run, or of the runs that share an instruction.
  std::int64_t stepOf(std::int64_t depth) const {
    return std::int64_t{1} << (std::max(depthBits, operandRunBits(depth)) + groupBits());
  }
};

/// Registers from the lowest bit of their number: those of one instruction, in its order; more of its kind along the
/// columns; along the rows.
TileLayout amdAccumulator(std::span<const std::int64_t> shape, const AmdFragment &fragment, WarpGrid warps);
/// The left operand, rows x k: runs, more of them along k, rows.
TileLayout amdOperandA(std::span<const std::int64_t> shape, const AmdFragment &fragment, WarpGrid warps);
/// The right operand, k x columns: runs, more of them along k, columns.
TileLayout amdOperandB(std::span<const std::int64_t> shape, const AmdFragment &fragment, WarpGrid warps);

} // namespace tessera::layout

#endif // TESSERA_LAYOUT_AMDMATRIXUNITS_H
