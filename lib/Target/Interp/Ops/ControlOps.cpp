//===- ControlOps.cpp - loops and branches ------------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Conditions and bounds are scalars, so a whole program takes one path. A loop's carried values live in the registers
// of its results: initial values are moved there, the body reads and the yield rewrites them.
//
//===---------------------------------------------------------------------===//

#include "Target/Interp/Checks/Waiting.h"
#include "Target/Interp/Frame.h"
#include "Target/Interp/Lowering.h"
#include "Target/Interp/Ops/Families.h"

#include "fmt/format.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::ir::interp {

using namespace mlir;

namespace {

SmallVector<Slot, 4> operandSlots(ValueRange values, Builder &b) {
  SmallVector<Slot, 4> slots;
  for (Value value : values)
    slots.push_back(b.in(value));
  return slots;
}
SmallVector<Slot, 4> resultSlots(ValueRange values, Builder &b) {
  SmallVector<Slot, 4> slots;
  for (Value value : values)
    slots.push_back(b.out(value));
  return slots;
}

// -- for ------------------------------------------------------------------------------------------

struct ForPayload : Payload {
  Moves start, next;
  Slot induction;
  Block body;
};

void runFor(const Inst &inst, Frame &frame) {
  const auto &loop = inst.payload<ForPayload>();
  const std::int64_t low = frame.scalar<std::int64_t>(inst, 0), high = frame.scalar<std::int64_t>(inst, 1),
                     step = frame.scalar<std::int64_t>(inst, 2);
  loop.start.run(frame);
  if (step <= 0) {
    if (frame.checks())
      frame.fault(
          inst, 0, 1, [&] { return fmt::format("a loop from {} to {} has step {}", low, high, step); },
          "the step must not be zero");
    return;
  }
  std::int64_t *induction = frame.at<std::int64_t>(loop.induction);
  for (std::int64_t i = low; i < high;) {
    *induction = i;
    execute(loop.body, frame);
    loop.next.run(frame);
    if (__builtin_add_overflow(i, step, &i))
      break;
  }
}

LogicalResult lowerFor(Operation &op, Builder &b) {
  auto loop = cast<scf::ForOp>(op);
  if (!loop.getInductionVar().getType().isInteger(64) && !loop.getInductionVar().getType().isIndex())
    return b.refuse(op, "counts in a type other than i64");
  auto payload = std::make_unique<ForPayload>();
  const SmallVector<Slot, 4> carried = resultSlots(loop.getResults(), b);
  payload->start = b.moves(operandSlots(loop.getInitArgs(), b), carried);
  payload->induction = b.temporary(Elem::I64, 1);
  b.bind(loop.getInductionVar(), payload->induction);
  for (auto [argument, slot] : llvm::zip_equal(loop.getRegionIterArgs(), carried))
    b.bind(argument, slot);
  FailureOr<Block> body = b.lowerBlock(*loop.getBody(), [&](Operation &yield) {
    payload->next = b.moves(operandSlots(yield.getOperands(), b), carried);
    return success();
  });
  if (failed(body))
    return failure();
  payload->body = std::move(*body);
  const Slot in[] = {b.in(loop.getLowerBound()), b.in(loop.getUpperBound()), b.in(loop.getStep())};
  b.emit(op, runFor, in, carried).extra = std::move(payload);
  return success();
}

// -- while ----------------------------------------------------------------------------------------

struct WhilePayload : Payload {
  Moves start; ///< initial values to the arguments of `before`
  Block before;
  Moves pass; ///< the condition, and the passed values to the results, which the arguments of `after` share
  Slot condition;
  Block after;
  Moves next; ///< yielded values to the arguments of `before`
};

void runWhile(const Inst &inst, Frame &frame) {
  const auto &loop = inst.payload<WhilePayload>();
  loop.start.run(frame);
  for (std::uint64_t rounds = 0;; ++rounds) {
    if (rounds == 2 * WaitDetector::kPolls && frame.isRehearsal())
      throw StopLaunch(); // it may wait, with plain loads, for a program that comes later here
    execute(loop.before, frame);
    loop.pass.run(frame);
    if (!frame.at<Bool>(loop.condition)->bits)
      return;
    execute(loop.after, frame);
    loop.next.run(frame);
  }
}

LogicalResult lowerWhile(Operation &op, Builder &b) {
  auto loop = cast<scf::WhileOp>(op);
  auto payload = std::make_unique<WhilePayload>();
  const SmallVector<Slot, 4> results = resultSlots(loop.getResults(), b);
  SmallVector<Slot, 4> arguments;
  for (Value init : loop.getInits())
    arguments.push_back(b.temporary(b.in(init).elem, b.in(init).count));
  payload->start = b.moves(operandSlots(loop.getInits(), b), arguments);
  payload->condition = b.temporary(Elem::I1, 1);
  for (auto [argument, slot] : llvm::zip_equal(loop.getBeforeArguments(), arguments))
    b.bind(argument, slot);
  FailureOr<Block> before = b.lowerBlock(*loop.getBeforeBody(), [&](Operation &terminator) {
    auto condition = cast<scf::ConditionOp>(terminator);
    SmallVector<Slot, 4> from = operandSlots(condition.getArgs(), b), to = results;
    from.push_back(b.in(condition.getCondition()));
    to.push_back(payload->condition);
    payload->pass = b.moves(from, to);
    return success();
  });
  if (failed(before))
    return failure();
  payload->before = std::move(*before);
  for (auto [argument, slot] : llvm::zip_equal(loop.getAfterArguments(), results))
    b.bind(argument, slot);
  FailureOr<Block> after = b.lowerBlock(*loop.getAfterBody(), [&](Operation &yield) {
    payload->next = b.moves(operandSlots(yield.getOperands(), b), arguments);
    return success();
  });
  if (failed(after))
    return failure();
  payload->after = std::move(*after);
  b.emit(op, runWhile, {}, results).extra = std::move(payload);
  return success();
}

// -- if -------------------------------------------------------------------------------------------

struct IfPayload : Payload {
  Block bodies[2]; ///< else, then
  Moves results[2];
};

void runIf(const Inst &inst, Frame &frame) {
  const auto &branch = inst.payload<IfPayload>();
  const bool taken = frame.scalar<Bool>(inst, 0).bits;
  execute(branch.bodies[taken], frame);
  branch.results[taken].run(frame);
}

LogicalResult lowerIf(Operation &op, Builder &b) {
  auto branch = cast<scf::IfOp>(op);
  auto payload = std::make_unique<IfPayload>();
  const SmallVector<Slot, 4> results = resultSlots(branch.getResults(), b);
  for (unsigned taken = 0; taken != 2; ++taken) {
    Region &region = taken ? branch.getThenRegion() : branch.getElseRegion();
    if (region.empty())
      continue;
    FailureOr<Block> body = b.lowerBlock(region.front(), [&](Operation &yield) {
      payload->results[taken] = b.moves(operandSlots(yield.getOperands(), b), results);
      return success();
    });
    if (failed(body))
      return failure();
    payload->bodies[taken] = std::move(*body);
  }
  b.emit(op, runIf, b.in(branch.getCondition()), results).extra = std::move(payload);
  return success();
}

} // namespace

void registerControlOps(OpTable &table) {
  table.add<scf::ForOp>(lowerFor);
  table.add<scf::WhileOp>(lowerWhile);
  table.add<scf::IfOp>(lowerIf);
}

} // namespace tessera::ir::interp
