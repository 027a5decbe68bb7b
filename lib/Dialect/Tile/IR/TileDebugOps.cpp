//===- TileDebugOps.cpp - printing, checking and target assembly -----===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Dialect/Tile/IR/Constants.h"
#include "Dialect/Tile/IR/Verify.h"

#include "llvm/Support/MathExtras.h"

namespace tessera::ir::tile {

//===----------------------------------------------------------------------===//
// tile.print, tile.assert
//===----------------------------------------------------------------------===//

LogicalResult PrintOp::verify() {
  const size_t count = getValues().size();
  Value first; // tile among the values
  for (const auto [index, value] : llvm::enumerate(getValues())) {
    if (isElement(value.getType()))
      continue;
    if (first && shapeOf(value.getType()) != shapeOf(first.getType())) // print_c1
      return emitOpError("expected all tiles to have one shape, got ")
             << shapeText(shapeOf(first.getType())) << " and " << shapeText(shapeOf(value.getType())) << " for value "
             << index;
    first = first ? first : value;
  }
  if (Value pred = getPred();
      pred && first && !isElement(pred.getType()) && shapeOf(first.getType()) != shapeOf(pred.getType())) // print_c1
    return emitOpError("expected `pred` to have the shape of every tile, got ")
           << shapeText(shapeOf(pred.getType())) << " and " << shapeText(shapeOf(first.getType()));
  if (getNames() && getNames()->size() != count) // print_c2
    return emitOpError("expected one name for each of ") << count << " values, got " << getNames()->size();
  if (getIsUnsigned() && getIsUnsigned()->size() != count) // print_c3
    return emitOpError("expected one entry of `unsigned` for each of ")
           << count << " values, got " << getIsUnsigned()->size();
  return success();
}

LogicalResult PrintOp::canonicalize(PrintOp op, PatternRewriter &rewriter) {
  Attribute pred = constantOf(op.getPred());
  if (isAllFalse(pred)) {
    rewriter.eraseOp(op);
    return success();
  }
  if (!isAllTrue(pred))
    return rewriter.notifyMatchFailure(op, "predicate is not known");
  rewriter.modifyOpInPlace(op, [&] { op.getPredMutable().clear(); });
  return success();
}

LogicalResult AssertOp::canonicalize(AssertOp op, PatternRewriter &rewriter) {
  if (!isAllTrue(constantOf(op.getCondition())))
    return rewriter.notifyMatchFailure(op, "condition is not known to be true everywhere");
  rewriter.eraseOp(op);
  return success();
}

//===----------------------------------------------------------------------===//
// tile.inline_asm
//===----------------------------------------------------------------------===//

/// Whether \p body is a dictionary of exactly the strings `asm` and `constraints`.
static bool isAsmBody(Attribute body) {
  auto dictionary = dyn_cast<DictionaryAttr>(body);
  return dictionary && dictionary.size() == 2 && dictionary.getAs<StringAttr>("asm") &&
         dictionary.getAs<StringAttr>("constraints");
}

LogicalResult InlineAsmOp::verify() {
  if (getBodies().empty()) // inline_asm_c1
    return emitOpError("expected a body for at least one target, got none");
  for (NamedAttribute body : getBodies())
    if (!isAsmBody(body.getValue())) // inline_asm_c1
      return emitOpError("expected the body for `")
             << body.getName().getValue() << "` to hold exactly the strings `asm` and `constraints`, got "
             << body.getValue();
  if (!llvm::isPowerOf2_32(getPack()) || static_cast<int32_t>(getPack()) < 1) // inline_asm_c2
    return emitOpError("expected `pack` to be a power of two, got ") << static_cast<int32_t>(getPack());
  SmallVector<Type> types((*this)->getOperandTypes());
  llvm::append_range(types, (*this)->getResultTypes());
  for (Type type : types)
    if (shapeOf(type) != shapeOf(types.front())) // inline_asm_c3
      return emitOpError("expected operands and results of one shape, got ")
             << shapeText(shapeOf(types.front())) << " and " << shapeText(shapeOf(type));
  if (getPure() && getNumResults() == 0) // inline_asm_c4
    return emitOpError("expected results with `pure`, got none");
  return success();
}

void InlineAsmOp::getEffects(SmallVectorImpl<mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>> &effects) {
  if (getPure())
    return;
  effects.emplace_back(mlir::MemoryEffects::Read::get());
  effects.emplace_back(mlir::MemoryEffects::Write::get());
}

} // namespace tessera::ir::tile
