//===- Rows.h - the registers of several tiles, together -------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Reductions and scans work on any number of tiles of one layout. A *row* is what one register number holds of each.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTOLLVM_LANES_ROWS_H
#define TESSERA_CONVERSION_LAYOUTTOLLVM_LANES_ROWS_H

#include "Conversion/LayoutToLLVM/Emit/Emitter.h"
#include "Layout/AxisBits.h"

namespace tessera::ir::gpu {

/// An element of each tile, in code.
using Row = SmallVector<Value>;

/// The rows of \p tiles, by register number.
SmallVector<Row> rowsOf(Emitter &e, ValueRange tiles);
/// Gives each of \p tiles, which may be scalars, its registers.
void setRows(Emitter &e, ValueRange tiles, ArrayRef<Row> rows);

/// What the combine region of \p op, a reduction or scan, makes of two rows. A deterministic one gives the bits of
/// every target: what comes from before it is rounded before.
template <class Op> Row combineRows(Emitter &e, Op op, const Row &left, const Row &right) {
  SmallVector<Value> arguments(left);
  arguments.append(right.begin(), right.end());
  return e.inlineRegion(op.getCombine(), arguments, /*mayContract=*/!op.getDeterministic());
}

/// \p left where \p condition holds, else \p right.
Row selectRow(Emitter &e, Value condition, const Row &left, const Row &right);

/// The row of another lane.
Row shuffleRow(Emitter &e, border::Shuffle how, const Row &row, Value argument);

/// Whether bit \p bit of the lane's number is set, an i1.
Value isLaneBitSet(Emitter &e, int bit);

/// The holders of the axis' bits, from the lowest; nothing, and an error at \p op, where the layout is not plain on the
/// axis or warps lie along it.
std::optional<std::vector<::tessera::layout::Holder>> holdersInWarp(Emitter &e, Operation &op,
                                                                    const layout::TileLayout &layout, int axis);

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTOLLVM_LANES_ROWS_H
