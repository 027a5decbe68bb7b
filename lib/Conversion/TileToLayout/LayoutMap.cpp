//===- LayoutMap.cpp - layouts of operands and results --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/TileToLayout/LayoutMap.h"

namespace tessera::ir::layout {

namespace algebra = ::tessera::layout;
using ::tessera::layout::Dim;

LayoutMap LayoutMap::reshaped(ArrayRef<int64_t> opShape, ArrayRef<int64_t> tileShape) {
  LayoutMap map(Kind::Reshaped);
  map.opShape = opShape.vec();
  map.tileShape = tileShape.vec();
  return map;
}

LayoutMap LayoutMap::permuted(ArrayRef<int32_t> permutation) {
  LayoutMap map(Kind::Permuted);
  map.permutation.assign(permutation.begin(), permutation.end());
  return map;
}

LayoutMap LayoutMap::dropped(ArrayRef<int64_t> opShape, unsigned axis) {
  LayoutMap map(Kind::Dropped);
  map.opShape = opShape.vec();
  map.tileShape = opShape.vec();
  map.tileShape.erase(map.tileShape.begin() + axis);
  map.axis = axis;
  return map;
}

LayoutMap LayoutMap::squeezed(ArrayRef<int64_t> opShape, ArrayRef<int64_t> tileShape) {
  LayoutMap map(Kind::Squeezed);
  map.opShape = opShape.vec();
  map.tileShape = tileShape.vec();
  return map;
}

LayoutMap LayoutMap::joined(ArrayRef<int64_t> opShape, unsigned bits) {
  LayoutMap map(Kind::Joined);
  map.opShape = opShape.vec();
  map.tileShape = opShape.drop_back().vec();
  map.bits = bits;
  return map;
}

static TileLayout::Bases basesOf(const TileLayout &layout) {
  TileLayout::Bases bases;
  for (const Dim dim : algebra::kDims)
    bases[static_cast<size_t>(dim)].assign(layout.bases(dim).begin(), layout.bases(dim).end());
  return bases;
}

bool holdsInRegisters(const TileLayout &layout, unsigned bits) {
  const std::uint32_t parts = (std::uint32_t{1} << bits) - 1;
  for (const Dim dim : algebra::kDims)
    for (auto [bit, column] : llvm::enumerate(layout.bases(dim))) {
      const bool isPart = dim == Dim::Register && bit < bits;
      if (isPart ? column != std::uint32_t{1} << bit : (column & parts) != 0)
        return false;
    }
  return layout.bits(Dim::Register) >= static_cast<int>(bits);
}

TileLayout LayoutMap::apply(const TileLayout &ofOp) const {
  switch (kind_) {
  case Kind::Same:
    return ofOp;
  case Kind::Reshaped:
    return algebra::reshaped(ofOp, tileShape);
  case Kind::Permuted: {
    std::vector<int> back(permutation.size());
    for (auto [i, from] : llvm::enumerate(permutation))
      back[from] = static_cast<int>(i);
    return algebra::transposed(ofOp, back);
  }
  case Kind::Dropped:
    return algebra::withoutAxis(ofOp, static_cast<int>(axis));
  case Kind::Squeezed:
    return algebra::squeezed(ofOp, tileShape);
  case Kind::Joined: {
    TileLayout::Bases bases = basesOf(ofOp);
    bases[0].erase(bases[0].begin(), bases[0].begin() + bits);
    for (auto &columns : bases)
      for (std::uint32_t &column : columns)
        column >>= bits;
    return TileLayout(tileShape, std::move(bases));
  }
  }
  return ofOp;
}

/// \p bases with \p missing bits of the index held too: by threads that only make copies, else by registers.
static TileLayout spread(std::vector<int64_t> shape, TileLayout::Bases bases, SmallVector<std::uint32_t> missing) {
  size_t next = 0;
  for (const Dim dim : {Dim::Lane, Dim::Warp, Dim::Block})
    for (std::uint32_t &column : bases[static_cast<size_t>(dim)])
      if (column == 0 && next < missing.size())
        column = missing[next++];
  std::vector<std::uint32_t> registers;
  for (const std::uint32_t column : bases[0])
    if (column != 0)
      registers.push_back(column);
  registers.insert(registers.end(), missing.begin() + next, missing.end());
  bases[0] = std::move(registers);
  return TileLayout(std::move(shape), std::move(bases));
}

TileLayout LayoutMap::invert(const TileLayout &ofTile) const {
  switch (kind_) {
  case Kind::Same:
    return ofTile;
  case Kind::Reshaped:
    return algebra::reshaped(ofTile, opShape);
  case Kind::Permuted:
    return algebra::transposed(ofTile, permutation);
  case Kind::Joined: {
    TileLayout::Bases bases = basesOf(ofTile);
    for (auto &columns : bases)
      for (std::uint32_t &column : columns)
        column <<= bits;
    for (unsigned bit = 0; bit < bits; ++bit)
      bases[0].insert(bases[0].begin() + bit, std::uint32_t{1} << bit);
    return TileLayout(opShape, std::move(bases));
  }
  case Kind::Dropped:
  case Kind::Squeezed: {
    // Where each axis of the tile stands in the op's shape; the other bits are missing.
    const TileLayout over(opShape, {});
    SmallVector<int> to;
    SmallVector<std::uint32_t> missing;
    for (int opAxis = 0; opAxis < over.rank(); ++opAxis) {
      const bool isMissing = kind_ == Kind::Dropped ? opAxis == static_cast<int>(axis) : tileShape[opAxis] == 1;
      if (!isMissing || kind_ == Kind::Squeezed)
        to.push_back(opAxis);
      if (isMissing)
        for (int64_t step = 1; step < opShape[opAxis]; step *= 2)
          missing.push_back(static_cast<std::uint32_t>(step) << over.axisShift(opAxis));
    }
    TileLayout::Bases bases = basesOf(ofTile);
    for (auto &columns : bases)
      for (std::uint32_t &column : columns) {
        std::uint32_t moved = 0;
        for (auto [tileAxis, opAxis] : llvm::enumerate(to))
          moved |= static_cast<std::uint32_t>(ofTile.coordinate(column, static_cast<int>(tileAxis)))
                   << over.axisShift(opAxis);
        column = moved;
      }
    return spread(opShape, std::move(bases), missing);
  }
  }
  return ofTile;
}

} // namespace tessera::ir::layout
