//===- TileTypes.cpp - types of the dialect --------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Tile/IR/TileTypes.h"

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Tile/IR/TileDialect.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#define GET_TYPEDEF_CLASSES
#include "tessera-ir/Dialect/Tile/IR/TileTypes.cpp.inc"

namespace tessera::ir::tile {

//===----------------------------------------------------------------------===//
// Questions about types
//===----------------------------------------------------------------------===//

bool isElement(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() && llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth());
  return isa<PtrType, mlir::Float16Type, mlir::BFloat16Type, mlir::Float32Type, mlir::Float64Type,
             mlir::Float8E4M3FNType, mlir::Float8E5M2Type, mlir::Float8E4M3FNUZType, mlir::Float8E5M2FNUZType>(type);
}

std::string whyNoTile(ArrayRef<int64_t> shape) {
  if (shape.empty() || static_cast<int64_t>(shape.size()) > kMaxRank)
    return "a tile has rank 1 to 5, got rank " + std::to_string(shape.size());
  int64_t count = 1;
  for (const auto [axis, extent] : llvm::enumerate(shape)) {
    if (extent <= 0 || !llvm::isPowerOf2_64(static_cast<uint64_t>(extent)))
      return "the extents of a tile are powers of two, got " +
             (mlir::ShapedType::isDynamic(extent) ? "?" : std::to_string(extent)) + " on axis " + std::to_string(axis);
    if (extent > kMaxElements / count)
      return "a tile holds at most " + std::to_string(kMaxElements) + " elements";
    count *= extent;
  }
  return {};
}

bool isTile(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && whyNoTile(tensor.getShape()).empty();
}

bool isValueType(Type type) {
  return isElement(type) || isa<ViewType>(type) || (isTile(type) && isElement(elementOf(type)));
}

Type elementOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getElementType() : type;
}

ArrayRef<int64_t> shapeOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getShape() : ArrayRef<int64_t>();
}

int64_t elementCountOf(Type type) {
  int64_t count = 1;
  for (int64_t extent : shapeOf(type))
    count *= extent;
  return count;
}

Type withElement(Type type, Type element) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return element;
  if (!mlir::TensorType::isValidElementType(element))
    return type;
  return RankedTensorType::get(tensor.getShape(), element, tensor.getEncoding());
}

Type valueType(ArrayRef<int64_t> shape, Type element) {
  return shape.empty() ? element : RankedTensorType::get(shape, element);
}

Type pointeeOf(Type type) {
  auto pointer = dyn_cast<PtrType>(elementOf(type));
  return pointer ? withElement(type, pointer.getPointee()) : type;
}

Type pointerToElementOf(Type type) {
  auto view = dyn_cast<ViewType>(type);
  return view ? PtrType::get(view.getElement()) : type;
}

unsigned bitsOf(Type element) { return isa<PtrType>(element) ? 64 : element.getIntOrFloatBitWidth(); }

//===----------------------------------------------------------------------===//
// !tile.ptr
//===----------------------------------------------------------------------===//

LogicalResult PtrType::verify(function_ref<InFlightDiagnostic()> emitError, Type pointee) {
  if (!isElement(pointee)) // ptr_c1
    return emitError() << "expected a pointer to an integer, float or pointer of the tile dialect, got " << pointee;
  unsigned levels = 1;
  for (auto inner = dyn_cast<PtrType>(pointee); inner; inner = dyn_cast<PtrType>(inner.getPointee()))
    ++levels;
  if (levels > kMaxPointerLevels) // ptr_c2
    return emitError() << "expected at most " << kMaxPointerLevels << " levels of pointer, got " << levels;
  return success();
}

//===----------------------------------------------------------------------===//
// !tile.view
//===----------------------------------------------------------------------===//

LogicalResult ViewType::verify(function_ref<InFlightDiagnostic()> emitError, Type element, unsigned rank,
                               unsigned contiguous) {
  if (!isElement(element)) // view_c1
    return emitError() << "expected a view of integers, floats or pointers of the tile dialect, got " << element;
  if (rank < 1 || rank > kMaxRank) // view_c2
    return emitError() << "expected a view of rank 1 to " << kMaxRank << ", got " << rank;
  if (contiguous >= rank) // view_c3
    return emitError() << "expected the contiguous axis to be below the rank " << rank << ", got " << contiguous;
  return success();
}

Type ViewType::parse(mlir::AsmParser &parser) {
  const llvm::SMLoc loc = parser.getCurrentLocation();
  Type element;
  unsigned rank = 0;
  if (parser.parseLess() || parser.parseType(element) || parser.parseComma() || parser.parseInteger(rank))
    return {};
  unsigned contiguous = rank == 0 ? 0 : rank - 1;
  if (succeeded(parser.parseOptionalComma()))
    if (parser.parseKeyword("contiguous") || parser.parseEqual() || parser.parseInteger(contiguous))
      return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<ViewType>(loc, parser.getContext(), element, rank, contiguous);
}

void ViewType::print(mlir::AsmPrinter &printer) const {
  printer << "<" << getElement() << ", " << getRank();
  if (getContiguous() + 1 != getRank())
    printer << ", contiguous = " << getContiguous();
  printer << ">";
}

void TileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tessera-ir/Dialect/Tile/IR/TileTypes.cpp.inc"
      >();
}

} // namespace tessera::ir::tile
