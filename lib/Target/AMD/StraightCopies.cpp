//===- StraightCopies.cpp - copies from memory straight to LDS ------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  copy_to_shared.v4i32(%p, %mask, %s);  copy_wait(2);  barrier.shared();  %x = load %t
// After:   global.load.lds(mask ? %p : zeros, %s, 16), alias.scope;  s.waitcnt vmcnt(2);
//          s.waitcnt lgkmcnt(0);  s.barrier;  %x = load %t, noalias
//
// The chip counts accesses of memory of a wave, and they end in order, so that what is left of others only makes a wait
// longer. LLVM knows neither the rounds of a ring nor that barriers stand between copies and what reads them: left
// alone, it waits for all copies wherever shared memory is read. It is told that nothing which reads or writes shared
// memory meets a copy that is under way, as the barriers see to.
//
//===---------------------------------------------------------------------===//

#include "Target/AMD/Border.h"
#include "Target/AMD/Products.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Metadata.h"

namespace tessera::ir::amd {

namespace {

/// As many zeros as a lane copies at most, where all lanes can read them.
llvm::Value *zerosOf(llvm::Module &module) {
  constexpr llvm::StringLiteral kName{"tessera.zeros"};
  constexpr unsigned kConstantSpace = 4, kWords = 4;
  llvm::LLVMContext &context = module.getContext();
  llvm::GlobalVariable *zeros = module.getNamedGlobal(kName);
  if (!zeros) {
    auto *const type = llvm::ArrayType::get(llvm::Type::getInt32Ty(context), kWords);
    zeros = new llvm::GlobalVariable(module, type, /*isConstant=*/true, llvm::GlobalValue::InternalLinkage,
                                     llvm::Constant::getNullValue(type), kName, /*InsertBefore=*/nullptr,
                                     llvm::GlobalValue::NotThreadLocal, kConstantSpace);
    zeros->setAlignment(llvm::Align(4 * kWords));
  }
  return llvm::ConstantExpr::getAddrSpaceCast(zeros, llvm::PointerType::get(context, border::kGlobalSpace));
}

bool isCopy(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call && (call->getIntrinsicID() == llvm::Intrinsic::amdgcn_global_load_lds ||
                  call->getIntrinsicID() == llvm::Intrinsic::amdgcn_raw_ptr_buffer_load_lds);
}

bool touchesShared(const llvm::Instruction &instruction) {
  if (readsColumns(instruction))
    return true;
  const auto isShared = [](const llvm::Value *pointer) {
    return pointer->getType()->getPointerAddressSpace() == border::kSharedSpace;
  };
  if (const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction))
    return isShared(pointer);
  if (const auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return isShared(update->getPointerOperand());
  const auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction);
  return exchange && isShared(exchange->getPointerOperand());
}

} // namespace

Lowered lowerCopy(const BorderCall &call) {
  llvm::IRBuilderBase &b = call.b;
  llvm::Value *from = call.operand(0);
  if (!gpu::isTrue(call.operand(1)))
    from = b.CreateSelect(call.operand(1), from, zerosOf(*call.call.getModule()));
  b.CreateIntrinsic(b.getVoidTy(), llvm::Intrinsic::amdgcn_global_load_lds,
                    {from, call.operand(2), b.getInt32(call.callee.type.bytes()), b.getInt32(0), b.getInt32(0)});
  return nullptr;
}

Lowered lowerCopyWait(const BorderCall &call, const Waits &waits) {
  const auto *kept = llvm::dyn_cast<llvm::ConstantInt>(call.operand(0));
  if (!kept)
    return llvm::createStringError("how many copies may be left must be a constant");
  waits.forCopies(call.b, kept->getZExtValue());
  return nullptr;
}

bool hasCopies(const llvm::Module &module) {
  return llvm::any_of(module, [](const llvm::Function &function) {
    const std::optional<border::Callee> callee = border::parse(function.getName());
    return callee && callee->function == border::Function::CopyToShared && !function.use_empty();
  });
}

void separateCopies(llvm::Function &function) {
  llvm::MDBuilder words(function.getContext());
  llvm::MDNode *const domain = words.createAnonymousAliasScopeDomain("shared memory");
  llvm::MDNode *const scopes =
      llvm::MDNode::get(function.getContext(), {words.createAnonymousAliasScope(domain, "copies")});
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block)
      if (isCopy(instruction))
        instruction.setMetadata(llvm::LLVMContext::MD_alias_scope, scopes);
      else if (touchesShared(instruction))
        instruction.setMetadata(llvm::LLVMContext::MD_noalias, scopes);
}

} // namespace tessera::ir::amd
