//===- TileMemoryOps.cpp - access through pointers -------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Dialect/Tile/IR/MaskForms.h"
#include "Dialect/Tile/IR/Verify.h"

namespace tessera::ir::tile {

//===----------------------------------------------------------------------===//
// tile.addptr
//===----------------------------------------------------------------------===//

LogicalResult AddPtrOp::verify() {
  if (failed(verifySameShape(*this, "ptr", getPtr().getType(), "offset", getOffset().getType()))) // addptr_c1
    return failure();
  if (elementOf(getOffset().getType()).isInteger(1)) // addptr_c3
    return emitOpError("expected an offset of at least 8 bits, got i1");
  return success();
}

OpFoldResult AddPtrOp::fold(FoldAdaptor adaptor) {
  return isZero(adaptor.getOffset()) ? OpFoldResult(getPtr()) : OpFoldResult();
}

namespace {

/// %q = tile.splat %p;  %o = tile.splat %s;  tile.addptr %q, %o   ->   tile.splat (tile.addptr %p, %s)
struct AddPtrOfSplats : OpRewritePattern<AddPtrOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AddPtrOp op, PatternRewriter &rewriter) const override {
    auto ptr = op.getPtr().getDefiningOp<SplatOp>();
    auto offset = op.getOffset().getDefiningOp<SplatOp>();
    if (!ptr || !offset)
      return rewriter.notifyMatchFailure(op, "not a sum of two splats");
    Value sum = AddPtrOp::create(rewriter, op.getLoc(), ptr.getSource(), offset.getSource());
    rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), sum);
    return success();
  }
};

} // namespace

void AddPtrOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<AddPtrOfSplats>(context);
}

//===----------------------------------------------------------------------===//
// tile.load
//===----------------------------------------------------------------------===//

void LoadOp::build(OpBuilder &builder, OperationState &state, Value ptr, Value mask, Value other, CacheHint cache,
                   EvictHint evict, bool reload) {
  state.addOperands(ptr);
  if (mask)
    state.addOperands(mask);
  if (other)
    state.addOperands(other);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.operandSegmentSizes = {1, mask ? 1 : 0, other ? 1 : 0};
  properties.cache = CacheHintAttr::get(builder.getContext(), cache);
  properties.evict = EvictHintAttr::get(builder.getContext(), evict);
  if (reload)
    properties.reload = builder.getUnitAttr();
  state.addTypes(pointeeOf(ptr.getType()));
}

LogicalResult LoadOp::verify() {
  if (getOther() && !getMask()) // load_c4
    return emitOpError("expected `other` only with `mask`, got it without");
  return verifyLoadCache(*this, getCache()); // load_c5
}

/// A load that must not be merged with an earlier one counts as a write too.
static void addLoadEffects(bool reload,
                           SmallVectorImpl<mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>> &effects) {
  effects.emplace_back(mlir::MemoryEffects::Read::get(), GlobalMemory::get());
  if (reload)
    effects.emplace_back(mlir::MemoryEffects::Write::get(), GlobalMemory::get());
}

void LoadOp::getEffects(SmallVectorImpl<mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>> &effects) {
  addLoadEffects(getReload(), effects);
}

/// A load that no lane makes is what those lanes yield.
OpFoldResult LoadOp::fold(FoldAdaptor adaptor) {
  if (!isAllFalse(adaptor.getMask()))
    return {};
  return getOther() ? OpFoldResult(getOther()) : OpFoldResult(zeroConstant(getType()));
}

namespace {

/// tile.load %p mask %true other %o   ->   tile.load %p
struct LoadOfAllLanes : OpRewritePattern<LoadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LoadOp op, PatternRewriter &rewriter) const override {
    if (!isAllTrue(constantOf(op.getMask())))
      return rewriter.notifyMatchFailure(op, "mask is not known to be true everywhere");
    rewriter.modifyOpInPlace(op, [&] {
      op.getOtherMutable().clear();
      op.getMaskMutable().clear();
    });
    return success();
  }
};

/// tile.load %p mask %m other %zero   ->   tile.load %p mask %m
struct LoadOtherZero : OpRewritePattern<LoadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LoadOp op, PatternRewriter &rewriter) const override {
    if (!isZero(constantOf(op.getOther())))
      return rewriter.notifyMatchFailure(op, "other is not known to be zero");
    rewriter.modifyOpInPlace(op, [&] { op.getOtherMutable().clear(); });
    return success();
  }
};

} // namespace

void LoadOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<LoadOfAllLanes, LoadOtherZero>(context);
}

//===----------------------------------------------------------------------===//
// tile.store
//===----------------------------------------------------------------------===//

void StoreOp::build(OpBuilder &builder, OperationState &state, Value ptr, Value value, Value mask, CacheHint cache,
                    EvictHint evict) {
  state.addOperands({ptr, value});
  if (mask)
    state.addOperands(mask);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.cache = CacheHintAttr::get(builder.getContext(), cache);
  properties.evict = EvictHintAttr::get(builder.getContext(), evict);
}

LogicalResult StoreOp::verify() { return verifyStoreCache(*this, getCache()); } // store_c3

void StoreOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DropTrueMask<StoreOp>, DropFalseAccess<StoreOp>>(context);
}

} // namespace tessera::ir::tile
