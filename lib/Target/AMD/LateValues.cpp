//===- LateValues.cpp - loops compute what they cannot keep ---------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  %m = icmp slt i32 %row, -32        After:  loop: %r = asm "", %row
//          loop: %a = select i1 %m, …                 %m = icmp slt i32 %r, -32
//                                                      %a = select i1 %m, …
//
// Masks, and multiples of strides, take scalar registers, one or two each. Where a loop has more of them than there are
// registers they wait in the lanes of vector registers, and bringing one back takes as much as making it anew, where
// many are made of one number and constants. The number is what the loop must not see to be the same in every round,
// or LLVM makes them before the loop again.
//
//===---------------------------------------------------------------------===//

#include "Target/AMD/Codegen.h"
#include "Target/Gpu/EmitCode.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Local.h"

namespace tessera::ir::amd {

namespace {

/// So many values from before a loop stay in scalar registers.
constexpr std::size_t kFew = 16;
/// So many values made of one number are many.
constexpr unsigned kMany = 8;

class LateValues {
public:
  LateValues(const llvm::LoopInfo &loops, const llvm::UniformityInfo &uniformity) : uniformity(uniformity) {
    for (llvm::Loop *loop : loops.getLoopsInPreorder())
      if (loop->isInnermost())
        collect(*loop);
  }

  void run() {
    for (auto &[loop, uses] : usesOf)
      if (valuesOf(uses) > kFew)
        for (llvm::Use *use : uses)
          makeAnew(*loop, *use);
    for (const llvm::WeakVH &value : replaced)
      if (value)
        llvm::RecursivelyDeleteTriviallyDeadInstructions(value);
  }

private:
  using Uses = llvm::SmallVector<llvm::Use *, 0>;

  /// Whether \p value is one that scalar registers hold, made of a number and a constant: a mask, or a multiple of what
  /// all lanes share.
  bool isOfNumber(const llvm::Value *value) const {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || instruction->getNumOperands() != 2 ||
        !llvm::isa<llvm::ConstantInt>(instruction->getOperand(1)) ||
        llvm::isa<llvm::Constant>(instruction->getOperand(0)))
      return false;
    if (llvm::isa<llvm::ICmpInst>(instruction))
      return true;
    const unsigned opcode = instruction->getOpcode();
    return (opcode == llvm::Instruction::Mul || opcode == llvm::Instruction::Shl) &&
           uniformity.isUniform(instruction->getOperand(0));
  }
  /// Whether many are made of the number that \p value is made of.
  bool isOneOfMany(const llvm::Value *value) {
    if (!isOfNumber(value))
      return false;
    const llvm::Value *number = llvm::cast<llvm::Instruction>(value)->getOperand(0);
    const auto [known, isNew] = made.try_emplace(number, 0u);
    if (isNew)
      known->second = static_cast<unsigned>(
          llvm::count_if(number->users(), [&](const llvm::User *user) { return isOfNumber(user); }));
    return known->second >= kMany;
  }
  /// Whether \p value is from before \p loop and cheap: one of many, or what a bit operation makes of such masks.
  bool isCheap(const llvm::Loop &loop, const llvm::Value *value) {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || loop.contains(instruction))
      return false;
    if (isOneOfMany(value))
      return true;
    auto *both = llvm::dyn_cast<llvm::BinaryOperator>(instruction);
    return both && value->getType()->isIntegerTy(1) && both->isBitwiseLogicOp() && isCheap(loop, both->getOperand(0)) &&
           isCheap(loop, both->getOperand(1));
  }

  void collect(llvm::Loop &loop) {
    for (llvm::BasicBlock *block : loop.blocks())
      for (llvm::Instruction &instruction : *block)
        for (llvm::Use &use : instruction.operands())
          if (!llvm::isa<llvm::PHINode>(instruction) && isCheap(loop, use.get()))
            usesOf[&loop].push_back(&use);
  }
  static std::size_t valuesOf(const Uses &uses) {
    llvm::SmallPtrSet<llvm::Value *, 32> values;
    for (const llvm::Use *use : uses)
      values.insert(use->get());
    return values.size();
  }

  /// \p number as \p loop sees it, once for all that is made of it.
  llvm::Value *hidden(llvm::Loop &loop, llvm::Value *number) {
    llvm::Value *&inside = numbers[{&loop, number}];
    if (!inside) {
      llvm::BasicBlock *const header = loop.getHeader();
      llvm::IRBuilder<> b(header, header->getFirstInsertionPt());
      auto *type = llvm::FunctionType::get(number->getType(), {number->getType()}, /*isVarArg=*/false);
      const char *const registers = uniformity.isUniform(number) ? "=s,0" : "=v,0";
      llvm::CallInst *const copy =
          b.CreateCall(llvm::InlineAsm::get(type, "", registers, /*hasSideEffects=*/false), {number});
      copy->setConvergent(); // not to be moved out of the loop
      copy->setDoesNotAccessMemory();
      inside = copy;
    }
    return inside;
  }

  llvm::Value *copyOf(llvm::Loop &loop, llvm::Instruction &value, llvm::Instruction &user) {
    llvm::Instruction *const copy = value.clone();
    if (isOfNumber(&value))
      copy->setOperand(0, hidden(loop, value.getOperand(0)));
    else
      for (llvm::Use &operand : copy->operands())
        operand.set(copyOf(loop, *llvm::cast<llvm::Instruction>(operand.get()), user));
    copy->insertBefore(user.getIterator());
    return copy;
  }

  void makeAnew(llvm::Loop &loop, llvm::Use &use) {
    auto *const value = llvm::cast<llvm::Instruction>(use.get());
    use.set(copyOf(loop, *value, *llvm::cast<llvm::Instruction>(use.getUser())));
    replaced.emplace_back(value);
  }

  const llvm::UniformityInfo &uniformity;
  llvm::MapVector<llvm::Loop *, Uses> usesOf;
  llvm::DenseMap<const llvm::Value *, unsigned> made; ///< of a number
  llvm::DenseMap<std::pair<llvm::Loop *, llvm::Value *>, llvm::Value *> numbers;
  llvm::SmallVector<llvm::WeakVH> replaced;
};

} // namespace

void computeLate(llvm::Function &function, llvm::TargetMachine &machine) {
  gpu::analyse(machine, [&](llvm::FunctionAnalysisManager &analyses) {
    LateValues(analyses.getResult<llvm::LoopAnalysis>(function),
               analyses.getResult<llvm::UniformityInfoAnalysis>(function))
        .run();
  });
}

} // namespace tessera::ir::amd
