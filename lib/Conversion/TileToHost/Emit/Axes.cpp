//===- Axes.cpp - which axes a group's loops run through as one --------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Two neighbouring axes become one loop where a step of the outer one is as many steps of the inner one as that is
// long, for everything the group touches. Then the inner coordinate simply goes on past its extent.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Emit/Core.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tessera::ir::host {

namespace arith = mlir::arith;

namespace {

/// Answers for one version of a group. An axis means one of the value that is asked about.
class GroupAxes {
public:
  GroupAxes(Emitter &e, const Group &group) : e(e), group(group) {}

  /// Whether axis \p q may go on past its extent in place of the axis \p p outside it, for all that \p sink touches.
  bool canJoin(const Sink &sink, unsigned p, unsigned q) {
    const int64_t inner = group.shape[q];
    switch (sink.kind) {
    case SinkKind::Define:
      return joinsBuffer(sink.to, p, q, inner) && joinsOperands(sink.value, p, q, inner);
    case SinkKind::Copy:
      return joinsBuffer(sink.to, p, q, inner) &&
             (sink.from ? joinsBuffer(*sink.from, p, q, inner) : joins(sink.value, p, q, inner));
    case SinkKind::Store:
    case SinkKind::ViewStore:
      return joins(storedValueOf(*sink.op), p, q, inner) && joinsAccess(*sink.op, p, q, inner);
    default:
      return false;
    }
  }

  /// How many lanes along \p axis may lie in one block of \p value.
  unsigned limit(Value value, unsigned axis, unsigned lanes, bool isDefined = false);

private:
  static bool joinsBuffer(const BufferView &view, unsigned p, unsigned q, int64_t inner) {
    return view.strides[p] == view.strides[q] * inner;
  }
  bool joins(Value value, unsigned p, unsigned q, int64_t inner) {
    if (!value || !isa<RankedTensorType>(value.getType()))
      return true;
    const Home &home = e.plan().home(value);
    if (home.kind == HomeKind::Uniform)
      return true;
    return home.kind == HomeKind::Buffer ? joinsBuffer(home.buffer, p, q, inner) : joinsOperands(value, p, q, inner);
  }
  bool joinsOperands(Value value, unsigned p, unsigned q, int64_t inner);
  bool joinsReshape(tile::ReshapeOp op, unsigned p, unsigned q, int64_t inner);
  bool joinsTrans(tile::TransOp op, unsigned p, unsigned q, int64_t inner);
  bool joinsAccess(Operation &op, unsigned p, unsigned q, int64_t inner);

  Emitter &e;
  const Group &group;
};

} // namespace

bool GroupAxes::joinsReshape(tile::ReshapeOp op, unsigned p, unsigned q, int64_t inner) {
  const ArrayRef<int64_t> source = tile::shapeOf(op.getSource().getType()), result = tile::shapeOf(op.getType());
  const auto segments = segmentsOf(source, result);
  for (const auto &[number, segment] : llvm::enumerate(segments)) {
    if (!llvm::is_contained(segment.result, q))
      continue;
    if (llvm::is_contained(segment.result, p))
      return true; // the place is found by number
    const bool isAtBorder = number != 0 && segment.result.front() == q && segments[number - 1].result.back() == p;
    int64_t extent = 1;
    for (unsigned axis : segment.source)
      extent *= source[axis];
    return isAtBorder && extent == inner && segment.source.size() == 1 &&
           joins(op.getSource(), segments[number - 1].source.back(), segment.source.front(), inner);
  }
  return false;
}

bool GroupAxes::joinsTrans(tile::TransOp op, unsigned p, unsigned q, int64_t inner) {
  const auto from = static_cast<unsigned>(op.getPermutation()[p]), to = static_cast<unsigned>(op.getPermutation()[q]);
  const ArrayRef<int64_t> source = tile::shapeOf(op.getSource().getType());
  return from < to &&
         llvm::all_of(
             llvm::seq(from + 1, to), [&](unsigned axis) { return source[axis] == 1; }) &&
         joins(op.getSource(), from, to, inner);
}

bool GroupAxes::joinsOperands(Value value, unsigned p, unsigned q, int64_t inner) {
  Operation *const op = value.getDefiningOp();
  if (!op)
    return false;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<arith::ConstantOp, tile::SplatOp>([](auto) { return true; })
      .Case([](tile::ArangeOp) { return false; })
      .Case([&](tile::BroadcastOp o) {
        const ArrayRef<int64_t> source = tile::shapeOf(o.getSource().getType());
        if (source[p] == 1 && source[q] == 1)
          return true;
        return source[q] == inner && source[p] == tile::shapeOf(o.getType())[p] && joins(o.getSource(), p, q, inner);
      })
      .Case([&](tile::ExpandDimsOp o) {
        const auto axis = static_cast<unsigned>(o.getAxis());
        return joins(o.getSource(), p - (p > axis), q - (q > axis), inner);
      })
      .Case([&](tile::ReshapeOp o) { return joinsReshape(o, p, q, inner); })
      .Case([&](tile::TransOp o) { return joinsTrans(o, p, q, inner); })
      .Case([&](tile::SliceOp o) {
        return tile::shapeOf(o.getSource().getType())[q] == inner && joins(o.getSource(), p, q, inner);
      })
      .Case([&](tile::FlipOp o) {
        const auto axis = static_cast<unsigned>(o.getAxis());
        return axis != p && axis != q && joins(o.getSource(), p, q, inner);
      })
      .Case([&](tile::SplitOp o) { return joins(o.getSource(), p, q, inner); })
      .Case([&](tile::BitcastOp o) {
        return tile::shapeOf(o.getType()) == tile::shapeOf(o.getSource().getType()) &&
               joins(o.getSource(), p, q, inner);
      })
      .Case<tile::LoadOp, tile::ViewLoadOp>([&](auto o) { return joinsAccess(*o, p, q, inner); })
      .Case([](tile::ViewLoadRowsOp) { return false; })
      .Default([&](Operation *o) {
        return llvm::all_of(o->getOperands(), [&](Value operand) { return joins(operand, p, q, inner); });
      });
}

bool GroupAxes::joinsAccess(Operation &op, unsigned p, unsigned q, int64_t inner) {
  if (isa<tile::ViewStoreRowsOp>(op))
    return false;
  const bool isFull = e.state().full;
  const AccessForm *const form = e.plan().masks().accessOf(&op);
  const bool hasAddress = form && form->address && (isFull || form->address->isExact());
  const bool hasMask = form && (isFull || form->mask.isExact());
  const bool isPointers = isa<tile::LoadOp, tile::StoreOp>(op);
  if (!isPointers && !(hasAddress && hasMask))
    return false;
  UniformExprs &exprs = e.plan().affine().getExprs();
  if (hasAddress) {
    const AffineForm &address = *form->address;
    if (address.strides[p] != exprs.mul(address.strides[q], exprs.constant(inner)))
      return false;
  } else if (!joins(op.getOperand(0), p, q, inner)) {
    return false;
  }
  if (auto load = dyn_cast<tile::LoadOp>(op); load && !joins(load.getOther(), p, q, inner))
    return false;
  if (hasMask) {
    const MaskForm &mask = form->mask;
    const bool isCovered = isFull && group.covers(mask, form->shape);
    return (isCovered || mask.box.empty() || (mask.box[p].isFree() && mask.box[q].isFree())) && mask.rest.empty();
  }
  const Value mask = isa<tile::LoadOp>(op) ? cast<tile::LoadOp>(op).getMask() : cast<tile::StoreOp>(op).getMask();
  return joins(mask, p, q, inner);
}

unsigned GroupAxes::limit(Value value, unsigned axis, unsigned lanes, bool isDefined) {
  const ArrayRef<int64_t> shape = value ? tile::shapeOf(value.getType()) : ArrayRef<int64_t>();
  if (axis >= shape.size() || shape[axis] == 1)
    return lanes;
  if (e.plan().home(value).kind != HomeKind::Inline && !isDefined)
    return lanes;
  Operation *const op = value.getDefiningOp();
  if (!op)
    return lanes;
  return llvm::TypeSwitch<Operation *, unsigned>(op)
      .Case([&](tile::ExpandDimsOp o) {
        return limit(o.getSource(), axis - (axis > static_cast<unsigned>(o.getAxis())), lanes);
      })
      .Case(
          [&](tile::TransOp o) { return limit(o.getSource(), static_cast<unsigned>(o.getPermutation()[axis]), lanes); })
      .Case([&](tile::ReshapeOp o) {
        const ArrayRef<int64_t> source = tile::shapeOf(o.getSource().getType());
        for (const Segment &segment : segmentsOf(source, tile::shapeOf(o.getType())))
          if (llvm::is_contained(segment.result, axis)) {
            const unsigned inner = segment.source.back();
            const auto most = static_cast<unsigned>(std::min<int64_t>(lanes, source[inner]));
            return limit(o.getSource(), inner, most);
          }
        return lanes;
      })
      .Case([&](tile::BitcastOp o) {
        const size_t rank = tile::shapeOf(o.getSource().getType()).size();
        return axis < rank ? limit(o.getSource(), axis, lanes) : lanes;
      })
      .Case([&](tile::ViewLoadRowsOp o) { return axis == 0 ? limit(o.getRows(), 0, lanes) : lanes; })
      .Default([&](Operation *o) {
        for (Value operand : o->getOperands())
          lanes = limit(operand, axis, lanes);
        return lanes;
      });
}

/// Calls \p visit for each load that \p value is computed from in its group.
static void forEachLoad(Emitter &e, Value value, bool isDefined, llvm::DenseSet<Value> &seen,
                        function_ref<void(Operation &)> visit) {
  if (!isa<RankedTensorType>(value.getType()) || !seen.insert(value).second)
    return;
  Operation *const op = value.getDefiningOp();
  if (!op || (e.plan().home(value).kind != HomeKind::Inline && !isDefined))
    return;
  if (isa<tile::LoadOp, tile::ViewLoadOp, tile::ViewLoadRowsOp>(op))
    visit(*op);
  for (Value operand : op->getOperands())
    forEachLoad(e, operand, false, seen, visit);
}

bool movesLanesAlone(Emitter &e, const Group &group, unsigned axis) {
  bool result = false;
  const auto visit = [&](Operation &op) {
    const AccessForm *const form = e.plan().masks().accessOf(&op);
    const bool hasAddress = form && form->address && (e.state().full || form->address->isExact());
    result |= !hasAddress || (form->shape == group.shape && !isContiguous(e, *form, axis));
  };
  llvm::DenseSet<Value> seen;
  for (const Sink &sink : group.sinks) {
    if (sink.kind == SinkKind::Store || sink.kind == SinkKind::ViewStore)
      visit(*sink.op);
    if (sink.value)
      forEachLoad(e, sink.value, sink.kind == SinkKind::Define, seen, visit);
    else
      for (Value operand : sink.op->getOperands())
        forEachLoad(e, operand, false, seen, visit);
  }
  return result;
}

Domain domainOfGroup(Emitter &e, const Group &group, bool canJoin) {
  GroupAxes axes(e, group);
  Domain domain = domainOf(group.shape, group.lanes, group.order);
  SmallVector<unsigned, 5> looped; // axes that have loops, outermost first
  for (unsigned axis : domain.order)
    if (group.shape[axis] > 1)
      looped.push_back(axis);
  for (size_t i = 1; canJoin && i < looped.size(); ++i) {
    const unsigned p = looped[i - 1], q = looped[i];
    const bool areNeighbours =
        p < q && llvm::all_of(llvm::seq(p + 1, q), [&](unsigned axis) { return group.shape[axis] == 1; });
    domain.joined[p] = areNeighbours && llvm::all_of(group.sinks, [&](const Sink &s) { return axes.canJoin(s, p, q); });
  }
  if (looped.empty())
    return domain;
  const int64_t extent = loopsOf(domain).back().extent;
  domain.lanes = static_cast<unsigned>(std::min<int64_t>(group.lanes, extent));
  for (const Sink &sink : group.sinks) {
    if (sink.value)
      domain.lanes = axes.limit(sink.value, domain.axis, domain.lanes, sink.kind == SinkKind::Define);
    else
      for (Value operand : sink.op->getOperands())
        domain.lanes = axes.limit(operand, domain.axis, domain.lanes);
  }
  return domain;
}

} // namespace tessera::ir::host
