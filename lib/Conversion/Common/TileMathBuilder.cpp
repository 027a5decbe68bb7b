//===- TileMathBuilder.cpp - emits arithmetic on tiles -------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/Common/TileMathBuilder.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

namespace tessera::ir {

Value TileMathBuilder::emit(IntBinary op, Value a, Value b) {
  const Type type = a.getType();
  switch (op) {
  case IntBinary::UMulHigh:
    return make<tile::UMulHiOp>(type, a, b);
  case IntBinary::Shl:
    return make<tile::ShlOp>(type, a, b);
  case IntBinary::ShrU:
    return make<tile::ShrOp>(type, a, b, /*is_unsigned=*/true);
  case IntBinary::ShrS:
    return make<tile::ShrOp>(type, a, b, /*is_unsigned=*/false);
  default:
    return ArithMathBuilder::emit(op, a, b);
  }
}

Value TileMathBuilder::emit(Cast op, Value x, Type element) {
  switch (op) {
  case Cast::Widen:
  case Cast::Narrow:
    return make<tile::ConvertFloatOp>(x, element);
  case Cast::ToBits:
  case Cast::FromBits:
    return make<tile::BitcastOp>(typeLike(x, element), x);
  case Cast::ToSigned:
    return make<tile::FloatToIntOp>(x, element);
  default:
    return ArithMathBuilder::emit(op, x, element);
  }
}

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

} // namespace tessera::ir
