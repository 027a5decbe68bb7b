//===- Combine.h - combining lanes along an axis ---------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What reductions and scans share. Both combine in the order of a balanced binary tree in which neighbours meet first:
// level k joins blocks of 2^k elements with the next ones. It depends on the extent of the axis alone, so results do
// not depend on the processor, and the interpreter has the same.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_TILETOHOST_EMIT_COMBINE_H
#define TESSERA_CONVERSION_TILETOHOST_EMIT_COMBINE_H

#include "Conversion/TileToHost/Emit/Emitter.h"

#include "tessera-ir/Dialect/Tile/IR/AxisShape.h"

namespace tessera::ir::host {

/// One value per input of a reduction or scan.
using Lanes = SmallVector<Value>;

using tile::AxisShape;
using tile::axisShape;

/// Combines \p left with \p right by \p combine, lane by lane.
Lanes combineLanes(Emitter &e, Region &combine, const Lanes &left, const Lanes &right);
/// Each lane pair (2 i, 2 i + 1) of \p first followed by \p second combined: as many lanes as \p first has.
Lanes combinePairs(Emitter &e, Region &combine, const Lanes &first, const Lanes &second);
/// The vectors \p vectors, a power of two of them, combined pair by pair until one vector is left, whose lanes are runs
/// of neighbouring elements.
Lanes combineVectors(Emitter &e, Region &combine, SmallVector<Lanes> vectors);
/// All lanes of \p vector combined, as scalars.
Lanes combineWithin(Emitter &e, Region &combine, Lanes vector);
/// Rows instead of lanes: rows 2 i and 2 i + 1 are combined until one row is left.
Lanes combineRows(Emitter &e, Region &combine, SmallVector<Lanes> rows);

/// \p block of a tile without \p axis as that of the tile with it, at coordinate \p at.
LaneBlock withAxis(const LaneBlock &block, unsigned axis, Value at);
/// The block of the one element at \p index.
LaneBlock elementAt(ArrayRef<Value> index);

} // namespace tessera::ir::host

#endif // TESSERA_CONVERSION_TILETOHOST_EMIT_COMBINE_H
