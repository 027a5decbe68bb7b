//===- ExpandShared.cpp - make shared memory explicit --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  %r = layout.convert %x, where elements move between warps, or far within them
// After:   %b = layout.shared_alloc;  layout.shared_store %b, %x;  %r = layout.shared_load %b;  layout.shared_free %b
//          and likewise for ops that choose elements at run-time indices, and for parts of tiles that no thread holds
// Needs:   layouts; reductions, scans and sorts within warps.
// Gives:   conversions within warps; joins, splits, slices, inserts and flips of registers; no other op that moves
//          elements between threads but those on buffers.
// Place:   before buffers get their places, and before barriers.
// Numerics: none.
//
// Parts of tiles are renamed registers where each thread holds what it needs, or can after a conversion. Otherwise the
// tile goes to a buffer, from which each thread gathers.
//
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Layout/Transforms/Passes.h"

#include "Arch/Chip.h"
#include "Dialect/Layout/Transforms/ExpandConversions.h"
#include "Dialect/Layout/Transforms/TileBuilder.h"
#include "Layout/AxisBits.h"
#include "Layout/Box.h"
#include "Layout/Conversion.h"

#include "tessera-ir/Dialect/Tile/IR/AxisShape.h"
#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tessera::ir::layout {

#define GEN_PASS_DEF_EXPANDSHAREDPASS
#include "tessera-ir/Dialect/Layout/Transforms/Passes.h.inc"

using namespace ::tessera::layout;
namespace arith = mlir::arith;
using tile::AxisShape;
using tile::axisShape;

namespace {

ArrayRef<int64_t> shapeOf(Value value) { return tile::shapeOf(value.getType()); }
TileLayout layoutOf(Value value) { return layout::layoutOf(value.getType()); }
bool isTile(Value value) { return isa<RankedTensorType>(value.getType()); }

/// \p layout with all elements in each block of a cluster: what others held lies in registers.
TileLayout inEachBlock(const TileLayout &layout) {
  TileLayout::Bases bases;
  for (const Dim dim : {Dim::Register, Dim::Lane, Dim::Warp})
    bases[static_cast<size_t>(dim)].assign(layout.bases(dim).begin(), layout.bases(dim).end());
  const std::uint32_t copies = layout.copyMask(Dim::Block);
  for (auto [bit, column] : llvm::enumerate(layout.bases(Dim::Block)))
    if ((copies >> bit & 1) == 0)
      bases[static_cast<size_t>(Dim::Register)].push_back(column);
  return TileLayout({layout.shape().begin(), layout.shape().end()}, std::move(bases));
}

class Expander {
public:
  explicit Expander(Operation *op) : b(op), t(b, op->getLoc()) {}

  void expand(Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<tile::SliceOp, tile::InsertOp, tile::CatOp, tile::JoinOp, tile::SplitOp, tile::FlipOp, tile::ExtractAtOp,
              tile::InsertAtOp, tile::GatherOp, tile::HistogramOp, tile::BitcastOp>([&](auto each) { rewrite(each); });
  }

private:
  //===--- Buffers ---===//

  Value alloc(Type element, const SharedLayout &layout) {
    return SharedAllocOp::create(b, t.location(),
                                 BufferType::get(element, SharedLayoutAttr::get(b.getContext(), layout)));
  }
  /// A buffer that holds \p x in row-major order, in each block of a cluster.
  Value stored(Value x) {
    const ArrayRef<int64_t> shape = shapeOf(x);
    SmallVector<int> order(llvm::reverse(llvm::seq<int>(0, static_cast<int>(shape.size()))));
    const Value buffer =
        alloc(tile::elementOf(x.getType()), SharedLayout::inOrder({shape.data(), shape.size()}, order));
    SharedStoreOp::create(b, t.location(), buffer, x,
                          /*cluster=*/!staysInBlocks(layoutOf(x), inEachBlock(layoutOf(x))));
    return buffer;
  }
  void free(Value buffer) { SharedFreeOp::create(b, t.location(), buffer); }

  /// `result[.., i, ..] = x[.., index[.., i, ..], ..]`, under the layout of \p index.
  Value gather(Value x, Value index, int axis) {
    const Type type = tile::withElement(index.getType(), tile::elementOf(x.getType()));
    const Value buffer = stored(x);
    const Value result = SharedGatherOp::create(b, t.location(), type, buffer, index, static_cast<uint32_t>(axis));
    free(buffer);
    return result;
  }

  //===--- Small code on tiles ---===//

  Value number(int64_t value, Value like) {
    return t.constant(b.getIntegerAttr(tile::elementOf(like.getType()), value), like.getType());
  }
  Value add(Value x, int64_t value) { return arith::AddIOp::create(b, t.location(), x, number(value, x)); }
  Value compare(arith::CmpIPredicate how, Value x, Value y) {
    return arith::CmpIOp::create(b, t.location(), how, x, y);
  }
  Value select(Value condition, Value x, Value y) { return arith::SelectOp::create(b, t.location(), condition, x, y); }
  Value splat(Value scalar, const TileLayout &layout) {
    const ArrayRef<int64_t> shape(layout.shape().data(), layout.shape().size());
    return tile::SplatOp::create(b, t.location(), withLayout(RankedTensorType::get(shape, scalar.getType()), layout),
                                 scalar);
  }
  void replace(Operation *op, ValueRange values) {
    SmallVector<Value> results;
    for (auto [result, value] : llvm::zip_equal(op->getResults(), values))
      results.push_back(t.convert(t.reshape(value, shapeOf(result)), layoutOf(result)));
    op->replaceAllUsesWith(results);
    op->erase();
  }

  //===--- Boxes ---===//

  void rewrite(tile::SliceOp op) {
    const TileLayout whole = layoutOf(op.getSource()), box = layoutOf(op.getResult());
    const ArrayRef<int64_t> offsets = op.getOffsets(), shape = shapeOf(op.getResult());
    if (boxRegisters(whole, box, offsets))
      return;
    if (const std::optional<TileLayout> held = boxLayout(whole, offsets, shape)) {
      const Type type = withLayout(op.getResult().getType(), *held);
      return replace(op, tile::SliceOp::create(b, op.getLoc(), type, op.getSource(), offsets).getResult());
    }
    Value x = op.getSource();
    for (auto [axis, extent] : llvm::enumerate(shape))
      if (shapeOf(x)[axis] != extent)
        x = sliced(x, axis, offsets[axis], extent, shapeOf(x).drop_front(axis + 1) == shape.drop_front(axis + 1), box);
    replace(op, x);
  }
  /// \p extent elements of \p axis from \p offset on, by way of a buffer; under the layout \p last if it \p isLast.
  Value sliced(Value x, size_t axis, int64_t offset, int64_t extent, bool isLast, const TileLayout &last) {
    SmallVector<int64_t> shape(shapeOf(x));
    shape[axis] = extent;
    const TileLayout layout = isLast ? last : t.spread(shape, last);
    return gather(x, add(t.coordinate(layout, static_cast<int>(axis)), offset), static_cast<int>(axis));
  }

  void rewrite(tile::InsertOp op) {
    const TileLayout whole = layoutOf(op.getResult()), box = layoutOf(op.getSource());
    const ArrayRef<int64_t> offsets = op.getOffsets(), shape = shapeOf(op.getSource());
    op.getDestinationMutable().assign(t.convert(op.getDestination(), whole));
    if (boxRegisters(whole, box, offsets))
      return;
    if (const std::optional<TileLayout> held = boxLayout(whole, offsets, shape))
      return op.getSourceMutable().assign(t.convert(op.getSource(), *held));
    // The box is spread over the whole, axis by axis, and taken where it belongs.
    Value x = op.getSource(), isInside;
    for (auto [axis, extent] : llvm::enumerate(shape)) {
      const int64_t wholeExtent = shapeOf(op.getResult())[axis];
      if (wholeExtent == extent)
        continue;
      SmallVector<int64_t> spread(shapeOf(x));
      spread[axis] = wholeExtent;
      const bool isLast = ArrayRef<int64_t>(spread) == shapeOf(op.getResult());
      const TileLayout layout = isLast ? whole : t.spread(spread, whole);
      x = gather(x, add(t.coordinate(layout, static_cast<int>(axis)), -offsets[axis]), static_cast<int>(axis));
      const Value place = add(t.coordinate(whole, static_cast<int>(axis)), -offsets[axis]);
      const Value inAxis = compare(arith::CmpIPredicate::ult, place, number(extent, place));
      isInside = isInside ? arith::AndIOp::create(b, op.getLoc(), isInside, inAxis).getResult() : inAxis;
    }
    replace(op, select(isInside, x, op.getDestination()));
  }

  /// Both halves side by side on a new axis, which then moves before the one they are put together on.
  void rewrite(tile::CatOp op) {
    const AxisShape shape = axisShape(shapeOf(op.getLhs()), static_cast<unsigned>(op.getAxis()));
    const SmallVector<int64_t> flat{shape.outer, shape.extent, shape.inner};
    const Value pairs = t.join(t.reshape(op.getLhs(), flat), t.reshape(op.getRhs(), flat));
    replace(op, t.trans(pairs, {0, 3, 1, 2}));
  }

  /// The layout of one of the parts that differ in the last axis of \p whole; nothing if they are in other threads.
  static std::optional<TileLayout> partLayout(const TileLayout &whole) {
    SmallVector<int64_t> offsets(static_cast<size_t>(whole.rank()), 0);
    SmallVector<int64_t> shape(whole.shape().begin(), whole.shape().end());
    shape.back() = 1;
    const std::optional<TileLayout> half = boxLayout(whole, offsets, shape);
    if (!half)
      return std::nullopt;
    shape.pop_back();
    return reshaped(*half, shape);
  }

  void rewrite(tile::JoinOp op) {
    if (!isTile(op.getLhs()))
      return;
    const TileLayout whole = layoutOf(op.getResult());
    if (const std::optional<TileLayout> half = partLayout(whole)) {
      op.getLhsMutable().assign(t.convert(op.getLhs(), *half));
      op.getRhsMutable().assign(t.convert(op.getRhs(), *half));
    } else {
      replace(op, t.join(op.getLhs(), op.getRhs()));
    }
  }

  void rewrite(tile::SplitOp op) {
    std::optional<TileLayout> half = partLayout(layoutOf(op.getSource()));
    Value source = op.getSource();
    if (!half) {
      half = isTile(op.getLhs()) ? layoutOf(op.getLhs())
                                 : reshaped(squeezed(layoutOf(source), std::array<int64_t, 1>{1}), {});
      source = t.convert(source, joined(*half, 2));
    }
    Type type = op.getLhs().getType();
    if (isTile(op.getLhs()))
      type = withLayout(type, *half);
    auto split = tile::SplitOp::create(b, op.getLoc(), type, type, source);
    replace(op, split.getResults());
  }

  /// Between elements of other widths the parts of one lie in registers of a thread.
  void rewrite(tile::BitcastOp op) {
    const Value source = op.getSource(), result = op.getResult();
    if (shapeOf(source).size() == shapeOf(result).size())
      return;
    const bool isSplitting = shapeOf(source).size() < shapeOf(result).size();
    const Value whole = isSplitting ? source : result, parts = isSplitting ? result : source;
    const int64_t count = shapeOf(parts).back();
    std::optional<TileLayout> held = partLayout(layoutOf(parts));
    const TileLayout partsLayout = held ? layoutOf(parts) : joined(layoutOf(whole), count);
    if (!held)
      held = layoutOf(whole);
    if (isSplitting) {
      const Type type = withLayout(result.getType(), partsLayout);
      return replace(op, tile::BitcastOp::create(b, op.getLoc(), type, t.convert(source, *held)).getResult());
    }
    const Type type = withLayout(result.getType(), *held);
    replace(op, tile::BitcastOp::create(b, op.getLoc(), type, t.convert(source, partsLayout)).getResult());
  }

  void rewrite(tile::FlipOp op) {
    const TileLayout layout = layoutOf(op.getSource());
    const auto axis = static_cast<int>(op.getAxis());
    if (mirrorHolder(layout, axis))
      return;
    const Value place = t.coordinate(layout, axis);
    const Value mirrored =
        arith::SubIOp::create(b, op.getLoc(), number(shapeOf(op.getSource())[op.getAxis()] - 1, place), place);
    replace(op, gather(op.getSource(), mirrored, axis));
  }

  //===--- Run-time indices ---===//

  void rewrite(tile::ExtractAtOp op) {
    SmallVector<int64_t> shape(shapeOf(op.getSource()));
    shape[op.getAxis()] = 1;
    TileLayout layout;
    if (isTile(op.getResult()))
      layout = reshaped(layoutOf(op.getResult()), shape);
    else
      layout = squeezed(layoutOf(op.getSource()), shape);
    replace(op, gather(op.getSource(), splat(op.getIndex(), layout), static_cast<int>(op.getAxis())));
  }

  void rewrite(tile::InsertAtOp op) {
    const TileLayout layout = layoutOf(op.getResult());
    const auto axis = static_cast<int>(op.getAxis());
    SmallVector<int64_t> shape(shapeOf(op.getResult()));
    shape[op.getAxis()] = 1;
    Value source = op.getSource();
    source = isTile(source) ? t.broadcast(t.reshape(source, shape), layout) : splat(source, layout);
    const Value place = t.coordinate(layout, axis);
    const Value index = arith::TruncIOp::create(b, op.getLoc(), b.getI32Type(), op.getIndex());
    const Value isThere = compare(arith::CmpIPredicate::eq, place, splat(index, layout));
    replace(op, select(isThere, source, t.convert(op.getDestination(), layout)));
  }

  void rewrite(tile::GatherOp op) {
    replace(op, gather(op.getSource(), op.getIndex(), static_cast<int>(op.getAxis())));
  }

  void rewrite(tile::HistogramOp op) {
    const TileLayout layout = layoutOf(op.getSource());
    const Type element = tile::elementOf(op.getSource().getType());
    SmallVector<int64_t> line{layout.elements()};
    const auto flat = [&](Value x) { return t.reshape(x, line); };
    Value bins = flat(op.getSource());
    if (element.getIntOrFloatBitWidth() < 32) {
      const Type wide = tile::withElement(bins.getType(), b.getI32Type());
      bins = op.getIsUnsigned() || element.isInteger(1)
                 ? arith::ExtUIOp::create(b, op.getLoc(), wide, bins).getResult()
                 : arith::ExtSIOp::create(b, op.getLoc(), wide, bins).getResult();
    }
    if (const Value mask = op.getMask())
      bins = select(flat(mask), bins, number(-1, bins));
    const ArrayRef<int64_t> shape = shapeOf(op.getResult());
    const Value counts = alloc(b.getI32Type(), SharedLayout::inOrder({shape.data(), shape.size()}, std::array{0}));
    const Value zero = t.constant(b.getI32IntegerAttr(0), b.getI32Type());
    bins = t.convert(bins, inEachBlock(layoutOf(bins)));
    SharedFillOp::create(b, op.getLoc(), counts, zero);
    const Value one = t.constant(b.getI32IntegerAttr(1), bins.getType());
    SharedAtomicAddOp::create(b, op.getLoc(), counts, bins, one);
    const Value result = SharedLoadOp::create(b, op.getLoc(), op.getResult().getType(), counts);
    free(counts);
    replace(op, result);
  }

  OpBuilder b;
  TileBuilder t;
};

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct ExpandSharedPass : impl::ExpandSharedPassBase<ExpandSharedPass> {
  using Base::Base;
  void runOnOperation() override {
    const arch::Chip *const chip = arch::findChip(target.getValue());
    if (!chip) {
      getOperation().emitError("there is no chip `") << target << "`";
      return signalPassFailure();
    }
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<tile::TileDialect>(op->getDialect()) && hasLayouts(op))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      Expander(op).expand(op);
    expandConversions(getOperation(), chip->sharedBanks);
  }

private:
  static bool hasLayouts(Operation *op) {
    const auto lacksLayout = [](Type type) { return isa<RankedTensorType>(type) && !encodingOf(type); };
    return llvm::none_of(op->getOperandTypes(), lacksLayout) && llvm::none_of(op->getResultTypes(), lacksLayout);
  }
};

} // namespace

} // namespace tessera::ir::layout
