//===- MaskForms.h - canonical forms that all masked accesses share --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A mask that is true everywhere is not written; an access whose mask is false everywhere is not made.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_TILE_IR_MASKFORMS_H
#define TESSERA_DIALECT_TILE_IR_MASKFORMS_H

#include "Dialect/Tile/IR/Constants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tessera::ir::tile {

/// <Op> ... mask %true   ->   <Op> ...
template <typename Op> struct DropTrueMask : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!isAllTrue(constantOf(op.getMask())))
      return rewriter.notifyMatchFailure(op, "mask is not known to be true everywhere");
    rewriter.modifyOpInPlace(op, [&] { op.getMaskMutable().clear(); });
    return success();
  }
};

/// <Op> ... mask %false   ->   nothing; its result, if any, is 0
template <typename Op> struct DropFalseAccess : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!isAllFalse(constantOf(op.getMask())))
      return rewriter.notifyMatchFailure(op, "mask is not known to be false everywhere");
    if (op->getNumResults() == 0) {
      rewriter.eraseOp(op);
      return success();
    }
    const Type type = op->getResult(0).getType();
    auto zero = dyn_cast_if_present<TypedAttr>(zeroConstant(type));
    if (!zero)
      return rewriter.notifyMatchFailure(op, "pointers have no constants");
    rewriter.replaceOpWithNewOp<mlir::arith::ConstantOp>(op, type, zero);
    return success();
  }
};

} // namespace tessera::ir::tile

#endif // TESSERA_DIALECT_TILE_IR_MASKFORMS_H
