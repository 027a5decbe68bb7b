//===- AffineForm.cpp - tiles as base plus strides times indices ----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Integers are followed modulo 2^w, where sums and products are always linear. Only widening asks for more: that the
// number itself, not only its residue, is linear, which conditions on the base guarantee.
//
//===---------------------------------------------------------------------===//

#include "Analysis/AffineForm.h"

#include "tessera-ir/Dialect/Layout/IR/LayoutOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace tessera::ir {

using namespace mlir::arith;

/// Bounds within which sums of a few terms do not leave 64 bits.
static constexpr int64_t kSafe = int64_t(1) << 61;

static int64_t bytesInMemory(Type element) { return std::max<int64_t>(1, tile::bitsOf(element) / 8); }

namespace {

/// Computes the form of one value from the forms of the operands of its op.
class Transfer {
public:
  Transfer(AffineForms &forms, Value value)
      : forms(forms), exprs(forms.getExprs()), value(value), shape(tile::shapeOf(value.getType())) {}

  std::optional<AffineForm> run() {
    const Type element = tile::elementOf(value.getType());
    if (isa<tile::ViewType>(element) || !isa<IntegerType, tile::PtrType>(element) || element.isInteger(1))
      return std::nullopt;
    std::optional<AffineForm> form = isa<RankedTensorType>(value.getType()) ? ofTile() : ofScalar(value);
    if (!form)
      return std::nullopt;
    for (auto [extent, stride] : llvm::zip_equal(shape, form->strides))
      if (extent == 1)
        stride = exprs.constant(0);
    return form;
  }

private:
  AffineForm ofScalar(Value scalar) {
    AffineForm form;
    if (isa<tile::PtrType>(scalar.getType())) {
      form.pointer = scalar;
      form.base = exprs.constant(0);
    } else {
      form.base = exprs.signExtended(scalar);
    }
    return form;
  }

  /// The form of operand \p number, if it has one.
  std::optional<AffineForm> operand(unsigned number) {
    const AffineForm *form = forms.of(value.getDefiningOp()->getOperand(number));
    return form ? std::optional(*form) : std::nullopt;
  }

  std::optional<AffineForm> ofTile() {
    Operation *op = value.getDefiningOp();
    if (!op)
      return std::nullopt;
    return llvm::TypeSwitch<Operation *, std::optional<AffineForm>>(op)
        .Case([&](ConstantOp op) { return constant(op); })
        .Case([&](tile::SplatOp op) { return splat(op); })
        .Case([&](tile::ArangeOp op) { return arange(op); })
        .Case([&](tile::BroadcastOp) { return broadcast(); })
        .Case([&](tile::ExpandDimsOp op) { return expandDims(op); })
        .Case([&](tile::ReshapeOp op) { return reshape(op); })
        .Case([&](tile::TransOp op) { return trans(op); })
        .Case([&](tile::SliceOp op) { return slice(op); })
        .Case([&](tile::FlipOp op) { return flip(op); })
        .Case([&](tile::SplitOp) { return split(); })
        .Case([&](AddIOp) { return sum(false); })
        .Case([&](SubIOp) { return sum(true); })
        .Case([&](MulIOp) { return product(); })
        .Case([&](tile::ShlOp) { return shl(); })
        .Case([&](ExtSIOp op) { return widened(op.getIn(), true); })
        .Case([&](ExtUIOp op) { return widened(op.getIn(), false); })
        .Case<TruncIOp, tile::HintOp, tile::PtrCastOp, tile::IntToPtrOp, layout::ConvertOp>(
            [&](Operation *) { return operand(0); })
        .Case([&](tile::PtrToIntOp) { return address(); })
        .Case([&](tile::AddPtrOp op) { return moved(op); })
        .Default([](Operation *) { return std::nullopt; });
  }

  std::optional<AffineForm> constant(ConstantOp op) {
    auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
    if (!elements || !elements.isSplat())
      return std::nullopt;
    AffineForm form;
    form.base = exprs.constant(elements.getSplatValue<APInt>().getSExtValue());
    form.strides.assign(shape.size(), exprs.constant(0));
    return form;
  }

  std::optional<AffineForm> splat(tile::SplatOp op) {
    AffineForm form = ofScalar(op.getSource());
    form.strides.assign(shape.size(), exprs.constant(0));
    return form;
  }

  std::optional<AffineForm> arange(tile::ArangeOp op) {
    AffineForm form;
    form.base = exprs.constant(static_cast<int32_t>(op.getStart()));
    form.strides.push_back(exprs.constant(1));
    return form;
  }

  /// Axes of extent 1 have stride 0 already.
  std::optional<AffineForm> broadcast() { return operand(0); }

  std::optional<AffineForm> expandDims(tile::ExpandDimsOp op) {
    std::optional<AffineForm> form = operand(0);
    if (form)
      form->strides.insert(form->strides.begin() + op.getAxis(), exprs.constant(0));
    return form;
  }

  /// Extents are powers of two, so that each bit of the row-major number of an element has a weight of its own.
  std::optional<AffineForm> reshape(tile::ReshapeOp op) {
    std::optional<AffineForm> form = operand(0);
    if (!form)
      return std::nullopt;
    SmallVector<UniformExpr> weights; // from the lowest bit
    const ArrayRef<int64_t> from = tile::shapeOf(op.getSource().getType());
    for (size_t axis = from.size(); axis-- > 0;)
      for (int64_t step = 1; step < from[axis]; step *= 2)
        weights.push_back(exprs.mul(form->strides[axis], exprs.constant(step)));
    form->strides.assign(shape.size(), exprs.constant(0));
    size_t bit = 0;
    for (size_t axis = shape.size(); axis-- > 0;)
      for (int64_t step = 1; step < shape[axis]; step *= 2, ++bit) {
        if (step == 1)
          form->strides[axis] = weights[bit];
        else if (exprs.mul(form->strides[axis], exprs.constant(step)) != weights[bit])
          return std::nullopt;
      }
    return form;
  }

  std::optional<AffineForm> trans(tile::TransOp op) {
    std::optional<AffineForm> form = operand(0);
    if (!form)
      return std::nullopt;
    const SmallVector<UniformExpr, 5> old = form->strides;
    for (auto [axis, from] : llvm::enumerate(op.getPermutation()))
      form->strides[axis] = old[from];
    return form;
  }

  std::optional<AffineForm> slice(tile::SliceOp op) {
    std::optional<AffineForm> form = operand(0);
    if (form)
      for (auto [offset, stride] : llvm::zip_equal(op.getOffsets(), form->strides))
        form->base = exprs.add(form->base, exprs.mul(stride, exprs.constant(offset)));
    return form;
  }

  std::optional<AffineForm> flip(tile::FlipOp op) {
    std::optional<AffineForm> form = operand(0);
    if (!form)
      return std::nullopt;
    UniformExpr &stride = form->strides[op.getAxis()];
    form->base = exprs.add(form->base, exprs.mul(stride, exprs.constant(shape[op.getAxis()] - 1)));
    stride = exprs.mul(stride, exprs.constant(-1));
    return form;
  }

  std::optional<AffineForm> split() {
    std::optional<AffineForm> form = operand(0);
    if (!form)
      return std::nullopt;
    const UniformExpr stride = form->strides.pop_back_val();
    if (cast<OpResult>(value).getResultNumber() == 1)
      form->base = exprs.add(form->base, stride);
    return form;
  }

  std::optional<AffineForm> combined(AffineForm lhs, const AffineForm &rhs, bool isDifference) {
    const auto combine = [&](UniformExpr a, UniformExpr b) { return isDifference ? exprs.sub(a, b) : exprs.add(a, b); };
    lhs.base = combine(lhs.base, rhs.base);
    for (auto [stride, other] : llvm::zip_equal(lhs.strides, rhs.strides))
      stride = combine(stride, other);
    for (const Condition &condition : rhs.needs)
      require(lhs.needs, condition);
    return lhs;
  }

  std::optional<AffineForm> sum(bool isDifference) {
    const std::optional<AffineForm> lhs = operand(0), rhs = operand(1);
    return lhs && rhs ? combined(*lhs, *rhs, isDifference) : std::nullopt;
  }

  static bool isUniform(const AffineForm &form) {
    return llvm::all_of(form.strides, [](UniformExpr stride) { return stride.isConstant(0); });
  }

  AffineForm scaled(AffineForm form, UniformExpr factor) {
    form.base = exprs.mul(form.base, factor);
    for (UniformExpr &stride : form.strides)
      stride = exprs.mul(stride, factor);
    return form;
  }

  std::optional<AffineForm> product() {
    std::optional<AffineForm> lhs = operand(0), rhs = operand(1);
    if (!lhs || !rhs)
      return std::nullopt;
    if (!isUniform(*rhs))
      std::swap(lhs, rhs);
    if (!isUniform(*rhs))
      return std::nullopt;
    AffineForm form = scaled(*lhs, rhs->base);
    for (const Condition &condition : rhs->needs)
      require(form.needs, condition);
    return form;
  }

  std::optional<AffineForm> shl() {
    const std::optional<AffineForm> source = operand(0), amount = operand(1);
    if (!source || !amount || !isUniform(*amount))
      return std::nullopt;
    const std::optional<int64_t> bits = amount->base.asConstant();
    if (!bits || *bits < 0 || *bits >= tile::bitsOf(tile::elementOf(value.getType())))
      return std::nullopt;
    return scaled(*source, exprs.constant(static_cast<int64_t>(uint64_t(1) << *bits)));
  }

  std::optional<AffineForm> widened(Value source, bool isSigned) {
    SmallVector<Condition> needs;
    if (!(isSigned ? forms.isExactSigned(source, needs) : forms.isExactUnsigned(source, needs)))
      return std::nullopt;
    AffineForm form = *forms.of(source);
    for (const Condition &condition : needs)
      require(form.needs, condition);
    return form;
  }

  std::optional<AffineForm> address() {
    std::optional<AffineForm> form = operand(0);
    if (!form || !form->pointer)
      return form;
    form->base = exprs.add(exprs.signExtended(form->pointer), form->base);
    form->pointer = {};
    return form;
  }

  std::optional<AffineForm> moved(tile::AddPtrOp op) {
    const std::optional<AffineForm> pointer = operand(0);
    std::optional<AffineForm> offset = operand(1);
    // The offset is signed, so that a narrow one is widened first.
    if (offset && tile::bitsOf(tile::elementOf(op.getOffset().getType())) < 64)
      offset = widened(op.getOffset(), true);
    if (!pointer || !offset)
      return std::nullopt;
    const Type pointee = cast<tile::PtrType>(tile::elementOf(op.getType())).getPointee();
    return combined(*pointer, scaled(*offset, exprs.constant(bytesInMemory(pointee))), false);
  }

  AffineForms &forms;
  UniformExprs &exprs;
  Value value;
  ArrayRef<int64_t> shape;
};

} // namespace

const AffineForm *AffineForms::of(Value value) {
  if (!enabled && isa<RankedTensorType>(value.getType()))
    return nullptr;
  if (auto known = forms.find(value); known != forms.end())
    return known->second.get();
  std::optional<AffineForm> form = Transfer(*this, value).run();
  return (forms[value] = form ? std::make_unique<AffineForm>(*form) : nullptr).get();
}

bool AffineForms::isExact(Value value, bool isSigned, SmallVectorImpl<Condition> &needs) {
  const AffineForm *form = of(value);
  if (!form || form->pointer)
    return false;
  for (const Condition &condition : form->needs)
    require(needs, condition);
  const unsigned bits = tile::bitsOf(tile::elementOf(value.getType()));
  Range target = isSigned ? Range::ofSigned(bits) : Range::ofUnsigned(bits);
  if (!isSigned)
    target.lo = 0;

  // How far elements lie from the base at least and at most: a constant part and one of strides that are not.
  __int128 lo = 0, hi = 0, variableLo = 0, variableHi = 0;
  UniformExpr lowest = form->base, highest = form->base;
  for (auto [extent, stride] : llvm::zip_equal(tile::shapeOf(value.getType()), form->strides)) {
    const __int128 steps = extent - 1;
    if (const std::optional<int64_t> known = stride.asConstant()) {
      lo += std::min<__int128>(0, steps * *known);
      hi += std::max<__int128>(0, steps * *known);
      continue;
    }
    variableLo += std::min<__int128>(0, steps * stride.range().lo);
    variableHi += std::max<__int128>(0, steps * stride.range().hi);
    const UniformExpr reach = exprs.mul(stride, exprs.constant(extent - 1));
    lowest = exprs.add(lowest, exprs.smin(reach, exprs.constant(0)));
    highest = exprs.add(highest, exprs.smax(reach, exprs.constant(0)));
  }
  if (lo < -kSafe || hi > kSafe || variableLo < -kSafe || variableHi > kSafe)
    return false;
  const auto clamped = [](__int128 number) {
    const Range all;
    return static_cast<int64_t>(std::clamp<__int128>(number, all.lo, all.hi));
  };
  const Range allowed = {clamped(target.lo - lo), clamped(target.hi - hi)};
  SmallVector<Condition, 3> conditions;
  if (variableLo == 0 && variableHi == 0) {
    conditions.push_back({form->base, allowed});
  } else {
    // With a base in this range the corners do not wrap.
    conditions.push_back({form->base, {-kSafe, kSafe}});
    conditions.push_back({lowest, {allowed.lo, Range().hi}});
    conditions.push_back({highest, {Range().lo, allowed.hi}});
  }
  if (llvm::any_of(conditions, [](const Condition &condition) { return condition.known() == false; }))
    return false; // it wraps for certain
  for (const Condition &condition : conditions)
    require(needs, condition);
  return true;
}

} // namespace tessera::ir
