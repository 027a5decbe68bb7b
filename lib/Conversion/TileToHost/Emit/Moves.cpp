//===- Moves.cpp - ops that put elements elsewhere -------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Joining, inserting and picking: each writes its result's buffer, or a part of it, from the lanes of its operands. An
// index that lies outside is replaced by one inside, so that what it gives is unspecified but harmless.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Emit/Combine.h"
#include "Conversion/TileToHost/Emit/Families.h"

namespace tessera::ir::host {

namespace {

/// \p buffer from \p by elements along \p axis on.
Buffer movedBy(Emitter &e, Buffer buffer, unsigned axis, Value by) {
  buffer.pointer = e.elementPointer(buffer.pointer, e.mul(by, e.i64(buffer.strides[axis])), buffer.element);
  return buffer;
}

Buffer withoutAxis(Buffer buffer, unsigned axis) {
  buffer.strides.erase(buffer.strides.begin() + axis);
  return buffer;
}

/// Writes all of \p source, a tile or a scalar, to \p buffer.
void copyTo(Emitter &e, Value source, const Buffer &buffer) {
  const Domain all = domainOf(tile::shapeOf(source.getType()), e.preferredLanes({buffer.element}));
  e.forDomain(all, 1,
              [&](ArrayRef<LaneBlock> blocks) { e.writeBuffer(buffer, e.lanes(source, blocks[0]), blocks[0]); });
}

/// \p index where it lies on an axis of \p extent elements, which is a power of two.
Value inside(Emitter &e, Value index, int64_t extent) {
  return e.math().andI(index, e.math().constI(extent - 1, index));
}

void emitJoin(Operation &op, Emitter &e) {
  const Value result = op.getResult(0);
  if (!e.hasBuffer(result))
    return;
  const Buffer whole = e.bufferOf(result);
  const auto last = static_cast<unsigned>(whole.strides.size() - 1);
  for (auto [part, source] : llvm::enumerate(op.getOperands()))
    copyTo(e, source, withoutAxis(movedBy(e, whole, last, e.i64(static_cast<int64_t>(part))), last));
}

void emitCat(Operation &op, Emitter &e) {
  auto cat = cast<tile::CatOp>(op);
  if (!e.hasBuffer(cat.getResult()))
    return;
  const auto axis = static_cast<unsigned>(cat.getAxis());
  const Buffer whole = e.bufferOf(cat.getResult());
  copyTo(e, cat.getLhs(), whole);
  copyTo(e, cat.getRhs(), movedBy(e, whole, axis, e.i64(tile::shapeOf(cat.getLhs().getType())[axis])));
}

void emitInsert(Operation &op, Emitter &e) {
  auto insert = cast<tile::InsertOp>(op);
  if (!e.hasBuffer(insert.getResult()))
    return;
  Buffer buffer = e.bufferOf(insert.getResult());
  copyTo(e, insert.getDestination(), buffer);
  for (auto [axis, offset] : llvm::enumerate(insert.getOffsets()))
    buffer = movedBy(e, buffer, static_cast<unsigned>(axis), e.i64(offset));
  copyTo(e, insert.getSource(), buffer);
}

void emitInsertAt(Operation &op, Emitter &e) {
  auto insert = cast<tile::InsertAtOp>(op);
  if (!e.hasBuffer(insert.getResult()))
    return;
  const auto axis = static_cast<unsigned>(insert.getAxis());
  const Buffer buffer = e.bufferOf(insert.getResult());
  copyTo(e, insert.getDestination(), buffer);
  const Value at = inside(e, e.scalar(insert.getIndex()), tile::shapeOf(insert.getType())[axis]);
  copyTo(e, insert.getSource(), withoutAxis(movedBy(e, buffer, axis, at), axis));
}

void emitExtractAt(Operation &op, Emitter &e) {
  auto extract = cast<tile::ExtractAtOp>(op);
  const auto axis = static_cast<unsigned>(extract.getAxis());
  const Value at = inside(e, e.scalar(extract.getIndex()), tile::shapeOf(extract.getSource().getType())[axis]);
  const Value result = extract.getResult();
  if (!isa<RankedTensorType>(result.getType()))
    return e.setScalar(result, e.lanes(extract.getSource(), elementAt({at})));
  if (!e.hasBuffer(result))
    return;
  const Buffer buffer = e.bufferOf(result);
  e.forDomain(domainOf(tile::shapeOf(result.getType()), e.preferredLanes({buffer.element})), 1,
              [&](ArrayRef<LaneBlock> blocks) {
                e.writeBuffer(buffer, e.lanes(extract.getSource(), withAxis(blocks[0], axis, at)), blocks[0]);
              });
}

void emitGather(Operation &op, Emitter &e) {
  auto gather = cast<tile::GatherOp>(op);
  if (!e.hasBuffer(gather.getResult()))
    return;
  const auto axis = static_cast<unsigned>(gather.getAxis());
  const Buffer buffer = e.bufferOf(gather.getResult());
  const int64_t extent = tile::shapeOf(gather.getSource().getType())[axis];
  e.forDomain(domainOf(tile::shapeOf(gather.getType()), e.preferredLanes({buffer.element})), 1,
              [&](ArrayRef<LaneBlock> blocks) {
                const LaneBlock &block = blocks[0];
                const Value at = e.lanes(gather.getIndex(), block);
                const SmallVector<Value> found =
                    e.mapLanes({at}, laneElement(buffer.element), [&](Value lane, ValueRange index) {
                      LaneBlock place = elementAt(block.index);
                      if (block.lanes > 1)
                        place.index[block.axis] = e.add(place.index[block.axis], lane);
                      place.index[axis] = index[0];
                      if (!index[0].getType().isInteger(64))
                        place.index[axis] = e.math().signExtend(index[0], 64);
                      place.index[axis] = inside(e, place.index[axis], extent);
                      return SmallVector<Value>{e.lanes(gather.getSource(), place)};
                    });
                e.writeBuffer(buffer, found[0], block);
              });
}

} // namespace

void registerMoveOps(OpTable &table) {
  table.add<tile::JoinOp>(emitJoin);
  table.add<tile::CatOp>(emitCat);
  table.add<tile::InsertOp>(emitInsert);
  table.add<tile::InsertAtOp>(emitInsertAt);
  table.add<tile::ExtractAtOp>(emitExtractAt);
  table.add<tile::GatherOp>(emitGather);
}

} // namespace tessera::ir::host
