//===- VectorMathBuilder.cpp - emits arithmetic on lanes ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/Common/VectorMathBuilder.h"

#include "Conversion/Common/Numbers/Numbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tessera::ir {

using namespace mlir;

/// \p element, in a vector where \p like is one.
static Type typeLike(Value like, Type element) {
  if (auto vector = dyn_cast<VectorType>(like.getType()))
    return VectorType::get(vector.getShape(), element);
  return element;
}

template <class Op, class... Args> Value VectorMathBuilder::make(Args &&...args) {
  return builder.createOrFold<Op>(location, std::forward<Args>(args)...);
}

Value VectorMathBuilder::splat(TypedAttr element, Value like) {
  if (auto vector = dyn_cast<VectorType>(typeLike(like, element.getType())))
    element = DenseElementsAttr::get(vector, Attribute(element));
  return arith::ConstantOp::create(builder, location, element);
}

Value VectorMathBuilder::floatConstant(double value, FloatType element, Value like) {
  APFloat number(value);
  bool isInexact = false;
  number.convert(element.getFloatSemantics(), APFloat::rmNearestTiesToEven, &isInexact);
  return splat(FloatAttr::get(element, number), like);
}

Value VectorMathBuilder::intConstant(std::int64_t value, unsigned bits, Value like) {
  const APInt word = APInt(64, static_cast<std::uint64_t>(value)).trunc(bits);
  return splat(IntegerAttr::get(IntegerType::get(like.getContext(), bits), word), like);
}

Value VectorMathBuilder::emit(FloatUnary op, Value x) {
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

Value VectorMathBuilder::emit(FloatBinary op, Value a, Value b) {
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

Value VectorMathBuilder::emit(IntUnary op, Value x) {
  switch (op) {
  case IntUnary::CountLeadingZeros:
    return make<math::CountLeadingZerosOp>(x);
  case IntUnary::PopCount:
    return make<math::CtPopOp>(x);
  }
  llvm_unreachable("all are handled");
}

Value VectorMathBuilder::emit(IntBinary op, Value a, Value b) {
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

Value VectorMathBuilder::emit(FloatCompare op, Value a, Value b) {
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

Value VectorMathBuilder::emit(IntCompare op, Value a, Value b) {
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

Value VectorMathBuilder::emit(Cast op, Value x, Type element) {
  if (op == Cast::Widen && elementOf(x).isF16() && !features.hasF16Casts)
    return numbers::widenF16ByBits(*this, toBits(x));
  if (op == Cast::Narrow && element.isF16() && !features.hasF16Casts)
    return fromBits(numbers::narrowF16ByBits(*this, x), cast<FloatType>(element));
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

Value VectorMathBuilder::fma(Value a, Value b, Value c) {
  if (features.hasFma)
    return make<math::FmaOp>(a, b, c);
  return isF64(a) ? numbers::fmaOfF64ByParts(*this, a, b, c) : numbers::fmaOfF32ByF64(*this, a, b, c);
}

Value VectorMathBuilder::select(Value condition, Value a, Value b) { return make<arith::SelectOp>(condition, a, b); }

Value VectorMathBuilder::any(Value condition) {
  if (!isa<VectorType>(condition.getType()))
    return condition;
  return make<vector::ReductionOp>(vector::CombiningKind::OR, condition);
}

MathBuilder::Values VectorMathBuilder::ifAny(Value condition, ValueRange otherwise, function_ref<Values()> slow) {
  auto branch = scf::IfOp::create(builder, location, otherwise.getTypes(), any(condition), /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Values results = slow();
  for (auto [result, other] : llvm::zip_equal(results, otherwise))
    result = select(condition, result, other);
  scf::YieldOp::create(builder, location, results);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, location, otherwise);
  return Values(branch.getResults());
}

MathBuilder::Values VectorMathBuilder::whileAny(ValueRange init, function_ref<Value(ValueRange)> condition,
                                                function_ref<Values(ValueRange)> body) {
  auto loop = scf::WhileOp::create(
      builder, location, init.getTypes(), init,
      [&](OpBuilder &, Location, ValueRange carried) {
        scf::ConditionOp::create(builder, location, any(condition(carried)), carried);
      },
      [&](OpBuilder &, Location, ValueRange carried) { scf::YieldOp::create(builder, location, body(carried)); });
  return Values(loop.getResults());
}

Value VectorMathBuilder::divide(Value a, Value b, bool isUnsigned) {
  if (isUnsigned)
    return make<arith::DivUIOp>(a, b);
  return make<arith::DivSIOp>(a, b);
}

} // namespace tessera::ir
