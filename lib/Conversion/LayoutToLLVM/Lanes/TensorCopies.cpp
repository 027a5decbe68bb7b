//===- TensorCopies.cpp - copies of boxes of views -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// One thread of the program starts the copies that make up a buffer, and makes groups of them. Every thread may wait:
// those without groups go on.
//
// Boxes to load may begin before the view and end anywhere. Boxes to store may not: there the unit stops with an
// illegal instruction, or writes whole groups of 16 bytes where a row of the view ends within one. Threads store those.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Lanes/TensorCopies.h"

#include "Conversion/LayoutToLLVM/Emit/CodeNotes.h"
#include "Conversion/LayoutToLLVM/Emit/Core.h"
#include "Conversion/LayoutToLLVM/Emit/Packing.h"
#include "Conversion/LayoutToLLVM/Lanes/Families.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"

namespace tessera::ir::gpu {

using ::tessera::layout::axisShiftOf;

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

/// A buffer, and where in a view it is stored.
class StoredBox {
public:
  StoredBox(layout::TensorStoreOp op, Emitter &e)
      : e(e), op(op), type(op.getBuffer().getType()), view(e.view(op.getView())),
        contiguous(contiguousAxisOf(op.getView()).value_or(0)) {
    for (const Value coord : op.getCoords())
      first.push_back(e.scalar(coord));
  }

  /// Whether the unit may not store it, an i1.
  Value isBeyondUnit() {
    MathBuilder &m = e.math();
    Value result = e.integer(1, 0);
    for (const Value coord : first)
      result = m.orI(result, m.ltS(coord, e.i64(0)));
    constexpr std::int64_t kGroupBytes = 16;
    const Value extent = view.extents[contiguous];
    const Value behindGroup = m.andI(extent, e.i64(kGroupBytes / type.bytesOfElement() - 1));
    const Value end = e.add(first[contiguous], e.i64(type.tileShape()[contiguous]));
    return m.orI(result, m.andI(m.neI(behindGroup, e.i64(0)), m.ltS(extent, end)));
  }

  /// All threads of the program store it, element by element.
  void storeElements() {
    const std::int64_t threads = std::int64_t{e.numWarps()} * e.warpSize(),
                       elements = type.getLayout().getLayout().elements();
    e.forSeldom(std::max<std::int64_t>(1, elements / threads), [&](Value round) {
      const Value number = e.add(e.mul(round, e.i32(threads)), e.threadInProgram());
      storeElement(number, elements < threads ? e.math().ltU(number, e.i32(elements)) : Value());
    });
  }

private:
  /// The one with the flat index \p number, if \p mask.
  void storeElement(Value number, Value mask) {
    MathBuilder &m = e.math();
    const layout::SharedLayout &layout = type.getLayout().getLayout();
    Value place = e.i64(0);
    for (auto [axis, start] : llvm::enumerate(first)) {
      const Value shifted = m.shrU(number, static_cast<unsigned>(axisShiftOf(layout.shape(), static_cast<int>(axis))));
      const Value index = m.andI(shifted, e.i32(layout.shape()[axis] - 1));
      const Value coord = e.add(start, m.zeroExtend(index, 64));
      // One that overflows is negative, and so outside.
      mask = e.both(mask, m.cmp(MathBuilder::IntCompare::SGe, coord, e.i64(0)));
      mask = e.both(mask, m.ltS(coord, view.extents[axis]));
      place = e.add(place, e.mul(coord, view.strides[axis]));
    }
    const std::int64_t bytes = type.bytesOfElement();
    const Value offset = e.mul(e.linearMap(layout.bases(), number), e.i32(bytes));
    const Value from = e.sharedPointer(e.add(e.scalar(op.getBuffer()), offset));
    const Value value = pack(e, type.getElement(), e.loadShared(type.getElement(), 1, from));
    e.border().store(accessTypeOf(type.getElement(), 1),
                     e.bytePointer(e.toPointer(view.base), e.mul(place, e.i64(bytes))), value, mask,
                     border::Hints{0, static_cast<unsigned>(op.getEvict())});
  }

  Emitter &e;
  layout::TensorStoreOp op;
  layout::BufferType type;
  ViewParts view;
  unsigned contiguous;
  SmallVector<Value, 5> first; ///< coordinates of the first element, i64
};

void emitStore(Operation &op, Emitter &e) {
  auto store = cast<layout::TensorStoreOp>(op);
  const TensorCopyUnit *const unit = unitFor(op, e);
  if (!unit)
    return;
  StoredBox box(store, e);
  const auto byThreads = [&]() -> SmallVector<Value> {
    box.storeElements();
    return {};
  };
  const auto byUnit = [&]() -> SmallVector<Value> {
    forBoxes(op, e, store.getBuffer(), store.getCoords(),
             [&](Value from, Value map, ValueRange coords) { unit->store(e, map, coords, from, store.getEvict()); });
    return {};
  };
  e.ifElse(box.isBeyondUnit(), {}, byThreads, byUnit);
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
