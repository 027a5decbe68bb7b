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
// twice what it takes as halves. Nothing is done unless it makes the fullest of the places where threads meet notably
// emptier; softmax, whose exponentials wait for their sum as floats anyway, would only pay for it. Halves that nobody
// needs as floats before threads have met are widened behind that in any case.
//
//===---------------------------------------------------------------------===//

#include "Target/NVIDIA/Codegen.h"
#include "Target/NVIDIA/Meetings.h"

#include <algorithm>

namespace tessera::ir::nvidia {

/// Moves what is first used after a meeting.
static void widenLater(llvm::Function &function) {
  const Meetings meetings(function);
  for (llvm::Instruction *instruction : meetings.all()) {
    const auto isApart = [&](const llvm::Use &use) { return meetings.isApart(*instruction, use); };
    if (!isWidenedHalf(*instruction) || !llvm::all_of(instruction->uses(), isApart))
      continue;
    llvm::Instruction *before = nullptr;
    int groups = 0;
    meetings.forUsesApart(*instruction, [&](llvm::Instruction &first, llvm::ArrayRef<llvm::Use *>) {
      before = &first;
      ++groups;
    });
    if (groups == 1)
      instruction->moveBefore(before->getIterator());
  }
}

void widenAgain(llvm::Function &function) {
  widenLater(function);
  const Meetings meetings(function);
  if (meetings.count() == 0)
    return;
  const int now = meetings.mostWaiting();
  // A half waits until the last use of its float.
  const auto lastThen = [&](const llvm::Instruction &each) {
    int last = meetings.lastUse(each, /*onlyKept=*/isWidenedHalf(each));
    for (const llvm::User *user : each.users())
      if (const auto *widened = llvm::dyn_cast<llvm::Instruction>(user); widened && isWidenedHalf(*widened))
        last = std::max(last, meetings.lastUse(*widened));
    return last;
  };
  // An eighth less is worth the instructions.
  if (meetings.mostWaiting(lastThen) > now - now / 8)
    return;
  for (llvm::Instruction *instruction : meetings.all()) {
    if (!isWidenedHalf(*instruction))
      continue;
    meetings.forUsesApart(*instruction, [&](llvm::Instruction &first, llvm::ArrayRef<llvm::Use *> uses) {
      llvm::IRBuilder<> b(&first);
      llvm::CallInst *again = widenOnceMore(b, *instruction);
      for (llvm::Use *use : uses)
        use->set(again);
    });
    if (instruction->use_empty())
      instruction->eraseFromParent();
  }
}

} // namespace tessera::ir::nvidia
