//===- SmallCode.cpp - constants and index arithmetic ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/Common/SmallCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

namespace tessera::ir {

namespace arith = mlir::arith;

Value SmallCode::constant(TypedAttr value) {
  Value &known = constants[value];
  if (!known) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(start);
    known = arith::ConstantOp::create(b, start->getParentOp()->getLoc(), value);
  }
  return known;
}

Value SmallCode::integer(unsigned bits, int64_t value) {
  return constant(IntegerAttr::get(b.getIntegerType(bits), APInt(bits, static_cast<uint64_t>(value), false, true)));
}

Value SmallCode::zero(Type type) { return constant(cast<TypedAttr>(b.getZeroAttr(type))); }

std::optional<int64_t> SmallCode::asConstant(Value value) {
  APInt number;
  if (!mlir::matchPattern(value, mlir::m_ConstantInt(&number)))
    return std::nullopt;
  return number.getSExtValue();
}

/// \p x op \p y modulo 2^64.
template <typename Fn> static int64_t wrapping(int64_t x, int64_t y, Fn op) {
  return static_cast<int64_t>(op(static_cast<uint64_t>(x), static_cast<uint64_t>(y)));
}

ViewParts SmallCode::select(Value condition, const ViewParts &x, const ViewParts &y) {
  const auto pick = [&](Value a, Value c) -> Value { return b.createOrFold<arith::SelectOp>(loc, condition, a, c); };
  ViewParts parts;
  parts.base = pick(x.base, y.base);
  for (auto [a, c] : llvm::zip_equal(x.extents, y.extents))
    parts.extents.push_back(pick(a, c));
  for (auto [a, c] : llvm::zip_equal(x.strides, y.strides))
    parts.strides.push_back(pick(a, c));
  return parts;
}

Value SmallCode::add(Value a, Value c) {
  const std::optional<int64_t> x = asConstant(a), y = asConstant(c);
  if (x && y)
    return integer(a.getType().getIntOrFloatBitWidth(), wrapping(*x, *y, std::plus<>()));
  if (x == 0)
    return c;
  if (y == 0)
    return a;
  return arith::AddIOp::create(b, loc, a, c);
}

Value SmallCode::sub(Value a, Value c) {
  const std::optional<int64_t> x = asConstant(a), y = asConstant(c);
  if (x && y)
    return integer(a.getType().getIntOrFloatBitWidth(), wrapping(*x, *y, std::minus<>()));
  if (y == 0)
    return a;
  return arith::SubIOp::create(b, loc, a, c);
}

Value SmallCode::mul(Value a, Value c) {
  const std::optional<int64_t> x = asConstant(a), y = asConstant(c);
  if (x && y)
    return integer(a.getType().getIntOrFloatBitWidth(), wrapping(*x, *y, std::multiplies<>()));
  if (x == 0 || y == 1)
    return a;
  if (y == 0 || x == 1)
    return c;
  return arith::MulIOp::create(b, loc, a, c);
}

bool SmallCode::dominates(Value code) const {
  Block *const home = code.getParentBlock();
  for (Block *block = b.getInsertionBlock(); block;
       block = block->getParentOp() ? block->getParentOp()->getBlock() : nullptr)
    if (block == home)
      return true;
  return false;
}

Value UniformCode::emit(const UniformExpr &expr, ScalarFn scalar, ViewFn view) {
  if (const std::optional<int64_t> number = expr.asConstant())
    return code.i64(*number);
  for (const auto &[made, value] : known)
    if (made == expr && code.dominates(value))
      return value;
  const Value value = make(expr, scalar, view);
  known.emplace_back(expr, value);
  return value;
}

Value UniformCode::make(const UniformExpr &expr, ScalarFn scalar, ViewFn view) {
  const auto operands = [&] { return std::pair(emit(expr.lhs(), scalar, view), emit(expr.rhs(), scalar, view)); };
  const auto extended = [&](bool isSigned) -> Value {
    const Value number = scalar(expr.value());
    if (number.getType().isInteger(64))
      return number;
    return isSigned ? b.createOrFold<arith::ExtSIOp>(loc, b.getI64Type(), number)
                    : b.createOrFold<arith::ExtUIOp>(loc, b.getI64Type(), number);
  };
  switch (expr.kind()) {
  case UniformExpr::Kind::Constant:
    break;
  case UniformExpr::Kind::SignExtended:
    return extended(true);
  case UniformExpr::Kind::ZeroExtended:
    return extended(false);
  case UniformExpr::Kind::ViewExtent:
    return view(expr.value()).extents[expr.axis()];
  case UniformExpr::Kind::ViewStride:
    return view(expr.value()).strides[expr.axis()];
  case UniformExpr::Kind::Add: {
    const auto [x, y] = operands();
    return code.add(x, y);
  }
  case UniformExpr::Kind::Sub: {
    const auto [x, y] = operands();
    return code.sub(x, y);
  }
  case UniformExpr::Kind::Mul: {
    const auto [x, y] = operands();
    return code.mul(x, y);
  }
  case UniformExpr::Kind::SMin: {
    const auto [x, y] = operands();
    return b.createOrFold<arith::MinSIOp>(loc, x, y);
  }
  case UniformExpr::Kind::SMax: {
    const auto [x, y] = operands();
    return b.createOrFold<arith::MaxSIOp>(loc, x, y);
  }
  case UniformExpr::Kind::SubSat: {
    const auto [x, y] = operands();
    return mlir::LLVM::SSubSat::create(b, loc, x, y);
  }
  }
  return code.i64(*expr.asConstant());
}

} // namespace tessera::ir
