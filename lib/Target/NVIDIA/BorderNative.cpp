//===- BorderNative.cpp - instructions by their names ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/NVIDIA/Border.h"
#include "Target/NVIDIA/PtxStatement.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/IR/Constants.h"

namespace tessera::ir::nvidia {

static bool isGroup(llvm::Type *type) { return type->isVectorTy() || type->isStructTy(); }

/// The registers of a group, or the value alone.
static llvm::SmallVector<llvm::Type *> typesIn(llvm::Type *type) {
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    return llvm::SmallVector<llvm::Type *>(vector->getNumElements(), vector->getElementType());
  if (auto *record = llvm::dyn_cast<llvm::StructType>(type))
    return llvm::SmallVector<llvm::Type *>(record->elements());
  return {type};
}

static llvm::Value *elementOf(llvm::IRBuilderBase &b, llvm::Value *group, unsigned number) {
  return group->getType()->isVectorTy() ? b.CreateExtractElement(group, number) : b.CreateExtractValue(group, number);
}

Lowered lowerNative(const BorderCall &call) {
  llvm::IRBuilderBase &b = call.b;
  llvm::Type *type = call.call.getType();
  const auto fits = [&](llvm::Type *each) { return registerClass(each, call.layout()) != 0; };
  if (!type->isVoidTy() && !llvm::all_of(typesIn(type), fits))
    return llvm::createStringError("no registers hold its result");
  PtxStatement statement(b, call.layout());
  statement.text(call.callee.instruction);
  // Conversions of packed numbers take no literals.
  const bool convertsRegisters = llvm::StringRef(call.callee.instruction).starts_with("cvt.");
  const char *separator = " ";
  if (!type->isVoidTy()) {
    statement.text(separator);
    const auto add = [&](llvm::Type *each) { statement.result(each); };
    isGroup(type) ? (void)statement.group(typesIn(type), add) : add(type);
    separator = ", ";
  }
  for (llvm::Value *operand : call.call.args()) {
    statement.text(separator);
    separator = ", ";
    const llvm::SmallVector<llvm::Type *> types = typesIn(operand->getType());
    if (!llvm::all_of(types, fits))
      return llvm::createStringError("no registers hold one of its operands");
    if (operand->getType()->isPointerTy())
      statement.address(operand);
    else if (isGroup(operand->getType()))
      statement.group(llvm::seq<unsigned>(0, types.size()),
                      [&](unsigned number) { statement.reg(elementOf(b, operand, number)); });
    else if (convertsRegisters)
      statement.reg(operand);
    else
      statement.operand(operand);
  }
  const llvm::SmallVector<llvm::Value *> results =
      statement.emit({.touchesMemory = !call.call.doesNotAccessMemory(), .isConvergent = call.call.isConvergent()});
  if (type->isVoidTy())
    return nullptr;
  if (!isGroup(type))
    return results[0];
  llvm::Value *group = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i != results.size(); ++i)
    group =
        type->isVectorTy() ? b.CreateInsertElement(group, results[i], i) : b.CreateInsertValue(group, results[i], i);
  return group;
}

} // namespace tessera::ir::nvidia
