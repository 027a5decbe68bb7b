//===- VectorMathBuilder.cpp - emits arithmetic on lanes ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/Common/VectorMathBuilder.h"

#include "Conversion/Common/Numbers/Numbers.h"
#include "Conversion/Common/SmallCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tessera::ir {

using namespace mlir;

Value VectorMathBuilder::floatConstant(double value, FloatType element, Value like) {
  if (constants && !isa<VectorType>(like.getType()))
    return constants->constant(FloatAttr::get(element, value));
  return ArithMathBuilder::floatConstant(value, element, like);
}

Value VectorMathBuilder::intConstant(std::int64_t value, unsigned bits, Value like) {
  if (constants && !isa<VectorType>(like.getType()))
    return constants->integer(bits, value);
  return ArithMathBuilder::intConstant(value, bits, like);
}

Value VectorMathBuilder::emit(Cast op, Value x, Type element) {
  if (op == Cast::Widen && elementOf(x).isF16() && !features.hasF16Casts)
    return numbers::widenF16ByBits(*this, toBits(x));
  if (op == Cast::Narrow && element.isF16() && !features.hasF16Casts)
    return fromBits(numbers::narrowF16ByBits(*this, x), cast<FloatType>(element));
  return ArithMathBuilder::emit(op, x, element);
}

Value VectorMathBuilder::fma(Value a, Value b, Value c) {
  if (features.hasFma)
    return ArithMathBuilder::fma(a, b, c);
  return isF64(a) ? numbers::fmaOfF64ByParts(*this, a, b, c) : numbers::fmaOfF32ByF64(*this, a, b, c);
}

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

Value VectorMathBuilder::divide(Value a, Value b, bool isUnsigned) {
  if (isUnsigned)
    return make<arith::DivUIOp>(a, b);
  return make<arith::DivSIOp>(a, b);
}

} // namespace tessera::ir
