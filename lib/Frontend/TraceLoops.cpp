//===- TraceLoops.cpp - the ends of for_range and while_ -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Written variables become loop-carried values. A for_range that nothing leaves early is an scf.for, everything else an
// scf.while.
//
//===---------------------------------------------------------------------===//

#include "Frontend/Recorder.h"
#include "Frontend/TripCount.h"
#include "Frontend/Types.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include <fmt/format.h>

namespace tessera::ir {

/// What becomes of the variables that a loop's body touched.
struct Trace::LoopValues {
  struct Carried {
    Capture capture;
    Version after; // at the end of the body
  };
  std::vector<Carried> carried; // in the order of block arguments
  std::vector<Capture> unwritten;
  std::vector<Capture> lost; // no value after the loop
  llvm::SmallDenseMap<Value, Value> replaced;

  /// \p value, or the value from outside if it is an argument that was never written.
  Value resolve(Value value) const {
    const auto found = replaced.find(value);
    return found == replaced.end() ? value : found->second;
  }
};

void Trace::beginFor(Typed lo, Typed hi, Typed step, DictionaryAttr attributes, At at) {
  Frame &frame = push(RegionKind::For, at, std::make_unique<Block>());
  frame.block->addArgument(builder.getI64Type(), location(at));
  frame.lo = lo;
  frame.hi = hi;
  frame.step = step;
  frame.attributes = attributes;
}

Typed Trace::loopIndex() const { return {frames.back()->block->getArgument(0), i64}; }

void Trace::beginWhile(DictionaryAttr attributes, At at) {
  push(RegionKind::WhileCondition, at, std::make_unique<Block>()).attributes = attributes;
}

void Trace::whileCondition(Typed condition) {
  Frame &frame = *frames.back();
  frame.condition = condition;
  frame.conditionBlock = std::move(frame.owned);
  renew(frame, RegionKind::WhileBody);
  for (Capture &capture : frame.captures) {
    capture.condition = capture.inner;
    capture.passed = current(capture);
    capture.inner = {};
    if (!capture.passed.typed)
      continue;
    const Value passed = capture.passed.typed.value;
    capture.inner = frame.block->addArgument(passed.getType(), passed.getLoc());
    if (variables[capture.variable].generation == capture.generation)
      variables[capture.variable].value = capture.inner;
  }
}

/// Sorts the captures of a loop whose body is complete. Throws UsageError when a variable changes its type.
Trace::LoopValues Trace::loopValues(const Frame &frame) const {
  LoopValues loop;
  const std::string where = describeRegion(frame.serial);
  const auto check = [&](const Capture &capture, const Version &after) {
    const Typed before = capture.outer.typed;
    if (before.value.getType() != after.typed.value.getType() || before.dtype != after.typed.dtype)
      failCarried(where, capture.outer, after);
  };
  for (const Capture &capture : frame.captures) {
    const Version after = current(capture);
    const DType dtype = capture.outer.typed.dtype;
    const bool known = static_cast<bool>(capture.outer.typed);
    const bool setInCondition = frame.kind == RegionKind::WhileBody && capture.passed.typed &&
                                !(capture.passed.typed == Typed{capture.condition, dtype});
    const DType inside = setInCondition ? capture.passed.typed.dtype : dtype;
    const bool setInBody = after.typed && !(after.typed == Typed{capture.inner, inside});
    if (known && setInCondition)
      check(capture, capture.passed);
    if (known && setInBody)
      check(capture, after);

    if (setInCondition)
      loop.carried.push_back({capture, known && !after.typed ? capture.passed : after});
    else if (!known || !after.typed)
      loop.lost.push_back(capture);
    else if (!setInBody)
      loop.unwritten.push_back(capture);
    else
      loop.carried.push_back({capture, after});
  }
  const auto replace = [&](const Capture &capture) {
    if (capture.inner)
      loop.replaced[capture.inner] = capture.outer.typed.value;
    if (capture.condition)
      loop.replaced[capture.condition] = capture.outer.typed.value;
  };
  for (const Capture &capture : loop.unwritten)
    replace(capture);
  for (const Capture &capture : loop.lost)
    if (capture.outer.typed)
      replace(capture);
  return loop;
}

/// Pops the loop and removes the arguments it turned out not to need; \p loop is then in terms of what is left.
std::unique_ptr<Trace::Frame> Trace::closeLoop(LoopValues &loop) {
  std::unique_ptr<Frame> frame = pop();
  for (LoopValues::Carried &carried : loop.carried) {
    carried.after.typed.value = loop.resolve(carried.after.typed.value);
    carried.capture.passed.typed.value = loop.resolve(carried.capture.passed.typed.value);
  }
  frame->condition.value = loop.resolve(frame->condition.value);
  for (const auto &[argument, outer] : loop.replaced)
    Value(argument).replaceAllUsesWith(outer);
  const auto unneeded = [&](BlockArgument argument) { return loop.replaced.contains(argument); };
  frame->owned->eraseArguments(unneeded);
  if (frame->conditionBlock)
    frame->conditionBlock->eraseArguments(unneeded);
  return frame;
}

/// Gives the variables their values after the loop and, where the kernel was left inside it, skips what follows.
void Trace::endLoop(const Frame &frame, const LoopValues &loop, ValueRange results) {
  for (std::size_t i = 0; i < loop.carried.size(); ++i) {
    const LoopValues::Carried &carried = loop.carried[i];
    const Version &last = frame.kind == RegionKind::WhileBody ? carried.capture.passed : carried.after;
    leave(carried.capture, {{results[i], last.typed.dtype}, carried.after.assigned}, 0);
  }
  for (const Capture &capture : loop.unwritten)
    leave(capture, capture.outer, 0);
  for (const Capture &capture : loop.lost)
    leave(capture, {}, 1 + frame.serial);
  if (frame.alive)
    release(frame.alive - 1);
  if (frame.returns)
    guardRest({}, /*breaks=*/false, /*returns=*/true, frame.at);
}

/// Whether the loop goes on as far as breaks and returns are concerned, among the carried values; null if always.
Value Trace::exitFlag(const Frame &frame, const LoopValues &loop, ValueRange carried, OpBuilder &builder,
                      Location loc) const {
  Value flag;
  for (std::size_t i = 0; i < loop.carried.size(); ++i) {
    const std::uint32_t variable = 1 + loop.carried[i].capture.variable;
    if (variable != frame.alive && !(frame.returns && variable == running))
      continue;
    flag = flag ? Value(mlir::arith::AndIOp::create(builder, loc, flag, carried[i])) : carried[i];
  }
  return flag;
}

static void addArgumentsLike(Block &block, TypeRange types, Location loc) {
  for (const Type type : types)
    block.addArgument(type, loc);
}

void Trace::endFor() {
  closeGuards();
  LoopValues loop = loopValues(*frames.back());
  const std::unique_ptr<Frame> frame = closeLoop(loop);
  const Location loc = location(frame->at);
  SmallVector<Value> inits, yields;
  for (const LoopValues::Carried &carried : loop.carried) {
    inits.push_back(carried.capture.outer.typed.value);
    yields.push_back(carried.after.typed.value);
  }
  OpBuilder inBody = atEnd(frame->owned.get());
  if (!frame->alive && !frame->returns) {
    auto op = mlir::scf::ForOp::create(builder, loc, frame->lo.value, frame->hi.value, frame->step.value, inits);
    op->setDiscardableAttrs(frame->attributes);
    mlir::scf::YieldOp::create(inBody, loc, yields);
    op.getRegion().getBlocks().clear();
    op.getRegion().push_back(frame->owned.release());
    endLoop(*frame, loop, op.getResults());
    return;
  }

  // while (index < end && nothing left the loop); with a step beyond 1 the index would run past the end, perhaps past
  // that of i64, so such a loop counts its trips
  Value end = frame->hi.value;
  Value start = frame->lo.value, one = frame->step.value;
  BlockArgument counter = frame->owned->getArgument(0);
  if (!mlir::matchPattern(one, mlir::m_One())) {
    OpBuilder atStart(context());
    atStart.setInsertionPointToStart(frame->owned.get());
    const Value index = indexOfTrip(atStart, loc, start, counter, one);
    counter.replaceUsesWithIf(index, [&](mlir::OpOperand &use) {
      return use.getOwner() != index.getDefiningOp()->getOperand(1).getDefiningOp();
    });
    for (Value &value : yields)
      value = value == counter ? index : value;
    end = tripCount(builder, loc, start, end, one);
    start = mlir::arith::ConstantIntOp::create(builder, loc, 0, 64);
    one = mlir::arith::ConstantIntOp::create(builder, loc, 1, 64);
  }
  inits.insert(inits.begin(), start);
  yields.insert(yields.begin(), mlir::arith::AddIOp::create(inBody, loc, counter, one));
  mlir::scf::YieldOp::create(inBody, loc, yields);
  const SmallVector<Type> types(ValueRange(inits).getTypes());
  auto op = mlir::scf::WhileOp::create(builder, loc, types, inits);
  op->setDiscardableAttrs(frame->attributes);
  auto condition = std::make_unique<Block>();
  addArgumentsLike(*condition, types, loc);
  OpBuilder inCondition = atEnd(condition.get());
  const ValueRange arguments = condition->getArguments();
  const Value more = mlir::arith::CmpIOp::create(inCondition, loc, mlir::arith::CmpIPredicate::slt, arguments[0], end);
  const Value stays = exitFlag(*frame, loop, arguments.drop_front(), inCondition, loc);
  const Value goesOn = stays ? Value(mlir::arith::AndIOp::create(inCondition, loc, more, stays)) : more;
  mlir::scf::ConditionOp::create(inCondition, loc, goesOn, arguments);
  op.getBefore().push_back(condition.release());
  op.getAfter().push_back(frame->owned.release());
  endLoop(*frame, loop, op.getResults().drop_front());
}

void Trace::endWhile() {
  closeGuards();
  LoopValues loop = loopValues(*frames.back());
  const std::unique_ptr<Frame> frame = closeLoop(loop);
  const Location loc = location(frame->at);
  // a variable that had no value before the loop and gets one in the condition is not carried into it
  SmallVector<Value> inits, yields, passed;
  for (const LoopValues::Carried &carried : loop.carried) {
    passed.push_back(carried.capture.passed.typed.value);
    if (!carried.capture.condition)
      continue;
    inits.push_back(carried.capture.outer.typed.value);
    yields.push_back(carried.after.typed.value);
  }
  OpBuilder inBody = atEnd(frame->owned.get());
  mlir::scf::YieldOp::create(inBody, loc, yields);
  const SmallVector<Type> types(ValueRange(passed).getTypes());
  auto op = mlir::scf::WhileOp::create(builder, loc, types, inits);
  op->setDiscardableAttrs(frame->attributes);

  std::unique_ptr<Block> condition = std::move(frame->conditionBlock);
  OpBuilder inCondition = atEnd(condition.get());
  if (!frame->alive && !frame->returns) {
    mlir::scf::ConditionOp::create(inCondition, loc, frame->condition.value, passed);
  } else {
    // the user's condition is evaluated only while nothing has left the loop
    auto tests = std::make_unique<Block>();
    addArgumentsLike(*tests, ValueRange(inits).getTypes(), loc);
    OpBuilder inTests = atEnd(tests.get());
    SmallVector<Value> perCarried, skipped;
    unsigned next = 0;
    auto otherwise = std::make_unique<Block>();
    OpBuilder inElse = atEnd(otherwise.get());
    skipped.push_back(mlir::arith::ConstantIntOp::create(inElse, loc, 0, 1));
    for (const LoopValues::Carried &carried : loop.carried) {
      perCarried.push_back(carried.capture.condition ? Value(tests->getArgument(next++)) : Value());
      skipped.push_back(perCarried.back() ? perCarried.back()
                                          : zeroValue(inElse, loc, carried.capture.passed.typed.value.getType()));
    }
    const Value stays = exitFlag(*frame, loop, perCarried, inTests, loc);
    SmallVector<Type> results{builder.getI1Type()};
    llvm::append_range(results, types);
    auto guarded = mlir::scf::IfOp::create(inTests, loc, results, stays, false, false);
    for (BlockArgument argument : condition->getArguments())
      argument.replaceAllUsesWith(tests->getArgument(argument.getArgNumber()));
    SmallVector<Value> evaluated{frame->condition.value};
    llvm::append_range(evaluated, passed);
    for (Value &value : evaluated)
      if (const auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == condition.get())
        value = tests->getArgument(argument.getArgNumber());
    condition->eraseArguments([](BlockArgument) { return true; });
    mlir::scf::YieldOp::create(inCondition, loc, evaluated);
    mlir::scf::YieldOp::create(inElse, loc, skipped);
    guarded.getThenRegion().push_back(condition.release());
    guarded.getElseRegion().push_back(otherwise.release());
    mlir::scf::ConditionOp::create(inTests, loc, guarded.getResult(0), guarded.getResults().drop_front());
    condition = std::move(tests);
  }
  op.getBefore().push_back(condition.release());
  op.getAfter().push_back(frame->owned.release());
  endLoop(*frame, loop, op.getResults());
}

} // namespace tessera::ir
