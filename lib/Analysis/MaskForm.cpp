//===- MaskForm.cpp - masks as boxes of indices ---------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A comparison of numbers that are linear in the index, with a difference that grows by one along one axis, bounds that
// axis. The bound is a saturating difference, which orders itself against any index as the exact one does.
//
//===---------------------------------------------------------------------===//

#include "Analysis/MaskForm.h"

#include "tessera-ir/Dialect/Layout/IR/LayoutOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>

namespace tessera::ir {

using namespace mlir::arith;

/// Leaves out bounds that hold for all indices of \p shape.
static void dropIdleBounds(MaskForm &form, ArrayRef<int64_t> shape) {
  for (auto [interval, extent] : llvm::zip_equal(form.box, shape)) {
    if (interval.lo && interval.lo.range().hi <= 0)
      interval.lo = {};
    if (interval.hi && interval.hi.range().lo >= extent)
      interval.hi = {};
  }
}

static void appendUnique(SmallVectorImpl<Value> &values, ArrayRef<Value> more) {
  for (Value value : more)
    if (!llvm::is_contained(values, value))
      values.push_back(value);
}

static bool isUnsigned(CmpIPredicate predicate) {
  switch (predicate) {
  case CmpIPredicate::ult:
  case CmpIPredicate::ule:
  case CmpIPredicate::ugt:
  case CmpIPredicate::uge:
    return true;
  default:
    return false;
  }
}

/// The predicate for operands that have changed sides.
static CmpIPredicate swapped(CmpIPredicate predicate) {
  switch (predicate) {
  case CmpIPredicate::slt:
    return CmpIPredicate::sgt;
  case CmpIPredicate::sle:
    return CmpIPredicate::sge;
  case CmpIPredicate::sgt:
    return CmpIPredicate::slt;
  case CmpIPredicate::sge:
    return CmpIPredicate::sle;
  case CmpIPredicate::ult:
    return CmpIPredicate::ugt;
  case CmpIPredicate::ule:
    return CmpIPredicate::uge;
  case CmpIPredicate::ugt:
    return CmpIPredicate::ult;
  case CmpIPredicate::uge:
    return CmpIPredicate::ule;
  default:
    return predicate;
  }
}

/// The indices `i` for which `i <predicate> bound`.
static Interval intervalOf(CmpIPredicate predicate, UniformExpr bound, UniformExprs &exprs) {
  const UniformExpr next = exprs.subSat(bound, exprs.constant(-1));
  switch (predicate) {
  case CmpIPredicate::slt:
  case CmpIPredicate::ult:
    return {{}, bound};
  case CmpIPredicate::sle:
  case CmpIPredicate::ule:
    return {{}, next};
  case CmpIPredicate::sgt:
  case CmpIPredicate::ugt:
    return {next, {}};
  case CmpIPredicate::sge:
  case CmpIPredicate::uge:
    return {bound, {}};
  default:
    return {bound, next}; // equal
  }
}

std::optional<MaskForm> MaskForms::compare(Value mask) {
  auto op = mask.getDefiningOp<CmpIOp>();
  CmpIPredicate predicate = op.getPredicate();
  if (predicate == CmpIPredicate::ne || !isa<IntegerType>(tile::elementOf(op.getLhs().getType())))
    return std::nullopt;
  MaskForm form;
  const auto isExact = [&](Value value) {
    return isUnsigned(predicate) ? affine.isExactUnsigned(value, form.needs) : affine.isExactSigned(value, form.needs);
  };
  if (!isExact(op.getLhs()) || !isExact(op.getRhs()))
    return std::nullopt;
  const AffineForm *lhs = affine.of(op.getLhs()), *rhs = affine.of(op.getRhs());

  // The axis along which `lhs - rhs` grows or shrinks by one, while it stays the same along the others.
  UniformExprs &exprs = affine.getExprs();
  std::optional<size_t> axis;
  int64_t growth = 0;
  for (size_t d = 0; d < lhs->strides.size(); ++d) {
    const std::optional<int64_t> difference = exprs.sub(lhs->strides[d], rhs->strides[d]).asConstant();
    if (difference == 0)
      continue;
    if (axis || (difference != 1 && difference != -1))
      return std::nullopt;
    axis = d;
    growth = *difference;
  }
  if (!axis)
    return std::nullopt;
  if (growth < 0) {
    std::swap(lhs, rhs);
    predicate = swapped(predicate);
  }
  form.box.resize(lhs->strides.size());
  form.box[*axis] = intervalOf(predicate, exprs.subSat(rhs->base, lhs->base), exprs);
  return form;
}

/// What both say.
static MaskForm intersect(MaskForm a, const MaskForm &b, UniformExprs &exprs) {
  for (auto [mine, other] : llvm::zip_equal(a.box, b.box)) {
    if (other.lo)
      mine.lo = mine.lo ? exprs.smax(mine.lo, other.lo) : other.lo;
    if (other.hi)
      mine.hi = mine.hi ? exprs.smin(mine.hi, other.hi) : other.hi;
  }
  appendUnique(a.scalars, b.scalars);
  appendUnique(a.rest, b.rest);
  for (const Condition &condition : b.needs)
    require(a.needs, condition);
  return a;
}

MaskForm MaskForms::compute(Value mask) {
  MaskForm form;
  if (!isa<RankedTensorType>(mask.getType())) {
    form.scalars.push_back(mask);
    return form;
  }
  const ArrayRef<int64_t> shape = tile::shapeOf(mask.getType());
  Operation *op = mask.getDefiningOp();
  // The mask itself, where nothing better is known of it.
  const auto opaque = [&] {
    MaskForm unknown;
    unknown.box.resize(shape.size());
    unknown.rest.push_back(mask);
    return unknown;
  };
  if (!op)
    return opaque();
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
    if (!elements || !elements.isSplat())
      return opaque();
    form.box.resize(shape.size());
    if (!elements.getSplatValue<bool>())
      form.box[0].hi = affine.getExprs().constant(0);
    return form;
  }
  if (auto splat = dyn_cast<tile::SplatOp>(op)) {
    form.box.resize(shape.size());
    form.scalars.push_back(splat.getSource());
    return form;
  }
  if (isa<CmpIOp>(op)) {
    std::optional<MaskForm> bounds = compare(mask);
    return bounds ? *bounds : opaque();
  }
  if (isa<AndIOp>(op))
    return intersect(of(op->getOperand(0)), of(op->getOperand(1)), affine.getExprs());
  if (auto expand = dyn_cast<tile::ExpandDimsOp>(op)) {
    form = of(expand.getSource());
    form.box.insert(form.box.begin() + expand.getAxis(), Interval());
  } else if (auto trans = dyn_cast<tile::TransOp>(op)) {
    form = of(trans.getSource());
    const SmallVector<Interval, 5> old = form.box;
    for (auto [axis, from] : llvm::enumerate(trans.getPermutation()))
      form.box[axis] = old[from];
  } else if (auto broadcast = dyn_cast<tile::BroadcastOp>(op)) {
    form = of(broadcast.getSource());
    const ArrayRef<int64_t> from = tile::shapeOf(broadcast.getSource().getType());
    for (auto [interval, before, after] : llvm::zip_equal(form.box, from, shape))
      if (before != after && !interval.isFree())
        return opaque(); // a bound on the one element that is repeated
  } else {
    return opaque();
  }
  if (!form.rest.empty())
    form.rest.assign(1, mask);
  return form;
}

const MaskForm &MaskForms::of(Value mask) {
  if (auto known = masks.find(mask); known != masks.end())
    return *known->second;
  auto form = std::make_unique<MaskForm>();
  if (affine.isEnabled() || !isa<RankedTensorType>(mask.getType())) {
    *form = compute(mask);
  } else {
    form->box.resize(tile::shapeOf(mask.getType()).size());
    form->rest.push_back(mask);
  }
  dropIdleBounds(*form, tile::shapeOf(mask.getType()));
  return *(masks[mask] = std::move(form));
}

//===--- Accesses -----------------------------------------------------------===//

namespace {

/// Writes down an access through a view: its coordinates say where, its extents say whether.
void describeViewAccess(AccessForm &access, Value view, mlir::ValueRange coords, UniformExprs &exprs) {
  AffineForm address;
  address.base = exprs.constant(0);
  auto make = view.getDefiningOp<tile::MakeViewOp>();
  address.pointer = make ? make.getBase() : view;
  const UniformExpr bytes = exprs.constant(access.elementBytes);
  access.mask.box.resize(access.shape.size());
  for (size_t axis = 0; axis < access.shape.size(); ++axis) {
    const UniformExpr stride = exprs.mul(exprs.viewStride(view, axis), bytes);
    const UniformExpr coord = exprs.signExtended(coords[axis]);
    address.strides.push_back(access.shape[axis] == 1 ? exprs.constant(0) : stride);
    address.base = exprs.add(address.base, exprs.mul(coord, stride));
    access.mask.box[axis] = {exprs.subSat(exprs.constant(0), coord), exprs.subSat(exprs.viewExtent(view, axis), coord)};
  }
  access.address = std::move(address);
}

} // namespace

std::unique_ptr<AccessForm> MaskForms::computeAccess(Operation *op) {
  auto access = std::make_unique<AccessForm>();
  const auto describeElements = [&](ArrayRef<int64_t> shape, Type element) {
    access->shape.assign(shape.begin(), shape.end());
    access->element = element;
    access->elementBytes = std::max(1u, tile::bitsOf(access->element) / 8);
  };
  const auto describe = [&](Type tileType) { describeElements(tile::shapeOf(tileType), tile::elementOf(tileType)); };
  const auto describePointers = [&](Value pointers, Value mask) {
    describe(tile::pointeeOf(pointers.getType()));
    if (const AffineForm *address = affine.of(pointers))
      access->address = *address;
    if (mask)
      access->mask = of(mask);
    else
      access->mask.box.resize(access->shape.size());
  };
  if (auto load = dyn_cast<tile::LoadOp>(op)) {
    describePointers(load.getPtr(), load.getMask());
  } else if (auto store = dyn_cast<tile::StoreOp>(op)) {
    describePointers(store.getPtr(), store.getMask());
  } else if (auto load = dyn_cast<tile::ViewLoadOp>(op)) {
    describe(load.getType());
    describeViewAccess(*access, load.getView(), load.getCoords(), affine.getExprs());
  } else if (auto store = dyn_cast<tile::ViewStoreOp>(op)) {
    describe(store.getValue().getType());
    describeViewAccess(*access, store.getView(), store.getCoords(), affine.getExprs());
  } else if (auto copy = dyn_cast<layout::ViewAsyncCopyOp>(op)) {
    describeElements(copy.getBuffer().getType().tileShape(), copy.getBuffer().getType().getElement());
    describeViewAccess(*access, copy.getView(), copy.getCoords(), affine.getExprs());
  } else {
    return nullptr;
  }
  // Masks of scalars have no axes.
  if (access->mask.box.size() == access->shape.size())
    dropIdleBounds(access->mask, access->shape);
  return access;
}

const AccessForm *MaskForms::accessOf(Operation *op) {
  if (auto known = accesses.find(op); known != accesses.end())
    return known->second.get();
  return (accesses[op] = computeAccess(op)).get();
}

} // namespace tessera::ir
