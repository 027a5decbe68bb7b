//===- WarpProducts.cpp - products on matrix units of warps ---------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The product stays a `tile.dot`, under the unit's layouts, with conversions around it.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Dots/Operands.h"
#include "Conversion/LayoutToLLVM/Dots/Products.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

namespace tessera::ir::gpu {

void useWarps(tile::DotOp dot, const MatrixUnit &unit) {
  OpBuilder b(dot);
  const Location loc = dot.getLoc();
  const Value x = under(b, loc, withElements(b, loc, dot.getA(), unit.aElement), unit.a);
  const Value y = under(b, loc, withElements(b, loc, dot.getB(), unit.bElement), unit.b);
  const Value acc = under(b, loc, dot.getAcc(), unit.acc);
  auto product = tile::DotOp::create(b, loc, x, y, acc, dot.getPrecision());
  const Value result = under(b, loc, product.getResult(), layout::layoutOf(dot.getType()));
  dot.getResult().replaceAllUsesWith(result);
  dot.erase();
}

} // namespace tessera::ir::gpu
