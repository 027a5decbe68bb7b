//===- ArithMathBuilder.cpp - arithmetic that arith and math have ----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/Common/ArithMathBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/ErrorHandling.h"

namespace tessera::ir {

using namespace mlir;

Type ArithMathBuilder::typeLike(Value like, Type element) {
  if (auto shaped = dyn_cast<ShapedType>(like.getType()))
    return shaped.clone(element);
  return element;
}

Value ArithMathBuilder::splat(TypedAttr element, Value like) {
  if (auto shaped = dyn_cast<ShapedType>(typeLike(like, element.getType())))
    element = DenseElementsAttr::get(shaped, Attribute(element));
  return arith::ConstantOp::create(builder, location, element);
}

Value ArithMathBuilder::floatConstant(double value, FloatType element, Value like) {
  return splat(FloatAttr::get(element, value), like);
}

Value ArithMathBuilder::intConstant(std::int64_t value, unsigned bits, Value like) {
  const APInt word = APInt(64, static_cast<std::uint64_t>(value)).trunc(bits);
  return splat(IntegerAttr::get(IntegerType::get(like.getContext(), bits), word), like);
}

Value ArithMathBuilder::emit(FloatUnary op, Value x) {
  switch (op) {
  case FloatUnary::Neg:
    return make<arith::NegFOp>(x);
  case FloatUnary::Abs:
    return make<math::AbsFOp>(x);
  case FloatUnary::Sqrt:
    return make<math::SqrtOp>(x);
  case FloatUnary::RoundEven:
    return make<math::RoundEvenOp>(x);
  case FloatUnary::Trunc:
    return make<math::TruncOp>(x);
  case FloatUnary::Floor:
    return make<math::FloorOp>(x);
  case FloatUnary::Ceil:
    return make<math::CeilOp>(x);
  }
  llvm_unreachable("all are handled");
}

Value ArithMathBuilder::emit(FloatBinary op, Value a, Value b) {
  switch (op) {
  case FloatBinary::Add:
    return make<arith::AddFOp>(a, b);
  case FloatBinary::Sub:
    return make<arith::SubFOp>(a, b);
  case FloatBinary::Mul:
    return make<arith::MulFOp>(a, b);
  case FloatBinary::Div:
    return make<arith::DivFOp>(a, b);
  }
  llvm_unreachable("all are handled");
}

Value ArithMathBuilder::emit(IntUnary op, Value x) {
  switch (op) {
  case IntUnary::CountLeadingZeros:
    return make<math::CountLeadingZerosOp>(x);
  case IntUnary::PopCount:
    return make<math::CtPopOp>(x);
  }
  llvm_unreachable("all are handled");
}

Value ArithMathBuilder::emit(IntBinary op, Value a, Value b) {
  switch (op) {
  case IntBinary::Add:
    return make<arith::AddIOp>(a, b);
  case IntBinary::Sub:
    return make<arith::SubIOp>(a, b);
  case IntBinary::Mul:
    return make<arith::MulIOp>(a, b);
  case IntBinary::UMulHigh:
    return arith::MulUIExtendedOp::create(builder, location, a, b).getHigh();
  case IntBinary::And:
    return make<arith::AndIOp>(a, b);
  case IntBinary::Or:
    return make<arith::OrIOp>(a, b);
  case IntBinary::Xor:
    return make<arith::XOrIOp>(a, b);
  case IntBinary::Shl:
    return make<arith::ShLIOp>(a, b);
  case IntBinary::ShrU:
    return make<arith::ShRUIOp>(a, b);
  case IntBinary::ShrS:
    return make<arith::ShRSIOp>(a, b);
  case IntBinary::MinS:
    return make<arith::MinSIOp>(a, b);
  case IntBinary::MaxS:
    return make<arith::MaxSIOp>(a, b);
  case IntBinary::MinU:
    return make<arith::MinUIOp>(a, b);
  case IntBinary::MaxU:
    return make<arith::MaxUIOp>(a, b);
  }
  llvm_unreachable("all are handled");
}

Value ArithMathBuilder::emit(FloatCompare op, Value a, Value b) {
  const auto predicate = [&] {
    switch (op) {
    case FloatCompare::Eq:
      return arith::CmpFPredicate::OEQ;
    case FloatCompare::Ne:
      return arith::CmpFPredicate::UNE;
    case FloatCompare::Lt:
      return arith::CmpFPredicate::OLT;
    case FloatCompare::Le:
      return arith::CmpFPredicate::OLE;
    case FloatCompare::Gt:
      return arith::CmpFPredicate::OGT;
    case FloatCompare::Ge:
      return arith::CmpFPredicate::OGE;
    }
    llvm_unreachable("all are handled");
  }();
  return make<arith::CmpFOp>(predicate, a, b);
}

Value ArithMathBuilder::emit(IntCompare op, Value a, Value b) {
  const auto predicate = [&] {
    switch (op) {
    case IntCompare::Eq:
      return arith::CmpIPredicate::eq;
    case IntCompare::Ne:
      return arith::CmpIPredicate::ne;
    case IntCompare::SLt:
      return arith::CmpIPredicate::slt;
    case IntCompare::SLe:
      return arith::CmpIPredicate::sle;
    case IntCompare::SGt:
      return arith::CmpIPredicate::sgt;
    case IntCompare::SGe:
      return arith::CmpIPredicate::sge;
    case IntCompare::ULt:
      return arith::CmpIPredicate::ult;
    case IntCompare::ULe:
      return arith::CmpIPredicate::ule;
    case IntCompare::UGt:
      return arith::CmpIPredicate::ugt;
    case IntCompare::UGe:
      return arith::CmpIPredicate::uge;
    }
    llvm_unreachable("all are handled");
  }();
  return make<arith::CmpIOp>(predicate, a, b);
}

Value ArithMathBuilder::emit(Cast op, Value x, Type element) {
  const Type type = typeLike(x, element);
  if (type == x.getType())
    return x;
  switch (op) {
  case Cast::Widen:
    return make<arith::ExtFOp>(type, x);
  case Cast::Narrow:
    return make<arith::TruncFOp>(type, x);
  case Cast::ToBits:
  case Cast::FromBits:
    return make<arith::BitcastOp>(type, x);
  case Cast::FromSigned:
    return make<arith::SIToFPOp>(type, x);
  case Cast::FromUnsigned:
    return make<arith::UIToFPOp>(type, x);
  case Cast::ToSigned:
    return make<arith::FPToSIOp>(type, x);
  case Cast::SExt:
    return make<arith::ExtSIOp>(type, x);
  case Cast::ZExt:
    return make<arith::ExtUIOp>(type, x);
  case Cast::ITrunc:
    return make<arith::TruncIOp>(type, x);
  }
  llvm_unreachable("all are handled");
}

Value ArithMathBuilder::fma(Value a, Value b, Value c) { return make<math::FmaOp>(a, b, c); }

Value ArithMathBuilder::select(Value condition, Value a, Value b) { return make<arith::SelectOp>(condition, a, b); }

MathBuilder::Values ArithMathBuilder::whileAny(ValueRange init, function_ref<Value(ValueRange)> condition,
                                               function_ref<Values(ValueRange)> body) {
  auto loop = scf::WhileOp::create(
      builder, location, init.getTypes(), init,
      [&](OpBuilder &, Location, ValueRange carried) {
        scf::ConditionOp::create(builder, location, any(condition(carried)), carried);
      },
      [&](OpBuilder &, Location, ValueRange carried) { scf::YieldOp::create(builder, location, body(carried)); });
  return Values(loop.getResults());
}

} // namespace tessera::ir
