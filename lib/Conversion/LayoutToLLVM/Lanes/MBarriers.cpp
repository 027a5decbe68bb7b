//===- MBarriers.cpp - barriers that count arrivals and bytes ------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A ring's value in code is its place in the program's shared memory, in bytes (i32), like that of a buffer. One thread
// of the program makes barriers and arrives; all of them wait, each for itself, in a loop around a test that calls no
// barrier of the program.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Emitter.h"
#include "Conversion/LayoutToLLVM/Lanes/Families.h"
#include "Conversion/LayoutToLLVM/Lanes/TensorCopies.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::ir::gpu {

namespace scf = mlir::scf;

Value isFirstThread(Emitter &e) { return e.math().eqI(e.threadInProgram(), e.i32(0)); }

const TensorCopyUnit *unitFor(Operation &op, Emitter &e) {
  const TensorCopyUnit *unit = e.hooks().tensorCopyUnit();
  if (!unit)
    e.refuse(op, "needs a unit that copies boxes; " + Twine(e.chip().name) + " has none");
  return unit;
}

Value barrierPointer(Emitter &e, Value barrier, Value slot) {
  constexpr std::int64_t kBytes = 8;
  Value place = e.scalar(barrier);
  if (slot)
    place = e.add(place, e.mul(e.scalar(slot), e.i32(kBytes)));
  return e.sharedPointer(place);
}

namespace {

void emitAlloc(Operation &op, Emitter &e) {
  auto alloc = cast<layout::MBarrierAllocOp>(op);
  const std::optional<std::uint64_t> offset = alloc.getOffset();
  if (!offset)
    e.refuse(op, "has no place in shared memory; -layout-allocate-shared gives it one");
  e.setScalar(alloc.getResult(), e.i32(static_cast<std::int64_t>(offset.value_or(0))));
}

void emitInit(Operation &op, Emitter &e) {
  auto init = cast<layout::MBarrierInitOp>(op);
  const TensorCopyUnit *const unit = unitFor(op, e);
  if (!unit)
    return;
  e.ifThen(isFirstThread(e), [&] {
    for (std::int64_t slot = 0; slot != init.getBarrier().getType().getSlots(); ++slot)
      unit->makeBarrier(e, e.bytePointer(barrierPointer(e, init.getBarrier(), {}), 8 * slot), init.getCount());
    unit->publishBarriers(e);
  });
}

void emitArrive(Operation &op, Emitter &e) {
  auto arrive = cast<layout::MBarrierArriveOp>(op);
  if (arrive.getPeer())
    return e.refuse(op, "arrives in another program of a cluster, which is not emitted");
  if (const TensorCopyUnit *const unit = unitFor(op, e))
    e.ifThen(isFirstThread(e), [&] { unit->arrive(e, barrierPointer(e, arrive.getBarrier(), arrive.getSlot())); });
}

void emitExpect(Operation &op, Emitter &e) {
  auto expect = cast<layout::MBarrierExpectOp>(op);
  if (const TensorCopyUnit *const unit = unitFor(op, e))
    e.ifThen(isFirstThread(e),
             [&] { unit->expect(e, barrierPointer(e, expect.getBarrier(), expect.getSlot()), expect.getBytes()); });
}

void emitWait(Operation &op, Emitter &e) {
  auto wait = cast<layout::MBarrierWaitOp>(op);
  const TensorCopyUnit *const unit = unitFor(op, e);
  if (!unit)
    return;
  const Value pointer = barrierPointer(e, wait.getBarrier(), wait.getSlot());
  const Value parity = e.math().zeroExtend(e.scalar(wait.getParity()), 32);
  OpBuilder &b = e.builder();
  auto loop = scf::WhileOp::create(b, e.loc(), TypeRange(), ValueRange());
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&loop.getBefore());
  scf::ConditionOp::create(b, e.loc(), e.math().notI(unit->tryWait(e, pointer, parity)), ValueRange());
  b.createBlock(&loop.getAfter());
  scf::YieldOp::create(b, e.loc());
}

} // namespace

void registerMBarrierOps(OpTable &table) {
  table.add<layout::MBarrierAllocOp>(emitAlloc);
  table.add<layout::MBarrierInitOp>(emitInit);
  table.add<layout::MBarrierArriveOp>(emitArrive);
  table.add<layout::MBarrierExpectOp>(emitExpect);
  table.add<layout::MBarrierWaitOp>(emitWait);
}

} // namespace tessera::ir::gpu
