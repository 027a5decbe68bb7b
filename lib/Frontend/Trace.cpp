//===- Trace.cpp - variables of the kernel being recorded ----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The thread's current trace, its table of variables and what keeps a runaway kernel from exhausting the machine. The
// stack of regions is in TraceRegions.cpp, their ends in TraceLoops.cpp and TraceBranches.cpp.
//
//===---------------------------------------------------------------------===//

#include "Frontend/Trace.h"

#include "Frontend/Types.h"
#include "IRSupport/Locations.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <pthread.h>
#include <utility>

namespace tessera::ir {

/// More operations than any kernel worth compiling.
static constexpr std::size_t kMaxOperations = 250'000;

static thread_local Trace *activeTrace = nullptr;

/// The address below which the stack of this thread should not grow while tracing.
static const char *findStackLimit() {
  static thread_local const char *limit = [] {
    pthread_attr_t attributes;
    void *low = nullptr;
    std::size_t size = 0;
    const char *here = static_cast<const char *>(__builtin_frame_address(0));
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
      return here - (std::size_t(1) << 20);
    pthread_attr_getstack(&attributes, &low, &size);
    pthread_attr_destroy(&attributes);
    const std::size_t reserve = std::min(size / 2, std::max(size / 8, std::size_t(256) << 10));
    return static_cast<const char *>(low) + reserve;
  }();
  return limit;
}

static std::uint64_t nextSerial() {
  static std::atomic<std::uint64_t> counter{0};
  return ++counter;
}

std::string placeOf(At at) { return fmt::format("{}:{}:{}", at.file_name(), at.line(), at.column()); }

Trace::Trace(Block *body, At at)
    : builder(OpBuilder::atBlockEnd(body)), id(nextSerial()), previous(activeTrace), stackLimit(findStackLimit()) {
  push(RegionKind::Kernel, at, nullptr).block = body;
  builder.setInsertionPointToEnd(body);
  activeTrace = this;
}

Trace::~Trace() {
  discard(1);
  activeTrace = previous;
}

Trace *Trace::active() { return activeTrace; }

Trace &Trace::require(At at) {
  Trace *trace = activeTrace;
  if (!trace)
    throw UsageError(at,
                     "operation outside a kernel; tiles and scalars exist only while a kernel's function is recorded; "
                     "put it into the function given to kernel(...)");
  if (++trace->operations > kMaxOperations)
    throw UsageError(at,
                     fmt::format("the kernel records more than {} operations; it is recorded once, with C++ loops and "
                                 "calls unrolled; use for_range in place of a long C++ loop or a recursion",
                                 kMaxOperations));
  if (static_cast<const char *>(__builtin_frame_address(0)) < trace->stackLimit)
    throw UsageError(at,
                     "the C++ stack is nearly used up while the kernel is recorded; a recursion whose end depends on "
                     "a traced value never ends; bound it by a config field or use while_");
  trace->latestAt = at;
  return *trace;
}

Location Trace::location(At at) { return placeLocation(context(), at); }

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

std::uint32_t Trace::newHolder(std::uint32_t variable) {
  if (freeHolders.empty()) {
    holders.push_back({variable});
    return static_cast<std::uint32_t>(holders.size() - 1);
  }
  const std::uint32_t index = freeHolders.back();
  freeHolders.pop_back();
  holders[index] = {variable};
  return index;
}

std::uint32_t Trace::newVariable(std::uint32_t home) {
  std::uint32_t index;
  if (freeVariables.empty()) {
    index = static_cast<std::uint32_t>(variables.size());
    variables.emplace_back();
  } else {
    index = freeVariables.back();
    freeVariables.pop_back();
  }
  Variable &variable = variables[index];
  const std::uint32_t generation = variable.generation;
  variable = {};
  variable.generation = generation;
  variable.home = variable.entered = home;
  variable.homeSerial = frames[home]->serial;
  return index;
}

std::uint32_t Trace::declare() { return newHolder(newVariable(depth() - 1)); }

std::uint32_t Trace::declareOutermost() { return newHolder(newVariable(0)); }

std::uint32_t Trace::move(std::uint32_t holder) {
  const std::uint32_t result = newHolder(holders[holder].variable);
  const std::uint32_t newer = holders[holder].newer;
  holders[result].older = holder;
  holders[result].newer = newer;
  holders[holder].newer = result;
  if (newer != kNone)
    holders[newer].older = result;
  return result;
}

void Trace::drop(std::uint32_t index) noexcept {
  const Holder holder = holders[index];
  freeHolders.push_back(index);
  if (holder.older != kNone)
    holders[holder.older].newer = holder.newer;
  if (holder.newer != kNone)
    holders[holder.newer].older = holder.older;
  if (holder.older != kNone || holder.newer != kNone)
    return;
  release(holder.variable);
}

void Trace::release(std::uint32_t variable) noexcept {
  ++variables[variable].generation;
  variables[variable].value = {};
  freeVariables.push_back(variable);
}

void Trace::write(std::uint32_t index, Typed value, At at) {
  const std::uint32_t variable = holders[index].variable;
  for (std::uint32_t moved = holders[index].newer; moved != kNone;) {
    const std::uint32_t own = newVariable(depth() - 1);
    enter(variable, at);
    const Variable &source = variables[variable];
    if (source.value)
      writeVariable(own, {source.value, source.dtype}, source.assigned);
    holders[moved].variable = own;
    holders[moved].older = kNone;
    moved = std::exchange(holders[moved].newer, kNone);
  }
  holders[index].newer = kNone;
  writeVariable(variable, value, at);
}

/// A variable that outlives the region it was declared in (an element of a vector, say) moves to the nearest region
/// around it that is still open, without its value.
void Trace::settleHome(Variable &variable) {
  const auto isOpen = [&] {
    return variable.home < frames.size() && frames[variable.home]->serial == variable.homeSerial;
  };
  if (isOpen())
    return;
  variable.lostIn = variable.homeSerial + 1;
  variable.value = {};
  std::uint32_t home = depth() - 1;
  while (frames[home]->serial > variable.homeSerial)
    --home;
  variable.home = variable.entered = home;
  variable.homeSerial = frames[home]->serial;
}

void Trace::enter(std::uint32_t index, At at) {
  Variable &variable = variables[index];
  settleHome(variable);
  if (variable.entered + 1 >= depth())
    return;
  if (variable.value)
    checkCombineRead(variable.entered, {variable.value, variable.dtype}, at);
  for (std::uint32_t level = variable.entered + 1; level < depth(); ++level)
    capture(*frames[level], index);
  variable.entered = depth() - 1;
}

void Trace::capture(Frame &frame, std::uint32_t index) {
  Variable &variable = variables[index];
  Capture capture;
  capture.variable = index;
  capture.generation = variable.generation;
  capture.outer = {{variable.value, variable.dtype}, variable.assigned};
  capture.inner = variable.value;
  const bool isLoop =
      frame.kind == RegionKind::For || frame.kind == RegionKind::WhileCondition || frame.kind == RegionKind::WhileBody;
  if (variable.value && isLoop) {
    if (frame.kind == RegionKind::WhileBody) {
      capture.condition = frame.conditionBlock->addArgument(variable.value.getType(), variable.value.getLoc());
      capture.passed = {{capture.condition, variable.dtype}, variable.assigned};
    }
    capture.inner = frame.block->addArgument(variable.value.getType(), variable.value.getLoc());
    variable.value = capture.inner;
  }
  frame.captures.push_back(capture);
}

bool Trace::hasValue(std::uint32_t holder) {
  Variable &variable = variables[holders[holder].variable];
  settleHome(variable);
  return static_cast<bool>(variable.value);
}

Typed Trace::readVariable(std::uint32_t index, At at) {
  enter(index, at);
  const Variable &variable = variables[index];
  if (variable.value)
    return {variable.value, variable.dtype};
  if (!variable.lostIn)
    throw UsageError(at, "a variable is used before it has a value; assign to it first");
  throw UsageError(
      at, fmt::format("a variable has no value here; it was last given one inside {}, which may not run or has "
                      "ended; declare it and give it a value before that",
                      describeRegion(variable.lostIn - 1)));
}

void Trace::writeVariable(std::uint32_t index, Typed value, At at) {
  enter(index, at);
  Variable &variable = variables[index];
  if (variable.home < depth() - 1 && insideCombine()) {
    for (std::uint32_t level = variable.home + 1; level < depth(); ++level)
      if (frames[level]->kind == RegionKind::Combine)
        throw UsageError(at, "a combine function assigns to a variable declared outside it; it runs for many pairs of "
                             "elements in any order, so it may only compute its results from its arguments");
  }
  variable.value = value.value;
  variable.dtype = value.dtype;
  variable.assigned = at;
  variable.lostIn = 0;
}

tessera::detail::Snapshot Trace::snapshot(Typed typed) const {
  return {typed.value.getAsOpaquePointer(), id, frames.back()->serial, typed.dtype};
}

Typed Trace::use(const tessera::detail::Snapshot &snapshot, At at) {
  if (snapshot.trace != id)
    throw UsageError(at,
                     "a value belongs to another kernel, or to an earlier recording of this one; values cannot be kept "
                     "from one kernel to another");
  std::uint32_t level = depth() - 1;
  while (level > 0 && frames[level]->serial > snapshot.region)
    --level;
  if (frames[level]->serial != snapshot.region)
    throw UsageError(
        at, fmt::format("a value made inside {} is used after its end; carry it out by assigning to a variable "
                        "declared before",
                        describeRegion(snapshot.region)));
  const Typed typed{Value::getFromOpaquePointer(snapshot.value), snapshot.dtype};
  checkCombineRead(level, typed, at);
  return typed;
}

/// A value of the region at index \p from may be used here, unless it is a tile from outside a combine function.
void Trace::checkCombineRead(std::uint32_t from, Typed value, At at) const {
  if (shapeOf(value).empty())
    return;
  for (std::uint32_t level = from + 1; level < depth(); ++level)
    if (frames[level]->kind == RegionKind::Combine)
      throw UsageError(
          at, fmt::format("a combine function uses {} from outside; it works on single elements, so it may use "
                          "its arguments, numbers and scalars only",
                          describe(value)));
}

} // namespace tessera::ir

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

namespace tessera::detail {

bool isTracing() { return ir::Trace::active() != nullptr; }

/// The running trace if \p serial is its own.
static ir::Trace *traceOf(std::uint64_t serial) {
  ir::Trace *trace = ir::Trace::active();
  return trace && trace->serial() == serial ? trace : nullptr;
}

static ir::Trace &requireTraceOf(std::uint64_t serial, std::source_location at) {
  if (ir::Trace *trace = traceOf(serial))
    return *trace;
  if (!ir::Trace::active())
    throw UsageError(at, "a traced value is used outside the kernel that made it; it exists only while the kernel's "
                         "function is recorded, on that thread");
  throw UsageError(at,
                   "a traced value belongs to another kernel, or to an earlier recording of this one; values cannot be "
                   "kept from one recording to another; pass data through memory");
}

Handle::Handle() noexcept {
  if (ir::Trace *active = ir::Trace::active()) {
    trace = active->serial();
    variable = active->declare();
  }
}

Handle::Handle(const Handle &source, std::source_location at) {
  ir::Trace *active = ir::Trace::active();
  if (source.trace == 0) {
    if (active) {
      trace = active->serial();
      variable = active->declare();
    }
    return;
  }
  ir::Trace &owner = requireTraceOf(source.trace, at);
  std::uint32_t copy = owner.declare();
  trace = owner.serial();
  variable = copy;
  if (owner.hasValue(source.variable))
    owner.write(copy, owner.read(source.variable, at), at);
}

Handle::Handle(Handle &&source) noexcept : trace(source.trace), variable(source.variable) {
  if (ir::Trace *owner = traceOf(source.trace))
    variable = owner->move(source.variable);
  else
    source.trace = 0;
}

Handle::Handle(const Snapshot &value, std::source_location at) {
  ir::Trace &owner = requireTraceOf(value.trace, at);
  const ir::Typed typed = owner.use(value, at);
  variable = owner.declare();
  trace = owner.serial();
  owner.write(variable, typed, at);
}

Handle::~Handle() {
  if (ir::Trace *owner = traceOf(trace))
    owner->drop(variable);
}

void Handle::assign(const Handle &source) {
  if (&source == this)
    return;
  ir::Trace *active = ir::Trace::active();
  const std::source_location latest = active ? active->latest() : std::source_location();
  if (source.trace == 0)
    throw UsageError(latest,
                     "a variable made outside the kernel, without a value, is assigned to another (after the line "
                     "shown); give it a value first");
  ir::Trace &owner = requireTraceOf(source.trace, latest);
  const std::source_location at = owner.hasValue(source.variable) ? owner.assignedAt(source.variable) : latest;
  const ir::Typed value = owner.read(source.variable, at);
  if (trace != owner.serial()) { // declared outside this recording
    trace = owner.serial();
    variable = owner.declareOutermost();
  }
  owner.write(variable, value, at);
}

Snapshot Handle::read(std::source_location at) const {
  if (trace == 0) {
    ir::Trace::require(at);
    throw UsageError(at, "a variable is used before it has a value; assign to it first");
  }
  ir::Trace &owner = requireTraceOf(trace, at);
  return owner.snapshot(owner.read(variable, at));
}

void Handle::setName(std::string_view name, std::source_location at) const {
  const Snapshot present = read(at);
  ir::Trace &owner = ir::Trace::require(at);
  mlir::Value value = mlir::Value::getFromOpaquePointer(present.value);
  const mlir::Location named = ir::namedLocation(name, owner.location(at));
  if (mlir::Operation *op = value.getDefiningOp())
    op->setLoc(named);
  else
    value.setLoc(named);
}

} // namespace tessera::detail
