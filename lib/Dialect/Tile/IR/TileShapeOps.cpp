//===- TileShapeOps.cpp - builders and verifiers of shape ops --------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Dialect/Tile/IR/Verify.h"

namespace tessera::ir::tile {

/// The extents of \p value as a list that can be edited.
static SmallVector<int64_t> shapeListOf(Value value) { return SmallVector<int64_t>(shapeOf(value.getType())); }

/// A scalar or tile with the element type of \p value.
static Type reshaped(Value value, ArrayRef<int64_t> shape) { return valueType(shape, elementOf(value.getType())); }

//===----------------------------------------------------------------------===//
// tile.broadcast
//===----------------------------------------------------------------------===//

void BroadcastOp::build(OpBuilder &builder, OperationState &state, Value source, ArrayRef<int64_t> shape) {
  build(builder, state, reshaped(source, shape), source);
}

LogicalResult BroadcastOp::verify() {
  const Type source = getSource().getType(), result = getType();
  if (failed(verifySameElement(*this, "source", source, "result", result)) || // broadcast_c1
      failed(verifySameRank(*this, "source", source, "result", result)))
    return failure();
  for (const auto [axis, from, to] : llvm::enumerate(shapeOf(source), shapeOf(result)))
    if (from != to && from != 1) // broadcast_c2
      return emitOpError("expected extent 1 or ") << to << " on axis " << axis << " of `source`, got " << from;
  return success();
}

//===----------------------------------------------------------------------===//
// tile.expand_dims
//===----------------------------------------------------------------------===//

void ExpandDimsOp::build(OpBuilder &builder, OperationState &state, Value source, int32_t axis) {
  SmallVector<int64_t> shape = shapeListOf(source);
  shape.insert(shape.begin() + std::clamp<int64_t>(axis, 0, shape.size()), 1);
  build(builder, state, reshaped(source, shape), source, axis);
}

LogicalResult ExpandDimsOp::verify() {
  SmallVector<int64_t> shape = shapeListOf(getSource());
  const int64_t axis = static_cast<int32_t>(getAxis());
  if (failed(verifyAxis(*this, axis, shape.size() + 1))) // expand_dims_c1
    return failure();
  shape.insert(shape.begin() + axis, 1);
  if (failed(verifySameElement(*this, "source", getSource().getType(), "result", getType())))
    return failure();
  return verifyShape(*this, "result", getType(), shape); // expand_dims_c2
}

//===----------------------------------------------------------------------===//
// tile.reshape
//===----------------------------------------------------------------------===//

void ReshapeOp::build(OpBuilder &builder, OperationState &state, Value source, ArrayRef<int64_t> shape) {
  build(builder, state, reshaped(source, shape), source);
}

LogicalResult ReshapeOp::verify() {
  const Type source = getSource().getType(), result = getType();
  if (failed(verifySameElement(*this, "source", source, "result", result))) // reshape_c1
    return failure();
  if (elementCountOf(source) != elementCountOf(result)) // reshape_c2
    return emitOpError("expected `source` and `result` to have equally many elements, got ")
           << elementCountOf(source) << " and " << elementCountOf(result);
  return success();
}

//===----------------------------------------------------------------------===//
// tile.trans
//===----------------------------------------------------------------------===//

/// Whether \p permutation holds each of \p rank axes once.
static bool isPermutation(ArrayRef<int32_t> permutation, size_t rank) {
  if (permutation.size() != rank)
    return false;
  llvm::SmallBitVector seen(rank);
  for (int32_t axis : permutation) {
    if (axis < 0 || axis >= static_cast<int64_t>(rank) || seen.test(axis))
      return false;
    seen.set(axis);
  }
  return true;
}

/// The extents of \p shape, permuted; \p permutation is one.
static SmallVector<int64_t> permuted(ArrayRef<int64_t> shape, ArrayRef<int32_t> permutation) {
  return llvm::map_to_vector(permutation, [&](int32_t axis) { return shape[axis]; });
}

void TransOp::build(OpBuilder &builder, OperationState &state, Value source, ArrayRef<int32_t> permutation) {
  const ArrayRef<int64_t> shape = shapeOf(source.getType());
  const bool valid = isPermutation(permutation, shape.size());
  build(builder, state, reshaped(source, valid ? permuted(shape, permutation) : shapeListOf(source)), source,
        permutation);
}

LogicalResult TransOp::verify() {
  const ArrayRef<int64_t> shape = shapeOf(getSource().getType());
  if (!isPermutation(getPermutation(), shape.size())) // trans_c1
    return emitOpError("expected `permutation` to hold each of 0 to ")
           << shape.size() - 1 << " once, got [" << getPermutation() << "]";
  if (failed(verifySameElement(*this, "source", getSource().getType(), "result", getType())))
    return failure();
  return verifyShape(*this, "result", getType(), permuted(shape, getPermutation())); // trans_c2
}

//===----------------------------------------------------------------------===//
// tile.join, tile.split, tile.cat
//===----------------------------------------------------------------------===//

void JoinOp::build(OpBuilder &builder, OperationState &state, Value lhs, Value rhs) {
  SmallVector<int64_t> shape = shapeListOf(lhs);
  shape.push_back(2);
  build(builder, state, reshaped(lhs, shape), lhs, rhs);
}

LogicalResult JoinOp::verify() {
  SmallVector<int64_t> shape = shapeListOf(getLhs());
  shape.push_back(2);
  if (failed(verifySameElement(*this, "lhs", getLhs().getType(), "result", getType())))
    return failure();
  return verifyShape(*this, "result", getType(), shape); // join_c2
}

void SplitOp::build(OpBuilder &builder, OperationState &state, Value source) {
  SmallVector<int64_t> shape = shapeListOf(source);
  if (!shape.empty())
    shape.pop_back();
  const Type half = reshaped(source, shape);
  build(builder, state, half, half, source);
}

LogicalResult SplitOp::verify() {
  SmallVector<int64_t> shape = shapeListOf(getSource());
  if (shape.back() != 2) // split_c1
    return emitOpError("expected the last extent of `source` to be 2, got ") << shape.back();
  shape.pop_back();
  if (failed(verifySameElement(*this, "source", getSource().getType(), "lhs", getLhs().getType())))
    return failure();
  return verifyShape(*this, "lhs", getLhs().getType(), shape); // split_c2
}

void CatOp::build(OpBuilder &builder, OperationState &state, Value lhs, Value rhs, int32_t axis) {
  SmallVector<int64_t> shape = shapeListOf(lhs);
  if (axis >= 0 && axis < static_cast<int64_t>(shape.size()))
    shape[axis] *= 2;
  build(builder, state, reshaped(lhs, shape), lhs, rhs, axis);
}

LogicalResult CatOp::verify() {
  SmallVector<int64_t> shape = shapeListOf(getLhs());
  const int64_t axis = static_cast<int32_t>(getAxis());
  if (failed(verifyAxis(*this, axis, shape.size()))) // cat_c2
    return failure();
  shape[axis] *= 2;
  if (failed(verifySameElement(*this, "lhs", getLhs().getType(), "result", getType())))
    return failure();
  return verifyShape(*this, "result", getType(), shape); // cat_c3
}

//===----------------------------------------------------------------------===//
// tile.flip
//===----------------------------------------------------------------------===//

LogicalResult FlipOp::verify() {
  return verifyAxis(*this, static_cast<int32_t>(getAxis()), shapeOf(getType()).size()); // flip_c2
}

//===----------------------------------------------------------------------===//
// tile.slice, tile.insert
//===----------------------------------------------------------------------===//

void SliceOp::build(OpBuilder &builder, OperationState &state, Value source, ArrayRef<int64_t> offsets,
                    ArrayRef<int64_t> sizes) {
  build(builder, state, reshaped(source, sizes), source, offsets);
}

LogicalResult SliceOp::verify() {
  const Type source = getSource().getType(), result = getType();
  if (failed(verifySameElement(*this, "source", source, "result", result)) || // slice_c1
      failed(verifySameRank(*this, "source", source, "result", result)))
    return failure();
  return verifyBox(*this, getOffsets(), "result", result, "source", source); // slice_c2, slice_c3
}

LogicalResult InsertOp::verify() {
  const Type source = getSource().getType(), destination = getDestination().getType();
  if (failed(verifySameElement(*this, "source", source, "destination", destination)) || // insert_c1
      failed(verifySameRank(*this, "source", source, "destination", destination)))
    return failure();
  return verifyBox(*this, getOffsets(), "source", source, "destination", destination); // insert_c2, insert_c3
}

//===----------------------------------------------------------------------===//
// tile.extract_at, tile.insert_at, tile.gather
//===----------------------------------------------------------------------===//

void ExtractAtOp::build(OpBuilder &builder, OperationState &state, Value source, Value index, int32_t axis) {
  build(builder, state, reshaped(source, withoutAxis(shapeOf(source.getType()), axis)), source, index, axis);
}

LogicalResult ExtractAtOp::verify() {
  const ArrayRef<int64_t> shape = shapeOf(getSource().getType());
  const int64_t axis = static_cast<int32_t>(getAxis());
  if (failed(verifyAxis(*this, axis, shape.size())) || // extract_at_c1
      failed(verifySameElement(*this, "source", getSource().getType(), "result", getType())))
    return failure();
  return verifyShape(*this, "result", getType(), withoutAxis(shape, axis)); // extract_at_c2
}

LogicalResult InsertAtOp::verify() {
  const ArrayRef<int64_t> shape = shapeOf(getType());
  const int64_t axis = static_cast<int32_t>(getAxis());
  if (failed(verifyAxis(*this, axis, shape.size())) || // insert_at_c1
      failed(verifySameElement(*this, "source", getSource().getType(), "destination", getType())))
    return failure();
  return verifyShape(*this, "source", getSource().getType(), withoutAxis(shape, axis)); // insert_at_c2
}

void GatherOp::build(OpBuilder &builder, OperationState &state, Value source, Value index, int32_t axis) {
  build(builder, state, reshaped(source, shapeOf(index.getType())), source, index, axis);
}

LogicalResult GatherOp::verify() {
  const Type source = getSource().getType(), index = getIndex().getType();
  const int64_t axis = static_cast<int32_t>(getAxis());
  if (failed(verifyAxis(*this, axis, shapeOf(source).size())) ||       // gather_c1
      failed(verifySameRank(*this, "source", source, "index", index))) // gather_c2
    return failure();
  SmallVector<int64_t> expected(shapeOf(source));
  expected[axis] = shapeOf(index)[axis];
  if (failed(verifyShape(*this, "index", index, expected)) ||                  // gather_c2
      failed(verifySameElement(*this, "source", source, "result", getType()))) // gather_c3
    return failure();
  return verifyShape(*this, "result", getType(), shapeOf(index)); // gather_c3
}

} // namespace tessera::ir::tile
