//===- TraceBranches.cpp - the ends of if_ and of guards -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A variable written in a branch becomes a result of the scf.if; the other branch yields its own value or the one from
// outside.
//
//===---------------------------------------------------------------------===//

#include "Frontend/Recorder.h"
#include "Frontend/Types.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <fmt/format.h>

namespace tessera::ir {

void Trace::beginIf(Typed condition, At at) {
  push(RegionKind::Then, at, std::make_unique<Block>()).condition = condition;
}

/// What the innermost region wrote to variables from outside; they get their values from before it back.
std::vector<Trace::Change> Trace::takeChanges(Frame &frame) {
  std::vector<Change> changes;
  for (const Capture &capture : frame.captures) {
    const Version now = current(capture);
    if (!(now.typed == capture.outer.typed))
      changes.push_back({capture.variable, capture.generation, now});
    leave(capture, capture.outer, variables[capture.variable].lostIn);
  }
  frame.captures.clear();
  return changes;
}

void Trace::beginElse() {
  closeGuards();
  Frame &frame = *frames.back();
  frame.thenChanges = takeChanges(frame);
  frame.thenBlock = std::move(frame.owned);
  renew(frame, RegionKind::Else);
}

void Trace::endIf() {
  closeGuards();
  const bool breaks = frames.back()->breaks, returns = frames.back()->returns;
  const At at = frames.back()->at;
  finishIf();
  // an if_ that stands directly in a loop's body or in the kernel, or in another if_: skip what follows it there
  if (breaks || returns)
    guardAfter(breaks, returns, at);
}

/// Pops the innermost region, a branch or guard, and makes its scf.if.
void Trace::finishIf() {
  Frame &frame = *frames.back();
  const bool isGuard = frame.kind == RegionKind::Guard;
  struct Result {
    Change then, otherwise;
    bool lost = false; // no value afterwards
  };
  const bool hasElse = frame.kind == RegionKind::Else;
  // the values on either side, before anything is changed, so that an error leaves the region whole
  std::vector<Change> thenChanges = frame.thenChanges;
  std::vector<Change> elseChanges;
  std::vector<Change> &last = hasElse ? elseChanges : thenChanges;
  for (const Capture &capture : frame.captures) {
    const Version now = current(capture);
    if (!(now.typed == capture.outer.typed))
      last.push_back({capture.variable, capture.generation, now});
  }
  const auto outerOf = [&](const Change &change) -> Version {
    for (const Capture &capture : frame.captures)
      if (capture.variable == change.variable && capture.generation == change.generation)
        return capture.outer;
    const Variable &variable = variables[change.variable];
    return {{variable.value, variable.dtype}, variable.assigned};
  };
  std::vector<Result> results;
  for (const Change &change : thenChanges)
    results.push_back({change, {change.variable, change.generation, outerOf(change)}});
  for (const Change &change : elseChanges) {
    bool found = false;
    for (Result &result : results)
      if (result.then.variable == change.variable && result.then.generation == change.generation) {
        result.otherwise = change;
        found = true;
      }
    if (!found)
      results.push_back({{change.variable, change.generation, outerOf(change)}, change});
  }
  std::erase_if(results, [&](const Result &result) {
    return variables[result.then.variable].generation != result.then.generation;
  });
  const std::string where = describeRegion(frame.serial);
  for (Result &result : results) {
    const Version &then = result.then.version, &otherwise = result.otherwise.version;
    const bool fillable = isGuard && then.typed && !isView(then.typed);
    result.lost = !then.typed || (!otherwise.typed && !fillable);
    if (result.lost || !otherwise.typed)
      continue;
    if (then.typed.value.getType() == otherwise.typed.value.getType() && then.typed.dtype == otherwise.typed.dtype)
      continue;
    const Version outer = outerOf(result.then);
    if (outer.typed && outer.typed == then.typed)
      failCarried(where, then, otherwise);
    if (outer.typed && outer.typed == otherwise.typed)
      failCarried(where, otherwise, then);
    throw UsageError(
        otherwise.assigned,
        fmt::format("a variable becomes {} in one part of {} and {} in the other (assigned at {}); both parts "
                    "give it one dtype and shape; convert with .to or broadcast_to",
                    describe(otherwise.typed), where, describe(then.typed), placeOf(then.assigned)));
  }

  for (const Capture &capture : frame.captures)
    leave(capture, capture.outer, variables[capture.variable].lostIn);
  const std::uint32_t lostIn = 1 + frame.serial;
  const std::unique_ptr<Frame> done = pop();
  std::unique_ptr<Block> thenBlock = hasElse ? std::move(done->thenBlock) : std::move(done->owned);
  std::unique_ptr<Block> elseBlock = hasElse ? std::move(done->owned) : std::make_unique<Block>();

  const Location loc = location(done->at);
  SmallVector<Type> types;
  SmallVector<Value> thenYields, elseYields;
  for (const Result &result : results) {
    if (result.lost)
      continue;
    const Typed then = result.then.version.typed, otherwise = result.otherwise.version.typed;
    OpBuilder inElse = atEnd(elseBlock.get());
    types.push_back(then.value.getType());
    thenYields.push_back(then.value);
    elseYields.push_back(otherwise ? otherwise.value : zeroValue(inElse, loc, then.value.getType()));
  }
  ValueRange values;
  if (!types.empty() || !thenBlock->empty() || !elseBlock->empty()) {
    auto op = mlir::scf::IfOp::create(builder, loc, types, done->condition.value, /*addThenBlock=*/false,
                                      /*addElseBlock=*/false);
    OpBuilder inThen = atEnd(thenBlock.get());
    mlir::scf::YieldOp::create(inThen, loc, thenYields);
    const bool needsElse = !types.empty() || !elseBlock->empty();
    op.getThenRegion().push_back(thenBlock.release());
    if (needsElse) {
      OpBuilder inElse = atEnd(elseBlock.get());
      mlir::scf::YieldOp::create(inElse, loc, elseYields);
      op.getElseRegion().push_back(elseBlock.release());
    }
    values = op.getResults();
  }

  unsigned next = 0;
  for (const Result &result : results) {
    Variable &variable = variables[result.then.variable];
    variable.lostIn = result.lost ? lostIn : 0;
    variable.value = result.lost ? Value() : values[next++];
    variable.dtype = result.then.version.typed.dtype;
    variable.assigned = result.then.version.typed ? result.then.version.assigned : result.otherwise.version.assigned;
  }
}

} // namespace tessera::ir
