//===- Elementwise.cpp - ops that work element by element -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Analysis/Elementwise.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace tessera::ir {

bool isElementwise(Operation *op) {
  if (isa<mlir::arith::ConstantOp>(op))
    return false;
  if (isa_and_nonnull<mlir::arith::ArithDialect, mlir::math::MathDialect>(op->getDialect()))
    return true;
  if (auto cast = dyn_cast<tile::BitcastOp>(op))
    return tile::shapeOf(cast.getSource().getType()) == tile::shapeOf(cast.getType());
  if (auto assembly = dyn_cast<tile::InlineAsmOp>(op))
    return assembly.getPure() && assembly.getPack() == 1;
  return isa<tile::IDivOp, tile::IRemOp, tile::ShlOp, tile::ShrOp, tile::UMulHiOp, tile::MaxNumOp, tile::MinNumOp,
             tile::SigmoidOp, tile::SoftplusOp, tile::LdexpOp, tile::ILogBOp, tile::HintOp, tile::ConvertFloatOp,
             tile::FloatToIntOp, tile::PtrToIntOp, tile::IntToPtrOp, tile::PtrCastOp, tile::AddPtrOp, tile::PhiloxOp>(
      op);
}

bool isApproximate(Operation &op) {
  auto flags = dyn_cast<mlir::arith::ArithFastMathInterface>(&op);
  if (!flags)
    return false;
  const mlir::arith::FastMathFlagsAttr attribute = flags.getFastMathFlagsAttr();
  return attribute && mlir::arith::bitEnumContainsAll(attribute.getValue(), mlir::arith::FastMathFlags::afn);
}

} // namespace tessera::ir
