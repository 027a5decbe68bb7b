//===- Reduce.cpp - reductions -----------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A combine that gives the same bits in any order runs into an accumulator as wide as the loop's vectors. Every other
// one keeps the order of the tree (Combine.h): the loop leaves a chunk of the axis in a line of the arena, or finds it
// in the input's own buffer; the chunk is folded to one vector while it is near, and the vectors of all chunks at the
// end. Along an axis with elements behind it whole rows are combined, without moves between lanes.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Emit/Combine.h"
#include "Conversion/TileToHost/Emit/Core.h"
#include "Conversion/TileToHost/Emit/Families.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/MathExtras.h"

namespace tessera::ir::host {

using tile::CombineKind;

namespace {

/// Vectors or rows that are combined in one straight piece of code.
constexpr int64_t kFold = 16;
/// Elements of an axis between two folds.
constexpr int64_t kChunk = 256;

/// What both ways of reducing need to know.
class ReduceSink : public GroupSink {
public:
  ReduceSink(const Sink &sink) : op(cast<tile::ReduceOp>(sink.op)), axis(static_cast<unsigned>(op.getAxis())) {
    const ArrayRef<int64_t> extents = tile::shapeOf(op.getInputs()[0].getType());
    shape.assign(extents.begin(), extents.end());
    const AxisShape around = axisShape(shape, axis);
    extent = around.extent;
    isAlong = around.inner == 1;
  }
  unsigned depth() const override { return isAlong ? axis : 0; }

protected:
  Lanes inputs(Emitter &e, const LaneBlock &block) {
    Lanes lanes;
    for (Value input : op.getInputs())
      lanes.push_back(e.lanes(input, block));
    return lanes;
  }

  /// Hands over one element of each result.
  void give(Emitter &e, ValueRange outer, const Lanes &values) {
    for (auto [result, value] : llvm::zip_equal(op.getResults(), values)) {
      if (!isa<RankedTensorType>(result.getType())) {
        e.setScalar(result, value);
      } else if (e.hasBuffer(result)) {
        SmallVector<Value, 5> index(outer.begin(), outer.end());
        index.resize(shape.size() - 1, e.i64(0));
        e.writeBuffer(e.bufferOf(result), value, elementAt(index));
      }
    }
  }

  /// \p block of the inputs as that of the results.
  LaneBlock withoutAxis(const LaneBlock &block) const {
    LaneBlock result = block;
    result.index.erase(result.index.begin() + axis);
    if (result.axis > axis)
      --result.axis;
    return result;
  }

  tile::ReduceOp op;
  unsigned axis;
  SmallVector<int64_t, 5> shape; ///< of the inputs
  int64_t extent;                ///< of the axis
  bool isAlong;                  ///< nothing lies behind the axis, so that a vector's lanes are combined
};

//===----------------------------------------------------------------------===//
// In any order
//===----------------------------------------------------------------------===//

/// The bits of the least (or with \p greatest the greatest) element, infinite where there is infinity.
APFloat extreme(const llvm::fltSemantics &semantics, bool greatest) {
  const bool hasInfinity = APFloat::semanticsHasInf(semantics);
  return hasInfinity ? APFloat::getInf(semantics, !greatest) : APFloat::getLargest(semantics, !greatest);
}

/// The form in code of the element that changes nothing.
Value identityOf(Emitter &e, CombineKind kind, Type element) {
  const auto number = [&](const APFloat &value) {
    if (element.getIntOrFloatBitWidth() < 32)
      return e.integer(element.getIntOrFloatBitWidth(), static_cast<int64_t>(value.bitcastToAPInt().getZExtValue()));
    return e.constant(FloatAttr::get(element, value));
  };
  const auto integer = [&](const APInt &value) {
    return e.constant(IntegerAttr::get(IntegerType::get(element.getContext(), value.getBitWidth()), value));
  };
  if (auto type = dyn_cast<FloatType>(element)) {
    const llvm::fltSemantics &semantics = type.getFloatSemantics();
    if (kind == CombineKind::MaximumF || kind == CombineKind::MinimumF)
      return number(extreme(semantics, kind == CombineKind::MinimumF));
    return number(APFloat::getNaN(semantics));
  }
  const unsigned bits = element.getIntOrFloatBitWidth();
  switch (kind) {
  case CombineKind::MulI:
    return integer(APInt(bits, 1));
  case CombineKind::And:
  case CombineKind::MinUI:
    return integer(APInt::getAllOnes(bits));
  case CombineKind::MaxSI:
    return integer(APInt::getSignedMinValue(bits));
  case CombineKind::MinSI:
    return integer(APInt::getSignedMaxValue(bits));
  default:
    return integer(APInt::getZero(bits));
  }
}

class OrderFreeSink : public ReduceSink {
public:
  OrderFreeSink(const Sink &sink, Emitter &) : ReduceSink(sink) {}

  SmallVector<Value> begin(Emitter &e, ValueRange, const Domain &domain) override {
    const Value identity = identityOf(e, *tile::matchCombine(op.getCombine()), element());
    if (isAlong)
      return {e.splat(identity, domain.lanes)};
    const Buffer result = e.bufferOf(op.getResult(0));
    const Domain all = domainOf(tile::shapeOf(op.getResult(0).getType()), e.preferredLanes({element()}));
    e.forDomain(all, 1, [&](ArrayRef<LaneBlock> blocks) {
      e.writeBuffer(result, e.splat(identity, blocks[0].lanes), blocks[0]);
    });
    return {};
  }

  SmallVector<Value> blocks(Emitter &e, ArrayRef<LaneBlock> blocks, ValueRange carried) override {
    if (isAlong) {
      SmallVector<Lanes> vectors;
      for (const LaneBlock &block : blocks)
        vectors.push_back(inputs(e, block));
      const Lanes sum = combineRows(e, op.getCombine(), vectors);
      return SmallVector<Value>(combineLanes(e, op.getCombine(), Lanes{carried[0]}, sum));
    }
    const Buffer result = e.bufferOf(op.getResult(0));
    for (const LaneBlock &block : blocks) {
      const LaneBlock place = withoutAxis(block);
      const Lanes before{e.splat(e.readBuffer(result, place), place.lanes)};
      e.writeBuffer(result, combineLanes(e, op.getCombine(), before, inputs(e, block))[0], place);
    }
    return {};
  }

  void end(Emitter &e, ValueRange outer, ValueRange carried) override {
    if (isAlong)
      give(e, outer, combineWithin(e, op.getCombine(), Lanes{carried[0]}));
  }

private:
  Type element() { return tile::elementOf(op.getInputs()[0].getType()); }
};

//===----------------------------------------------------------------------===//
// In the order of the tree
//===----------------------------------------------------------------------===//

class PairsSink : public ReduceSink {
public:
  PairsSink(const Sink &sink, Emitter &e) : ReduceSink(sink), chunkExtent(std::min(extent, kChunk)) {
    for (Value input : op.getInputs()) {
      const Type element = tile::elementOf(input.getType());
      const bool isThere = isKept(input, e) && (!isAlong || e.bufferOf(input).strides[axis] == 1);
      lines.push_back(isThere ? e.bufferOf(input)
                              : e.scratchBuffer(isAlong ? ArrayRef<int64_t>{chunkExtent} : shape, element));
      areThere.push_back(isThere);
      if (isAlong)
        folded.push_back(e.scratchBuffer({extent / chunkExtent * std::min<int64_t>(chunkExtent, 64)}, element));
    }
  }

  int64_t chunk() const override { return isAlong ? chunkExtent : 0; }

  SmallVector<Value> begin(Emitter &, ValueRange, const Domain &domain) override {
    lanes = static_cast<int64_t>(isAlong ? domain.lanes : 1);
    return {};
  }

  SmallVector<Value> blocks(Emitter &e, ArrayRef<LaneBlock> blocks, ValueRange) override {
    for (const LaneBlock &block : blocks)
      for (auto [input, line, isThere] : llvm::zip_equal(op.getInputs(), lines, areThere)) {
        if (isThere)
          continue;
        LaneBlock place = block;
        if (isAlong) {
          place = elementAt({e.math().andI(block.index[axis], e.i64(chunkExtent - 1))});
          place.lanes = block.lanes;
        }
        e.writeBuffer(line, e.lanes(input, block), place);
      }
    return {};
  }

  void endChunk(Emitter &e, const LaneBlock &first) override {
    if (!isAlong)
      return;
    SmallVector<Lanes> vectors;
    for (int64_t at = 0; at != chunkExtent; at += lanes) {
      Lanes vector;
      for (auto [line, isThere] : llvm::zip_equal(lines, areThere)) {
        LaneBlock place = isThere ? first : elementAt({e.i64(0)});
        place.lanes = static_cast<unsigned>(lanes);
        if (isThere)
          place.axis = axis;
        Value &coordinate = place.index[isThere ? axis : 0];
        coordinate = e.add(coordinate, e.i64(at));
        vector.push_back(e.splat(e.readBuffer(line, place), place.lanes));
      }
      vectors.push_back(std::move(vector));
    }
    // A chunk becomes `lanes` elements.
    Value place = e.i64(0);
    if (chunkExtent != extent) {
      const unsigned shrink = llvm::Log2_64(static_cast<uint64_t>(chunkExtent / lanes));
      place = e.math().shrU(first.index[axis], shrink);
    }
    writeFolded(e, place, combineVectors(e, op.getCombine(), vectors));
  }

  void end(Emitter &e, ValueRange outer, ValueRange) override {
    if (!isAlong)
      return endRows(e);
    int64_t count = extent / chunkExtent * lanes;
    // In place: what is written lies at or before what is read.
    for (; count > kFold * lanes; count /= kFold)
      e.forRange(e.i64(0), e.i64(count), kFold * lanes, [&](Value at) {
        SmallVector<Lanes> vectors;
        for (int64_t i = 0; i != kFold; ++i)
          vectors.push_back(readFolded(e, e.add(at, e.i64(i * lanes))));
        writeFolded(e, e.math().shrU(at, llvm::Log2_64(kFold)), combineVectors(e, op.getCombine(), vectors));
      });
    SmallVector<Lanes> vectors;
    for (int64_t at = 0; at != count; at += lanes)
      vectors.push_back(readFolded(e, e.i64(at)));
    give(e, outer, combineWithin(e, op.getCombine(), combineVectors(e, op.getCombine(), vectors)));
  }

private:
  /// Whether \p input has a buffer that the group's other sinks leave as it is.
  static bool isKept(Value input, Emitter &e) {
    if (!e.hasBuffer(input))
      return false;
    const Home &home = e.plan().home(input);
    return home.kind == HomeKind::Buffer && llvm::all_of(e.state().group->sinks, [&](const Sink &sink) {
             const bool writesSlot =
                 (sink.kind == SinkKind::Define || sink.kind == SinkKind::Copy) && sink.to.slot == home.buffer.slot;
             return !writesSlot || sink.value == input;
           });
  }

  Lanes readFolded(Emitter &e, Value at) {
    Lanes vector;
    LaneBlock place = elementAt({at});
    place.lanes = static_cast<unsigned>(lanes);
    for (const Buffer &buffer : folded)
      vector.push_back(e.readBuffer(buffer, place));
    return vector;
  }
  void writeFolded(Emitter &e, Value at, const Lanes &vector) {
    LaneBlock place = elementAt({at});
    place.lanes = static_cast<unsigned>(lanes);
    for (auto [buffer, code] : llvm::zip_equal(folded, vector))
      e.writeBuffer(buffer, code, place);
  }

  /// Combines rows, for a block of lanes behind the axis at a time.
  void endRows(Emitter &e) {
    SmallVector<Type> elements;
    for (Value input : op.getInputs())
      elements.push_back(tile::elementOf(input.getType()));
    const Domain results = domainOf(tile::shapeOf(op.getResult(0).getType()), e.preferredLanes(elements));
    SmallVector<Buffer, 2> columns; // what the first folds of a long axis leave
    if (extent > kFold)
      for (Type element : elements)
        columns.push_back(e.scratchBuffer({extent / kFold, results.lanes}, element));
    e.forDomain(results, 1, [&](ArrayRef<LaneBlock> blocks) {
      const LaneBlock &block = blocks[0];
      const auto rows = [&](ArrayRef<Buffer> from, Value first, int64_t count, bool isColumn) {
        SmallVector<Lanes> vectors;
        for (int64_t row = 0; row != count; ++row) {
          const Value at = e.add(first, e.i64(row));
          Lanes vector;
          for (const Buffer &buffer : from)
            vector.push_back(e.splat(e.readBuffer(buffer, isColumn ? column(e, at, block) : withAxis(block, axis, at)),
                                     block.lanes));
          vectors.push_back(std::move(vector));
        }
        return combineRows(e, op.getCombine(), vectors);
      };
      int64_t count = extent;
      for (bool isColumn = false; count > kFold; count /= kFold, isColumn = true)
        e.forRange(e.i64(0), e.i64(count), kFold, [&](Value at) {
          const Lanes row = rows(isColumn ? columns : lines, at, kFold, isColumn);
          for (auto [buffer, code] : llvm::zip_equal(columns, row))
            e.writeBuffer(buffer, code, column(e, e.math().shrU(at, llvm::Log2_64(kFold)), block));
        });
      const Lanes row = rows(count == extent ? lines : columns, e.i64(0), count, count != extent);
      for (auto [result, code] : llvm::zip_equal(op.getResults(), row))
        if (e.hasBuffer(result))
          e.writeBuffer(e.bufferOf(result), code, block);
    });
  }
  static LaneBlock column(Emitter &e, Value row, const LaneBlock &block) {
    LaneBlock place = elementAt({row, e.i64(0)});
    place.axis = 1;
    place.lanes = block.lanes;
    return place;
  }

  int64_t chunkExtent;           ///< elements of the axis in a chunk
  int64_t lanes = 1;             ///< of a vector in the group's loops
  SmallVector<Buffer, 2> lines;  ///< per input: a chunk, or all where lanes are not combined
  SmallVector<bool, 2> areThere; ///< per input: its line is its own buffer
  SmallVector<Buffer, 2> folded; ///< per input: a vector of each chunk
};

} // namespace

void registerReduceOps(OpTable &table) {
  table.add<tile::ReduceOp>(nullptr, [](const Sink &sink, Emitter &e) -> std::unique_ptr<GroupSink> {
    if (sink.kind == SinkKind::ReduceOrderFree)
      return std::make_unique<OrderFreeSink>(sink, e);
    return std::make_unique<PairsSink>(sink, e);
  });
}

} // namespace tessera::ir::host
