//===- TileReduceOps.cpp - reductions, scans, sorting and histograms -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Dialect/Tile/IR/CombineRegion.h"
#include "Dialect/Tile/IR/Constants.h"
#include "Dialect/Tile/IR/MaskForms.h"
#include "Dialect/Tile/IR/Verify.h"

namespace tessera::ir::tile {

/// At least one input, all of one shape, and \p axis one of their axes.
static LogicalResult verifyInputs(Operation *op, ValueRange inputs, int64_t axis) {
  if (inputs.empty())
    return op->emitOpError("expected at least one input, got none");
  const ArrayRef<int64_t> shape = shapeOf(inputs.front().getType());
  for (const auto [index, input] : llvm::enumerate(inputs))
    if (shapeOf(input.getType()) != shape)
      return op->emitOpError("expected all inputs to have shape ")
             << shapeText(shape) << ", got " << shapeText(shapeOf(input.getType())) << " for input " << index;
  return verifyAxis(op, axis, shape.size());
}

/// One result for each input, of its element type and of \p shape.
static LogicalResult verifyResults(Operation *op, ValueRange inputs, ArrayRef<int64_t> shape) {
  if (op->getNumResults() != inputs.size())
    return op->emitOpError("expected one result for each of ")
           << inputs.size() << " inputs, got " << op->getNumResults();
  for (const auto [index, input, result] : llvm::enumerate(inputs, op->getResults())) {
    const Type type = result.getType(), element = elementOf(input.getType());
    if (elementOf(type) != element || shapeOf(type) != shape)
      return op->emitOpError("expected result ") << index << " to be " << valueType(shape, element) << ", got " << type;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// tile.reduce
//===----------------------------------------------------------------------===//

void ReduceOp::build(OpBuilder &builder, OperationState &state, ValueRange inputs, int32_t axis, bool deterministic) {
  SmallVector<Type> results;
  for (Value input : inputs)
    results.push_back(valueType(withoutAxis(shapeOf(input.getType()), axis), elementOf(input.getType())));
  build(builder, state, results, inputs, axis, deterministic);
}

LogicalResult ReduceOp::verify() {
  const int64_t axis = static_cast<int32_t>(getAxis());
  if (failed(verifyInputs(*this, getInputs(), axis))) // reduce_c1, reduce_c2
    return failure();
  const SmallVector<int64_t> shape = withoutAxis(shapeOf(getInputs().front().getType()), axis);
  return verifyResults(*this, getInputs(), shape); // reduce_c3
}

LogicalResult ReduceOp::verifyRegions() { return verifyCombine(*this, getCombine(), getInputs()); }

/// tile.reduce %x axis 1 : tensor<8x1xf32> -> tensor<8xf32> ...   ->   tile.reshape %x
LogicalResult ReduceOp::canonicalize(ReduceOp op, PatternRewriter &rewriter) {
  if (shapeOf(op.getInputs().front().getType())[op.getAxis()] != 1)
    return rewriter.notifyMatchFailure(op, "axis has more than one element");
  SmallVector<Value> values;
  for (const auto [input, result] : llvm::zip_equal(op.getInputs(), op.getResults()))
    values.push_back(ReshapeOp::create(rewriter, op.getLoc(), result.getType(), input));
  rewriter.replaceOp(op, values);
  return success();
}

//===----------------------------------------------------------------------===//
// tile.scan
//===----------------------------------------------------------------------===//

void ScanOp::build(OpBuilder &builder, OperationState &state, ValueRange inputs, int32_t axis, bool reverse,
                   ArrayRef<Attribute> exclusiveIdentity, bool deterministic) {
  const bool exclusive = !exclusiveIdentity.empty();
  build(builder, state, inputs.getTypes(), inputs, axis, reverse, exclusive,
        exclusive ? builder.getArrayAttr(exclusiveIdentity) : ArrayAttr(), deterministic);
}

/// The identity of an exclusive scan: one constant of each input's element type.
static LogicalResult verifyIdentity(ScanOp op) { // scan_c7
  ArrayAttr identity = op.getIdentityAttr();
  if (op.getExclusive() != static_cast<bool>(identity))
    return op.emitOpError("expected `identity` exactly with `exclusive`, got ")
           << (identity ? "`identity` alone" : "`exclusive` alone");
  if (!identity)
    return success();
  if (identity.size() != op.getInputs().size())
    return op.emitOpError("expected one identity for each of ")
           << op.getInputs().size() << " inputs, got " << identity.size();
  for (const auto [index, constant, input] : llvm::enumerate(identity, op.getInputs())) {
    const Type element = elementOf(input.getType());
    if (!isa<IntegerAttr, FloatAttr>(constant) || cast<TypedAttr>(constant).getType() != element)
      return op.emitOpError("expected identity ")
             << index << " to be a constant of type " << element << ", got " << constant;
  }
  return success();
}

LogicalResult ScanOp::verify() {
  if (failed(verifyInputs(*this, getInputs(), static_cast<int32_t>(getAxis()))) ||       // scan_c1, scan_c2
      failed(verifyResults(*this, getInputs(), shapeOf(getInputs().front().getType())))) // scan_c3
    return failure();
  if (getResultTypes() != getInputs().getTypes()) // scan_c3
    return emitOpError("expected results of the types of the inputs, got ") << SmallVector<Type>(getResultTypes());
  return verifyIdentity(*this);
}

LogicalResult ScanOp::verifyRegions() { return verifyCombine(*this, getCombine(), getInputs()); }

/// tile.scan %x axis 1 : tensor<8x1xf32> ...   ->   %x, or the identity if the scan is exclusive
LogicalResult ScanOp::canonicalize(ScanOp op, PatternRewriter &rewriter) {
  if (shapeOf(op.getInputs().front().getType())[op.getAxis()] != 1)
    return rewriter.notifyMatchFailure(op, "axis has more than one element");
  SmallVector<Value> values(op.getInputs());
  if (ArrayAttr identity = op.getIdentityAttr())
    for (const auto [value, constant] : llvm::zip_equal(values, identity)) {
      auto splat = cast<TypedAttr>(splatConstant(value.getType(), constant));
      value = mlir::arith::ConstantOp::create(rewriter, op.getLoc(), splat);
    }
  rewriter.replaceOp(op, values);
  return success();
}

//===----------------------------------------------------------------------===//
// tile.sort
//===----------------------------------------------------------------------===//

void SortOp::build(OpBuilder &builder, OperationState &state, Value key, ValueRange payload, int32_t axis,
                   bool descending, bool isUnsigned, Value valid) {
  build(builder, state, key.getType(), payload.getTypes(), key, payload, valid, axis, descending, isUnsigned);
}

LogicalResult SortOp::verify() {
  const Type key = getKey().getType();
  if (failed(verifyAxis(*this, static_cast<int32_t>(getAxis()), shapeOf(key).size()))) // sort_c1
    return failure();
  for (const auto [index, payload] : llvm::enumerate(getPayload()))
    if (shapeOf(payload.getType()) != shapeOf(key)) // sort_c2
      return emitOpError("expected payload ") << index << " to have shape " << shapeText(shapeOf(key)) << ", got "
                                              << shapeText(shapeOf(payload.getType()));
  if (getSorted().getType() != key || getMoved().getTypes() != getPayload().getTypes()) // sort_c3
    return emitOpError("expected results of the types of the key and the payloads, got ")
           << SmallVector<Type>((*this)->getResultTypes());
  if (getIsUnsigned() && !isa<IntegerType>(elementOf(key))) // sort_c5
    return emitOpError("expected integer keys with `unsigned`, got ") << elementOf(key);
  return success();
}

/// tile.sort ... valid %true   ->   tile.sort ...
LogicalResult SortOp::canonicalize(SortOp op, PatternRewriter &rewriter) {
  if (!isAllTrue(constantOf(op.getValid())))
    return rewriter.notifyMatchFailure(op, "not known to be valid everywhere");
  rewriter.modifyOpInPlace(op, [&] { op.getValidMutable().clear(); });
  return success();
}

//===----------------------------------------------------------------------===//
// tile.histogram
//===----------------------------------------------------------------------===//

void HistogramOp::build(OpBuilder &builder, OperationState &state, Value source, int64_t bins, Value mask,
                        bool isUnsigned) {
  build(builder, state, valueType({bins}, builder.getI32Type()), source, mask, isUnsigned);
}

LogicalResult HistogramOp::verify() {
  if (shapeOf(getType()).size() == 1) // histogram_c2
    return success();
  return emitOpError("expected a result of rank 1, got rank ") << shapeOf(getType()).size();
}

void HistogramOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DropTrueMask<HistogramOp>, DropFalseAccess<HistogramOp>>(context);
}

} // namespace tessera::ir::tile
