//===- TileCastOps.cpp - builders and verifiers of casts -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Dialect/Tile/IR/Verify.h"

namespace tessera::ir::tile {

//===----------------------------------------------------------------------===//
// tile.convert_float, tile.float_to_int
//===----------------------------------------------------------------------===//

void ConvertFloatOp::build(OpBuilder &builder, OperationState &state, Value source, Type elementType,
                           FloatRounding rounding, bool saturate, Value randomBits) {
  build(builder, state, withElement(source.getType(), elementType), source, randomBits, rounding, saturate);
}

LogicalResult ConvertFloatOp::verify() {
  if (failed(verifySameShape(*this, "source", getSource().getType(), "result", getType()))) // convert_float_c1
    return failure();
  const bool stochastic = getRounding() == FloatRounding::Stochastic;
  if (stochastic && !getRandomBits()) // convert_float_c2
    return emitOpError("expected random bits with rounding `stochastic`, got none");
  if (!stochastic && getRandomBits()) // convert_float_c2
    return emitOpError("expected no random bits with rounding `") << stringifyFloatRounding(getRounding()) << "`";
  return success();
}

void FloatToIntOp::build(OpBuilder &builder, OperationState &state, Value source, Type elementType, bool isUnsigned) {
  build(builder, state, withElement(source.getType(), elementType), source, isUnsigned);
}

LogicalResult FloatToIntOp::verify() {
  if (failed(verifySameShape(*this, "source", getSource().getType(), "result", getType()))) // float_to_int_c1
    return failure();
  if (elementOf(getType()).isInteger(1)) // float_to_int_c2
    return emitOpError("expected a result of at least 8 bits, got i1; compare with zero instead");
  return success();
}

//===----------------------------------------------------------------------===//
// tile.bitcast
//===----------------------------------------------------------------------===//

/// Whether \p narrow has the extents of \p wide and a last axis of extent \p ratio.
static bool hasPartsAxis(ArrayRef<int64_t> wide, ArrayRef<int64_t> narrow, int64_t ratio) {
  return narrow.size() == wide.size() + 1 && narrow.back() == ratio && narrow.drop_back() == wide;
}

LogicalResult BitcastOp::verify() {
  const Type source = getSource().getType(), result = getType();
  const unsigned from = bitsOf(elementOf(source)), to = bitsOf(elementOf(result));
  if (from != to && (from == 1 || to == 1)) // bitcast_c2
    return emitOpError("expected i1 to be cast only to i1, got ") << source << " to " << result;
  const ArrayRef<int64_t> before = shapeOf(source), after = shapeOf(result);
  const bool fits = from == to  ? before == after
                    : from > to ? hasPartsAxis(before, after, from / to)
                                : hasPartsAxis(after, before, to / from);
  if (!fits) // bitcast_c1
    return emitOpError(
               "expected equal widths and shapes, or on the narrower side one last axis more over the parts, got ")
           << source << " to " << result;
  return success();
}

//===----------------------------------------------------------------------===//
// tile.ptr_cast
//===----------------------------------------------------------------------===//

void PtrCastOp::build(OpBuilder &builder, OperationState &state, Value source, PtrType pointer) {
  build(builder, state, withElement(source.getType(), pointer), source);
}

LogicalResult PtrCastOp::verify() {
  return verifySameShape(*this, "source", getSource().getType(), "result", getType()); // ptr_cast_c1
}

} // namespace tessera::ir::tile
