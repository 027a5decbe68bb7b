//===- TileMathBuilder.cpp - emits arithmetic on tiles -------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/Common/TileMathBuilder.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/ErrorHandling.h"

namespace tessera::ir {

namespace arith = mlir::arith;
namespace math = mlir::math;
namespace scf = mlir::scf;

Value TileMathBuilder::splat(mlir::TypedAttr element, Value like) {
  const Type type = tile::withElement(like.getType(), element.getType());
  if (auto tensor = dyn_cast<mlir::RankedTensorType>(type))
    return make<arith::ConstantOp>(DenseElementsAttr::get(tensor, Attribute(element)));
  return make<arith::ConstantOp>(element);
}

Value TileMathBuilder::floatConstant(double value, FloatType element, Value like) {
  return splat(FloatAttr::get(element, value), like);
}

Value TileMathBuilder::intConstant(std::int64_t value, unsigned bits, Value like) {
  const auto type = IntegerType::get(like.getContext(), bits);
  return splat(IntegerAttr::get(type, APInt(bits, static_cast<std::uint64_t>(value), false, /*implicitTrunc=*/true)),
               like);
}

Value TileMathBuilder::emit(FloatUnary op, Value x) {
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
  llvm_unreachable("every operation is handled");
}

Value TileMathBuilder::emit(FloatBinary op, Value a, Value b) {
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
  llvm_unreachable("every operation is handled");
}

Value TileMathBuilder::emit(IntUnary op, Value x) {
  switch (op) {
  case IntUnary::CountLeadingZeros:
    return make<math::CountLeadingZerosOp>(x);
  case IntUnary::PopCount:
    return make<math::CtPopOp>(x);
  }
  llvm_unreachable("every operation is handled");
}

Value TileMathBuilder::emit(IntBinary op, Value a, Value b) {
  const Type type = a.getType();
  switch (op) {
  case IntBinary::Add:
    return make<arith::AddIOp>(a, b);
  case IntBinary::Sub:
    return make<arith::SubIOp>(a, b);
  case IntBinary::Mul:
    return make<arith::MulIOp>(a, b);
  case IntBinary::UMulHigh:
    return make<tile::UMulHiOp>(type, a, b);
  case IntBinary::And:
    return make<arith::AndIOp>(a, b);
  case IntBinary::Or:
    return make<arith::OrIOp>(a, b);
  case IntBinary::Xor:
    return make<arith::XOrIOp>(a, b);
  case IntBinary::Shl:
    return make<tile::ShlOp>(type, a, b);
  case IntBinary::ShrU:
    return make<tile::ShrOp>(type, a, b, /*is_unsigned=*/true);
  case IntBinary::ShrS:
    return make<tile::ShrOp>(type, a, b, /*is_unsigned=*/false);
  case IntBinary::MinS:
    return make<arith::MinSIOp>(a, b);
  case IntBinary::MaxS:
    return make<arith::MaxSIOp>(a, b);
  case IntBinary::MinU:
    return make<arith::MinUIOp>(a, b);
  case IntBinary::MaxU:
    return make<arith::MaxUIOp>(a, b);
  }
  llvm_unreachable("every operation is handled");
}

static arith::CmpFPredicate predicateOf(MathBuilder::FloatCompare op) {
  using FloatCompare = MathBuilder::FloatCompare;
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
  llvm_unreachable("every comparison is handled");
}

static arith::CmpIPredicate predicateOf(MathBuilder::IntCompare op) {
  using IntCompare = MathBuilder::IntCompare;
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
  llvm_unreachable("every comparison is handled");
}

Value TileMathBuilder::emit(FloatCompare op, Value a, Value b) { return make<arith::CmpFOp>(predicateOf(op), a, b); }
Value TileMathBuilder::emit(IntCompare op, Value a, Value b) { return make<arith::CmpIOp>(predicateOf(op), a, b); }

Value TileMathBuilder::emit(Cast op, Value x, Type element) {
  const Type type = tile::withElement(x.getType(), element);
  switch (op) {
  case Cast::Widen:
  case Cast::Narrow:
    return make<tile::ConvertFloatOp>(x, element);
  case Cast::ToBits:
  case Cast::FromBits:
    return make<tile::BitcastOp>(type, x);
  case Cast::FromSigned:
    return make<arith::SIToFPOp>(type, x);
  case Cast::FromUnsigned:
    return make<arith::UIToFPOp>(type, x);
  case Cast::ToSigned:
    return make<tile::FloatToIntOp>(x, element);
  case Cast::SExt:
    return make<arith::ExtSIOp>(type, x);
  case Cast::ZExt:
    return make<arith::ExtUIOp>(type, x);
  case Cast::ITrunc:
    return make<arith::TruncIOp>(type, x);
  }
  llvm_unreachable("every cast is handled");
}

Value TileMathBuilder::fma(Value a, Value b, Value c) { return make<math::FmaOp>(a, b, c); }
Value TileMathBuilder::select(Value condition, Value a, Value b) { return make<arith::SelectOp>(condition, a, b); }

MathBuilder::Values TileMathBuilder::ifAny(Value condition, ValueRange otherwise, function_ref<Values()> slow) {
  Values results = slow();
  for (const auto [result, other] : llvm::zip_equal(results, otherwise))
    result = select(condition, result, other);
  return results;
}

Value TileMathBuilder::any(Value condition) {
  const Type type = condition.getType();
  if (!tile::isTile(type))
    return condition;
  if (tile::shapeOf(type).size() > 1)
    condition = make<tile::ReshapeOp>(condition, ArrayRef<std::int64_t>{tile::elementCountOf(type)});
  auto reduce = tile::ReduceOp::create(builder, location, ValueRange(condition), 0);
  tile::buildCombine(builder, location, reduce.getCombine(), tile::CombineKind::Or, builder.getI1Type());
  return reduce.getResult(0);
}

MathBuilder::Values TileMathBuilder::whileAny(ValueRange init, function_ref<Value(ValueRange)> condition,
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
