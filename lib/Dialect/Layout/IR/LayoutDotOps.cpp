//===- LayoutDotOps.cpp - products of matrices in buffers ----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Layout/IR/LayoutOps.h"
#include "tessera-ir/Dialect/Tile/IR/TileOps.h"
#include "tessera-ir/Dialect/Tile/IR/TileTypes.h"

namespace tessera::ir::layout {

/// What sums of products of \p a and \p b are formed in; null if they are not multiplied.
static Type accumulatorOf(Type a, Type b) {
  MLIRContext *context = a.getContext();
  if (a.isInteger(8) && b.isInteger(8))
    return IntegerType::get(context, 32);
  if (!isa<FloatType>(a) || !isa<FloatType>(b) || a.isF64() != b.isF64())
    return {};
  return a.isF64() ? Type(mlir::Float64Type::get(context)) : Type(mlir::Float32Type::get(context));
}

namespace {

/// A matrix in a buffer or in registers.
struct Matrix {
  explicit Matrix(Type type)
      : shape(isa<BufferType>(type) ? cast<BufferType>(type).getShape() : tile::shapeOf(type)),
        element(isa<BufferType>(type) ? cast<BufferType>(type).getElement() : tile::elementOf(type)),
        isRing(isa<BufferType>(type) && cast<BufferType>(type).isRing()) {}

  ArrayRef<int64_t> shape;
  Type element;
  bool isRing;
};

} // namespace

static bool isFp8(Type element) { return isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 8; }

void SharedDotOp::build(OpBuilder &builder, mlir::OperationState &state, Value a, Value b, Value acc, tile::DotOp dot) {
  const Type element = Matrix(a.getType()).element; // may be wider than that of the dot
  build(builder, state, acc.getType(), a, b, acc, dot.getPrecisionAttr(),
        isFp8(element) ? dot.getMaxImpreciseKAttr() : IntegerAttr());
}

LogicalResult SharedDotOp::verify() {
  const Matrix a(getA().getType()), b(getB().getType());
  if (a.isRing || b.isRing) // shared_dot_c1
    return emitOpError("expected buffers without slots, got ") << getA().getType() << " and " << getB().getType();
  const ArrayRef<int64_t> acc = tile::shapeOf(getAcc().getType());
  const size_t rank = acc.size();
  const bool hasBatches = rank == 3;
  if ((rank != 2 && rank != 3) || a.shape.size() != rank || b.shape.size() != rank ||
      (hasBatches && (a.shape[0] != acc[0] || b.shape[0] != acc[0]))) // shared_dot_c2
    return emitOpError("expected `a`, `b` and `acc` of one rank, 2 or 3, and one first extent of three, got ")
           << getA().getType() << ", " << getB().getType() << " and " << getAcc().getType();
  const ArrayRef<int64_t> rows = a.shape.take_back(2), columns = b.shape.take_back(2);
  if (rows[1] != columns[0] || acc[rank - 2] != rows[0] || acc[rank - 1] != columns[1]) // shared_dot_c3
    return emitOpError("expected columns of `a` to be rows of `b`, and `acc` to have the other extents, got ")
           << getA().getType() << ", " << getB().getType() << " and " << getAcc().getType();
  const Type element = tile::elementOf(getAcc().getType()), wanted = accumulatorOf(a.element, b.element);
  if (!wanted || element != wanted) // shared_dot_c4
    return emitOpError("expected products of ")
           << a.element << " and " << b.element << " to be summed in f64, f32 or i32 after their kind, got " << element;
  if (getPrecision() != tile::DotPrecision::IEEE && !(a.element.isF32() && b.element.isF32())) // shared_dot_c5
    return emitOpError("expected f32 operands with `precision` ")
           << tile::stringifyDotPrecision(getPrecision()) << ", got " << a.element << " and " << b.element;
  if (const std::optional<uint32_t> most = getMaxImpreciseK()) { // shared_dot_c6
    if (static_cast<int32_t>(*most) < 1)
      return emitOpError("expected `max_imprecise_k` of at least 1, got ") << static_cast<int32_t>(*most);
    if (!isFp8(a.element))
      return emitOpError("expected fp8 operands with `max_imprecise_k`, got ") << a.element << " and " << b.element;
  }
  return success();
}

} // namespace tessera::ir::layout
