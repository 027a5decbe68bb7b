//===- TileViewOps.cpp - access through views ------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Dialect/Tile/IR/MaskForms.h"
#include "Dialect/Tile/IR/Verify.h"

namespace tessera::ir::tile {

using Effects = SmallVectorImpl<mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>>;

/// A load that must not be merged with an earlier one counts as a write too.
static void addLoadEffects(bool reload, Effects &effects) {
  effects.emplace_back(mlir::MemoryEffects::Read::get(), GlobalMemory::get());
  if (reload)
    effects.emplace_back(mlir::MemoryEffects::Write::get(), GlobalMemory::get());
}

/// One coordinate for each axis of \p view.
static LogicalResult verifyCoords(Operation *op, ViewType view, size_t coords) {
  if (coords == view.getRank())
    return success();
  return op->emitOpError("expected one coordinate for each of ") << view.getRank() << " axes, got " << coords;
}

/// The value called \p name, a tile moved from or to \p view, has the view's rank and element type.
static LogicalResult verifyMoved(Operation *op, ViewType view, StringRef name, Type type) {
  if (elementOf(type) != view.getElement())
    return op->emitOpError("expected `") << name << "` to have the element type " << view.getElement()
                                         << " of the view, got " << elementOf(type);
  if (shapeOf(type).size() != view.getRank())
    return op->emitOpError("expected `") << name << "` to have the rank " << view.getRank() << " of the view, got "
                                         << shapeOf(type).size();
  return success();
}

/// What the two accesses by rows share.
static LogicalResult verifyRows(Operation *op, ViewType view, Type rows, StringRef name, Type type) {
  if (view.getRank() != 2)
    return op->emitOpError("expected a view of rank 2, got rank ") << view.getRank();
  if (shapeOf(rows).size() != 1)
    return op->emitOpError("expected `rows` to have rank 1, got rank ") << shapeOf(rows).size();
  if (failed(verifyMoved(op, view, name, type)))
    return failure();
  if (shapeOf(type).front() != shapeOf(rows).front())
    return op->emitOpError("expected `") << name << "` to have a row for each of " << shapeOf(rows).front()
                                         << " indices, got " << shapeOf(type).front();
  return success();
}

namespace {

/// <Op> ... pad %zero   ->   <Op> ...
template <typename Op> struct DropZeroPad : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!isZero(constantOf(op.getPad())))
      return rewriter.notifyMatchFailure(op, "pad is not known to be zero");
    rewriter.modifyOpInPlace(op, [&] { op.getPadMutable().clear(); });
    return success();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// tile.make_view
//===----------------------------------------------------------------------===//

LogicalResult MakeViewOp::verify() {
  const unsigned rank = getType().getRank();
  if (getExtents().size() != rank) // make_view_c2
    return emitOpError("expected ") << rank << " extents for a view of rank " << rank << ", got "
                                    << getExtents().size();
  if (getStrides().size() != rank) // make_view_c3
    return emitOpError("expected ") << rank << " strides for a view of rank " << rank << ", got "
                                    << getStrides().size();
  return success();
}

//===----------------------------------------------------------------------===//
// tile.view_load, tile.view_store
//===----------------------------------------------------------------------===//

void ViewLoadOp::build(OpBuilder &builder, OperationState &state, Value view, ValueRange coords,
                       ArrayRef<int64_t> shape, Value pad, CacheHint cache, EvictHint evict, bool reload) {
  auto type = dyn_cast<ViewType>(view.getType());
  build(builder, state, valueType(shape, type ? type.getElement() : view.getType()), view, coords, pad, cache, evict,
        reload);
}

LogicalResult ViewLoadOp::verify() {
  const ViewType view = getView().getType();
  return failure(failed(verifyCoords(*this, view, getCoords().size())) || // view_load_c1
                 failed(verifyMoved(*this, view, "result", getType())) || // view_load_c2
                 failed(verifyLoadCache(*this, getCache())));             // view_load_c4
}

void ViewLoadOp::getEffects(Effects &effects) { addLoadEffects(getReload(), effects); }

void ViewLoadOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DropZeroPad<ViewLoadOp>>(context);
}

LogicalResult ViewStoreOp::verify() {
  const ViewType view = getView().getType();
  return failure(failed(verifyCoords(*this, view, getCoords().size())) ||           // view_store_c1
                 failed(verifyMoved(*this, view, "value", getValue().getType())) || // view_store_c2
                 failed(verifyStoreCache(*this, getCache())));                      // view_store_c3
}

//===----------------------------------------------------------------------===//
// tile.view_load_rows, tile.view_store_rows
//===----------------------------------------------------------------------===//

void ViewLoadRowsOp::build(OpBuilder &builder, OperationState &state, Value view, Value rows, Value col,
                           int64_t columns, Value pad, CacheHint cache, EvictHint evict, bool reload) {
  auto type = dyn_cast<ViewType>(view.getType());
  SmallVector<int64_t> shape(shapeOf(rows.getType()));
  shape.push_back(columns);
  build(builder, state, valueType(shape, type ? type.getElement() : view.getType()), view, rows, col, pad, cache, evict,
        reload);
}

LogicalResult ViewLoadRowsOp::verify() {
  if (failed(verifyRows(*this, getView().getType(), getRows().getType(), "result", getType()))) // _c1, _c2, _c3
    return failure();
  return verifyLoadCache(*this, getCache()); // view_load_rows_c5
}

void ViewLoadRowsOp::getEffects(Effects &effects) { addLoadEffects(getReload(), effects); }

void ViewLoadRowsOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DropZeroPad<ViewLoadRowsOp>>(context);
}

LogicalResult ViewStoreRowsOp::verify() {
  if (failed(verifyRows(*this, getView().getType(), getRows().getType(), "value",
                        getValue().getType()))) // view_store_rows_c1, _c2, _c3
    return failure();
  return verifyStoreCache(*this, getCache()); // view_store_rows_c4
}

} // namespace tessera::ir::tile
