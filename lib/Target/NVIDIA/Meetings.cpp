//===- Meetings.cpp - what waits while threads meet -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/NVIDIA/Meetings.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/InlineAsm.h"

#include <algorithm>
#include <utility>

namespace tessera::ir::nvidia {

static bool isMeeting(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().starts_with("tessera.gpu.") && callee->isConvergent();
}

/// Halves of registers that a value takes.
static int sizeOf(const llvm::Value &value) {
  llvm::Type *type = value.getType();
  if (type->isPointerTy())
    return 4;
  return static_cast<int>(type->getPrimitiveSizeInBits().getFixedValue() / 16);
}

Meetings::Meetings(llvm::Function &function) : tree(function), loops(tree) {
  for (llvm::BasicBlock *block : llvm::ReversePostOrderTraversal<llvm::Function *>(&function))
    for (llvm::Instruction &instruction : *block) {
      order[&instruction] = {static_cast<int>(instructions.size()), meetings};
      meetings += isMeeting(instruction);
      instructions.push_back(&instruction);
    }
}

bool Meetings::isApart(const llvm::Instruction &value, const llvm::Use &use) const {
  const auto *user = llvm::cast<llvm::Instruction>(use.getUser());
  return !llvm::isa<llvm::PHINode>(user) && knows(*user) && meetingOf(*user) > meetingOf(value) &&
         loops.getLoopFor(user->getParent()) == loops.getLoopFor(value.getParent());
}

int Meetings::lastUse(const llvm::Instruction &value, bool onlyKept) const {
  int last = meetingOf(value);
  for (const llvm::Use &use : value.uses()) {
    const llvm::Instruction *user = llvm::cast<llvm::Instruction>(use.getUser());
    if (onlyKept && isApart(value, use))
      continue;
    if (const auto *phi = llvm::dyn_cast<llvm::PHINode>(user))
      user = phi->getIncomingBlock(use)->getTerminator();
    if (knows(*user))
      last = std::max(last, meetingOf(*user));
  }
  return last;
}

int Meetings::mostWaiting(llvm::function_ref<int(const llvm::Instruction &)> lastUse) const {
  // As differences from the meeting before.
  std::vector<int> waiting(static_cast<std::size_t>(meetings) + 1);
  for (const llvm::Instruction *instruction : instructions) {
    const int size = sizeOf(*instruction);
    waiting[static_cast<std::size_t>(meetingOf(*instruction))] += size;
    waiting[static_cast<std::size_t>(lastUse(*instruction))] -= size;
  }
  int sum = 0, most = 0;
  for (const int difference : waiting)
    most = std::max(most, sum += difference);
  return most;
}

void Meetings::forUsesApart(
    llvm::Instruction &value,
    llvm::function_ref<void(llvm::Instruction &first, llvm::ArrayRef<llvm::Use *>)> each) const {
  llvm::MapVector<std::pair<llvm::BasicBlock *, int>, llvm::SmallVector<llvm::Use *>> groups;
  for (llvm::Use &use : value.uses())
    if (isApart(value, use)) {
      auto *user = llvm::cast<llvm::Instruction>(use.getUser());
      groups[{user->getParent(), meetingOf(*user)}].push_back(&use);
    }
  for (auto &[place, uses] : groups) {
    const llvm::Use *first = *std::ranges::min_element(
        uses, {}, [&](const llvm::Use *use) { return placeOf(*llvm::cast<llvm::Instruction>(use->getUser())); });
    each(*llvm::cast<llvm::Instruction>(first->getUser()), uses);
  }
}

std::int64_t threadsOf(const llvm::Function &kernel) {
  std::int64_t threads = 0;
  const llvm::StringRef extents = kernel.getFnAttribute("nvvm.reqntid").getValueAsString();
  return extents.split(',').first.getAsInteger(10, threads) ? 0 : threads;
}

bool isWidenedHalf(const llvm::Instruction &instruction) {
  return llvm::isa<llvm::FPExtInst>(instruction) && instruction.getType()->isFloatTy() &&
         instruction.getOperand(0)->getType()->isHalfTy();
}

llvm::CallInst *widenOnceMore(llvm::IRBuilderBase &b, llvm::Instruction &widened) {
  b.SetCurrentDebugLocation(widened.getDebugLoc());
  llvm::FunctionType *type = llvm::FunctionType::get(b.getFloatTy(), {b.getInt16Ty()}, false);
  // Side effects, since there must be as many as are written.
  llvm::InlineAsm *convert = llvm::InlineAsm::get(type, "cvt.f32.f16 $0, $1;", "=f,h", /*hasSideEffects=*/true);
  llvm::CallInst *again = b.CreateCall(convert, {b.CreateBitCast(widened.getOperand(0), b.getInt16Ty())});
  again->setDoesNotThrow();
  return again;
}

} // namespace tessera::ir::nvidia
