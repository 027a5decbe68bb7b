//===- ShapeOps.cpp - moving elements without computing on them -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Every shape operation is one or two strided copies: a box of elements with a stride per axis on each side. Broadcast
// has source strides 0, trans permutes them, flip negates one, join and cat write parts of the result.
//
//===---------------------------------------------------------------------===//

#include "Target/Interp/Lowering.h"
#include "Target/Interp/Ops/Elementwise.h"
#include "Target/Interp/Ops/Families.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "fmt/format.h"

namespace tessera::ir::interp {

using namespace mlir;

namespace {

using Strides = std::array<std::int64_t, 6>;

/// Row-major strides.
Strides stridesOf(const Shape &shape) {
  Strides strides{};
  std::int64_t step = 1;
  for (unsigned axis = shape.rank; axis-- != 0;) {
    strides[axis] = step;
    step *= shape.extent[axis];
  }
  return strides;
}

/// Copies element (i...) from `from` + sum(i * fromStride) to `to` + sum(i * toStride). All in elements.
struct CopyPayload : Payload {
  Shape box;
  Strides fromStride{}, toStride{};
  std::int64_t from = 0, to = 0;
  std::int64_t indexExtent = 0; ///< of extract_at and insert_at: the axis' extent, else 0
  std::int64_t indexStride = 0; ///< elements per step of the run-time index
  bool indexOnSource = false;
};

template <class W> void copyBox(const CopyPayload &c, const W *from, W *to) {
  // The innermost axis is the loop; the outer ones count like an odometer.
  const unsigned rank = c.box.rank;
  const std::int64_t n = rank ? c.box.extent[rank - 1] : 1;
  const std::int64_t fs = rank ? c.fromStride[rank - 1] : 0, ts = rank ? c.toStride[rank - 1] : 0;
  std::array<std::int64_t, 6> at{};
  while (true) {
    if (fs == 1 && ts == 1)
      std::memcpy(to, from, static_cast<std::size_t>(n) * sizeof(W));
    else if (fs == 0 && ts == 1)
      for (std::int64_t i = 0; i != n; ++i)
        to[i] = *from;
    else
      for (std::int64_t i = 0; i != n; ++i)
        to[i * ts] = from[i * fs];
    unsigned axis = rank ? rank - 1 : 0;
    for (; axis != 0; --axis) {
      from += c.fromStride[axis - 1];
      to += c.toStride[axis - 1];
      if (++at[axis - 1] != c.box.extent[axis - 1])
        break;
      from -= c.fromStride[axis - 1] * c.box.extent[axis - 1];
      to -= c.toStride[axis - 1] * c.box.extent[axis - 1];
      at[axis - 1] = 0;
    }
    if (axis == 0)
      return;
  }
}

template <class W> void stridedCopy(const Inst &inst, Frame &frame) {
  const auto &c = inst.payload<CopyPayload>();
  copyBox(c, frame.in<W>(inst, 0) + c.from, frame.out<W>(inst) + c.to);
}

/// The same at a run-time index, operand 1. An index outside the extent is reported; extract_at then gives zeros and
/// insert_at changes nothing.
template <class W> void indexedCopy(const Inst &inst, Frame &frame) {
  const auto &c = inst.payload<CopyPayload>();
  const std::int64_t index = frame.scalar<std::int64_t>(inst, 1);
  if (index < 0 || index >= c.indexExtent) {
    if (frame.checks())
      frame.fault(
          inst, 0, 1, [&] { return fmt::format("index {} is outside an axis of extent {}", index, c.indexExtent); },
          "a run-time index must lie in the tile");
    if (c.indexOnSource)
      std::memset(frame.out<W>(inst), 0, inst.out[0].bytes());
    return;
  }
  const std::int64_t shift = index * c.indexStride;
  copyBox(c, frame.in<W>(inst, 0) + c.from + (c.indexOnSource ? shift : 0),
          frame.out<W>(inst) + c.to + (c.indexOnSource ? 0 : shift));
}

ExecFn pickCopy(Elem e, bool indexed) {
  return dispatchWidth<ExecFn>(e, [&]<class W>() -> ExecFn { return indexed ? indexedCopy<W> : stridedCopy<W>; });
}

/// Drops axes of extent 1 and merges axes that are contiguous on both sides, so that inner loops are long.
void simplify(CopyPayload &c) {
  Shape box;
  Strides from{}, to{};
  for (unsigned axis = 0; axis != c.box.rank; ++axis) {
    const std::int64_t n = c.box.extent[axis];
    if (n == 1)
      continue;
    if (box.rank && from[box.rank - 1] == c.fromStride[axis] * n && to[box.rank - 1] == c.toStride[axis] * n) {
      box.extent[box.rank - 1] *= n;
      from[box.rank - 1] = c.fromStride[axis];
      to[box.rank - 1] = c.toStride[axis];
      continue;
    }
    box.extent[box.rank] = n;
    from[box.rank] = c.fromStride[axis];
    to[box.rank++] = c.toStride[axis];
  }
  c.box = box;
  c.fromStride = from;
  c.toStride = to;
}

void emitCopy(Operation &op, Builder &b, CopyPayload copy, ArrayRef<Slot> in, Slot out) {
  simplify(copy);
  Inst &inst = b.emit(op, pickCopy(out.elem, copy.indexExtent != 0), in, out);
  inst.extra = std::make_unique<CopyPayload>(std::move(copy));
}

CopyPayload copyOf(const Shape &box, const Strides &from, const Strides &to) {
  CopyPayload copy;
  copy.box = box;
  copy.fromStride = from;
  copy.toStride = to;
  return copy;
}

Shape operandShape(Operation &op, unsigned i = 0) { return shapeOf(op.getOperand(i).getType()); }
Shape resultShape(Operation &op, unsigned i = 0) { return shapeOf(op.getResult(i).getType()); }

LogicalResult lowerReshape(Operation &op, Builder &b) {
  b.emit(op, copyBits);
  return success();
}

LogicalResult lowerBroadcast(Operation &op, Builder &b) {
  const Shape source = operandShape(op), result = resultShape(op);
  Strides from = stridesOf(source);
  for (unsigned axis = 0; axis != source.rank; ++axis)
    if (source.extent[axis] == 1)
      from[axis] = 0;
  emitCopy(op, b, copyOf(result, from, stridesOf(result)), b.in(op.getOperand(0)), b.out(op.getResult(0)));
  return success();
}

LogicalResult lowerTrans(Operation &op, Builder &b) {
  const Shape result = resultShape(op);
  const Strides source = stridesOf(operandShape(op));
  Strides from{};
  for (auto [axis, sourceAxis] : llvm::enumerate(cast<tile::TransOp>(op).getPermutation()))
    from[axis] = source[sourceAxis];
  emitCopy(op, b, copyOf(result, from, stridesOf(result)), b.in(op.getOperand(0)), b.out(op.getResult(0)));
  return success();
}

LogicalResult lowerJoin(Operation &op, Builder &b) {
  const Shape source = operandShape(op);
  Strides to = stridesOf(source);
  for (std::int64_t &stride : to)
    stride *= 2;
  for (unsigned part = 0; part != 2; ++part) {
    CopyPayload copy = copyOf(source, stridesOf(source), to);
    copy.to = part;
    emitCopy(op, b, copy, b.in(op.getOperand(part)), b.out(op.getResult(0)));
  }
  return success();
}

LogicalResult lowerSplit(Operation &op, Builder &b) {
  const Shape half = resultShape(op);
  Strides from = stridesOf(half);
  for (std::int64_t &stride : from)
    stride *= 2;
  for (unsigned part = 0; part != 2; ++part) {
    CopyPayload copy = copyOf(half, from, stridesOf(half));
    copy.from = part;
    emitCopy(op, b, copy, b.in(op.getOperand(0)), b.out(op.getResult(part)));
  }
  return success();
}

LogicalResult lowerCat(Operation &op, Builder &b) {
  const unsigned axis = static_cast<unsigned>(cast<tile::CatOp>(op).getAxis());
  const Shape source = operandShape(op);
  const Strides to = stridesOf(resultShape(op));
  for (unsigned part = 0; part != 2; ++part) {
    CopyPayload copy = copyOf(source, stridesOf(source), to);
    copy.to = part * source.extent[axis] * to[axis];
    emitCopy(op, b, copy, b.in(op.getOperand(part)), b.out(op.getResult(0)));
  }
  return success();
}

LogicalResult lowerFlip(Operation &op, Builder &b) {
  const unsigned axis = static_cast<unsigned>(cast<tile::FlipOp>(op).getAxis());
  const Shape shape = operandShape(op);
  CopyPayload copy = copyOf(shape, stridesOf(shape), stridesOf(shape));
  copy.from = (shape.extent[axis] - 1) * copy.fromStride[axis];
  copy.fromStride[axis] = -copy.fromStride[axis];
  emitCopy(op, b, copy, b.in(op.getOperand(0)), b.out(op.getResult(0)));
  return success();
}

std::int64_t offsetOf(ArrayRef<std::int64_t> offsets, const Strides &strides) {
  std::int64_t sum = 0;
  for (auto [axis, offset] : llvm::enumerate(offsets))
    sum += offset * strides[axis];
  return sum;
}

LogicalResult lowerSlice(Operation &op, Builder &b) {
  const Shape result = resultShape(op);
  CopyPayload copy = copyOf(result, stridesOf(operandShape(op)), stridesOf(result));
  copy.from = offsetOf(cast<tile::SliceOp>(op).getOffsets(), copy.fromStride);
  emitCopy(op, b, copy, b.in(op.getOperand(0)), b.out(op.getResult(0)));
  return success();
}

LogicalResult lowerInsert(Operation &op, Builder &b) {
  auto insert = cast<tile::InsertOp>(op);
  const Slot result = b.out(insert.getResult());
  b.emit(op, copyBits, b.in(insert.getDestination()), result);
  const Shape box = shapeOf(insert.getSource().getType());
  CopyPayload copy = copyOf(box, stridesOf(box), stridesOf(resultShape(op)));
  copy.to = offsetOf(insert.getOffsets(), copy.toStride);
  emitCopy(op, b, copy, b.in(insert.getSource()), result);
  return success();
}

/// Strides of \p whole without \p axis.
Strides without(const Strides &whole, unsigned axis) {
  Strides rest{};
  for (unsigned i = 0, j = 0; i != whole.size(); ++i)
    if (i != axis)
      rest[j++] = whole[i];
  return rest;
}

LogicalResult lowerExtractAt(Operation &op, Builder &b) {
  auto extract = cast<tile::ExtractAtOp>(op);
  const unsigned axis = static_cast<unsigned>(extract.getAxis());
  const Shape source = operandShape(op), result = resultShape(op);
  const Strides whole = stridesOf(source);
  CopyPayload copy = copyOf(result, without(whole, axis), stridesOf(result));
  copy.indexExtent = source.extent[axis];
  copy.indexStride = whole[axis];
  copy.indexOnSource = true;
  emitCopy(op, b, copy, {b.in(extract.getSource()), b.in(extract.getIndex())}, b.out(extract.getResult()));
  return success();
}

LogicalResult lowerInsertAt(Operation &op, Builder &b) {
  auto insert = cast<tile::InsertAtOp>(op);
  const unsigned axis = static_cast<unsigned>(insert.getAxis());
  const Slot result = b.out(insert.getResult());
  b.emit(op, copyBits, b.in(insert.getDestination()), result);
  const Shape part = shapeOf(insert.getSource().getType()), whole = resultShape(op);
  const Strides strides = stridesOf(whole);
  CopyPayload copy = copyOf(part, stridesOf(part), without(strides, axis));
  copy.indexExtent = whole.extent[axis];
  copy.indexStride = strides[axis];
  emitCopy(op, b, copy, {b.in(insert.getSource()), b.in(insert.getIndex())}, result);
  return success();
}

} // namespace

void registerShapeOps(OpTable &table) {
  table.add<tile::ReshapeOp>(lowerReshape);
  table.add<tile::ExpandDimsOp>(lowerReshape);
  table.add<tile::BroadcastOp>(lowerBroadcast);
  table.add<tile::TransOp>(lowerTrans);
  table.add<tile::JoinOp>(lowerJoin);
  table.add<tile::SplitOp>(lowerSplit);
  table.add<tile::CatOp>(lowerCat);
  table.add<tile::FlipOp>(lowerFlip);
  table.add<tile::SliceOp>(lowerSlice);
  table.add<tile::InsertOp>(lowerInsert);
  table.add<tile::ExtractAtOp>(lowerExtractAt);
  table.add<tile::InsertAtOp>(lowerInsertAt);
}

} // namespace tessera::ir::interp
