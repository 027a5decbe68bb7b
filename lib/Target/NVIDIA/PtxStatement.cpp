//===- PtxStatement.cpp - one instruction of PTX inside LLVM IR -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// In LLVM's notation results come first, so the places of operands are known at the end only: until then an operand is
// written as a byte that no PTX has, followed by its number.
//
//===---------------------------------------------------------------------===//

#include "Target/NVIDIA/PtxStatement.h"

#include "llvm/IR/InlineAsm.h"

#include <fmt/format.h>

namespace tessera::ir::nvidia {

static constexpr char kInputMark = '\x01';

char registerClass(llvm::Type *type, const llvm::DataLayout &layout) {
  if (type->isFloatTy())
    return 'f';
  if (type->isDoubleTy())
    return 'd';
  const bool isWord = type->isIntegerTy() || type->isPointerTy() || type->isHalfTy() || type->isBFloatTy();
  switch (isWord ? layout.getTypeSizeInBits(type).getFixedValue() : 0) {
  case 1:
    return 'b';
  case 16:
    return 'h';
  case 32:
    return 'r';
  case 64:
    return 'l';
  default:
    return 0;
  }
}

void PtxStatement::input(llvm::Value *value) {
  body += fmt::format("{}{}{}", kInputMark, inputs.size(), kInputMark);
  inputs.push_back(value);
}

void PtxStatement::predicate(llvm::Value *condition) {
  if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(condition); constant && constant->isOne())
    return;
  text("@");
  input(condition);
  text(" ");
}

PtxStatement &PtxStatement::result(llvm::Type *type, llvm::Value *otherwise) {
  reference(resultTypes.size());
  addResult(type, otherwise);
  return *this;
}

PtxStatement &PtxStatement::carry(llvm::Value *value) {
  addResult(value->getType(), value);
  return *this;
}

void PtxStatement::addResult(llvm::Type *type, llvm::Value *before) {
  resultTypes.push_back(type);
  ties.push_back(before && !llvm::isa<llvm::UndefValue>(before) ? before : nullptr);
}

PtxStatement &PtxStatement::operand(llvm::Value *value) {
  auto *constant = llvm::dyn_cast<llvm::ConstantInt>(value);
  if (constant && constant->getBitWidth() > 1)
    return text(fmt::format("{}", constant->getSExtValue()));
  input(value);
  return *this;
}

PtxStatement &PtxStatement::address(llvm::Value *pointer) {
  // What instructions have room for; ptxas would add a larger constant beforehand anyway.
  static constexpr std::int64_t kMaxOffset = (1 << 23) - 1;
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  llvm::Value *base = pointer->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  std::int64_t bytes = offset.getSExtValue();
  if (bytes < -kMaxOffset || bytes > kMaxOffset || base->getType() != pointer->getType()) {
    base = pointer;
    bytes = 0;
  }
  text("[");
  input(base);
  return text(bytes == 0 ? std::string("]") : fmt::format(" + {}]", bytes));
}

llvm::SmallVector<llvm::Value *> PtxStatement::emit(const PtxEffects &effects) {
  const std::size_t results = resultTypes.size();
  std::string constraints, statement;
  llvm::SmallVector<llvm::Value *> operands;
  const auto constrain = [&](const std::string &words) { constraints += (constraints.empty() ? "" : ",") + words; };
  for (llvm::Type *type : resultTypes)
    constrain(fmt::format("={}", registerClass(type, layout)));
  for (llvm::Value *value : inputs) {
    constrain(std::string(1, registerClass(value->getType(), layout)));
    operands.push_back(value);
  }
  for (std::size_t i = 0; i != results; ++i)
    if (ties[i]) {
      constrain(fmt::format("{}", i));
      operands.push_back(ties[i]);
    }
  if (effects.touchesMemory)
    constrain("~{memory}");

  for (llvm::StringRef rest = body; !rest.empty();) {
    const auto [words, behind] = rest.split(kInputMark);
    statement += words;
    std::size_t number = 0;
    rest = behind;
    if (!rest.empty() && !rest.consumeInteger(10, number)) {
      statement += fmt::format("${}", results + number);
      rest.consume_front(llvm::StringRef(&kInputMark, 1));
    }
  }
  statement += ";";

  llvm::SmallVector<llvm::Type *> operandTypes;
  for (llvm::Value *value : operands)
    operandTypes.push_back(value->getType());
  llvm::Type *type = results == 0   ? b.getVoidTy()
                     : results == 1 ? resultTypes[0]
                                    : llvm::StructType::get(b.getContext(), resultTypes);
  auto *assembly = llvm::InlineAsm::get(llvm::FunctionType::get(type, operandTypes, false), statement, constraints,
                                        /*hasSideEffects=*/effects.touchesMemory);
  llvm::CallInst *call = b.CreateCall(assembly, operands);
  call->setDoesNotThrow();
  if (effects.isConvergent)
    call->setConvergent();
  if (!effects.touchesMemory)
    call->setDoesNotAccessMemory();
  if (results == 0)
    return {};
  if (results == 1)
    return {call};
  llvm::SmallVector<llvm::Value *> values;
  for (unsigned i = 0; i != results; ++i)
    values.push_back(b.CreateExtractValue(call, i));
  return values;
}

} // namespace tessera::ir::nvidia
