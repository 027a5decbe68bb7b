//===- LayoutDotOps.cpp - products of matrices in buffers ----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Layout/IR/LayoutOps.h"
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

LogicalResult SharedDotOp::verify() {
  const BufferType a = getA().getType(), b = getB().getType();
  for (const BufferType type : {a, b}) {
    bool isInOrder = !type.isRing();
    for (const auto [bit, offset] : llvm::enumerate(type.getLayout().getOffsets()))
      isInOrder &= offset == uint32_t(1) << bit;
    if (!isInOrder) // shared_dot_c1
      return emitOpError("expected buffers in row-major order without slots, got ") << type;
  }
  const ArrayRef<int64_t> acc = tile::shapeOf(getAcc().getType());
  const size_t rank = acc.size();
  const bool hasBatches = rank == 3;
  if ((rank != 2 && rank != 3) || a.getShape().size() != rank || b.getShape().size() != rank ||
      (hasBatches && (a.getShape()[0] != acc[0] || b.getShape()[0] != acc[0]))) // shared_dot_c2
    return emitOpError("expected `a`, `b` and `acc` of one rank, 2 or 3, and one first extent of three, got ")
           << a << ", " << b << " and " << getAcc().getType();
  const ArrayRef<int64_t> rows = a.getShape().take_back(2), columns = b.getShape().take_back(2);
  if (rows[1] != columns[0] || acc[rank - 2] != rows[0] || acc[rank - 1] != columns[1]) // shared_dot_c3
    return emitOpError("expected columns of `a` to be rows of `b`, and `acc` to have the other extents, got ")
           << a << ", " << b << " and " << getAcc().getType();
  const Type element = tile::elementOf(getAcc().getType()), wanted = accumulatorOf(a.getElement(), b.getElement());
  if (!wanted || element != wanted) // shared_dot_c4
    return emitOpError("expected products of ") << a.getElement() << " and " << b.getElement()
                                                << " to be summed in f64, f32 or i32 after their kind, got " << element;
  return success();
}

} // namespace tessera::ir::layout
