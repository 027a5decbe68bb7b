//===- Dot.cpp - products of matrices ------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The layout of a product's accumulator says who multiplies: warps, where it is that of a matrix unit, or every thread.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Lanes/Dots.h"
#include "Conversion/LayoutToLLVM/Lanes/Families.h"

namespace tessera::ir::gpu {

static void emitSharedDot(Operation &op, Emitter &e) {
  auto dot = cast<layout::SharedDotOp>(op);
  const Product product(dot);
  const std::optional<WarpUnit> unit = e.hooks().warpUnitOf(product, e.numWarps(), e.layoutOf(dot.getAcc()));
  if (unit && unit->aElement == product.a && unit->bElement == product.b)
    return emitWarpDot(dot, *unit, e);
  if (isa<layout::BufferType>(dot.getA().getType()))
    return emitThreadDot(dot, e);
  e.refuse(op, "has its left operand in registers, where no matrix unit under the layout of `acc` takes it");
  e.setPlaceholders(op);
}

static void emitDot(Operation &op, Emitter &e) { emitWarpDot(cast<tile::DotOp>(op), e); }

void registerDotOps(OpTable &table) {
  table.add<layout::SharedDotOp>(emitSharedDot);
  table.add<tile::DotOp>(emitDot);
}

} // namespace tessera::ir::gpu
