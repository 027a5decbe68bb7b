//===- SplitReductions.cpp - reductions and scans within warps -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  %s = tile.reduce %x axis 0, where four warps lie along the axis
// After:   %a = tile.reshape %x to 4 x n;  %b = tile.reduce %a axis 1   -- each warp its part
//          %c = layout.convert %b to a layout in which one warp has all four, and every warp has them
//          %s = tile.reduce %c axis 0
// Needs:   layouts.  Gives: reductions and scans along axes that no warp has a bit of, and that are plain on the axis.
// Place:   after layouts are settled, before shared memory becomes explicit.
// Numerics: sums are grouped by warps; with `deterministic` in the order of the tree, as everywhere.
//
// What is left of an axis after the first step is small: what fits one wide access stays in registers of every thread,
// which then needs no shuffle, and the rest goes to lanes that would only hold copies.
//
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Layout/Transforms/Passes.h"

#include "Dialect/Layout/Transforms/TileBuilder.h"
#include "Layout/AxisBits.h"

#include "tessera-ir/Dialect/Tile/IR/AxisShape.h"
#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

namespace tessera::ir::layout {

#define GEN_PASS_DEF_SPLITREDUCTIONSPASS
#include "tessera-ir/Dialect/Layout/Transforms/Passes.h.inc"

using namespace ::tessera::layout;
using tile::AxisShape;

namespace {

/// Bytes that one access to shared memory brings to a thread.
constexpr int64_t kWideAccess = 16;

/// A run of neighbouring bits of an axis that are all between warps, or all within.
struct Run {
  bool isBetween = false;
  int64_t extent = 1;
};

bool isBetween(const Holder &holder) { return holder.dim == Dim::Warp || holder.dim == Dim::Block; }

/// The bits of an axis as runs, from the highest, and how many elements the bits below the first bit between warps
/// make.
struct AxisRuns {
  SmallVector<Run> runs;
  int64_t below = 1;
};

AxisRuns runsOf(ArrayRef<Holder> holders) {
  AxisRuns result;
  for (const Holder &holder : holders) {
    const bool between = isBetween(holder);
    if (result.runs.empty() || result.runs.back().isBetween != between)
      result.runs.push_back({between, 1});
    result.runs.back().extent *= 2;
  }
  if (!result.runs.empty() && !result.runs.front().isBetween)
    result.below = result.runs.front().extent;
  std::reverse(result.runs.begin(), result.runs.end());
  return result;
}

int64_t bytesOf(ValueRange values) {
  int64_t bytes = 1;
  for (const Value value : values)
    bytes = std::max<int64_t>(bytes, llvm::divideCeil(tile::bitsOf(tile::elementOf(value.getType())), 8));
  return bytes;
}

/// \p layout, whose \p axis lies between warps and perhaps in registers, with all of the axis in every warp: its lowest
/// bits in registers, \p registers elements of it, then in lanes that hold only copies, and what is left in registers.
TileLayout brought(const TileLayout &layout, int axis, int64_t registers) {
  const TileLayout rest = withoutRegisterCopies(withoutAxis(layout, axis));
  const int low = layout.axisShift(axis);
  const int bits = std::popcount(layout.axisMask(axis));
  // What lies behind the axis keeps its bits of flat indices, what lies before it moves up.
  const auto around = [&](std::uint32_t column) {
    const std::uint32_t behind = column & ((std::uint32_t{1} << low) - 1);
    return behind | (column ^ behind) << bits;
  };
  TileLayout::Bases bases;
  for (const Dim dim : kDims)
    for (const std::uint32_t column : rest.bases(dim))
      bases[static_cast<size_t>(dim)].push_back(around(column));
  std::vector<std::uint32_t> wide, far;
  std::vector<std::uint32_t> &lanes = bases[static_cast<size_t>(Dim::Lane)];
  for (int bit = 0; bit != bits; ++bit) {
    const std::uint32_t column = std::uint32_t{1} << (low + bit);
    const auto copies = llvm::find(lanes, 0U);
    if (int64_t{1} << bit < registers)
      wide.push_back(column);
    else if (copies != lanes.end())
      *copies = column;
    else
      far.push_back(column);
  }
  std::vector<std::uint32_t> &all = bases[static_cast<size_t>(Dim::Register)];
  all.insert(all.begin(), wide.begin(), wide.end());
  all.insert(all.end(), far.begin(), far.end());
  return TileLayout({layout.shape().begin(), layout.shape().end()}, std::move(bases));
}

/// \p values, each with \p axis between warps, in a layout that brings it into every warp.
SmallVector<Value> bringTogether(TileBuilder &t, ValueRange values, int axis) {
  const TileLayout layout = brought(layoutOf(values[0].getType()), axis, kWideAccess / bytesOf(values));
  return llvm::map_to_vector(values, [&](Value value) { return t.convert(value, layout); });
}

SmallVector<Value> reshapeAll(TileBuilder &t, ValueRange values, ArrayRef<int64_t> shape) {
  return llvm::map_to_vector(values, [&](Value value) { return t.reshape(value, shape); });
}

/// Gives the results of \p op their values, under the layouts that they had.
void replace(TileBuilder &t, Operation *op, ArrayRef<Value> values) {
  SmallVector<Value> results;
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values))
    results.push_back(t.convert(t.reshape(value, tile::shapeOf(result.getType())), layoutOf(result.getType())));
  op->replaceAllUsesWith(results);
  op->erase();
}

/// An op along an axis, and what of its layout matters.
struct Along {
  TileLayout layout;
  int axis = 0;
  std::optional<std::vector<Holder>> holders;

  template <class Op>
  explicit Along(Op op)
      : layout(layoutOf(op.getInputs()[0].getType())), axis(static_cast<int>(op.getAxis())),
        holders(axisHolders(layout, axis)) {}
  bool isLegal() const { return holders && llvm::none_of(*holders, isBetween); }
  AxisShape shape() const {
    return tile::axisShape({layout.shape().data(), layout.shape().size()}, static_cast<unsigned>(axis));
  }
};

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Reduces what lies within warps, in one step: registers meet before lanes do.
SmallVector<Value> reduceWithin(TileBuilder &t, ValueRange inputs, tile::ReduceOp op, const AxisShape &shape,
                                ArrayRef<Run> runs) {
  SmallVector<int64_t> apart{shape.outer};
  SmallVector<int32_t> between, within;
  int64_t extentBetween = 1;
  for (const Run &run : runs) {
    (run.isBetween ? between : within).push_back(static_cast<int32_t>(apart.size()));
    extentBetween *= run.isBetween ? run.extent : 1;
    apart.push_back(run.extent);
  }
  const auto last = static_cast<int32_t>(apart.size());
  apart.push_back(shape.inner);
  SmallVector<int32_t> permutation{0};
  llvm::append_range(permutation, between);
  llvm::append_range(permutation, within);
  permutation.push_back(last);
  SmallVector<Value> parts;
  for (const Value input : inputs)
    parts.push_back(t.reshape(t.trans(t.reshape(input, apart), permutation),
                              {shape.outer, extentBetween, shape.extent / extentBetween, shape.inner}));
  return t.reduce(parts, 2, op.getCombine(), Order::Free);
}

/// The first op of the block of \p op in which its results are used; \p op if there is none.
Operation *firstUser(Operation *op) {
  Operation *first = nullptr;
  for (Operation *user : op->getUsers())
    if (Operation *inBlock = op->getBlock()->findAncestorOpInBlock(*user))
      if (!first || inBlock->isBeforeInBlock(first))
        first = inBlock;
  return first ? first : op;
}

void splitReduce(tile::ReduceOp op) {
  const Along along(op);
  if (along.isLegal())
    return;
  OpBuilder b(op);
  TileBuilder t(b, op.getLoc());
  const AxisShape shape = along.shape();
  SmallVector<Value> values(op.getInputs());
  const auto finish = [&](int axis) {
    replace(t, op, t.reduce(values, axis, op.getCombine(), op.getDeterministic() ? Order::Forward : Order::Free));
  };
  // Two axes are added around the runs.
  const AxisRuns runs = runsOf(along.holders.value_or(std::vector<Holder>{}));
  if (!along.holders || runs.runs.size() + 2 > static_cast<size_t>(tile::kMaxRank)) {
    const TileLayout gathered = alongAxis(along.layout, along.axis);
    for (Value &value : values)
      value = t.convert(value, gathered);
    return finish(along.axis);
  }
  if (op.getDeterministic()) {
    // The tree begins with the lowest bits.
    values = reshapeAll(t, values, {shape.outer, shape.extent / runs.below, runs.below, shape.inner});
    values = t.reduce(values, 2, op.getCombine(), Order::Forward);
  } else {
    values = reduceWithin(t, values, op, shape, runs.runs);
  }
  // What the warps have is brought together where it is needed, so that reductions between may share a barrier.
  b.setInsertionPoint(firstUser(op));
  values = bringTogether(t, values, 1);
  finish(1);
}

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

SmallVector<Value> buildScan(TileBuilder &t, ValueRange inputs, int axis, tile::ScanOp like, bool isExclusive,
                             ArrayAttr identity) {
  SmallVector<Type> types(inputs.getTypes());
  auto scan = tile::ScanOp::create(t.builder(), t.location(), types, inputs, static_cast<uint32_t>(axis),
                                   like.getReverse(), isExclusive, identity, like.getDeterministic());
  mlir::IRMapping mapping;
  like.getCombine().cloneInto(&scan.getCombine(), mapping);
  return SmallVector<Value>(scan.getResults());
}

/// A zero for each input, to stand where nothing is used; null if some element type has none.
ArrayAttr zerosOf(OpBuilder &b, ValueRange inputs) {
  SmallVector<Attribute> zeros;
  for (const Value input : inputs) {
    const TypedAttr zero = b.getZeroAttr(tile::elementOf(input.getType()));
    if (!zero)
      return {};
    zeros.push_back(zero);
  }
  return b.getArrayAttr(zeros);
}

/// Scans each part that lies within warps; the totals of parts are scanned where one warp has them all, and the total
/// of all parts before it is combined into each element of a part.
void splitScanByTotals(TileBuilder &t, tile::ScanOp op, const Along &along, int64_t below, ArrayAttr zeros) {
  OpBuilder &b = t.builder();
  const AxisShape shape = along.shape();
  const int64_t parts = shape.extent / below;
  const SmallVector<Value> values = reshapeAll(t, op.getInputs(), {shape.outer, parts, below, shape.inner});
  const TileLayout layout = layoutOf(values[0].getType());
  const SmallVector<Value> scanned = buildScan(t, values, 2, op, op.getExclusive(), op.getIdentityAttr());
  // In order, since the combine of a scan need not be commutative.
  const Order order = op.getReverse() ? Order::Backward : Order::Forward;
  SmallVector<Value> totals = bringTogether(t, t.reduce(values, 2, op.getCombine(), order), 1);
  totals = buildScan(t, totals, 1, op, /*isExclusive=*/true, zeros);
  SmallVector<Value> before;
  for (const Value total : totals)
    before.push_back(t.broadcast(t.reshape(total, {shape.outer, parts, 1, shape.inner}), layout));
  const auto isAt = [&](int axis, int64_t place) -> Value {
    const Value coordinate = t.coordinate(layout, axis);
    return mlir::arith::CmpIOp::create(
        b, t.location(), mlir::arith::CmpIPredicate::eq, coordinate,
        t.constant(b.getI32IntegerAttr(static_cast<int32_t>(place)), coordinate.getType()));
  };
  const Value isFirstPart = isAt(1, op.getReverse() ? parts - 1 : 0);
  const Value isFirstOfPart = op.getExclusive() ? isAt(2, op.getReverse() ? below - 1 : 0) : Value();
  const auto select = [&](Value condition, Value yes, Value no) -> Value {
    return mlir::arith::SelectOp::create(b, t.location(), condition, yes, no);
  };
  SmallVector<Value> results;
  for (auto [part, total, both] : llvm::zip_equal(scanned, before, t.combine(before, scanned, op.getCombine()))) {
    const Value later = isFirstOfPart ? select(isFirstOfPart, total, both) : both;
    results.push_back(select(isFirstPart, part, later));
  }
  replace(t, op, results);
}

void splitScan(tile::ScanOp op) {
  const Along along(op);
  if (along.isLegal())
    return;
  OpBuilder b(op);
  TileBuilder t(b, op.getLoc());
  const ArrayAttr zeros = zerosOf(b, op.getInputs());
  if (along.holders && zeros && !op.getDeterministic())
    return splitScanByTotals(t, op, along, runsOf(*along.holders).below, zeros);
  const TileLayout gathered = alongAxis(along.layout, along.axis);
  SmallVector<Value> values;
  for (const Value input : op.getInputs())
    values.push_back(t.convert(input, gathered));
  replace(t, op, buildScan(t, values, along.axis, op, op.getExclusive(), op.getIdentityAttr()));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct SplitReductionsPass : impl::SplitReductionsPassBase<SplitReductionsPass> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<tile::ReduceOp, tile::ScanOp>(op) && encodingOf(op->getOperand(0).getType()))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      if (auto reduce = dyn_cast<tile::ReduceOp>(op))
        splitReduce(reduce);
      else
        splitScan(cast<tile::ScanOp>(op));
  }
};

} // namespace

} // namespace tessera::ir::layout
