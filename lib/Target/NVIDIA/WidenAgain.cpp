//===- WidenAgain.cpp - halves stay narrow where threads meet -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  %x = fpext half %h to float   use %x   call @tessera.gpu.barrier()   use %x
// After:   %x = fpext half %h to float   use %x   call @tessera.gpu.barrier()   %y = asm "cvt.f32.f16" %h   use %y
// Needs:   calls of the border.  Gives: the same numbers.
// Place:   after the optimiser, which would find that both are one; the assembler does not.
// Numerics: none.
//
// A row that is read once and used again after its sum is known waits for the sum in registers: as floats it takes
// twice what it takes as halves. Most registers are taken at the places where threads meet, since what lies between
// them the assembler puts in an order that suits it. So nothing is done unless it makes the fullest of these places
// notably emptier; softmax, whose exponentials wait for their sum as floats anyway, would only pay for it.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Border.h"
#include "Target/NVIDIA/Codegen.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tessera::ir::nvidia {

namespace {

bool isMeeting(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().starts_with("tessera.gpu.") && callee->isConvergent();
}

/// Halves of registers that a value takes.
int sizeOf(const llvm::Value &value) {
  llvm::Type *type = value.getType();
  if (type->isPointerTy())
    return 4;
  return static_cast<int>(type->getPrimitiveSizeInBits().getFixedValue() / 16);
}

class Rewriter {
public:
  explicit Rewriter(llvm::Function &function) : tree(function), loops(tree) {
    for (llvm::BasicBlock *block : llvm::ReversePostOrderTraversal<llvm::Function *>(&function))
      for (llvm::Instruction &instruction : *block) {
        order[&instruction] = {static_cast<int>(instructions.size()), meetings};
        meetings += isMeeting(instruction);
        instructions.push_back(&instruction);
      }
  }

  void run() {
    if (meetings == 0)
      return;
    // What waits at each meeting, now and then, as differences from the one before.
    std::vector<int> now(static_cast<std::size_t>(meetings) + 1), then = now;
    for (llvm::Instruction *instruction : instructions) {
      const int last = lastUse(*instruction);
      add(now, *instruction, last, sizeOf(*instruction));
      const bool isWidened = mayWiden(*instruction);
      add(then, *instruction, isWidened ? lastUse(*instruction, /*onlyKept=*/true) : last, sizeOf(*instruction));
      if (isWidened)
        add(then, *instruction, last, 1);
    }
    // An eighth less is worth the instructions.
    if (most(then) > most(now) - most(now) / 8)
      return;
    for (llvm::Instruction *instruction : instructions)
      if (mayWiden(*instruction))
        widenAgain(*instruction);
  }

private:
  struct Place {
    int at;      ///< in the order of instructions
    int meeting; ///< how many came before
  };

  static bool mayWiden(const llvm::Instruction &instruction) {
    return llvm::isa<llvm::FPExtInst>(instruction) && instruction.getType()->isFloatTy() &&
           instruction.getOperand(0)->getType()->isHalfTy();
  }

  /// Whether \p use of \p widened is to get a number of its own.
  bool isApart(const llvm::Instruction &widened, const llvm::Use &use) const {
    const auto *user = llvm::cast<llvm::Instruction>(use.getUser());
    return !llvm::isa<llvm::PHINode>(user) && order.contains(user) &&
           order.at(user).meeting > order.at(&widened).meeting &&
           loops.getLoopFor(user->getParent()) == loops.getLoopFor(widened.getParent());
  }

  /// How many meetings come before the last use of \p instruction, or of those that keep it.
  int lastUse(const llvm::Instruction &instruction, bool onlyKept = false) const {
    int last = order.at(&instruction).meeting;
    for (const llvm::Use &use : instruction.uses()) {
      const llvm::Instruction *user = llvm::cast<llvm::Instruction>(use.getUser());
      if (onlyKept && isApart(instruction, use))
        continue;
      if (const auto *phi = llvm::dyn_cast<llvm::PHINode>(user))
        user = phi->getIncomingBlock(use)->getTerminator();
      if (order.contains(user))
        last = std::max(last, order.at(user).meeting);
    }
    return last;
  }

  void add(std::vector<int> &differences, const llvm::Instruction &instruction, int last, int size) const {
    differences[static_cast<std::size_t>(order.at(&instruction).meeting)] += size;
    differences[static_cast<std::size_t>(last)] -= size;
  }

  static int most(const std::vector<int> &differences) {
    int sum = 0, result = 0;
    for (const int difference : differences)
      result = std::max(result, sum += difference);
    return result;
  }

  void widenAgain(llvm::Instruction &widened) {
    // The uses in one block between two meetings share a number.
    llvm::MapVector<std::pair<llvm::BasicBlock *, int>, llvm::SmallVector<llvm::Use *>> groups;
    for (llvm::Use &use : widened.uses())
      if (isApart(widened, use)) {
        auto *user = llvm::cast<llvm::Instruction>(use.getUser());
        groups[{user->getParent(), order.at(user).meeting}].push_back(&use);
      }
    for (auto &[place, uses] : groups) {
      const llvm::Use *first = *std::ranges::min_element(
          uses, {}, [&](const llvm::Use *use) { return order.at(llvm::cast<llvm::Instruction>(use->getUser())).at; });
      llvm::IRBuilder<> b(llvm::cast<llvm::Instruction>(first->getUser()));
      b.SetCurrentDebugLocation(widened.getDebugLoc());
      llvm::FunctionType *type = llvm::FunctionType::get(b.getFloatTy(), {b.getInt16Ty()}, false);
      // Side effects, since there must be as many as are written.
      llvm::InlineAsm *convert = llvm::InlineAsm::get(type, "cvt.f32.f16 $0, $1;", "=f,h", /*hasSideEffects=*/true);
      llvm::CallInst *again = b.CreateCall(convert, {b.CreateBitCast(widened.getOperand(0), b.getInt16Ty())});
      again->setDoesNotThrow();
      for (llvm::Use *use : uses)
        use->set(again);
    }
    if (widened.use_empty())
      widened.eraseFromParent();
  }

  llvm::DominatorTree tree;
  llvm::LoopInfo loops;
  std::vector<llvm::Instruction *> instructions;
  llvm::DenseMap<const llvm::Instruction *, Place> order;
  int meetings = 0;
};

} // namespace

void widenAgain(llvm::Function &function) { Rewriter(function).run(); }

} // namespace tessera::ir::nvidia
