//===- TileDotOps.cpp - products of tiles and random bits ------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Dialect/Tile/IR/Verify.h"

#include "tessera-ir/Dialect/Tile/IR/DotTypes.h"

namespace tessera::ir::tile {

//===----------------------------------------------------------------------===//
// tile.dot
//===----------------------------------------------------------------------===//

void DotOp::build(OpBuilder &builder, OperationState &state, Value a, Value b, Value acc, DotPrecision precision,
                  int32_t maxImpreciseK) {
  build(builder, state, acc.getType(), a, b, acc, DotPrecisionAttr::get(builder.getContext(), precision),
        maxImpreciseK == 0 ? IntegerAttr() : builder.getI32IntegerAttr(maxImpreciseK));
}

static bool isFp8(Type element) { return isa<FloatType>(element) && bitsOf(element) == 8; }

bool areMultiplied(Type a, Type b) {
  const auto isFnuz = [](Type type) { return isa<mlir::Float8E4M3FNUZType, mlir::Float8E5M2FNUZType>(type); };
  return a == b || (isFp8(a) && isFp8(b) && isFnuz(a) == isFnuz(b));
}

Type accumulatorOf(Type element) {
  Builder builder(element.getContext());
  if (element.isInteger(8))
    return builder.getI32Type();
  if (element.isF64())
    return builder.getF64Type();
  return isa<FloatType>(element) ? Type(builder.getF32Type()) : Type();
}

/// Ranks and extents of the operands.
static LogicalResult verifyDotShapes(DotOp op) {
  const ArrayRef<int64_t> a = shapeOf(op.getA().getType()), b = shapeOf(op.getB().getType());
  const ArrayRef<int64_t> acc = shapeOf(op.getAcc().getType());
  const size_t rank = a.size();
  if (rank < 2 || rank > 3 || b.size() != rank || acc.size() != rank) // dot_c3
    return op.emitOpError("expected `a`, `b` and `acc` to have rank 2 or all to have rank 3, got ranks ")
           << rank << ", " << b.size() << " and " << acc.size();
  if (rank == 3 && (a[0] != b[0] || a[0] != acc[0])) // dot_c3
    return op.emitOpError("expected `a`, `b` and `acc` to have one first extent, got ")
           << a[0] << ", " << b[0] << " and " << acc[0];
  const int64_t aRows = a[rank - 2], aCols = a[rank - 1], bRows = b[rank - 2], bCols = b[rank - 1];
  if (aCols != bRows) // dot_c1
    return op.emitOpError("expected columns of `a` to equal rows of `b`, got ") << aCols << " and " << bRows;
  if (acc[rank - 2] != aRows || acc[rank - 1] != bCols) // dot_c2
    return op.emitOpError("expected `acc` to have ")
           << aRows << " rows and " << bCols << " columns, got " << acc[rank - 2] << " and " << acc[rank - 1];
  return success();
}

LogicalResult DotOp::verify() {
  if (failed(verifyDotShapes(*this)))
    return failure();
  const Type a = elementOf(getA().getType()), b = elementOf(getB().getType()), acc = elementOf(getAcc().getType());
  if (!areMultiplied(a, b)) // dot_c4
    return emitOpError("expected `a` and `b` to have one element type or to be fp8 of one family, got ")
           << a << " and " << b;
  const Type sum = accumulatorOf(a);
  if (!sum) // dot_c5
    return emitOpError("expected elements of i8 or float, got ") << a;
  if (acc != sum) // dot_c5
    return emitOpError("expected products of ") << a << " to accumulate in " << sum << ", got " << acc;
  if (getPrecision() != DotPrecision::IEEE && !a.isF32()) // dot_c6
    return emitOpError("expected precision `")
           << stringifyDotPrecision(getPrecision()) << "` only with f32 operands, got " << a;
  if (std::optional<uint32_t> steps = getMaxImpreciseK()) { // dot_c7
    if (static_cast<int32_t>(*steps) < 1)
      return emitOpError("expected `max_imprecise_k` to be at least 1, got ") << static_cast<int32_t>(*steps);
    if (!isFp8(a))
      return emitOpError("expected `max_imprecise_k` only with fp8 operands, got ") << a;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// tile.philox
//===----------------------------------------------------------------------===//

LogicalResult PhiloxOp::verify() {
  const int32_t rounds = static_cast<int32_t>(getRounds());
  if (rounds >= 1 && rounds <= 16) // philox_c2
    return success();
  return emitOpError("expected `rounds` to be 1 to 16, got ") << rounds;
}

} // namespace tessera::ir::tile
