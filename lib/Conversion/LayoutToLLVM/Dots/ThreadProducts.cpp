//===- ThreadProducts.cpp - products of threads by themselves -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The product becomes a `layout.shared_dot` of buffers in row-major order that hold the operands.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Dots/Operands.h"
#include "Conversion/LayoutToLLVM/Dots/Products.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

namespace tessera::ir::gpu {

using ::tessera::layout::SharedLayout;

/// A new buffer that holds \p x in row-major order.
static Value storedByRows(OpBuilder &b, Location loc, Value x) {
  const ArrayRef<int64_t> shape = tile::shapeOf(x.getType());
  SmallVector<int> order(llvm::reverse(llvm::seq<int>(0, static_cast<int>(shape.size()))));
  return stored(b, loc, x, SharedLayout::inOrder({shape.data(), shape.size()}, order));
}

void useThreads(tile::DotOp dot) {
  OpBuilder b(dot);
  const Location loc = dot.getLoc();
  const Value x = storedByRows(b, loc, dot.getA()), y = storedByRows(b, loc, dot.getB());
  const Value acc = under(b, loc, dot.getAcc(), layout::layoutOf(dot.getType()));
  const Value result = layout::SharedDotOp::create(b, loc, dot.getType(), x, y, acc);
  layout::SharedFreeOp::create(b, loc, x);
  layout::SharedFreeOp::create(b, loc, y);
  dot.getResult().replaceAllUsesWith(result);
  dot.erase();
}

} // namespace tessera::ir::gpu
