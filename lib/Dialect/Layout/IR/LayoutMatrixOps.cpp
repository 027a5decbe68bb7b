//===- LayoutMatrixOps.cpp - verifiers of matrix products beside the program -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Dialect/Layout/IR/Verify.h"

#include "tessera-ir/Dialect/Tile/IR/DotTypes.h"

namespace tessera::ir::layout {

namespace {

/// A matrix in a buffer or in registers.
struct Matrix {
  ArrayRef<int64_t> shape;
  Type element;
  bool isRing = false;
};

} // namespace

static Matrix matrixOf(Type type) {
  if (auto buffer = dyn_cast<BufferType>(type))
    return {buffer.getShape(), buffer.getElement(), buffer.isRing()};
  return {tile::shapeOf(type), tile::elementOf(type)};
}

LogicalResult AsyncDotOp::verify() {
  const Matrix a = matrixOf(getA().getType()), b = matrixOf(getB().getType()), acc = matrixOf(getAcc().getType());
  if (a.isRing || b.isRing || a.shape.size() != 2 || b.shape.size() != 2 || a.shape[1] != b.shape[0]) // async_dot_c1
    return emitOpError("expected matrices `a` and `b` where columns of `a` equal rows of `b`, got ")
           << getA().getType() << " and " << getB().getType();
  if (acc.shape != ArrayRef<int64_t>{a.shape[0], b.shape[1]}) // async_dot_c2
    return emitOpError("expected `acc` to have ")
           << a.shape[0] << " rows and " << b.shape[1] << " columns, got " << getAcc().getType();
  if (!tile::areMultiplied(a.element, b.element)) // async_dot_c3
    return emitOpError("expected `a` and `b` to have one element type or to be fp8 of one family, got ")
           << a.element << " and " << b.element;
  if (const Type sum = tile::accumulatorOf(a.element); !sum || sum.isF64() || acc.element != sum) // async_dot_c4
    return emitOpError("expected products of i8 summed in i32, or of f16, bf16, f32 or fp8 in f32, got ")
           << a.element << " in " << acc.element;
  return success();
}

LogicalResult AsyncDotWaitOp::inferReturnTypes(MLIRContext *, std::optional<Location>, ValueRange operands,
                                               DictionaryAttr, mlir::OpaqueProperties, mlir::RegionRange,
                                               SmallVectorImpl<Type> &types) { // async_dot_wait_c2
  types.assign(operands.getTypes().begin(), operands.getTypes().end());
  return success();
}

LogicalResult AsyncDotWaitOp::verify() {
  constexpr uint32_t kMost = 7;
  if (getPending() <= kMost) // async_dot_wait_c1
    return success();
  return emitOpError("expected `pending` to be 0 to ") << kMost << ", got " << static_cast<int32_t>(getPending());
}

} // namespace tessera::ir::layout
