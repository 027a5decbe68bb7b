//===- Native.cpp - instructions by their names ---------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/AMD/Border.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Intrinsics.h"

namespace tessera::ir::amd {

Lowered lowerNative(const BorderCall &call) {
  const std::string name = "llvm.amdgcn." + call.callee.instruction;
  const llvm::Intrinsic::ID id = llvm::Intrinsic::lookupIntrinsicID(name);
  if (id == llvm::Intrinsic::not_intrinsic)
    return llvm::createStringError("LLVM has no intrinsic `%s`", name.c_str());
  llvm::SmallVector<llvm::Type *> open;
  if (!llvm::Intrinsic::getIntrinsicSignature(id, call.call.getFunctionType(), open))
    return llvm::createStringError("its types are not those of `%s`", name.c_str());
  llvm::Function *const intrinsic = llvm::Intrinsic::getOrInsertDeclaration(call.call.getModule(), id, open);
  for (const llvm::Argument &argument : intrinsic->args())
    if (argument.hasAttribute(llvm::Attribute::ImmArg) && !llvm::isa<llvm::Constant>(call.operand(argument.getArgNo())))
      return llvm::createStringError("operand %u must be a constant", argument.getArgNo());
  llvm::SmallVector<llvm::Value *> operands(call.call.args());
  llvm::CallInst *const made = call.b.CreateCall(intrinsic, operands);
  return made->getType()->isVoidTy() ? nullptr : made;
}

} // namespace tessera::ir::amd
