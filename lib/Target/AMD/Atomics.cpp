//===- Atomics.cpp - atomics become LLVM's --------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/AMD/Border.h"

#include "llvm/IR/Constants.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace tessera::ir::amd {

using border::Atomic;
using border::Function;
using border::Order;

namespace {

llvm::AtomicOrdering orderingOf(Order order) {
  switch (order) {
  case Order::Relaxed:
    return llvm::AtomicOrdering::Monotonic;
  case Order::Acquire:
    return llvm::AtomicOrdering::Acquire;
  case Order::Release:
    return llvm::AtomicOrdering::Release;
  case Order::AcqRel:
    return llvm::AtomicOrdering::AcquireRelease;
  }
  return llvm::AtomicOrdering::AcquireRelease;
}

llvm::SyncScope::ID scopeOf(llvm::LLVMContext &context, border::Scope scope) {
  switch (scope) {
  case border::Scope::Block:
    return context.getOrInsertSyncScopeID("workgroup");
  case border::Scope::Device:
    return context.getOrInsertSyncScopeID("agent");
  case border::Scope::System:
    break;
  }
  return llvm::SyncScope::System;
}

llvm::AtomicRMWInst::BinOp operationOf(Atomic atomic) {
  using enum llvm::AtomicRMWInst::BinOp;
  static constexpr llvm::AtomicRMWInst::BinOp kOperations[] = {Add, FAdd, Min, Max, UMin, UMax, And, Or, Xor, Xchg};
  return kOperations[static_cast<std::size_t>(atomic)];
}

/// What \p make gives where \p mask is true, and zero elsewhere; null if it gives nothing.
template <class Make> llvm::Value *whereTrue(const BorderCall &call, llvm::Value *mask, Make make) {
  llvm::IRBuilderBase &b = call.b;
  if (gpu::isTrue(mask))
    return make(b);
  llvm::BasicBlock *const head = call.call.getParent();
  llvm::IRBuilder<> inside(llvm::SplitBlockAndInsertIfThen(mask, call.call.getIterator(), /*Unreachable=*/false));
  inside.SetCurrentDebugLocation(call.call.getDebugLoc());
  llvm::Value *const value = make(inside);
  if (!value)
    return nullptr;
  llvm::BasicBlock *const tail = call.call.getParent();
  llvm::PHINode *const merged = llvm::PHINode::Create(value->getType(), 2, "", tail->begin());
  merged->addIncoming(value, inside.GetInsertBlock());
  merged->addIncoming(llvm::Constant::getNullValue(value->getType()), head);
  return merged;
}

llvm::Value *readModifyWrite(const BorderCall &call, llvm::IRBuilderBase &b) {
  const border::Callee &callee = call.callee;
  llvm::AtomicRMWInst *const update =
      b.CreateAtomicRMW(operationOf(callee.atomic), call.operand(0), call.operand(1), llvm::Align(callee.type.bytes()),
                        orderingOf(callee.order), scopeOf(b.getContext(), callee.scope));
  // What only this device updates lies in its own memory, or is not shared while the kernel runs.
  if (callee.scope != border::Scope::System)
    for (const char *promise : {"amdgpu.no.fine.grained.memory", "amdgpu.no.remote.memory"})
      update->setMetadata(promise, llvm::MDNode::get(b.getContext(), {}));
  return update;
}

llvm::Value *compareAndSwap(const BorderCall &call, llvm::IRBuilderBase &b) {
  const border::Callee &callee = call.callee;
  const llvm::AtomicOrdering ordering = orderingOf(callee.order);
  llvm::AtomicCmpXchgInst *const swap = b.CreateAtomicCmpXchg(
      call.operand(0), call.operand(1), call.operand(2), llvm::Align(callee.type.bytes()), ordering,
      llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(ordering), scopeOf(b.getContext(), callee.scope));
  return b.CreateExtractValue(swap, 0);
}

// A load releases nothing, a store acquires nothing.

llvm::Value *atomicLoad(const BorderCall &call, llvm::IRBuilderBase &b) {
  const border::Callee &callee = call.callee;
  llvm::LoadInst *const load =
      b.CreateAlignedLoad(call.call.getType(), call.operand(0), llvm::Align(callee.type.bytes()));
  load->setAtomic(callee.order == Order::Relaxed ? llvm::AtomicOrdering::Monotonic : llvm::AtomicOrdering::Acquire,
                  scopeOf(b.getContext(), callee.scope));
  return load;
}

llvm::Value *atomicStore(const BorderCall &call, llvm::IRBuilderBase &b) {
  const border::Callee &callee = call.callee;
  llvm::StoreInst *const store =
      b.CreateAlignedStore(call.operand(1), call.operand(0), llvm::Align(callee.type.bytes()));
  store->setAtomic(callee.order == Order::Relaxed ? llvm::AtomicOrdering::Monotonic : llvm::AtomicOrdering::Release,
                   scopeOf(b.getContext(), callee.scope));
  return nullptr;
}

} // namespace

Lowered lowerAtomic(const BorderCall &call, const Waits &waits) {
  const border::AccessType type = call.callee.type;
  if (type.lanes != 1 || (!type.isFloat() && type.bits() != 32 && type.bits() != 64))
    return llvm::createStringError("the chip has no such atomic instruction");
  const Order order = call.callee.order;
  if (call.callee.function != Function::AtomicLoad && (order == Order::Release || order == Order::AcqRel))
    waits.forAll(call.b);
  switch (call.callee.function) {
  case Function::Atomic:
    return whereTrue(call, call.operand(2), [&](auto &b) { return readModifyWrite(call, b); });
  case Function::AtomicCas:
    return whereTrue(call, call.operand(3), [&](auto &b) { return compareAndSwap(call, b); });
  case Function::AtomicLoad:
    return whereTrue(call, call.operand(1), [&](auto &b) { return atomicLoad(call, b); });
  default:
    return whereTrue(call, call.operand(2), [&](auto &b) { return atomicStore(call, b); });
  }
}

} // namespace tessera::ir::amd
