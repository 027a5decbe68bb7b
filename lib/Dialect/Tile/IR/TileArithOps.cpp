//===- TileArithOps.cpp - builders and verifiers of elementwise maths and hints -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Dialect/Tile/IR/Verify.h"

namespace tessera::ir::tile {

LogicalResult IRemOp::verify() {
  if (getRounding() != DivRounding::Ceil) // irem_c2
    return success();
  return emitOpError("expected `rounding` to be `trunc` or `floor`, got `ceil`");
}

//===----------------------------------------------------------------------===//
// tile.hint
//===----------------------------------------------------------------------===//

void HintOp::build(OpBuilder &builder, OperationState &state, Value source, ArrayRef<int64_t> multipleOf,
                   ArrayRef<int64_t> maxContiguous) {
  auto listOf = [&](ArrayRef<int64_t> list) {
    return list.empty() ? mlir::DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(list);
  };
  build(builder, state, source.getType(), source, listOf(multipleOf), listOf(maxContiguous));
}

/// Checks one list of a hint, which may be absent.
static LogicalResult verifyHintList(HintOp op, StringRef name, std::optional<ArrayRef<int64_t>> list) {
  if (!list)
    return success();
  const size_t axes = std::max<size_t>(shapeOf(op.getType()).size(), 1);
  if (list->size() != axes) // hint_c2
    return op.emitOpError("expected `") << name << "` to have " << axes << " entries, got " << list->size();
  for (int64_t entry : *list)
    if (entry < 1) // hint_c3
      return op.emitOpError("expected entries of `") << name << "` to be at least 1, got " << entry;
  return success();
}

LogicalResult HintOp::verify() {
  if (!getMultipleOf() && !getMaxContiguous()) // hint_c4
    return emitOpError("expected `multiple_of` or `max_contiguous`, got neither");
  return failure(failed(verifyHintList(*this, "multiple_of", getMultipleOf())) ||
                 failed(verifyHintList(*this, "max_contiguous", getMaxContiguous())));
}

} // namespace tessera::ir::tile
