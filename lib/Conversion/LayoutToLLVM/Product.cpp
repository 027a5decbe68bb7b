//===- Product.cpp - what matrix units are asked about --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Product.h"

namespace tessera::ir::gpu {

/// The extents of a buffer or a tile, and its elements.
static std::pair<ArrayRef<int64_t>, Type> matrixOf(Type type) {
  if (auto buffer = dyn_cast<layout::BufferType>(type))
    return {buffer.getShape(), buffer.getElement()};
  return {tile::shapeOf(type), tile::elementOf(type)};
}

template <class Op> Product::Product(Op dot, Type left, Type right) {
  const auto [aShape, aElement] = matrixOf(left);
  const auto [bShape, bElement] = matrixOf(right);
  if (aShape.size() == 3)
    batches = aShape[0];
  rows = aShape[aShape.size() - 2];
  columns = bShape.back();
  depth = aShape.back();
  a = aElement;
  b = bElement;
  sum = tile::elementOf(dot.getAcc().getType());
  precision = dot.getPrecision();
  maxImpreciseK = dot.getMaxImpreciseK();
}

Product::Product(tile::DotOp dot) : Product(dot, dot.getA().getType(), dot.getB().getType()) {}
Product::Product(layout::SharedDotOp dot) : Product(dot, dot.getA().getType(), dot.getB().getType()) {}

Product Product::part(int64_t depth) const {
  Product part = *this;
  part.batches.reset();
  part.depth = depth;
  return part;
}

SmallVector<int64_t, 3> Product::shape(int64_t first, int64_t second) const {
  if (batches)
    return {*batches, first, second};
  return {first, second};
}

} // namespace tessera::ir::gpu
