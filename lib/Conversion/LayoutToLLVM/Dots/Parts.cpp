//===- Parts.cpp - products whose operands fit shared memory --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// An operand is brought to a layout in which each thread holds something of every part, once; then parts are registers.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Dots/Parts.h"
#include "Conversion/Common/CodeTypes.h"

#include "Conversion/LayoutToLLVM/Dots/Operands.h"
#include "Layout/Box.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"
#include "tessera-ir/Dialect/Tile/IR/Tile.h"

namespace tessera::ir::gpu {

using ::tessera::layout::boxLayout;
using ::tessera::layout::layoutOfParts;
using ::tessera::layout::TileLayout;

namespace {

/// An operand in parts of some steps of k, which is its axis `axis`.
class Cut {
public:
  Cut(Value tile, int axis, std::int64_t depth)
      : tile(tile), axis(static_cast<size_t>(axis)), shape(tile::shapeOf(tile.getType())) {
    held = layoutOfParts(layout::layoutOf(tile.getType()), axis, depth);
    const std::int64_t k = shape[this->axis];
    shape[this->axis] = depth;
    SmallVector<std::int64_t> offsets(shape.size(), 0);
    for (; held && offsets[this->axis] != k; offsets[this->axis] += depth) {
      layouts.push_back(boxLayout(*held, offsets, shape));
      if (!layouts.back())
        held.reset();
    }
  }

  bool isPossible() const { return held.has_value(); }
  /// To be called before part().
  void prepare(OpBuilder &b, Location loc) { tile = under(b, loc, tile, *held); }
  Value part(OpBuilder &b, Location loc, std::int64_t number) const {
    SmallVector<std::int64_t> offsets(shape.size(), 0);
    offsets[axis] = number * shape[axis];
    const auto type = RankedTensorType::get(shape, tile::elementOf(tile.getType()));
    return tile::SliceOp::create(b, loc, layout::withLayout(type, *layouts[static_cast<size_t>(number)]), tile,
                                 offsets);
  }

private:
  Value tile;
  size_t axis;
  SmallVector<std::int64_t, 3> shape; ///< of a part
  std::optional<TileLayout> held;
  SmallVector<std::optional<TileLayout>> layouts; ///< of the parts
};

} // namespace

static std::int64_t bytesOf(Value tile) {
  return tile::elementCountOf(tile.getType()) * storedBytes(tile::elementOf(tile.getType()));
}

SmallVector<tile::DotOp> partsAlongK(tile::DotOp dot, std::int64_t sharedBytes) {
  const ArrayRef<std::int64_t> shape = tile::shapeOf(dot.getA().getType());
  const std::int64_t k = shape.back(), bytes = bytesOf(dot.getA()) + bytesOf(dot.getB());
  std::int64_t depth = k;
  while (depth > 1 && bytes / k * depth > sharedBytes)
    depth /= 2;
  if (depth == k)
    return {dot};
  const auto rank = static_cast<int>(shape.size());
  Cut a(dot.getA(), rank - 1, depth), b(dot.getB(), rank - 2, depth);
  if (!a.isPossible() || !b.isPossible())
    return {dot};
  OpBuilder builder(dot);
  const Location loc = dot.getLoc();
  a.prepare(builder, loc);
  b.prepare(builder, loc);
  SmallVector<tile::DotOp> parts;
  Value sum = dot.getAcc();
  for (std::int64_t number = 0; number != k / depth; ++number) {
    const Value left = a.part(builder, loc, number), right = b.part(builder, loc, number);
    parts.push_back(cast<tile::DotOp>(builder.clone(*dot)));
    parts.back()->setOperands({left, right, sum});
    sum = parts.back().getResult();
  }
  dot.getResult().replaceAllUsesWith(sum);
  dot.erase();
  return parts;
}

} // namespace tessera::ir::gpu
