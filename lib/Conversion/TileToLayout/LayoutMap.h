//===- LayoutMap.h - layouts of operands and results -----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// One layout is chosen for each op. The layouts of the tiles that it takes and gives follow from that one by maps.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_TILETOLAYOUT_LAYOUTMAP_H
#define TESSERA_CONVERSION_TILETOLAYOUT_LAYOUTMAP_H

#include "IRSupport/LLVM.h"
#include "Layout/TileLayout.h"

#include "tessera-ir/Dialect/Layout/IR/LayoutAttrs.h"

#include <vector>

namespace tessera::ir::layout {

/// The layout of one tile as a function of a layout of its op.
class LayoutMap {
public:
  enum class Kind {
    Same,     ///< that of the op
    Reshaped, ///< the same map over another shape
    Permuted, ///< with its axes permuted
    Dropped,  ///< without an axis
    Squeezed, ///< with coordinates on some axes 0
    Joined,   ///< without the lowest bits of the last axis, which are the lowest bits of the register
  };

  static LayoutMap same() { return LayoutMap(Kind::Same); }
  /// The op's layout is over \p opShape and the tile's over \p tileShape.
  static LayoutMap reshaped(ArrayRef<int64_t> opShape, ArrayRef<int64_t> tileShape);
  /// Axis i of the op is axis permutation[i] of the tile.
  static LayoutMap permuted(ArrayRef<int32_t> permutation);
  static LayoutMap dropped(ArrayRef<int64_t> opShape, unsigned axis);
  static LayoutMap squeezed(ArrayRef<int64_t> opShape, ArrayRef<int64_t> tileShape);
  /// Of the 2^bits parts along the op's last axis each is a tile of its own, or they make up one wide element. The op's
  /// layouts hold them so (holdsInRegisters()).
  static LayoutMap joined(ArrayRef<int64_t> opShape, unsigned bits);

  Kind kind() const { return kind_; }
  /// The layout of the tile.
  TileLayout apply(const TileLayout &ofOp) const;
  /// A layout of the op with which the tile has the layout \p ofTile, but for copies in registers.
  TileLayout invert(const TileLayout &ofTile) const;

private:
  explicit LayoutMap(Kind kind) : kind_(kind) {}

  Kind kind_;
  std::vector<int64_t> opShape, tileShape;
  std::vector<int> permutation; ///< of Permuted
  unsigned axis = 0;            ///< of Dropped
  unsigned bits = 0;            ///< of Joined
};

/// Whether the lowest \p bits of the register hold the lowest bits of the flat index, in order, and nothing else does.
bool holdsInRegisters(const TileLayout &layout, unsigned bits);

} // namespace tessera::ir::layout

#endif // TESSERA_CONVERSION_TILETOLAYOUT_LAYOUTMAP_H
