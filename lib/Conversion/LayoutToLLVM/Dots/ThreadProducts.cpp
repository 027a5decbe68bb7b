//===- ThreadProducts.cpp - products of threads by themselves -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The product becomes a `layout.shared_dot` of buffers that are stored in the order in which operands come, and read in
// vectors of rows and of columns.
//
//===---------------------------------------------------------------------===//

#include "Conversion/Common/CodeTypes.h"
#include "Conversion/LayoutToLLVM/Dots/Operands.h"
#include "Conversion/LayoutToLLVM/Dots/Products.h"
#include "Layout/ThreadProduct.h"

namespace tessera::ir::gpu {

using ::tessera::layout::ProductSide;
using ::tessera::layout::SharedLayout;
using ::tessera::layout::threadOperandBuffer;
using ::tessera::layout::TileLayout;

/// \p x in a buffer for a result under \p accumulator.
static StoredOperand stored(OperandStores &stores, tile::DotOp dot, Value x, ProductSide side,
                            const TileLayout &accumulator) {
  const std::int64_t bytes = storedBytes(tile::elementOf(x.getType()));
  const SharedLayout shared =
      threadOperandBuffer(layout::layoutOf(x.getType()), accumulator, side, static_cast<int>(bytes));
  return stores.store(Origin(x), shared, dot, dot);
}

void useThreads(tile::DotOp dot, OperandStores &stores) {
  OpBuilder b(dot);
  const Location loc = dot.getLoc();
  const TileLayout accumulator = layout::layoutOf(dot.getType());
  const StoredOperand x = stored(stores, dot, dot.getA(), ProductSide::A, accumulator),
                      y = stored(stores, dot, dot.getB(), ProductSide::B, accumulator);
  const Value acc = under(b, loc, dot.getAcc(), accumulator);
  const Value result = layout::SharedDotOp::create(b, loc, x.buffer, y.buffer, acc, dot);
  stores.free(b, {x, y}, dot);
  replaceProduct(dot, result);
}

} // namespace tessera::ir::gpu
