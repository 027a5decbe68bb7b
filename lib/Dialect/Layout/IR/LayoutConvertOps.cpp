//===- LayoutConvertOps.cpp - a tile under another layout ------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Canonical form: no conversion to the same layout, of a conversion, or of what every layout can hold at no cost.
//
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Layout/IR/LayoutOps.h"

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

namespace tessera::ir::layout {

LogicalResult ConvertOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType()), result = cast<RankedTensorType>(getType());
  if (source.getShape() != result.getShape()) // convert_c1
    return emitOpError("expected `source` and result to have one shape, got [")
           << source.getShape() << "] and [" << result.getShape() << "]";
  if (source.getElementType() != result.getElementType()) // convert_c2
    return emitOpError("expected `source` and result to have one element type, got ")
           << source.getElementType() << " and " << result.getElementType();
  return success();
}

OpFoldResult ConvertOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  if (auto inner = getSource().getDefiningOp<ConvertOp>()) {
    getSourceMutable().assign(inner.getSource());
    return getResult();
  }
  if (auto elements = dyn_cast_if_present<DenseElementsAttr>(adaptor.getSource()); elements && elements.isSplat())
    return elements.resizeSplat(cast<RankedTensorType>(getType()));
  return {};
}

namespace {

/// layout.convert (tile.splat %s)   ->   tile.splat %s
struct ConvertOfSplat : OpRewritePattern<ConvertOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConvertOp op, PatternRewriter &rewriter) const override {
    auto splat = op.getSource().getDefiningOp<tile::SplatOp>();
    if (!splat)
      return rewriter.notifyMatchFailure(op, "source is not a splat");
    rewriter.replaceOpWithNewOp<tile::SplatOp>(op, op.getType(), splat.getSource());
    return success();
  }
};

} // namespace

void ConvertOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<ConvertOfSplat>(context);
}

} // namespace tessera::ir::layout
