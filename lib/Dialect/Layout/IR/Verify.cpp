//===- Verify.cpp - checks that several verifiers share --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Dialect/Layout/IR/Verify.h"

namespace tessera::ir::layout {

LogicalResult verifyNoRing(Operation *op, BufferType buffer) {
  if (!buffer.isRing())
    return success();
  return op->emitOpError("expected a slot of the ring ") << buffer << ", got all of it";
}

LogicalResult verifyMoved(Operation *op, BufferType buffer, StringRef name, Type type) {
  if (failed(verifyNoRing(op, buffer)))
    return failure();
  auto tensor = cast<RankedTensorType>(type);
  if (tensor.getShape() == buffer.getShape() && tensor.getElementType() == buffer.getElement())
    return success();
  return op->emitOpError("expected `") << name << "` to have the shape and elements of " << buffer << ", got " << type;
}

} // namespace tessera::ir::layout
