//===- TileShapeFolds.cpp - folders and canonical forms of shape ops -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Canonical form: no op that moves elements acts on a splat, on another op of its kind, or to no effect. A splat stays
// a splat under every op that only moves elements.
//
//===---------------------------------------------------------------------===//

#include "Dialect/Tile/IR/Constants.h"
#include "Dialect/Tile/IR/Verify.h"

namespace tessera::ir::tile {

namespace {

/// %t = tile.splat %s;  %r = <Op> %t   ->   %r = tile.splat %s
template <typename Op> struct MoveOfSplat : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    auto splat = op.getSource().template getDefiningOp<SplatOp>();
    if (!splat)
      return rewriter.notifyMatchFailure(op, "source is not a splat");
    if (isElement(op.getType()))
      rewriter.replaceOp(op, splat.getSource());
    else
      rewriter.template replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getSource());
    return success();
  }
};

/// %t = tile.reshape %s : f32 -> tensor<1xf32>   ->   %t = tile.splat %s
struct ReshapeOfScalar : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    if (!isElement(op.getSource().getType()) || isElement(op.getType()))
      return rewriter.notifyMatchFailure(op, "not from a scalar to a tile");
    rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), op.getSource());
    return success();
  }
};

/// %e = tile.expand_dims %x;  %r = tile.reshape %e   ->   %r = tile.reshape %x
struct ReshapeOfExpandDims : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    auto expand = op.getSource().getDefiningOp<ExpandDimsOp>();
    if (!expand)
      return rewriter.notifyMatchFailure(op, "source is not an expand_dims");
    rewriter.modifyOpInPlace(op, [&] { op.getSourceMutable().assign(expand.getSource()); });
    return success();
  }
};

/// %v = tile.reshape %x;  %r = tile.expand_dims %v   ->   %r = tile.reshape %x
struct ExpandDimsOfReshape : OpRewritePattern<ExpandDimsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ExpandDimsOp op, PatternRewriter &rewriter) const override {
    auto reshape = op.getSource().getDefiningOp<ReshapeOp>();
    if (!reshape)
      return rewriter.notifyMatchFailure(op, "source is not a reshape");
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), reshape.getSource());
    return success();
  }
};

} // namespace

/// Whether all \p offsets are zero.
static bool allZero(ArrayRef<int64_t> offsets) {
  return llvm::all_of(offsets, [](int64_t offset) { return offset == 0; });
}

//===----------------------------------------------------------------------===//
// tile.broadcast, tile.expand_dims, tile.reshape
//===----------------------------------------------------------------------===//

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  if (auto inner = getSource().getDefiningOp<BroadcastOp>()) {
    getSourceMutable().assign(inner.getSource());
    return getResult();
  }
  return splatConstant(getType(), uniformElement(adaptor.getSource()));
}

void BroadcastOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<MoveOfSplat<BroadcastOp>>(context);
}

OpFoldResult ExpandDimsOp::fold(FoldAdaptor adaptor) { return reshapedConstant(getType(), adaptor.getSource()); }

void ExpandDimsOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<MoveOfSplat<ExpandDimsOp>, ExpandDimsOfReshape>(context);
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  if (auto inner = getSource().getDefiningOp<ReshapeOp>()) {
    getSourceMutable().assign(inner.getSource());
    return getResult();
  }
  return reshapedConstant(getType(), adaptor.getSource());
}

void ReshapeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<MoveOfSplat<ReshapeOp>, ReshapeOfScalar, ReshapeOfExpandDims>(context);
}

//===----------------------------------------------------------------------===//
// tile.trans
//===----------------------------------------------------------------------===//

OpFoldResult TransOp::fold(FoldAdaptor adaptor) {
  const ArrayRef<int32_t> permutation = getPermutation();
  const bool identity =
      llvm::all_of(llvm::enumerate(permutation), [](auto pair) { return pair.value() == int64_t(pair.index()); });
  if (identity && getSource().getType() == getType())
    return getSource();
  if (auto inner = getSource().getDefiningOp<TransOp>()) {
    const ArrayRef<int32_t> before = inner.getPermutation();
    setPermutation(llvm::map_to_vector(permutation, [&](int32_t axis) { return before[axis]; }));
    getSourceMutable().assign(inner.getSource());
    return getResult();
  }
  return splatConstant(getType(), uniformElement(adaptor.getSource()));
}

void TransOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<MoveOfSplat<TransOp>>(context);
}

//===----------------------------------------------------------------------===//
// tile.join, tile.split, tile.cat
//===----------------------------------------------------------------------===//

/// The constant of \p type that two equal uniform constants make together.
static Attribute uniformOfBoth(Type type, Attribute lhs, Attribute rhs) {
  Attribute left = uniformElement(lhs);
  return left && left == uniformElement(rhs) ? splatConstant(type, left) : Attribute();
}

OpFoldResult JoinOp::fold(FoldAdaptor adaptor) {
  auto split = getLhs().getDefiningOp<SplitOp>();
  if (split && getLhs() == split.getLhs() && getRhs() == split.getRhs() && split.getSource().getType() == getType())
    return split.getSource();
  return uniformOfBoth(getType(), adaptor.getLhs(), adaptor.getRhs());
}

LogicalResult SplitOp::fold(FoldAdaptor adaptor, SmallVectorImpl<OpFoldResult> &results) {
  if (auto join = getSource().getDefiningOp<JoinOp>(); join && join.getLhs().getType() == getLhs().getType()) {
    results.assign({OpFoldResult(join.getLhs()), OpFoldResult(join.getRhs())});
    return success();
  }
  Attribute half = splatConstant(getLhs().getType(), uniformElement(adaptor.getSource()));
  if (!half)
    return failure();
  results.assign({OpFoldResult(half), OpFoldResult(half)});
  return success();
}

OpFoldResult CatOp::fold(FoldAdaptor adaptor) { return uniformOfBoth(getType(), adaptor.getLhs(), adaptor.getRhs()); }

//===----------------------------------------------------------------------===//
// tile.flip, tile.slice, tile.insert, tile.extract_at
//===----------------------------------------------------------------------===//

OpFoldResult FlipOp::fold(FoldAdaptor adaptor) {
  if (shapeOf(getType())[getAxis()] == 1)
    return getSource();
  if (auto inner = getSource().getDefiningOp<FlipOp>(); inner && inner.getAxis() == getAxis())
    return inner.getSource();
  return splatConstant(getType(), uniformElement(adaptor.getSource()));
}

void FlipOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<MoveOfSplat<FlipOp>>(context);
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  if (auto inner = getSource().getDefiningOp<SliceOp>()) {
    SmallVector<int64_t> offsets(getOffsets());
    for (const auto [offset, before] : llvm::zip_equal(offsets, inner.getOffsets()))
      offset += before;
    setOffsets(offsets);
    getSourceMutable().assign(inner.getSource());
    return getResult();
  }
  return splatConstant(getType(), uniformElement(adaptor.getSource()));
}

void SliceOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<MoveOfSplat<SliceOp>>(context);
}

OpFoldResult InsertOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType() && allZero(getOffsets()))
    return getSource();
  Attribute element = uniformElement(adaptor.getSource());
  if (element && element == uniformElement(adaptor.getDestination()))
    return getDestination();
  return {};
}

/// An index that is not known to lie inside is left for checked execution to report.
OpFoldResult ExtractAtOp::fold(FoldAdaptor adaptor) {
  std::optional<APInt> index = uniformInt(adaptor.getIndex());
  if (!index || index->isNegative() || index->sge(shapeOf(getSource().getType())[getAxis()]))
    return {};
  return splatConstant(getType(), uniformElement(adaptor.getSource()));
}

} // namespace tessera::ir::tile
