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

/// What products of groups of warps do with the operand that they take and give in the same registers.
enum class Carried {
  None,
  First,  ///< the first operand is the accumulator, written once
  Silent, ///< accumulators are not written at all, but wait with the instruction
};

static Carried carriedBy(llvm::StringRef instruction) {
  if (!instruction.consume_front("wgmma."))
    return Carried::None;
  return instruction.starts_with("mma_async.") ? Carried::First : Carried::Silent;
}

/// A copy of a box: its descriptor and the coordinates behind it are one address, `[map, {x, y}]`.
static llvm::Value *lowerTensorCopy(const BorderCall &call) {
  PtxStatement statement(call.b, call.layout());
  statement.text(call.callee.instruction);
  const char *separator = " ";
  const unsigned count = call.call.arg_size();
  for (unsigned number = 0; number != count; ++number) {
    llvm::Value *operand = call.operand(number);
    statement.text(separator);
    separator = ", ";
    if (!operand->getType()->isPointerTy()) {
      statement.reg(operand); // how to use the cache, which takes no literal
    } else if (operand->getType()->getPointerAddressSpace() != 0) {
      statement.address(operand);
    } else {
      statement.text("[").reg(operand).text(", ");
      unsigned end = number + 1;
      while (end != count && call.operand(end)->getType()->isIntegerTy(32))
        ++end;
      statement.group(llvm::seq(number + 1, end), [&](unsigned at) { statement.reg(call.operand(at)); });
      statement.text("]");
      number = end - 1;
    }
  }
  statement.emit({.touchesMemory = true, .isConvergent = call.call.isConvergent()});
  return nullptr;
}

Lowered lowerNative(const BorderCall &call) {
  if (llvm::StringRef(call.callee.instruction).starts_with("cp.async.bulk.tensor."))
    return lowerTensorCopy(call);
  llvm::IRBuilderBase &b = call.b;
  llvm::Type *type = call.call.getType();
  const Carried carried = type->isVoidTy() ? Carried::None : carriedBy(call.callee.instruction);
  const auto fits = [&](llvm::Type *each) { return registerClass(each, call.layout()) != 0; };
  if (!type->isVoidTy() && !llvm::all_of(typesIn(type), fits))
    return llvm::createStringError("no registers hold its result");
  PtxStatement statement(b, call.layout());
  statement.text(call.callee.instruction);
  // Conversions of packed numbers take no literals.
  const bool convertsRegisters = llvm::StringRef(call.callee.instruction).starts_with("cvt.");
  const char *separator = " ";
  auto operands = llvm::make_range(call.call.arg_begin(), call.call.arg_end());
  if (carried == Carried::First) {
    llvm::Value *acc = *operands.begin();
    statement.text(separator).group(llvm::seq<unsigned>(0, typesIn(type).size()), [&](unsigned number) {
      llvm::Value *before = elementOf(b, acc, number);
      statement.result(before->getType(), before);
    });
    separator = ", ";
    operands = llvm::drop_begin(operands);
  } else if (carried == Carried::None && !type->isVoidTy()) {
    statement.text(separator);
    const auto add = [&](llvm::Type *each) { statement.result(each); };
    isGroup(type) ? (void)statement.group(typesIn(type), add) : add(type);
    separator = ", ";
  }
  for (llvm::Value *operand : operands) {
    if (carried == Carried::Silent && isGroup(operand->getType())) {
      for (unsigned number : llvm::seq<unsigned>(0, typesIn(type).size()))
        statement.carry(elementOf(b, operand, number));
      continue;
    }
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
