//===- TraceBranches.cpp - the ends of if_ and of guards -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A variable written in a branch becomes a result of the scf.if; the other branch yields its own value or the one from
// outside. A branch that always leaves the loop or kernel need not give a value: nothing that follows sees it.
//
//===---------------------------------------------------------------------===//

#include "Frontend/Recorder.h"
#include "Frontend/Types.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <fmt/format.h>

#include <utility>

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
  frame.thenLeft = std::exchange(frame.left, false);
  frame.thenSerial = frame.serial;
  regions[frame.serial].hasSecondPart = true;
  renew(frame, RegionKind::Else);
}

void Trace::endIf() {
  closeGuards();
  const Frame &frame = *frames.back();
  const bool breaks = frame.breaks, returns = frame.returns;
  const bool left = frame.kind == RegionKind::Else && frame.left && frame.thenLeft;
  const At at = frame.at;
  finishIf();
  if (left)
    frames[bodyLevel()]->left = true;
  // an if_ that stands directly in a loop's body or in the kernel, or in another if_: skip what follows it there
  if (breaks || returns)
    guardRest({}, breaks, returns, at);
}

/// A variable written in a branch, or declared in a guard that is joined to its parent.
struct Trace::BranchResult {
  std::uint32_t variable = 0;
  std::uint32_t generation = 0;
  Version then, otherwise, outer;
  std::uint32_t lostIn = 0; // 1 + serial of the region after which it has no value; 0: it has one
  /// What the variable is afterwards; the other side may lack a value that nobody sees.
  const Version &known() const { return then.typed ? then : otherwise; }
};

/// What was written on either side of the innermost region, a branch or guard.
std::vector<Trace::BranchResult> Trace::branchResults(const Frame &frame) const {
  const bool hasElse = frame.kind == RegionKind::Else;
  const auto outerOf = [&](const Change &change) -> Version {
    for (const Capture &capture : frame.captures)
      if (capture.variable == change.variable && capture.generation == change.generation)
        return capture.outer;
    const Variable &variable = variables[change.variable];
    return {{variable.value, variable.dtype}, variable.assigned};
  };
  std::vector<BranchResult> results;
  for (const Change &change : frame.thenChanges) {
    const Version outer = outerOf(change);
    results.push_back({change.variable, change.generation, change.version, outer, outer});
  }
  for (const Capture &capture : frame.captures) {
    const Version now = current(capture);
    if (now.typed == capture.outer.typed)
      continue;
    const auto found = llvm::find_if(results, [&](const BranchResult &result) {
      return result.variable == capture.variable && result.generation == capture.generation;
    });
    if (found != results.end())
      found->otherwise = now;
    else if (hasElse)
      results.push_back({capture.variable, capture.generation, capture.outer, now, capture.outer});
    else
      results.push_back({capture.variable, capture.generation, now, capture.outer, capture.outer});
  }
  std::erase_if(results,
                [&](const BranchResult &result) { return variables[result.variable].generation != result.generation; });
  return results;
}

/// Decides which variables have a value after a branch or guard. Throws UsageError where its sides give one variable
/// two types. A guard that \p joins is followed by another that skips wherever this one does: what was declared in its
/// body is not seen by anyone who did not pass it, and may have any value there.
void Trace::checkBranches(std::vector<BranchResult> &results, const Frame &frame, bool joins) const {
  const bool hasElse = frame.kind == RegionKind::Else, isGuard = frame.kind == RegionKind::Guard;
  const bool fillsThen = hasElse ? frame.thenLeft : frame.left;
  const bool fillsElse = isGuard || (hasElse && frame.left);
  const std::uint32_t thenSerial = hasElse ? frame.thenSerial : frame.serial;
  for (BranchResult &result : results) {
    const Version &then = result.then;
    Version &otherwise = result.otherwise;
    const Variable &variable = variables[result.variable];
    if ((!then.typed && (!fillsThen || !otherwise.typed)) || (!otherwise.typed && (!fillsElse || !then.typed))) {
      if (!isGuard && then.typed)
        result.lostIn = 1 + thenSerial;
      else if (hasElse && otherwise.typed)
        result.lostIn = 1 + frame.serial;
      else
        result.lostIn = variable.lostIn ? variable.lostIn : 1 + frame.serial;
      continue;
    }
    if (!then.typed || !otherwise.typed)
      continue;
    if (then.typed.value.getType() == otherwise.typed.value.getType() && then.typed.dtype == otherwise.typed.dtype)
      continue;
    if (joins && variable.home >= bodyLevel()) {
      otherwise = {};
      continue;
    }
    const Typed outer = result.outer.typed;
    if (outer && outer == then.typed)
      failCarried(describeRegion(frame.serial), then, otherwise);
    if (outer && outer == otherwise.typed)
      failCarried(describeRegion(thenSerial), otherwise, then);
    throw UsageError(
        otherwise.assigned,
        fmt::format("a variable becomes {} in one part of the if_ at {} and {} in the other (assigned at {}); both "
                    "parts give it one dtype and shape; convert with .to or broadcast_to",
                    describe(otherwise.typed), placeOf(frame.at), describe(then.typed), placeOf(then.assigned)));
  }
}

/// Moves the variables declared in the guard \p serial, which was just popped, to the innermost region.
void Trace::adoptLocals(std::uint32_t serial) {
  for (Variable &variable : variables)
    if (variable.homeSerial == serial && variable.home == depth()) {
      variable.home = variable.entered = depth() - 1;
      variable.homeSerial = frames.back()->serial;
    }
}

/// Pops the innermost region, a branch or guard, and makes its scf.if. A guard that \p joins leaves the variables
/// declared in it to its parent.
void Trace::finishIf(bool joins) {
  const Frame &frame = *frames.back();
  // the values on either side, before anything is changed, so that an error leaves the region whole
  std::vector<BranchResult> results = branchResults(frame);
  if (joins)
    for (std::uint32_t index = 0; index < variables.size(); ++index) {
      const Variable &variable = variables[index];
      if (variable.value && variable.homeSerial == frame.serial && variable.home == depth() - 1)
        results.push_back({index, variable.generation, {{variable.value, variable.dtype}, variable.assigned}, {}, {}});
    }
  checkBranches(results, frame, joins);

  for (const Capture &capture : frame.captures)
    leave(capture, capture.outer, variables[capture.variable].lostIn);
  const std::unique_ptr<Frame> done = pop();
  if (joins)
    adoptLocals(done->serial);
  const bool hasElse = done->kind == RegionKind::Else;
  std::unique_ptr<Block> thenBlock = hasElse ? std::move(done->thenBlock) : std::move(done->owned);
  std::unique_ptr<Block> elseBlock = hasElse ? std::move(done->owned) : std::make_unique<Block>();

  const Location loc = location(done->at);
  OpBuilder inThen = atEnd(thenBlock.get()), inElse = atEnd(elseBlock.get());
  SmallVector<Type> types;
  SmallVector<Value> thenYields, elseYields;
  for (const BranchResult &result : results) {
    if (result.lostIn)
      continue;
    const Type type = result.known().typed.value.getType();
    const auto yielded = [&](const Version &version, OpBuilder &side) {
      return version.typed ? version.typed.value : zeroValue(side, loc, type);
    };
    types.push_back(type);
    thenYields.push_back(yielded(result.then, inThen));
    elseYields.push_back(yielded(result.otherwise, inElse));
  }
  ValueRange values;
  if (!types.empty() || !thenBlock->empty() || !elseBlock->empty()) {
    auto op = mlir::scf::IfOp::create(builder, loc, types, done->condition.value, /*addThenBlock=*/false,
                                      /*addElseBlock=*/false);
    const bool needsElse = !types.empty() || !elseBlock->empty();
    mlir::scf::YieldOp::create(inThen, loc, thenYields);
    op.getThenRegion().push_back(thenBlock.release());
    if (needsElse) {
      mlir::scf::YieldOp::create(inElse, loc, elseYields);
      op.getElseRegion().push_back(elseBlock.release());
    }
    values = op.getResults();
  }

  unsigned next = 0;
  for (const BranchResult &result : results) {
    Variable &variable = variables[result.variable];
    variable.lostIn = result.lostIn;
    variable.value = result.lostIn ? Value() : values[next++];
    variable.dtype = result.known().typed.dtype;
    variable.assigned = result.known().assigned;
  }
}

} // namespace tessera::ir
