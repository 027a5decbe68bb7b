//===- Operands.cpp - operands of products where they belong --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Dots/Operands.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

namespace tessera::ir::gpu {

using ::tessera::layout::SharedLayout;
using ::tessera::layout::TileLayout;

Value withElements(OpBuilder &b, Location loc, Value x, Type element) {
  if (tile::elementOf(x.getType()) == element)
    return x;
  return tile::ConvertFloatOp::create(b, loc, tile::withElement(x.getType(), element), x);
}

Value under(OpBuilder &b, Location loc, Value x, const TileLayout &layout) {
  if (layout::layoutOf(x.getType()) == layout)
    return x;
  return layout::ConvertOp::create(b, loc, layout::withLayout(x.getType(), layout), x);
}

Value stored(OpBuilder &b, Location loc, Value x, const SharedLayout &layout) {
  const auto type =
      layout::BufferType::get(tile::elementOf(x.getType()), layout::SharedLayoutAttr::get(b.getContext(), layout));
  const Value buffer = layout::SharedAllocOp::create(b, loc, type);
  layout::SharedStoreOp::create(b, loc, buffer, x);
  return buffer;
}

} // namespace tessera::ir::gpu
