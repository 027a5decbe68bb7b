//===- ControlFlow.cpp - for_range, while_, if_ and the ways out ---------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The halves of the language's control flow that surround the user's body. The regions themselves are Trace's.
//
//===---------------------------------------------------------------------===//

#include "tessera/lang/ControlFlow.h"

#include "Frontend/Recorder.h"
#include "Frontend/TripCount.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

namespace tessera::ir {

static DictionaryAttr loopAttributes(Recorder &r, const LoopOptions &options) {
  if (options.num_stages < 0 || options.unroll < 0)
    r.fail("a loop with num_stages {} and unroll {}; they are at least 1, or 0 to leave them to the compiler",
           options.num_stages, options.unroll);
  SmallVector<NamedAttribute> attributes;
  Builder &b = r.builder();
  if (options.num_stages)
    attributes.push_back(b.getNamedAttr(tile::TileDialect::kNumStages, b.getI64IntegerAttr(options.num_stages)));
  if (options.unroll)
    attributes.push_back(b.getNamedAttr(tile::TileDialect::kUnroll, b.getI64IntegerAttr(options.unroll)));
  if (options.warp_specialize)
    attributes.push_back(b.getNamedAttr(tile::TileDialect::kWarpSpecialize, b.getUnitAttr()));
  return b.getDictionaryAttr(attributes);
}

/// Opens a loop over trips: the index is lo + trip * step. Returns the index.
static Typed beginCountedLoop(Recorder &r, Typed lo, Typed hi, Typed step, DictionaryAttr attributes) {
  OpBuilder &b = r.builder();
  const Typed zero = r.constantInt(i64, 0), one = r.constantInt(i64, 1);
  r.trace.beginFor(zero, {tripCount(b, r.loc, lo.value, hi.value, step.value), i64}, one, attributes, r.at);
  return {indexOfTrip(b, r.loc, lo.value, r.trace.loopIndex().value, step.value), i64};
}

} // namespace tessera::ir

namespace tessera::detail {

using ir::Recorder;
using ir::Trace;
using ir::Typed;

RegionScope::~RegionScope() {
  if (Trace *running = Trace::active(); trace && running && running->serial() == trace)
    running->discard(depth);
}

void RegionScope::open() {
  const Trace &running = *Trace::active();
  trace = running.serial();
  depth = running.depth();
}

void RegionScope::close(std::source_location at) {
  Trace *running = Trace::active();
  if (!running || running->serial() != trace || running->depth() <= depth)
    throw UsageError(
        at, "a loop or if_ ends in another kernel than it began; kernels are recorded one inside the other, never "
            "interleaved");
}

ForScope::ForScope(const Operand &lo, const Operand &hi, const Operand &step, const LoopOptions &options,
                   std::source_location at)
    : at(at) {
  Recorder r(at);
  r.refuseInCombine("for_range");
  const Typed first = r.index(lo, "the start of for_range"), last = r.index(hi, "the end of for_range");
  const Typed by = r.index(step, "the step of for_range");
  const ir::DictionaryAttr attributes = ir::loopAttributes(r, options);
  if (step.form == Operand::Form::Integer && step.integer == 0)
    r.fail("for_range with a step of 0; the step is positive or negative");
  open();
  const bool isUpward = step.form == Operand::Form::Integer && !step.negative;
  if (isUpward && !ir::nearsTheEnds(first.value, last.value, static_cast<std::int64_t>(step.integer))) {
    r.trace.beginFor(first, last, by, attributes, at);
    start = r.snapshot(r.trace.loopIndex());
  } else {
    start = r.snapshot(ir::beginCountedLoop(r, first, last, by, attributes));
  }
}

Int ForScope::index() const { return Int(start, at); }

void ForScope::finish() {
  close(at);
  Trace::active()->endFor();
  trace = 0;
}

WhileScope::WhileScope(const LoopOptions &options, std::source_location at) : at(at) {
  Recorder r(at);
  r.refuseInCombine("while_");
  const ir::DictionaryAttr attributes = ir::loopAttributes(r, options);
  open();
  r.trace.beginWhile(attributes, at);
}

void WhileScope::condition(const Operand &condition) {
  close(at);
  Recorder r(at);
  r.trace.whileCondition(r.uniformCondition(condition, "the condition of while_"));
}

void WhileScope::finish() {
  close(at);
  Trace::active()->endWhile();
  trace = 0;
}

IfScope::IfScope(const Operand &condition, std::source_location at) : at(at) {
  Recorder r(at);
  r.refuseInCombine("if_");
  const Typed chosen = r.uniformCondition(condition, "the condition of if_");
  open();
  r.trace.beginIf(chosen, at);
}

void IfScope::otherwise() {
  close(at);
  Trace::active()->beginElse();
}

void IfScope::finish() {
  close(at);
  Trace::active()->endIf();
  trace = 0;
}

void breakIf(const Operand &condition, std::source_location at) {
  Recorder r(at);
  r.trace.breakIf(r.uniformCondition(condition, "the condition of break_if"), at);
}

void returnIf(const Operand &condition, std::source_location at) {
  Recorder r(at);
  r.trace.returnIf(r.uniformCondition(condition, "the condition of return_if"), at);
}

} // namespace tessera::detail
