//===- OpLayouts.h - which tiles of an op share a layout -------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The layout rules of ops as data: the tiles around an op fall into groups. One layout is chosen for a group, and those
// of its tiles follow from it; groups are free of each other.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_TILETOLAYOUT_OPLAYOUTS_H
#define TESSERA_CONVERSION_TILETOLAYOUT_OPLAYOUTS_H

#include "Conversion/TileToLayout/LayoutMap.h"

namespace tessera::ir::layout {

/// Tiles of one op whose layouts follow from one over `shape`.
struct LayoutGroup {
  SmallVector<int64_t, 5> shape;
  unsigned registerBits = 0; ///< its layouts hold so many of the lowest bits of the index in registers
};

/// Where the layout of a tile comes from.
struct LayoutPlace {
  unsigned group = 0;
  LayoutMap map = LayoutMap::same();
};

struct OpLayouts {
  SmallVector<LayoutGroup, 2> groups;
  SmallVector<LayoutPlace, 4> operands; ///< one for each operand; those of scalars say nothing
  SmallVector<LayoutPlace, 2> results;  ///< one for each result
};

/// The groups of an op that takes or gives tiles; empty for ops without any, and for those of `scf`, whose values have
/// layouts of their own.
OpLayouts layoutsOf(Operation *op);

/// Whether \p op takes or gives a tile.
bool hasTiles(Operation *op);

/// Whether the tile is cheaper computed again than moved between threads: indices, constants, and what little
/// arithmetic makes addresses and bounds of them.
bool isCheap(Value tile);

} // namespace tessera::ir::layout

#endif // TESSERA_CONVERSION_TILETOLAYOUT_OPLAYOUTS_H
