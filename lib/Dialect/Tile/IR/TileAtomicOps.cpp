//===- TileAtomicOps.cpp - atomic access through pointers ------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Dialect/Tile/IR/MaskForms.h"
#include "Dialect/Tile/IR/Verify.h"

namespace tessera::ir::tile {

/// The element that the pointers \p ptr point to.
static Type pointeeElement(Value ptr) { return elementOf(pointeeOf(ptr.getType())); }

/// i1 is a byte of which one bit counts: no atomic access has a meaning for it.
static LogicalResult verifyNotBool(Operation *op, Value ptr) {
  if (!pointeeElement(ptr).isInteger(1))
    return success();
  return op->emitOpError("expected elements of at least 8 bits, got i1");
}

/// Fills \p state with the operands of an atomic access.
static void addAccess(OperationState &state, ValueRange operands, Value mask) {
  state.addOperands(operands);
  if (mask)
    state.addOperands(mask);
}

//===----------------------------------------------------------------------===//
// tile.atomic_rmw
//===----------------------------------------------------------------------===//

void AtomicRMWOp::build(OpBuilder &builder, OperationState &state, AtomicKind kind, MemoryOrder order,
                        MemoryScope scope, Value ptr, Value value, Value mask) {
  addAccess(state, {ptr, value}, mask);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.kind = AtomicKindAttr::get(builder.getContext(), kind);
  properties.order = MemoryOrderAttr::get(builder.getContext(), order);
  properties.scope = MemoryScopeAttr::get(builder.getContext(), scope);
  state.addTypes(pointeeOf(ptr.getType()));
}

LogicalResult AtomicRMWOp::verify() { // atomic_rmw_c3
  const Type element = pointeeElement(getPtr());
  if (failed(verifyNotBool(*this, getPtr())))
    return failure();
  switch (getKind()) {
  case AtomicKind::Xchg:
    return success();
  case AtomicKind::FAdd:
  case AtomicKind::FSub:
  case AtomicKind::FMin:
  case AtomicKind::FMax:
    if (isa<FloatType>(element))
      return success();
    return emitOpError("expected floats for `") << stringifyAtomicKind(getKind()) << "`, got " << element;
  default:
    if (isa<IntegerType>(element))
      return success();
    return emitOpError("expected integers for `") << stringifyAtomicKind(getKind()) << "`, got " << element;
  }
}

void AtomicRMWOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DropTrueMask<AtomicRMWOp>, DropFalseAccess<AtomicRMWOp>>(context);
}

//===----------------------------------------------------------------------===//
// tile.atomic_cas
//===----------------------------------------------------------------------===//

void AtomicCASOp::build(OpBuilder &builder, OperationState &state, MemoryOrder order, MemoryScope scope, Value ptr,
                        Value expected, Value desired, Value mask) {
  addAccess(state, {ptr, expected, desired}, mask);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.order = MemoryOrderAttr::get(builder.getContext(), order);
  properties.scope = MemoryScopeAttr::get(builder.getContext(), scope);
  state.addTypes(pointeeOf(ptr.getType()));
}

LogicalResult AtomicCASOp::verify() { return verifyNotBool(*this, getPtr()); } // atomic_cas_c3

void AtomicCASOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DropTrueMask<AtomicCASOp>, DropFalseAccess<AtomicCASOp>>(context);
}

//===----------------------------------------------------------------------===//
// tile.atomic_load, tile.atomic_store
//===----------------------------------------------------------------------===//

void AtomicLoadOp::build(OpBuilder &builder, OperationState &state, MemoryOrder order, MemoryScope scope, Value ptr,
                         Value mask) {
  addAccess(state, ptr, mask);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.order = MemoryOrderAttr::get(builder.getContext(), order);
  properties.scope = MemoryScopeAttr::get(builder.getContext(), scope);
  state.addTypes(pointeeOf(ptr.getType()));
}

LogicalResult AtomicLoadOp::verify() {
  if (getOrder() != MemoryOrder::Relaxed && getOrder() != MemoryOrder::Acquire) // atomic_load_c3
    return emitOpError("expected order `relaxed` or `acquire`, got `") << stringifyMemoryOrder(getOrder()) << "`";
  return verifyNotBool(*this, getPtr()); // atomic_load_c4
}

void AtomicLoadOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DropTrueMask<AtomicLoadOp>, DropFalseAccess<AtomicLoadOp>>(context);
}

void AtomicStoreOp::build(OpBuilder &builder, OperationState &state, MemoryOrder order, MemoryScope scope, Value ptr,
                          Value value, Value mask) {
  addAccess(state, {ptr, value}, mask);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.order = MemoryOrderAttr::get(builder.getContext(), order);
  properties.scope = MemoryScopeAttr::get(builder.getContext(), scope);
}

LogicalResult AtomicStoreOp::verify() {
  if (getOrder() != MemoryOrder::Relaxed && getOrder() != MemoryOrder::Release) // atomic_store_c3
    return emitOpError("expected order `relaxed` or `release`, got `") << stringifyMemoryOrder(getOrder()) << "`";
  return verifyNotBool(*this, getPtr()); // atomic_store_c4
}

void AtomicStoreOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DropTrueMask<AtomicStoreOp>, DropFalseAccess<AtomicStoreOp>>(context);
}

} // namespace tessera::ir::tile
