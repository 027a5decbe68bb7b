//===- Verify.cpp - checks that several verifiers share --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Dialect/Tile/IR/Verify.h"

#include "llvm/ADT/StringExtras.h"

namespace tessera::ir::tile {

std::string shapeText(ArrayRef<int64_t> shape) {
  return "[" + llvm::join(llvm::map_range(shape, [](int64_t extent) { return std::to_string(extent); }), ", ") + "]";
}

SmallVector<int64_t> withoutAxis(ArrayRef<int64_t> shape, int64_t axis) {
  SmallVector<int64_t> rest(shape);
  if (axis >= 0 && axis < static_cast<int64_t>(rest.size()))
    rest.erase(rest.begin() + axis);
  return rest;
}

LogicalResult verifyAxis(Operation *op, int64_t axis, int64_t rank) {
  if (axis >= 0 && axis < rank)
    return success();
  return op->emitOpError("expected `axis` to be 0 to ") << rank - 1 << ", got " << axis;
}

LogicalResult verifyShape(Operation *op, StringRef name, Type type, ArrayRef<int64_t> expected) {
  const ArrayRef<int64_t> shape = shapeOf(type);
  if (shape == expected)
    return success();
  return op->emitOpError("expected `") << name << "` to have shape " << shapeText(expected) << ", got "
                                       << shapeText(shape);
}

LogicalResult verifySameElement(Operation *op, StringRef name, Type type, StringRef otherName, Type otherType) {
  if (elementOf(type) == elementOf(otherType))
    return success();
  return op->emitOpError("expected `") << name << "` and `" << otherName << "` to have one element type, got "
                                       << elementOf(type) << " and " << elementOf(otherType);
}

LogicalResult verifySameShape(Operation *op, StringRef name, Type type, StringRef otherName, Type otherType) {
  if (shapeOf(type) == shapeOf(otherType))
    return success();
  return op->emitOpError("expected `") << name << "` and `" << otherName << "` to have one shape, got "
                                       << shapeText(shapeOf(type)) << " and " << shapeText(shapeOf(otherType));
}

LogicalResult verifySameRank(Operation *op, StringRef name, Type type, StringRef otherName, Type otherType) {
  if (shapeOf(type).size() == shapeOf(otherType).size())
    return success();
  return op->emitOpError("expected `") << name << "` and `" << otherName << "` to have one rank, got "
                                       << shapeOf(type).size() << " and " << shapeOf(otherType).size();
}

LogicalResult verifyBox(Operation *op, ArrayRef<int64_t> offsets, StringRef boxName, Type box, StringRef wholeName,
                        Type whole) {
  const ArrayRef<int64_t> sizes = shapeOf(box), extents = shapeOf(whole);
  if (offsets.size() != extents.size())
    return op->emitOpError("expected one offset for each of ") << extents.size() << " axes, got " << offsets.size();
  for (const auto [axis, offset, size, extent] : llvm::enumerate(offsets, sizes, extents))
    if (offset < 0 || size > extent || offset > extent - size)
      return op->emitOpError("expected `") << boxName << "` to lie inside `" << wholeName << "`, got offset " << offset
                                           << " and size " << size << " on axis " << axis << " of extent " << extent;
  return success();
}

LogicalResult verifyLoadCache(Operation *op, CacheHint cache) {
  if (cache != CacheHint::WriteBack)
    return success();
  return op->emitOpError("expected a cache hint for loads, got ") << stringifyCacheHint(cache);
}

LogicalResult verifyStoreCache(Operation *op, CacheHint cache) {
  if (cache != CacheHint::All && cache != CacheHint::Volatile)
    return success();
  return op->emitOpError("expected a cache hint for stores, got ") << stringifyCacheHint(cache);
}

} // namespace tessera::ir::tile
