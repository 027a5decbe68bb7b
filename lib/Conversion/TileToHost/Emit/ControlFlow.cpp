//===- ControlFlow.cpp - loops and branches of the kernel --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What a loop or branch carries is scalars: a view is its parts, and tiles stay in buffers, which the plan has filled
// by copies.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Emit/Core.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tessera::ir::host {

namespace arith = mlir::arith;
namespace scf = mlir::scf;

/// The scalars that stand for \p values.
static SmallVector<Value> partsOf(Emitter &e, ValueRange values) {
  SmallVector<Value> parts;
  for (Value value : values) {
    if (isa<tile::ViewType>(value.getType())) {
      const ViewParts view = e.view(value);
      parts.push_back(view.base);
      llvm::append_range(parts, view.extents);
      llvm::append_range(parts, view.strides);
    } else if (!isa<RankedTensorType>(value.getType())) {
      parts.push_back(e.scalar(value));
    }
  }
  return parts;
}

/// The types of these scalars.
static SmallVector<Type> partTypesOf(Emitter &e, TypeRange types) {
  SmallVector<Type> parts;
  for (Type type : types) {
    if (auto view = dyn_cast<tile::ViewType>(type))
      parts.append(1 + 2 * view.getRank(), e.builder().getI64Type());
    else if (!isa<RankedTensorType>(type))
      parts.push_back(laneElement(type));
  }
  return parts;
}

/// Lets \p parts stand for \p values.
static void bindParts(Emitter &e, ValueRange values, ValueRange parts) {
  const auto take = [&] {
    const Value part = parts.front();
    parts = parts.drop_front();
    return part;
  };
  for (Value value : values) {
    if (auto type = dyn_cast<tile::ViewType>(value.getType())) {
      ViewParts view;
      view.base = take();
      for (unsigned axis = 0; axis != type.getRank(); ++axis)
        view.extents.push_back(take());
      for (unsigned axis = 0; axis != type.getRank(); ++axis)
        view.strides.push_back(take());
      e.state().views[value] = view;
    } else if (!isa<RankedTensorType>(value.getType())) {
      e.setScalar(value, take());
    }
  }
}

/// Emits the steps of \p block and ends the emitted one with a yield of what its terminator yields.
static void fillBlock(Emitter &e, Block &block, Block *emitted) {
  OpBuilder &b = e.builder();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(emitted);
  emitSteps(e, block);
  scf::YieldOp::create(b, e.loc(), partsOf(e, block.getTerminator()->getOperands()));
}

/// Whether the counter of a loop to \p high cannot overflow when it is stepped past it.
static bool endsInRange(Value high, Value step) {
  APInt last, stride;
  if (!mlir::matchPattern(step, mlir::m_ConstantInt(&stride)) || !stride.isStrictlyPositive())
    return false;
  return stride == 1 ||
         (mlir::matchPattern(high, mlir::m_ConstantInt(&last)) && last.sle(APInt::getSignedMaxValue(64) - stride + 1));
}

/// How often a loop turns: never if its step is not positive.
static Value turnsOf(Emitter &e, Value low, Value high, Value step) {
  OpBuilder &b = e.builder();
  using Predicate = arith::CmpIPredicate;
  const Value isUp = b.createOrFold<arith::CmpIOp>(e.loc(), Predicate::sgt, step, e.i64(0));
  const Value isBelow = b.createOrFold<arith::CmpIOp>(e.loc(), Predicate::slt, low, high);
  const Value turns = b.createOrFold<arith::AndIOp>(e.loc(), isUp, isBelow);
  const Value divisor = b.createOrFold<arith::SelectOp>(e.loc(), isUp, step, e.i64(1));
  const Value last = b.createOrFold<arith::DivUIOp>(e.loc(), e.sub(e.sub(high, low), e.i64(1)), divisor);
  return b.createOrFold<arith::SelectOp>(e.loc(), turns, e.add(last, e.i64(1)), e.i64(0));
}

/// A loop whose counter might overflow behind the last turn counts its turns instead.
static void emitFor(Emitter &e, scf::ForOp loop) {
  OpBuilder &b = e.builder();
  const Value low = e.scalar(loop.getLowerBound()), high = e.scalar(loop.getUpperBound()),
              step = e.scalar(loop.getStep());
  const bool isPlain = endsInRange(high, step);
  auto emitted = scf::ForOp::create(b, e.loc(), isPlain ? low : e.i64(0), isPlain ? high : turnsOf(e, low, high, step),
                                    isPlain ? step : e.i64(1), partsOf(e, loop.getInitArgs()),
                                    [](OpBuilder &, Location, Value, ValueRange) {}); // the body is filled below
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(emitted.getBody());
    const Value turn = emitted.getInductionVar();
    e.setScalar(loop.getInductionVar(), isPlain ? turn : e.add(low, e.mul(turn, step)));
  }
  bindParts(e, loop.getRegionIterArgs(), emitted.getRegionIterArgs());
  fillBlock(e, *loop.getBody(), emitted.getBody());
  bindParts(e, loop.getResults(), emitted.getResults());
}

static void emitIf(Emitter &e, scf::IfOp branch) {
  const bool hasElse = !branch.getElseRegion().empty();
  auto emitted = scf::IfOp::create(e.builder(), e.loc(), partTypesOf(e, branch.getResultTypes()),
                                   e.scalar(branch.getCondition()), /*addThenBlock=*/true, hasElse);
  fillBlock(e, *branch.thenBlock(), emitted.thenBlock());
  if (hasElse)
    fillBlock(e, *branch.elseBlock(), emitted.elseBlock());
  bindParts(e, branch.getResults(), emitted.getResults());
}

static void emitWhile(Emitter &e, scf::WhileOp loop) {
  OpBuilder &b = e.builder();
  const SmallVector<Value> inits = partsOf(e, loop.getInits());
  auto emitted = scf::WhileOp::create(b, e.loc(), partTypesOf(e, loop.getResultTypes()), inits);
  const auto addBlock = [&](Region &region, TypeRange types) {
    OpBuilder::InsertionGuard guard(b);
    return b.createBlock(&region, region.end(), types, SmallVector<Location>(types.size(), e.loc()));
  };
  Block *const before = addBlock(emitted.getBefore(), ValueRange(inits).getTypes());
  Block *const after = addBlock(emitted.getAfter(), emitted.getResultTypes());
  bindParts(e, loop.getBeforeArguments(), before->getArguments());
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(before);
    emitSteps(e, *loop.getBeforeBody());
    auto condition = loop.getConditionOp();
    const Value goesOn = e.scalar(condition.getCondition());
    scf::ConditionOp::create(b, e.loc(), goesOn, partsOf(e, condition.getArgs()));
  }
  bindParts(e, loop.getAfterArguments(), after->getArguments());
  fillBlock(e, *loop.getAfterBody(), after);
  bindParts(e, loop.getResults(), emitted.getResults());
}

void emitRegionStep(Emitter &e, Operation &op) {
  llvm::TypeSwitch<Operation *>(&op)
      .Case([&](scf::ForOp o) { emitFor(e, o); })
      .Case([&](scf::IfOp o) { emitIf(e, o); })
      .Case([&](scf::WhileOp o) { emitWhile(e, o); })
      .Default([&](Operation *o) { e.refuse(*o, "is not an operation of this target"); });
}

} // namespace tessera::ir::host
