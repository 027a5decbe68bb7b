//===- TileCreateOps.cpp - tiles from nothing and from scalars -------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Dialect/Tile/IR/Constants.h"
#include "Dialect/Tile/IR/Verify.h"

namespace tessera::ir::tile {

//===----------------------------------------------------------------------===//
// tile.arange
//===----------------------------------------------------------------------===//

void ArangeOp::build(OpBuilder &builder, OperationState &state, int32_t start, int32_t end) {
  const int64_t extent = int64_t(end) - start;
  build(builder, state, valueType({std::max<int64_t>(extent, 1)}, builder.getI32Type()), start, end);
}

LogicalResult ArangeOp::verify() {
  const ArrayRef<int64_t> shape = shapeOf(getType());
  const int64_t extent = int64_t(static_cast<int32_t>(getEnd())) - static_cast<int32_t>(getStart());
  if (shape.size() != 1 || shape.front() != extent) // arange_c1
    return emitOpError("expected the result to have shape [end - start], got ")
           << shapeText(shape) << " for " << static_cast<int32_t>(getStart()) << " to "
           << static_cast<int32_t>(getEnd());
  return success();
}

OpFoldResult ArangeOp::fold(FoldAdaptor) {
  if (elementCountOf(getType()) != 1)
    return {};
  return splatConstant(getType(), getStartAttr());
}

//===----------------------------------------------------------------------===//
// tile.splat
//===----------------------------------------------------------------------===//

void SplatOp::build(OpBuilder &builder, OperationState &state, Value source, ArrayRef<int64_t> shape) {
  build(builder, state, valueType(shape, source.getType()), source);
}

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) { return splatConstant(getType(), adaptor.getSource()); }

} // namespace tessera::ir::tile
