//===- GroupFacts.cpp - what the loops of a group may assume --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The conditions under which a group needs no masks and touches memory in runs, and the size of its vectors.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Plan/BlockPlanner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <algorithm>
#include <numeric>

namespace tessera::ir::host {

namespace {

/// Adds up what one turn of a group's loop does.
class Work {
public:
  Work(PlanContents &plan, const Values &values) : plan(plan), values(values) {}

  unsigned ops = 0;         ///< vector ops that compute
  unsigned accesses = 0;    ///< of memory that pointers address
  unsigned buffers = 0;     ///< reads and writes of the arena
  unsigned bytes = 1;       ///< of the widest element, as it is computed
  unsigned storedBytes = 1; ///< of the widest element, as it is stored

  void compute(Operation *op) {
    if (!seen.insert(op).second)
      return;
    if (isa<tile::LoadOp, tile::ViewLoadOp, tile::ViewLoadRowsOp>(op)) {
      ++accesses;
      widen(op->getResult(0).getType(), false);
    } else {
      const bool moves = isa<mlir::arith::SelectOp, tile::BitcastOp, tile::HintOp>(op);
      ops += weightOf(op);
      for (Value result : op->getResults())
        widen(result.getType(), !moves);
      for (Value operand : op->getOperands())
        if (values.kindOf(operand) != ValueKind::Cheap || !hasExactForm(operand))
          widen(operand.getType(), !moves);
    }
    for (Value operand : op->getOperands())
      read(operand);
  }

  void read(Value value) {
    switch (values.kindOf(value)) {
    case ValueKind::Cheap:
      if (isBox(value))
        ++ops;
      else if (!hasExactForm(value))
        compute(value.getDefiningOp());
      return;
    case ValueKind::Node:
      return; // computed in this group or counted by the buffer
    case ValueKind::Own:
    case ValueKind::View:
      ++buffers;
      return;
    case ValueKind::Uniform:
      return;
    }
  }

  void widen(Type type, bool computes) {
    const Type element = tile::elementOf(type);
    if (!isa<RankedTensorType>(type) || element.isInteger(1))
      return;
    const unsigned width = std::max(1u, tile::bitsOf(element) / 8);
    storedBytes = std::max(storedBytes, width);
    bytes = std::max(bytes, computes && isa<FloatType>(element) ? std::max(4u, width) : width);
  }

private:
  bool hasExactForm(Value value) {
    const AffineForm *form = plan.affine.of(value);
    return form && form->isExact();
  }

  /// Whether the value is a mask that is made by comparing indices with bounds.
  bool isBox(Value value) {
    if (!tile::elementOf(value.getType()).isInteger(1))
      return false;
    return plan.masks.of(value).rest.empty();
  }

  static unsigned weightOf(Operation *op) {
    constexpr unsigned kFunction = 20;
    if (isa<mlir::math::FmaOp, mlir::math::AbsFOp, mlir::math::SqrtOp, mlir::math::FloorOp, mlir::math::CeilOp>(op))
      return 1;
    if (isa<mlir::math::MathDialect>(op->getDialect()) ||
        isa<tile::SigmoidOp, tile::SoftplusOp, tile::PhiloxOp, tile::IDivOp, tile::IRemOp>(op))
      return kFunction;
    if (isa<tile::ConvertFloatOp, tile::FloatToIntOp, mlir::arith::DivFOp>(op))
      return 2;
    return 1;
  }

  PlanContents &plan;
  const Values &values;
  llvm::DenseSet<Operation *> seen;
};

} // namespace

/// The axis along which a view's elements lie one by one, as far as its type says.
static std::optional<unsigned> contiguousAxisOf(Operation *op) {
  Value view;
  if (auto load = dyn_cast<tile::ViewLoadOp>(op))
    view = load.getView();
  if (auto store = dyn_cast<tile::ViewStoreOp>(op))
    view = store.getView();
  return view ? std::optional(cast<tile::ViewType>(view.getType()).getContiguous()) : std::nullopt;
}

/// Puts that axis into the innermost loop along which most accesses run through memory; the last one if they agree on
/// none. Reductions go through their axes in order.
static void findOrder(PlanContents &plan, Group &group, ArrayRef<Operation *> accessing) {
  group.order.resize(group.shape.size());
  std::iota(group.order.begin(), group.order.end(), 0);
  const auto isReduction = [](const Sink &sink) {
    return sink.kind == SinkKind::ReduceOrderFree || sink.kind == SinkKind::ReducePairs;
  };
  if (group.shape.empty() || llvm::any_of(group.sinks, isReduction))
    return;
  SmallVector<unsigned, 5> runs(group.shape.size());
  for (Operation *op : accessing) {
    const AccessForm *access = plan.masks.accessOf(op);
    if (!access || !access->address || access->shape != group.shape)
      continue;
    for (unsigned axis = 0; axis < runs.size(); ++axis) {
      const UniformExpr stride = access->address->strides[axis];
      const bool mayRun = !stride.asConstant() && contiguousAxisOf(op) == axis;
      runs[axis] += group.shape[axis] > 1 && (stride.isConstant(access->elementBytes) || mayRun);
    }
  }
  unsigned innermost = static_cast<unsigned>(runs.size() - 1);
  for (unsigned axis = 0; axis < runs.size(); ++axis)
    if (runs[axis] > runs[innermost])
      innermost = axis;
  group.order.erase(group.order.begin() + innermost);
  group.order.push_back(innermost);
}

/// The conditions of a version without boxes and gathers, as far as conditions can give one.
static void findFast(PlanContents &plan, Group &group, ArrayRef<Operation *> accessing) {
  const auto demand = [&](const Condition &condition) {
    group.canBeFast &= condition.known() != false;
    require(group.fast, condition);
  };
  for (Operation *op : accessing) {
    const AccessForm *access = plan.masks.accessOf(op);
    if (!access)
      continue;
    for (const Condition &condition : access->mask.needs)
      demand(condition);
    for (auto [interval, extent] : llvm::zip_equal(access->mask.box, access->shape)) {
      if (interval.lo)
        demand(atMost(interval.lo, 0));
      if (interval.hi)
        demand(atLeast(interval.hi, extent));
    }
    if (!access->address || access->shape.empty())
      continue;
    for (const Condition &condition : access->address->needs)
      demand(condition);
    const bool isWhole = access->shape == group.shape;
    const UniformExpr stride = access->address->strides[isWhole ? group.order.back() : access->shape.size() - 1];
    const int64_t bytes = access->elementBytes;
    if (!stride.asConstant())
      demand({stride, {bytes, bytes}});
  }
  if (!group.canBeFast)
    group.fast.clear();
}

/// The box that all sinks write inside of, if there is one.
static void findClamp(PlanContents &plan, Group &group) {
  for (const Sink &sink : group.sinks) {
    const bool writesMemory = sink.kind == SinkKind::Store || sink.kind == SinkKind::ViewStore;
    const AccessForm *access = writesMemory ? plan.masks.accessOf(sink.op) : nullptr;
    const bool isSame = &sink == group.sinks.begin() || (access && group.clamp == access->mask.box);
    if (!access || !access->mask.isExact() || !isSame) {
      group.clamp.clear();
      return;
    }
    group.clamp = access->mask.box;
  }
  if (llvm::all_of(group.clamp, [](const Interval &interval) { return interval.isFree(); }))
    group.clamp.clear();
}

void describeGroup(PlanContents &plan, const Values &values, Group &group, ArrayRef<Operation *> computed) {
  Work work(plan, values);
  SmallVector<Operation *> accessing(computed);
  for (Operation *op : computed)
    work.compute(op);
  for (const Sink &sink : group.sinks) {
    switch (sink.kind) {
    case SinkKind::Define:
      ++work.buffers;
      continue;
    case SinkKind::Copy:
    case SinkKind::Pack:
      ++work.buffers;
      work.read(sink.value);
      work.widen(sink.value.getType(), false);
      continue;
    case SinkKind::Store:
    case SinkKind::ViewStore:
    case SinkKind::LaneLoop:
      ++work.accesses;
      accessing.push_back(sink.op);
      break;
    case SinkKind::ReduceOrderFree:
    case SinkKind::ReducePairs:
      work.ops += 2;
      break;
    }
    for (Value operand : sink.op->getOperands()) {
      work.read(operand);
      if (!isa<tile::PtrType>(tile::elementOf(operand.getType())))
        work.widen(operand.getType(), sink.kind == SinkKind::ReduceOrderFree || sink.kind == SinkKind::ReducePairs);
    }
  }
  findOrder(plan, group, accessing);
  findFast(plan, group, accessing);
  findClamp(plan, group);

  // Loops that wait for memory run best with vectors of half a cache line.
  constexpr unsigned kOpsPerAccess = 4, kSmallBody = 8, kUnroll = 4;
  const bool streams = work.accesses > 0 && work.ops <= kOpsPerAccess * work.accesses;
  unsigned lanes = plan.options.vectorBytes / work.bytes;
  if (streams)
    lanes = std::min(lanes, plan.options.streamVectorBytes / work.storedBytes);
  group.lanes = std::clamp(lanes, 1u, 64u);
  group.unroll = work.ops + work.accesses + work.buffers <= kSmallBody ? kUnroll : 1;
}

} // namespace tessera::ir::host
