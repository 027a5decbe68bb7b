//===- RegionCode.cpp - loops and branches of a kernel --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/Common/RegionCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tessera::ir {

namespace arith = mlir::arith;
namespace scf = mlir::scf;

RegionCode::~RegionCode() = default;

SmallVector<Value> RegionCode::partsOf(ValueRange values) {
  SmallVector<Value> parts;
  for (Value value : values)
    appendParts(value, parts);
  return parts;
}

SmallVector<Type> RegionCode::partTypesOf(TypeRange types) {
  SmallVector<Type> parts;
  for (Type type : types)
    appendPartTypes(type, parts);
  return parts;
}

void RegionCode::bindAll(ValueRange values, ValueRange parts) {
  for (Value value : values)
    bind(value, [&] {
      const Value part = parts.front();
      parts = parts.drop_front();
      return part;
    });
}

/// Emits \p block and ends the emitted one with a yield of what its terminator yields.
void RegionCode::fillBlock(Block &block, Block *emitted) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(emitted);
  emitBody(block);
  scf::YieldOp::create(b, loc, partsOf(block.getTerminator()->getOperands()));
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
Value RegionCode::turnsOf(Value low, Value high, Value step) {
  using Predicate = arith::CmpIPredicate;
  const Value isUp = b.createOrFold<arith::CmpIOp>(loc, Predicate::sgt, step, code.i64(0));
  const Value isBelow = b.createOrFold<arith::CmpIOp>(loc, Predicate::slt, low, high);
  const Value turns = b.createOrFold<arith::AndIOp>(loc, isUp, isBelow);
  const Value divisor = b.createOrFold<arith::SelectOp>(loc, isUp, step, code.i64(1));
  const Value last = b.createOrFold<arith::DivUIOp>(loc, code.sub(code.sub(high, low), code.i64(1)), divisor);
  return b.createOrFold<arith::SelectOp>(loc, turns, code.add(last, code.i64(1)), code.i64(0));
}

/// A loop whose counter might overflow behind the last turn counts its turns instead.
void RegionCode::emitFor(Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  const Value low = scalar(loop.getLowerBound()), high = scalar(loop.getUpperBound()), step = scalar(loop.getStep());
  const bool isPlain = endsInRange(high, step);
  auto emitted = scf::ForOp::create(b, loc, isPlain ? low : code.i64(0), isPlain ? high : turnsOf(low, high, step),
                                    isPlain ? step : code.i64(1), partsOf(loop.getInitArgs()),
                                    [](OpBuilder &, Location, Value, ValueRange) {}); // the body is filled below
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(emitted.getBody());
    const Value turn = emitted.getInductionVar();
    setScalar(loop.getInductionVar(), isPlain ? turn : code.add(low, code.mul(turn, step)));
  }
  bindAll(loop.getRegionIterArgs(), emitted.getRegionIterArgs());
  fillBlock(*loop.getBody(), emitted.getBody());
  bindAll(loop.getResults(), emitted.getResults());
}

void RegionCode::emitIf(Operation *op) {
  auto branch = cast<scf::IfOp>(op);
  const bool hasElse = !branch.getElseRegion().empty();
  auto emitted = scf::IfOp::create(b, loc, partTypesOf(branch.getResultTypes()), scalar(branch.getCondition()),
                                   /*addThenBlock=*/true, hasElse);
  fillBlock(*branch.thenBlock(), emitted.thenBlock());
  if (hasElse)
    fillBlock(*branch.elseBlock(), emitted.elseBlock());
  bindAll(branch.getResults(), emitted.getResults());
}

void RegionCode::emitWhile(Operation *op) {
  auto loop = cast<scf::WhileOp>(op);
  const SmallVector<Value> inits = partsOf(loop.getInits());
  auto emitted = scf::WhileOp::create(b, loc, partTypesOf(loop.getResultTypes()), inits);
  const auto addBlock = [&](Region &region, TypeRange types) {
    OpBuilder::InsertionGuard guard(b);
    return b.createBlock(&region, region.end(), types, SmallVector<Location>(types.size(), loc));
  };
  Block *const before = addBlock(emitted.getBefore(), ValueRange(inits).getTypes());
  Block *const after = addBlock(emitted.getAfter(), emitted.getResultTypes());
  bindAll(loop.getBeforeArguments(), before->getArguments());
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(before);
    emitBody(*loop.getBeforeBody());
    auto condition = loop.getConditionOp();
    const Value goesOn = scalar(condition.getCondition());
    scf::ConditionOp::create(b, loc, goesOn, partsOf(condition.getArgs()));
  }
  bindAll(loop.getAfterArguments(), after->getArguments());
  fillBlock(*loop.getAfterBody(), after);
  bindAll(loop.getResults(), emitted.getResults());
}

bool RegionCode::emit(Operation &op) {
  return llvm::TypeSwitch<Operation *, bool>(&op)
      .Case<scf::ForOp>([&](Operation *o) { return emitFor(o), true; })
      .Case<scf::IfOp>([&](Operation *o) { return emitIf(o), true; })
      .Case<scf::WhileOp>([&](Operation *o) { return emitWhile(o), true; })
      .Default([](Operation *) { return false; });
}

} // namespace tessera::ir
