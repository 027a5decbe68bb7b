//===- TensorCopies.cpp - copies of boxes of views -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// One thread of the program starts the copies that make up a buffer, and makes groups of them. Every thread may wait:
// those without groups go on.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Lanes/TensorCopies.h"

#include "Conversion/LayoutToLLVM/Emit/CodeNotes.h"
#include "Conversion/LayoutToLLVM/Emit/Core.h"
#include "Conversion/LayoutToLLVM/Lanes/Families.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"

namespace tessera::ir::gpu {

namespace {

/// The descriptor's coordinates of the boxes of one copy.
class Coordinates {
public:
  /// Of a buffer with extents \p shape that lies at \p coords of the view.
  Coordinates(Emitter &e, const TensorMapPlan &plan, ValueRange coords, ArrayRef<std::int64_t> shape)
      : e(e), plan(plan) {
    MathBuilder &m = e.math();
    for (const unsigned axis : plan.axes) {
      // All that lies before the first element is outside, and so is all from the greatest extent on: coordinates of
      // 32 bits are enough for boxes that begin between. What is a multiple of 16 bytes stays one.
      const std::int64_t reach = shape[axis];
      constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max() - 15;
      const Value low = e.i64(-reach), high = e.i64(kMost - reach);
      starts.push_back(m.truncate(m.minS(m.maxS(e.scalar(coords[axis]), low), high), 32));
    }
  }

  SmallVector<Value, 5> of(const TensorPiece &piece) const {
    SmallVector<Value, 5> result;
    for (auto [start, axis] : llvm::zip_equal(starts, plan.axes))
      result.push_back(e.add(start, e.i32(piece.first[axis])));
    return result;
  }

private:
  Emitter &e;
  const TensorMapPlan &plan;
  SmallVector<Value, 5> starts; ///< i32, by axis of the descriptor
};

/// Calls \p copy with the place in shared memory, the descriptor and the coordinates of each box, in one thread.
void forBoxes(Operation &op, Emitter &e, Value buffer, ValueRange coords,
              function_ref<void(Value, Value, ValueRange)> copy) {
  const auto type = cast<layout::BufferType>(buffer.getType());
  e.notes().access(op, "tensor copy", type.bytesOfSlot(), type.bytesOfSlot());
  const TensorMapUse *const use = e.state().tensorMaps.find(&op);
  if (!use)
    return e.refuse(op, "copies what no descriptor can be made for; see Analysis/TensorMaps.h");
  e.ifThen(isFirstThread(e), [&] {
    const Coordinates places(e, use->plan, coords, type.tileShape());
    for (const TensorPiece &piece : use->plan.pieces)
      copy(e.sharedPointer(e.add(e.scalar(buffer), e.i32(piece.byteOffset))), e.state().tensorMaps.code(*use),
           places.of(piece));
  });
}

void emitLoad(Operation &op, Emitter &e) {
  auto load = cast<layout::TensorLoadOp>(op);
  const TensorCopyUnit *const unit = unitFor(op, e);
  if (load.getMulticast())
    return e.refuse(op, "goes to several programs of a cluster, which is not emitted");
  if (unit)
    forBoxes(op, e, load.getBuffer(), load.getCoords(), [&](Value to, Value map, ValueRange coords) {
      unit->load(e, to, map, coords, barrierPointer(e, load.getBarrier(), load.getSlot()), load.getEvict());
    });
}

void emitStore(Operation &op, Emitter &e) {
  auto store = cast<layout::TensorStoreOp>(op);
  if (const TensorCopyUnit *const unit = unitFor(op, e))
    forBoxes(op, e, store.getBuffer(), store.getCoords(),
             [&](Value from, Value map, ValueRange coords) { unit->store(e, map, coords, from, store.getEvict()); });
}

void emitCommit(Operation &op, Emitter &e) {
  if (const TensorCopyUnit *const unit = unitFor(op, e))
    e.ifThen(isFirstThread(e), [&] { unit->commit(e); });
}

void emitWait(Operation &op, Emitter &e) {
  auto wait = cast<layout::TensorWaitOp>(op);
  if (const TensorCopyUnit *const unit = unitFor(op, e))
    unit->wait(e, wait.getPending(), wait.getRead());
}

/// Without such a unit all accesses are of one kind, which barriers order.
void emitFence(Operation &op, Emitter &e) {
  if (const TensorCopyUnit *const unit = e.hooks().tensorCopyUnit())
    unit->fence(e, cast<layout::ProxyFenceOp>(op).getSpace());
}

} // namespace

void registerTensorCopyOps(OpTable &table) {
  table.add<layout::TensorLoadOp>(emitLoad);
  table.add<layout::TensorStoreOp>(emitStore);
  table.add<layout::TensorCommitOp>(emitCommit);
  table.add<layout::TensorWaitOp>(emitWait);
  table.add<layout::ProxyFenceOp>(emitFence);
}

} // namespace tessera::ir::gpu
