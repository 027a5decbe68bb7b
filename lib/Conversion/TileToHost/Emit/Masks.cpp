//===- Masks.cpp - which lanes an access touches -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A mask that is a box of indices costs one comparison of lane numbers, and none in a group's fast version.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Emit/Core.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tessera::ir::host {

namespace arith = mlir::arith;
using arith::CmpIPredicate;

static Value compare(Emitter &e, CmpIPredicate predicate, Value a, Value b) {
  return e.builder().createOrFold<arith::CmpIOp>(e.loc(), predicate, a, b);
}

Value both(Emitter &e, Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  const unsigned lanes = std::max(lanesOf(a), lanesOf(b));
  return arith::AndIOp::create(e.builder(), e.loc(), e.splat(a, lanes), e.splat(b, lanes));
}

Value clamped(Emitter &e, Value value, int64_t most) {
  const Value atLeast = e.builder().createOrFold<arith::MaxSIOp>(e.loc(), value, e.i64(0));
  return e.builder().createOrFold<arith::MinSIOp>(e.loc(), atLeast, e.i64(most));
}

/// Which of \p lanes lanes from \p index on are below \p bound.
static Value lanesBelow(Emitter &e, Value index, Value bound, unsigned lanes) {
  if (lanes == 1)
    return compare(e, CmpIPredicate::slt, index, bound);
  // Indices are small: a bound below 0 is as good as 0, and then the difference cannot overflow.
  const Value atLeast = e.builder().createOrFold<arith::MaxSIOp>(e.loc(), bound, e.i64(0));
  const Value count = clamped(e, e.sub(atLeast, index), lanes);
  const unsigned bits = lanes <= 16 ? 32 : lanes <= 32 ? 16 : 8; // a comparison of one vector
  const Value narrow = arith::TruncIOp::create(e.builder(), e.loc(), e.builder().getIntegerType(bits), count);
  return compare(e, CmpIPredicate::slt, e.iota(bits, lanes), e.splat(narrow, lanes));
}

/// The same below a uniform bound, which several accesses often share.
static Value lanesBelow(Emitter &e, Value index, const UniformExpr &bound, unsigned lanes) {
  for (const BoundMask &known : e.state().boundMasks)
    if (known.bound == bound && known.index == index && lanesOf(known.code) == lanes &&
        e.state().code.dominates(known.code))
      return known.code;
  const Value code = lanesBelow(e, index, e.uniform(bound), lanes);
  e.state().boundMasks.push_back({bound, index, code});
  return code;
}

/// Which lanes the interval holds; null for all.
static Value lanesInside(Emitter &e, const Interval &interval, Value index, unsigned lanes) {
  Value inside;
  if (interval.hi)
    inside = lanesBelow(e, index, interval.hi, lanes);
  if (!interval.lo)
    return inside;
  const Value before = lanesBelow(e, index, interval.lo, lanes);
  const Value notBefore = arith::XOrIOp::create(e.builder(), e.loc(), before, e.splat(e.integer(1, 1), lanes));
  return both(e, inside, notBefore);
}

/// The block of a tile that is broadcast to one with these lanes.
static LaneBlock blockOfBroadcast(Emitter &e, Value tile, LaneBlock block) {
  const ArrayRef<int64_t> shape = tile::shapeOf(tile.getType());
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    if (extent != 1)
      continue;
    block.index[axis] = e.i64(0);
    if (axis == block.axis)
      block.lanes = 1;
  }
  return block;
}

Value maskAt(Emitter &e, const AccessForm *access, Value mask, const LaneBlock &block) {
  const MaskForm *const form = access ? &access->mask : nullptr;
  const bool isUsable = form && (e.state().full || form->isExact());
  if (!isUsable)
    return mask ? e.lanesOrScalar(mask, block) : mask;
  Value result;
  const bool isCovered = e.state().full && e.state().group->covers(*form, access->shape);
  if (!isCovered)
    for (auto [axis, interval] : llvm::enumerate(form->box))
      result = both(e, result, lanesInside(e, interval, block.index[axis], axis == block.axis ? block.lanes : 1));
  for (Value condition : form->scalars)
    result = both(e, result, e.scalar(condition));
  for (Value rest : form->rest)
    result = both(e, result, e.lanesOrScalar(rest, blockOfBroadcast(e, rest, block)));
  return result;
}

Value conditionsHold(Emitter &e, ArrayRef<Condition> conditions) {
  Value result;
  for (const Condition &condition : conditions) {
    const Value number = e.uniform(condition.expr);
    const Range &range = condition.range;
    if (range.lo == range.hi) {
      result = both(e, result, compare(e, CmpIPredicate::eq, number, e.i64(range.lo)));
      continue;
    }
    if (range.lo != std::numeric_limits<int64_t>::min())
      result = both(e, result, compare(e, CmpIPredicate::sge, number, e.i64(range.lo)));
    if (range.hi != std::numeric_limits<int64_t>::max())
      result = both(e, result, compare(e, CmpIPredicate::sle, number, e.i64(range.hi)));
  }
  return result ? result : e.integer(1, 1);
}

bool isContiguous(Emitter &e, const AccessForm &form, unsigned axis) {
  if (e.state().group)
    return e.state().group->isContiguous(form, axis, e.state().full);
  return form.address->strides[axis].isConstant(form.elementBytes);
}

} // namespace tessera::ir::host
