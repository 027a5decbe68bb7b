//===- MatrixUnits.h - how matrix units hold their matrices ----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The fragments of NVIDIA's warp-wide (mma.sync) and group-wide (wgmma) products, spread over tiles. The last two axes
// of a tile are the rows and columns of a matrix; others are repeated in registers. A thread's registers are, from the
// lowest bit of their number: those of one instruction, in its order; more of them along k or the columns; along rows.
//
// Warps lie in a grid over the result, those along rows numbered first, each with neighbouring rows and columns; warps
// that need the same part of an operand hold copies. Where a tile is smaller than an instruction, registers and lanes
// hold copies: right for rows and columns, but k must have the extent of an instruction.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_MATRIXUNITS_H
#define TESSERA_LAYOUT_MATRIXUNITS_H

#include "Layout/TileLayout.h"

namespace tessera::layout {

/// How many warps lie along the rows and along the columns of the result, powers of two.
struct WarpGrid {
  int rows = 1, columns = 1;
};

// -- mma.sync: m16n8k32 for 8 bits, k16 for 16, k8 for 32 (tf32); m8n8k4 for 64 bits. ---------------------------------

/// Results and addends, of \p elementBits 16, 32 or 64.
TileLayout mmaAccumulator(std::span<const std::int64_t> shape, int elementBits, WarpGrid warps);
/// The left operand, rows x k, of \p elementBits 8, 16, 32 or 64.
TileLayout mmaOperandA(std::span<const std::int64_t> shape, int elementBits, WarpGrid warps);
/// The right operand, k x columns, of \p elementBits 8, 16, 32 or 64.
TileLayout mmaOperandB(std::span<const std::int64_t> shape, int elementBits, WarpGrid warps);

// -- wgmma: 64 rows by a group of four warps; the grid has a multiple of four along rows. -----------------------------

/// Which rows of a tile are the rows of a unit. Spread ones are those of the same 64, in pairs: a group of warps reads
/// words of the left operand from a buffer of tensor copies in which rows are contiguous without bank conflicts.
enum class UnitRows { InOrder, Spread };

/// Results and addends of m64nN, in 32 bits.
TileLayout wgmmaAccumulator(std::span<const std::int64_t> shape, WarpGrid warps, UnitRows rows = UnitRows::InOrder);
/// The left operand in registers, of \p elementBits 8, 16 or 32.
TileLayout wgmmaOperandA(std::span<const std::int64_t> shape, int elementBits, WarpGrid warps,
                         UnitRows rows = UnitRows::InOrder);

} // namespace tessera::layout

#endif // TESSERA_LAYOUT_MATRIXUNITS_H
