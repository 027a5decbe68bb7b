//===- TraceRegions.cpp - the stack of regions being recorded ------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Opening, abandoning and describing regions, combine functions, and the ways out of a loop or kernel in the middle.
//
//===---------------------------------------------------------------------===//

#include "Frontend/Trace.h"
#include "Frontend/Types.h"
#include "IRSupport/Locations.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <fmt/format.h>

namespace tessera::ir {

/// Deeper nesting is a recursion that would not end.
static constexpr std::size_t kMaxNesting = 128;

/// How deep the guards of one body nest.
static constexpr std::size_t kMaxGuards = 8;

Trace::Frame &Trace::push(RegionKind kind, At at, std::unique_ptr<Block> block) {
  if (frames.size() >= kMaxNesting)
    throw UsageError(
        at, fmt::format("loops, conditions and combine functions nest {} deep; a recursion whose end depends on a "
                        "traced value never ends; bound it by a config field",
                        kMaxNesting));
  auto frame = std::make_unique<Frame>();
  frame->kind = kind;
  frame->at = at;
  frame->serial = static_cast<std::uint32_t>(regions.size());
  frame->owned = std::move(block);
  frame->block = frame->owned.get();
  regions.push_back({kind, at});
  frames.push_back(std::move(frame));
  if (frames.back()->block)
    builder.setInsertionPointToEnd(frames.back()->block);
  return *frames.back();
}

/// A builder of its own at the end of a block that may be detached.
OpBuilder Trace::atEnd(Block *block) const {
  OpBuilder end(context());
  end.setInsertionPointToEnd(block);
  return end;
}

std::unique_ptr<Trace::Frame> Trace::pop() {
  std::unique_ptr<Frame> frame = std::move(frames.back());
  frames.pop_back();
  builder.setInsertionPointToEnd(frames.back()->block);
  return frame;
}

/// Makes the frame that of a new region, so that what was declared in the old one counts as gone.
void Trace::renew(Frame &frame, RegionKind kind) {
  frame.kind = kind;
  frame.serial = static_cast<std::uint32_t>(regions.size());
  frame.owned = std::make_unique<Block>();
  frame.block = frame.owned.get();
  regions.push_back({kind, frame.at});
  builder.setInsertionPointToEnd(frame.block);
}

void Trace::discard(std::uint32_t depth) noexcept {
  while (frames.size() > depth) {
    for (const Capture &capture : frames.back()->captures)
      leave(capture, capture.outer, 0);
    pop();
  }
}

/// The value a captured variable has now; that on entry if the variable itself is gone.
Trace::Version Trace::current(const Capture &capture) const {
  const Variable &variable = variables[capture.variable];
  if (variable.generation != capture.generation)
    return {{capture.inner, capture.outer.typed.dtype}, capture.outer.assigned};
  return {{variable.value, variable.dtype}, variable.assigned};
}

/// Gives a captured variable its value after the innermost region, which is about to be popped or was just popped.
void Trace::leave(const Capture &capture, Version after, std::uint32_t lostIn) {
  Variable &variable = variables[capture.variable];
  if (variable.generation != capture.generation)
    return;
  variable.value = after.typed.value;
  variable.dtype = after.typed.dtype;
  variable.assigned = after.assigned;
  variable.lostIn = lostIn;
  --variable.entered;
}

std::string Trace::describeRegion(std::uint32_t serial) const {
  const RegionInfo &region = regions[serial];
  const std::string place = placeOf(region.at);
  switch (region.kind) {
  case RegionKind::Kernel:
    return "the kernel at " + place;
  case RegionKind::For:
    return "the for_range at " + place;
  case RegionKind::WhileCondition:
    return "the condition of the while_ at " + place;
  case RegionKind::WhileBody:
    return "the while_ at " + place;
  case RegionKind::Then:
    return (region.hasSecondPart ? "the first part of the if_ at " : "the if_ at ") + place;
  case RegionKind::Else:
    return "the second part of the if_ at " + place;
  case RegionKind::Guard:
    return "what follows the break_if or return_if at " + place;
  case RegionKind::Combine:
    return "the combine function at " + place;
  }
  return place;
}

/// The name that `.named` gave a value; that of a kernel's parameter is not one of a variable which holds it.
static StringRef givenName(Value value) {
  const auto argument = dyn_cast<BlockArgument>(value);
  const bool isParameter = argument && isa_and_nonnull<tile::KernelOp>(argument.getOwner()->getParentOp());
  return isParameter ? StringRef() : userName(value.getLoc());
}

/// \p before and \p after are values of one variable that must have one type.
void Trace::failCarried(std::string_view where, const Version &before, const Version &after) const {
  StringRef name = givenName(before.typed.value);
  if (name.empty())
    name = givenName(after.typed.value);
  const std::string variable = name.empty() ? "a variable" : fmt::format("the variable `{}`", std::string_view(name));
  throw UsageError(after.assigned,
                   fmt::format("{} becomes {} inside {} but is {} before it; a variable keeps its dtype and shape "
                               "there; start it as {} at {}, convert with .to or broadcast_to, or use another variable",
                               variable, describe(after.typed), where, describe(before.typed), describe(after.typed),
                               placeOf(before.assigned)));
}

//===----------------------------------------------------------------------===//
// Combine functions
//===----------------------------------------------------------------------===//

bool Trace::insideCombine() const {
  for (const auto &frame : frames)
    if (frame->kind == RegionKind::Combine)
      return true;
  return false;
}

std::vector<Typed> Trace::beginCombine(ArrayRef<DType> dtypes, At at) {
  auto block = std::make_unique<Block>();
  std::vector<Typed> arguments;
  for (const DType dtype : dtypes)
    arguments.push_back({block->addArgument(elementType(context(), dtype), location(at)), dtype});
  push(RegionKind::Combine, at, std::move(block));
  return arguments;
}

std::unique_ptr<Block> Trace::endCombine() {
  for (const Capture &capture : frames.back()->captures)
    leave(capture, capture.outer, 0);
  return std::move(pop()->owned);
}

//===----------------------------------------------------------------------===//
// Leaving early
//===----------------------------------------------------------------------===//

/// A hidden i1 variable of the region at index \p home, true until something clears it.
std::uint32_t Trace::declareHidden(std::uint32_t home, At at) {
  const std::uint32_t index = newVariable(home);
  OpBuilder outer = atEnd(frames[home]->block);
  variables[index].value = mlir::arith::ConstantIntOp::create(outer, location(at), 1, 1);
  variables[index].dtype = i1;
  variables[index].assigned = at;
  return index;
}

/// Notes that something leaves every open region from index \p outermost on.
void Trace::markExits(std::uint32_t outermost, bool breaks) {
  for (std::uint32_t level = outermost; level < depth(); ++level)
    (breaks ? frames[level]->breaks : frames[level]->returns) = true;
}

static Value negate(OpBuilder &builder, Location loc, Value condition) {
  const Value one = mlir::arith::ConstantIntOp::create(builder, loc, 1, 1);
  return mlir::arith::XOrIOp::create(builder, loc, condition, one);
}

static bool isTrue(Typed condition) { return mlir::matchPattern(condition.value, mlir::m_One()); }

void Trace::breakIf(Typed condition, At at) {
  std::uint32_t loop = depth() - 1;
  for (; loop > 0; --loop) {
    const RegionKind kind = frames[loop]->kind;
    if (kind == RegionKind::For || kind == RegionKind::WhileBody)
      break;
    if (kind == RegionKind::WhileCondition || kind == RegionKind::Combine)
      throw UsageError(
          at, fmt::format("break_if inside {}; it leaves the innermost for_range or while_ whose body it stands in",
                          describeRegion(frames[loop]->serial)));
  }
  if (loop == 0)
    throw UsageError(at,
                     "break_if outside a loop; it leaves the innermost for_range or while_; use return_if to end the "
                     "program");
  Frame &frame = *frames[loop];
  if (!frame.alive)
    frame.alive = 1 + declareHidden(loop - 1, at);
  const Value stay = negate(builder, location(at), condition.value);
  writeVariable(frame.alive - 1, {stay, i1}, at);
  markExits(loop + 1, /*breaks=*/true);
  if (isTrue(condition))
    frames[bodyLevel()]->left = true;
  guardRest(stay, /*breaks=*/true, /*returns=*/false, at);
}

void Trace::returnIf(Typed condition, At at) {
  for (std::uint32_t level = 1; level < depth(); ++level)
    if (frames[level]->kind == RegionKind::WhileCondition || frames[level]->kind == RegionKind::Combine)
      throw UsageError(at, fmt::format("return_if inside {}; it may stand in the kernel, in bodies of loops and in if_",
                                       describeRegion(frames[level]->serial)));
  if (!running)
    running = 1 + declareHidden(0, at);
  const Value stay = negate(builder, location(at), condition.value);
  writeVariable(running - 1, {stay, i1}, at);
  markExits(1, /*breaks=*/false);
  if (isTrue(condition))
    frames[bodyLevel()]->left = true;
  guardRest(stay, /*breaks=*/false, /*returns=*/true, at);
}

/// The innermost region that is no guard.
std::uint32_t Trace::bodyLevel() const {
  std::uint32_t level = depth() - 1;
  while (frames[level]->kind == RegionKind::Guard)
    --level;
  return level;
}

/// Whether nothing has left the innermost loop (\p breaks) and the kernel (\p returns) here; null if neither is asked.
Value Trace::exitFlags(bool breaks, bool returns, At at) {
  Value stay;
  if (breaks) {
    std::uint32_t loop = depth() - 1;
    while (!frames[loop]->alive)
      --loop;
    stay = readVariable(frames[loop]->alive - 1, at).value;
  }
  if (returns) {
    const Value runs = readVariable(running - 1, at).value;
    stay = stay ? Value(mlir::arith::AndIOp::create(builder, location(at), stay, runs)) : runs;
  }
  return stay;
}

/// Skips the rest of the body where \p stay does not hold: something left the loop (\p breaks) or the kernel
/// (\p returns). A null \p stay is what the hidden variables say.
void Trace::guardRest(Value stay, bool breaks, bool returns, At at) {
  if (depth() - 1 - bodyLevel() >= kMaxGuards) {
    breaks |= frames.back()->skipsBreaks;
    returns |= frames.back()->skipsReturns;
    finishIf(/*joins=*/true);
    stay = {};
  }
  if (!stay)
    stay = exitFlags(breaks, returns, at);
  Frame &guard = push(RegionKind::Guard, at, std::make_unique<Block>());
  guard.condition = {stay, i1};
  guard.skipsBreaks = breaks;
  guard.skipsReturns = returns;
}

void Trace::closeGuards() {
  while (frames.back()->kind == RegionKind::Guard)
    finishIf();
}

void Trace::finish() { closeGuards(); }

} // namespace tessera::ir
