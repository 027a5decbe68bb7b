//===- LayoutRules.cpp - which layouts the operands and results of an op have -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Layout/IR/LayoutRules.h"

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Layout/IR/LayoutDialect.h"
#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::ir::layout {

using namespace tessera::ir::tile;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static bool hasTile(Operation *op) {
  const auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  return llvm::any_of(op->getOperandTypes(), isTensor) || llvm::any_of(op->getResultTypes(), isTensor);
}

LayoutRule ruleOf(Operation *op) {
  if (!hasTile(op) || isa<mlir::arith::ConstantOp, SplatOp, ArangeOp>(op))
    return LayoutRule::None;
  if (isa_and_nonnull<mlir::scf::SCFDialect, LayoutDialect>(op->getDialect()))
    return LayoutRule::None; // each of their values has a layout of its own
  if (isa<ExpandDimsOp, ReshapeOp>(op))
    return LayoutRule::Reshape;
  if (isa<TransOp>(op))
    return LayoutRule::Permute;
  if (isa<BroadcastOp>(op))
    return LayoutRule::Broadcast;
  if (isa<ReduceOp>(op))
    return LayoutRule::Reduce;
  if (isa<ScanOp, SortOp, CatOp, FlipOp, SliceOp, InsertOp, JoinOp, SplitOp, GatherOp, ExtractAtOp, InsertAtOp,
          HistogramOp, DotOp>(op))
    return LayoutRule::Special;
  if (isa<ViewLoadRowsOp, ViewStoreRowsOp>(op))
    return LayoutRule::Rows;
  if (auto cast = dyn_cast<BitcastOp>(op); cast && shapeOf(cast.getSource().getType()) != shapeOf(cast.getType()))
    return LayoutRule::Special;
  return LayoutRule::Same;
}

//===----------------------------------------------------------------------===//
// From sources to results and back
//===----------------------------------------------------------------------===//

/// The first tile among \p values; null if there is none.
static Value firstTile(ValueRange values) {
  for (const Value value : values)
    if (isa<RankedTensorType>(value.getType()))
      return value;
  return {};
}

static TileLayout reshapedTo(const TileLayout &layout, Value value) {
  const ArrayRef<int64_t> shape = shapeOf(value.getType());
  return ::tessera::layout::reshaped(layout, {shape.data(), shape.size()});
}

static TileLayout permuted(const TileLayout &layout, ArrayRef<int32_t> permutation, bool back) {
  SmallVector<int> axes(permutation.size());
  for (const auto [to, from] : llvm::enumerate(permutation))
    axes[back ? from : to] = static_cast<int>(back ? to : from);
  return ::tessera::layout::transposed(layout, {axes.data(), axes.size()});
}

std::optional<TileLayout> resultLayoutOf(Operation *op, const TileLayout &source) {
  switch (ruleOf(op)) {
  case LayoutRule::Same:
    return source;
  case LayoutRule::Reshape:
    return reshapedTo(source, op->getResult(0));
  case LayoutRule::Permute:
    return permuted(source, cast<TransOp>(op).getPermutation(), /*back=*/false);
  case LayoutRule::Reduce:
    return ::tessera::layout::withoutAxis(source, static_cast<int>(cast<ReduceOp>(op).getAxis()));
  case LayoutRule::None:
  case LayoutRule::Broadcast:
  case LayoutRule::Rows:
  case LayoutRule::Special:
    return std::nullopt;
  }
  return std::nullopt;
}

std::optional<TileLayout> sourceLayoutOf(Operation *op, const TileLayout &result) {
  const Value source = firstTile(op->getOperands());
  if (!source)
    return std::nullopt;
  switch (ruleOf(op)) {
  case LayoutRule::Same:
    return result;
  case LayoutRule::Reshape:
    return reshapedTo(result, source);
  case LayoutRule::Permute:
    return permuted(result, cast<TransOp>(op).getPermutation(), /*back=*/true);
  case LayoutRule::Broadcast: {
    const ArrayRef<int64_t> shape = shapeOf(source.getType());
    return ::tessera::layout::squeezed(result, {shape.data(), shape.size()});
  }
  case LayoutRule::None:
  case LayoutRule::Reduce:
  case LayoutRule::Rows:
  case LayoutRule::Special:
    return std::nullopt;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Checking
//===----------------------------------------------------------------------===//

static LogicalResult verifyPresent(Operation *op, TypeRange types) {
  for (const Type type : types)
    if (isa<RankedTensorType>(type) && !encodingOf(type))
      return op->emitError("`") << op->getName() << "` has the tile " << type << " without a layout";
  return success();
}

/// All tiles of \p values have the layout of \p like.
static LogicalResult verifySame(Operation *op, ValueRange values, TileLayoutAttr like, StringRef what) {
  for (const Value value : values)
    if (const TileLayoutAttr layout = encodingOf(value.getType()); layout && layout != like)
      return op->emitError("`") << op->getName() << "` expected " << what << " to have the layout " << like << ", got "
                                << layout;
  return success();
}

LogicalResult verifyLayoutRule(Operation *op) {
  if (failed(verifyPresent(op, op->getOperandTypes())) || failed(verifyPresent(op, op->getResultTypes())))
    return failure();
  MLIRContext *context = op->getContext();
  const Value operand = firstTile(op->getOperands()), result = firstTile(op->getResults());
  const LayoutRule rule = ruleOf(op);
  switch (rule) {
  case LayoutRule::None:
  case LayoutRule::Special:
    return success();
  case LayoutRule::Same: {
    const TileLayoutAttr like = encodingOf((operand ? operand : result).getType());
    return failure(failed(verifySame(op, op->getOperands(), like, "all tiles")) ||
                   failed(verifySame(op, op->getResults(), like, "all tiles")));
  }
  case LayoutRule::Rows: {
    auto load = dyn_cast<ViewLoadRowsOp>(op);
    const Value rows = load ? load.getRows() : cast<ViewStoreRowsOp>(op).getRows();
    const Value moved = load ? load.getResult() : cast<ViewStoreRowsOp>(op).getValue();
    const TileLayout expected = ::tessera::layout::withoutAxis(layoutOf(moved.getType()), 1);
    return verifySame(op, rows, TileLayoutAttr::get(context, expected), "the numbers of its rows");
  }
  case LayoutRule::Broadcast: {
    const std::optional<TileLayout> expected = sourceLayoutOf(op, layoutOf(result.getType()));
    return verifySame(op, operand, TileLayoutAttr::get(context, *expected), "its source");
  }
  case LayoutRule::Reshape:
  case LayoutRule::Permute:
  case LayoutRule::Reduce:
    break;
  }
  if (!operand || !result) // to or from a scalar
    return success();
  if (failed(verifySame(op, op->getOperands(), encodingOf(operand.getType()), "all sources")))
    return failure();
  const std::optional<TileLayout> expected = resultLayoutOf(op, layoutOf(operand.getType()));
  return verifySame(op, op->getResults(), TileLayoutAttr::get(context, *expected), "its results");
}

} // namespace tessera::ir::layout
