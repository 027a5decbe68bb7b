//===- UniformTests.cpp - conditions tested where a kernel starts ---------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/TileToLayout/UniformTests.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tessera::ir::layout {

namespace arith = mlir::arith;
using Kind = UniformExpr::Kind;

std::optional<SmallVector<Condition>> conditionsOfFull(const MaskForm &mask, ArrayRef<int64_t> shape) {
  SmallVector<Condition> conditions;
  for (const Condition &need : mask.needs)
    require(conditions, need);
  for (auto [interval, extent] : llvm::zip_equal(mask.box, shape)) {
    if (interval.lo)
      require(conditions, atMost(interval.lo, 0));
    if (interval.hi)
      require(conditions, atLeast(interval.hi, extent));
  }
  if (llvm::any_of(conditions, [](const Condition &condition) { return condition.known() == false; }))
    return std::nullopt;
  return conditions;
}

//===--- What can be tested -------------------------------------------------===//

bool UniformTests::isKnownAtStart(Value value, unsigned depth) const {
  constexpr unsigned kDeepest = 12;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == start;
  Operation *op = value.getDefiningOp();
  if (depth > kDeepest || op->getNumRegions() != 0 || !mlir::isMemoryEffectFree(op) ||
      isa<RankedTensorType>(value.getType()))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return !isa<RankedTensorType>(operand.getType()) && isKnownAtStart(operand, depth + 1);
  });
}

bool UniformTests::canEmit(UniformExpr expr) const {
  switch (expr.kind()) {
  case Kind::Constant:
    return true;
  case Kind::SignExtended:
  case Kind::ZeroExtended:
    return isKnownAtStart(expr.value());
  case Kind::ViewExtent:
  case Kind::ViewStride:
    return expr.value().getDefiningOp<tile::MakeViewOp>() && isKnownAtStart(expr.value());
  case Kind::SubSat:
    return false;
  default:
    return canEmit(expr.lhs()) && canEmit(expr.rhs());
  }
}

/// A saturating difference is compared by its parts.
bool UniformTests::canCompare(UniformExpr expr, int64_t bound, bool isLower) const {
  if (expr.kind() == (isLower ? Kind::SMin : Kind::SMax))
    return canCompare(expr.lhs(), bound, isLower) && canCompare(expr.rhs(), bound, isLower);
  if (expr.kind() != Kind::SubSat)
    return canEmit(expr);
  constexpr int64_t kSmall = int64_t(1) << 40;
  if (const std::optional<int64_t> less = expr.rhs().asConstant())
    return std::abs(bound) < kSmall && *less > -kSmall && *less < kSmall &&
           canCompare(expr.lhs(), bound + *less, isLower);
  return bound >= 0 && canEmit(expr.lhs()) && canEmit(expr.rhs());
}

bool UniformTests::canTest(ArrayRef<Condition> conditions) const {
  const Range all;
  return llvm::all_of(conditions, [&](const Condition &condition) {
    return (condition.range.lo == all.lo || canCompare(condition.expr, condition.range.lo, true)) &&
           (condition.range.hi == all.hi || canCompare(condition.expr, condition.range.hi, false));
  });
}

static bool comesFromProgram(Value value) {
  Operation *op = value.getDefiningOp();
  return op && (isa<tile::ProgramIdOp>(op) || llvm::any_of(op->getOperands(), comesFromProgram));
}

bool UniformTests::dependsOnProgram(ArrayRef<Condition> conditions) const {
  return llvm::any_of(conditions, [](const Condition &condition) {
    bool found = false;
    condition.expr.forEachValue([&](Value value) { found |= comesFromProgram(value); });
    return found;
  });
}

//===--- Code ---------------------------------------------------------------===//

Value UniformTests::scalar(OpBuilder &builder, Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return value;
  if (Value known = scalars.lookup(value))
    return known;
  mlir::IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, scalar(builder, operand));
  Operation *copy = builder.clone(*op, mapping);
  for (auto [result, copied] : llvm::zip_equal(op->getResults(), copy->getResults()))
    scalars[result] = copied;
  return scalars[value];
}

Value UniformTests::emit(OpBuilder &builder, Location loc, UniformExpr expr) {
  const Type i64 = builder.getI64Type();
  const auto operand = [&](UniformExpr part) { return emit(builder, loc, part); };
  switch (expr.kind()) {
  case Kind::Constant:
    break;
  case Kind::SignExtended:
  case Kind::ZeroExtended: {
    const Value number = scalar(builder, expr.value());
    if (isa<tile::PtrType>(number.getType()))
      return tile::PtrToIntOp::create(builder, loc, i64, number);
    if (number.getType() == i64)
      return number;
    if (expr.kind() == Kind::SignExtended)
      return arith::ExtSIOp::create(builder, loc, i64, number);
    return arith::ExtUIOp::create(builder, loc, i64, number);
  }
  case Kind::ViewExtent:
    return scalar(builder, expr.value().getDefiningOp<tile::MakeViewOp>().getExtents()[expr.axis()]);
  case Kind::ViewStride:
    return scalar(builder, expr.value().getDefiningOp<tile::MakeViewOp>().getStrides()[expr.axis()]);
  case Kind::Add:
    return arith::AddIOp::create(builder, loc, operand(expr.lhs()), operand(expr.rhs()));
  case Kind::Sub:
  case Kind::SubSat: // compare() takes it apart
    return arith::SubIOp::create(builder, loc, operand(expr.lhs()), operand(expr.rhs()));
  case Kind::Mul:
    return arith::MulIOp::create(builder, loc, operand(expr.lhs()), operand(expr.rhs()));
  case Kind::SMin:
    return arith::MinSIOp::create(builder, loc, operand(expr.lhs()), operand(expr.rhs()));
  case Kind::SMax:
    return arith::MaxSIOp::create(builder, loc, operand(expr.lhs()), operand(expr.rhs()));
  }
  return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(*expr.asConstant()));
}

Value UniformTests::compare(OpBuilder &builder, Location loc, UniformExpr expr, int64_t bound, bool isLower) {
  using enum arith::CmpIPredicate;
  const auto constant = [&](int64_t number) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(number));
  };
  if (expr.kind() == (isLower ? Kind::SMin : Kind::SMax)) {
    const Value lhs = compare(builder, loc, expr.lhs(), bound, isLower);
    return arith::AndIOp::create(builder, loc, lhs, compare(builder, loc, expr.rhs(), bound, isLower));
  }
  if (expr.kind() != Kind::SubSat)
    return arith::CmpIOp::create(builder, loc, isLower ? sge : sle, emit(builder, loc, expr), constant(bound));
  if (const std::optional<int64_t> less = expr.rhs().asConstant())
    return compare(builder, loc, expr.lhs(), bound + *less, isLower);
  // The exact difference of a >= b is the wrapped one, read as unsigned.
  const Value a = emit(builder, loc, expr.lhs()), b = emit(builder, loc, expr.rhs());
  if (!isLower && bound == 0)
    return arith::CmpIOp::create(builder, loc, sle, a, b);
  const Value difference = arith::SubIOp::create(builder, loc, a, b);
  const Value ordered = arith::CmpIOp::create(builder, loc, isLower ? sge : sle, a, b);
  const Value close = arith::CmpIOp::create(builder, loc, isLower ? uge : ule, difference, constant(bound));
  if (isLower)
    return arith::AndIOp::create(builder, loc, ordered, close);
  return arith::OrIOp::create(builder, loc, ordered, close);
}

Value UniformTests::emit(OpBuilder &builder, Location loc, const Condition &condition) {
  const Range all;
  Value lower, upper;
  if (condition.range.lo != all.lo)
    lower = compare(builder, loc, condition.expr, condition.range.lo, true);
  if (condition.range.hi != all.hi)
    upper = compare(builder, loc, condition.expr, condition.range.hi, false);
  if (lower && upper)
    return arith::AndIOp::create(builder, loc, lower, upper);
  return lower ? lower : upper;
}

} // namespace tessera::ir::layout
