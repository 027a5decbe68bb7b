//===- Types.cpp - types of the language in the IR -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Frontend/Types.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include <fmt/format.h>

namespace tessera::ir {

Type elementType(MLIRContext *context, DType dtype) {
  if (dtype.isPointer()) {
    const Type pointee = elementType(context, dtype.pointee());
    return pointee ? tile::PtrType::get(pointee) : Type();
  }
  Builder builder(context);
  switch (dtype.kind) {
  case Kind::None:
  case Kind::Any:
    return {};
  case Kind::I1:
    return builder.getI1Type();
  case Kind::I8:
  case Kind::U8:
    return builder.getI8Type();
  case Kind::I16:
  case Kind::U16:
    return builder.getI16Type();
  case Kind::I32:
  case Kind::U32:
    return builder.getI32Type();
  case Kind::I64:
  case Kind::U64:
    return builder.getI64Type();
  case Kind::F16:
    return builder.getF16Type();
  case Kind::BF16:
    return builder.getBF16Type();
  case Kind::F32:
    return builder.getF32Type();
  case Kind::F64:
    return builder.getF64Type();
  case Kind::E4M3:
    return builder.getType<mlir::Float8E4M3FNType>();
  case Kind::E5M2:
    return builder.getType<mlir::Float8E5M2Type>();
  case Kind::E4M3Fnuz:
    return builder.getType<mlir::Float8E4M3FNUZType>();
  case Kind::E5M2Fnuz:
    return builder.getType<mlir::Float8E5M2FNUZType>();
  }
  return {};
}

Type valueType(MLIRContext *context, DType dtype, ArrayRef<std::int64_t> shape) {
  const Type element = elementType(context, dtype);
  return shape.empty() ? element : RankedTensorType::get(shape, element);
}

ArrayRef<std::int64_t> shapeOf(Value value) {
  if (const auto tensor = dyn_cast<RankedTensorType>(value.getType()))
    return tensor.getShape();
  return {};
}

ArrayRef<std::int64_t> shapeOf(Typed typed) { return shapeOf(typed.value); }

bool isView(Typed typed) { return isa<tile::ViewType>(typed.value.getType()); }

std::int64_t nextPowerOfTwo(std::int64_t extent) {
  std::int64_t power = 1;
  while (power < extent && power < (std::int64_t(1) << 62))
    power *= 2;
  return power;
}

void checkBlock(ArrayRef<std::int64_t> shape, std::string_view what, At at) {
  if (shape.size() > static_cast<std::size_t>(Shape::maxRank))
    throw UsageError(at,
                     fmt::format("{} would have {} axes; a tile has at most {}", what, shape.size(), Shape::maxRank));
  std::int64_t elements = 1;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const std::int64_t extent = shape[axis];
    if (extent < 1)
      throw UsageError(at,
                       fmt::format("{} would have the extent {} on axis {}; an extent is a power of two of at least 1",
                                   what, extent, axis));
    if ((extent & (extent - 1)) != 0)
      throw UsageError(at,
                       fmt::format("{} would have the extent {} on axis {}; an extent is a power of two; use {} and "
                                   "mask the elements from {} on",
                                   what, extent, axis, nextPowerOfTwo(extent), extent));
    if (extent > tile::kMaxElements || (elements *= extent) > tile::kMaxElements)
      throw UsageError(
          at, fmt::format("{} would have the shape {}; a tile has at most {} elements; use a smaller block and "
                          "loop over it",
                          what, nameOf(shape), tile::kMaxElements));
  }
}

SmallVector<std::int64_t> blockShape(const Shape &shape, std::string_view what, At at) {
  SmallVector<std::int64_t> extents(shape.begin(), shape.end());
  extents.resize(static_cast<std::size_t>(shape.rank()), 1); // what a long list lost is only counted
  checkBlock(extents, what, at);
  return extents;
}

std::int32_t checkAxis(std::int64_t axis, std::size_t rank, At at) {
  const auto count = static_cast<std::int64_t>(rank);
  if (axis >= -count && axis < count)
    return static_cast<std::int32_t>(axis < 0 ? axis + count : axis);
  if (rank == 0)
    throw UsageError(at, fmt::format("axis {} of a scalar; a scalar has no axes", axis));
  throw UsageError(at,
                   fmt::format("axis {} of a tile with {} {}; an axis is {} to {}, or {} to -1 counted from the end",
                               axis, rank, rank == 1 ? "axis" : "axes", 0, count - 1, -count));
}

std::string nameOf(DType dtype) { return dtype.name(); }

std::string nameOf(ArrayRef<std::int64_t> shape) {
  return fmt::format("[{}]", fmt::join(shape.begin(), shape.end(), ", "));
}

std::string describe(Typed typed) {
  if (isView(typed))
    return fmt::format("a view of {}", nameOf(typed.dtype.pointee()));
  const ArrayRef<std::int64_t> shape = shapeOf(typed);
  if (typed.dtype.isPointer()) {
    const std::string pointee = nameOf(typed.dtype.pointee());
    return shape.empty() ? "a pointer to " + pointee
                         : fmt::format("a tile of pointers to {} {}", pointee, nameOf(shape));
  }
  return shape.empty() ? "a scalar of " + nameOf(typed.dtype)
                       : fmt::format("a tile of {} {}", nameOf(typed.dtype), nameOf(shape));
}

std::string describe(const Operand &operand) {
  switch (operand.form) {
  case Operand::Form::Absent:
    return "nothing";
  case Operand::Form::Bool:
    return operand.integer ? "the literal true" : "the literal false";
  case Operand::Form::Integer:
    return operand.negative ? fmt::format("the number {}", static_cast<std::int64_t>(operand.integer))
                            : fmt::format("the number {}", operand.integer);
  case Operand::Form::Float:
    return fmt::format("the number {}", operand.real);
  case Operand::Form::Traced:
    break;
  }
  return describe({Value::getFromOpaquePointer(operand.value.value), operand.value.dtype});
}

} // namespace tessera::ir
