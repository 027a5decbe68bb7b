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

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

namespace tessera::ir::gpu {

using ::tessera::layout::ProductSide;
using ::tessera::layout::SharedLayout;
using ::tessera::layout::threadOperandBuffer;
using ::tessera::layout::TileLayout;

namespace {

struct Operand {
  Value allocation;
  Value buffer; ///< as the product reads it
};

} // namespace

/// \p x in a buffer for a result under \p accumulator. What is a transposed tile is stored as it was before, and the
/// buffer is transposed.
static Operand stored(OpBuilder &b, Location loc, Value x, ProductSide side, const TileLayout &accumulator) {
  const std::int64_t bytes = storedBytes(tile::elementOf(x.getType()));
  const SharedLayout shared =
      threadOperandBuffer(layout::layoutOf(x.getType()), accumulator, side, static_cast<int>(bytes));
  auto trans = x.getDefiningOp<tile::TransOp>();
  if (!trans) {
    const Value buffer = stored(b, loc, x, shared);
    return {buffer, buffer};
  }
  SmallVector<int> back(trans.getPermutation().size());
  for (const auto [to, from] : llvm::enumerate(trans.getPermutation()))
    back[static_cast<size_t>(from)] = static_cast<int>(to);
  const Value allocation = stored(b, loc, trans.getSource(), transposed(shared, back));
  return {allocation, layout::SharedTransOp::create(b, loc, allocation, trans.getPermutation())};
}

void useThreads(tile::DotOp dot) {
  OpBuilder b(dot);
  const Location loc = dot.getLoc();
  const TileLayout accumulator = layout::layoutOf(dot.getType());
  const Operand x = stored(b, loc, dot.getA(), ProductSide::A, accumulator),
                y = stored(b, loc, dot.getB(), ProductSide::B, accumulator);
  const Value acc = under(b, loc, dot.getAcc(), accumulator);
  const Value result = layout::SharedDotOp::create(b, loc, x.buffer, y.buffer, acc, dot);
  layout::SharedFreeOp::create(b, loc, x.allocation);
  layout::SharedFreeOp::create(b, loc, y.allocation);
  dot.getResult().replaceAllUsesWith(result);
  dot.erase();
}

} // namespace tessera::ir::gpu
