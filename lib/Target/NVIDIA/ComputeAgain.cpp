//===- ComputeAgain.cpp - halves wait, and not what comes of them ---------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  %x = f(fpext half %h, %m)   use %x   call @tessera.gpu.barrier()   use %x
// After:   %x = f(fpext half %h, %m)   use %x   call @tessera.gpu.barrier()   %y = f(asm "cvt.f32.f16" %h, %m)   use %y
// Needs:   calls of the border.  Gives: the same numbers.
// Place:   after the optimiser, which would find that both are one; the assembler does not.
// Numerics: none.
//
// The exponentials of a row wait for their sum. As floats those of a long row take the registers of a second block,
// which would compute while the first one waits for memory; as halves they take half of that. Nothing is done but where
// a second block fits then, and none before, and only with what takes a few instructions.
//
// What is left must not be computed all at once, or floats take the registers after all: each value is computed where
// the first instruction needs it that must stay where it is.
//
//===---------------------------------------------------------------------===//

#include "Target/NVIDIA/Codegen.h"
#include "Target/NVIDIA/Crowding.h"
#include "Target/NVIDIA/Meetings.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>

namespace tessera::ir::nvidia {

namespace {

/// What is worth computing twice rather than keep.
constexpr std::size_t kMostInstructions = 8;

/// Whether \p instruction may stand wherever its operands are known.
bool isMovable(const llvm::Instruction &instruction) {
  if (const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
    return call->doesNotAccessMemory() && !call->isConvergent() && call->getCalledFunction() &&
           (llvm::isa<llvm::IntrinsicInst>(call) || call->getCalledFunction()->getName().starts_with("tessera.nv."));
  return llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst, llvm::CmpInst, llvm::SelectInst,
                   llvm::ExtractElementInst, llvm::InsertElementInst, llvm::ExtractValueInst, llvm::InsertValueInst,
                   llvm::GetElementPtrInst>(instruction);
}

/// Whether \p half was taken from a word, in which it can wait beside another: alone it has a register of its own.
bool isOfWord(const llvm::Value &half) {
  const auto *cast = llvm::dyn_cast<llvm::BitCastInst>(&half);
  const llvm::Value &bits = cast ? *cast->getOperand(0) : half;
  const auto *truncated = llvm::dyn_cast<llvm::TruncInst>(&bits);
  return llvm::isa<llvm::ExtractElementInst>(bits) ||
         (truncated && truncated->getOperand(0)->getType()->isIntegerTy(32));
}

class Rewriter {
public:
  Rewriter(llvm::Function &function, const arch::Chip &chip) : function(function), chip(chip), meetings(function) {}

  std::int64_t run() {
    if (meetings.count() == 0)
      return 0;
    findValues();
    const std::int64_t blocks = values.empty() ? 0 : blocksOfIt();
    if (blocks == 0)
      return 0;
    // From the last on, so that what a value is made of is as it was found.
    for (auto &[value, making] : llvm::reverse(values))
      computeAgain(*value, making);
    for (llvm::BasicBlock &block : function)
      computeLate(block);
    return blocks;
  }

private:
  /// Instructions from a widened half to a value, in order.
  using Making = llvm::SmallVector<llvm::Instruction *>;

  /// The values that wait and are made of one half, and of what others are made of as well.
  void findValues() {
    llvm::MapVector<llvm::Instruction *, Making> ofHalves;
    for (llvm::Instruction *instruction : meetings.all()) {
      if (isWidenedHalf(*instruction)) {
        if (isOfWord(*instruction->getOperand(0)))
          ofHalves[instruction] = {instruction};
        continue;
      }
      if (!isMovable(*instruction))
        continue;
      Making making;
      int halves = 0;
      for (llvm::Value *operand : instruction->operands()) {
        auto *made = llvm::dyn_cast<llvm::Instruction>(operand);
        const auto known = made ? ofHalves.find(made) : ofHalves.end();
        if (known == ofHalves.end() || made->getParent() != instruction->getParent() ||
            (meetings.meetingOf(*made) != meetings.meetingOf(*instruction) && !isWidenedHalf(*made)))
          continue;
        for (llvm::Instruction *each : known->second)
          if (!llvm::is_contained(making, each)) {
            making.push_back(each);
            halves += isWidenedHalf(*each);
          }
      }
      making.push_back(instruction);
      if (halves == 1 && making.size() <= kMostInstructions)
        ofHalves[instruction] = std::move(making);
    }
    for (auto &[value, making] : ofHalves)
      if (value->getType()->isFloatTy() && meetings.lastUse(*value) > meetings.meetingOf(*value) &&
          meetings.lastUse(*value, /*onlyKept=*/true) == meetings.meetingOf(*value))
        values[value] = std::move(making);
  }

  /// How many blocks may fit; 0 if it is not worth it.
  std::int64_t blocksOfIt() const {
    // What values are made of waits until their last use.
    llvm::DenseMap<const llvm::Value *, int> last;
    for (const auto &[value, making] : values)
      for (llvm::Instruction *each : making)
        for (llvm::Value *operand : each->operands())
          if (!llvm::is_contained(making, operand))
            last[operand] = std::max(last[operand], meetings.lastUse(*value));
    const int then = meetings.mostWaiting([&](const llvm::Instruction &each) {
      const bool isAgain = values.contains(const_cast<llvm::Instruction *>(&each));
      return std::max(meetings.lastUse(each, /*onlyKept=*/isAgain), last.lookup(&each));
    });
    const std::int64_t threads = threadsOf(function), blocks = blocksWaiting(threads, meetings.mostWaiting(), chip);
    const std::int64_t more = blocksWaiting(threads, then, chip);
    return blocks < 2 && more > blocks ? more : 0;
  }

  void computeAgain(llvm::Instruction &value, const Making &making) {
    meetings.forUsesApart(value, [&](llvm::Instruction &first, llvm::ArrayRef<llvm::Use *> uses) {
      llvm::IRBuilder<> b(&first);
      llvm::DenseMap<llvm::Value *, llvm::Instruction *> copies;
      for (llvm::Instruction *each : making) {
        if (isWidenedHalf(*each)) {
          copies[each] = widenOnceMore(b, *each);
          again.insert(copies[each]);
          continue;
        }
        llvm::Instruction *copy = each->clone();
        for (llvm::Use &operand : copy->operands())
          if (llvm::Instruction *known = copies.lookup(operand.get()))
            operand.set(known);
        copies[each] = b.Insert(copy);
      }
      for (llvm::Use *use : uses)
        use->set(copies[&value]);
    });
  }

  /// Moves what may be moved to where it is first needed.
  void computeLate(llvm::BasicBlock &block) {
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isMovable(instruction) && instruction.use_empty())
        instruction.eraseFromParent();
    const auto isNeededElsewhere = [&](const llvm::Instruction &instruction) {
      return llvm::any_of(instruction.users(), [&](const llvm::User *user) {
        return llvm::isa<llvm::PHINode>(user) || llvm::cast<llvm::Instruction>(user)->getParent() != &block;
      });
    };
    llvm::SmallVector<llvm::Instruction *> fixed;
    for (llvm::Instruction &instruction : block)
      if (!llvm::isa<llvm::PHINode>(instruction) && (!mayMove(instruction) || isNeededElsewhere(instruction)))
        fixed.push_back(&instruction);
    llvm::SmallPtrSet<llvm::Instruction *, 32> placed(fixed.begin(), fixed.end());
    for (llvm::Instruction *root : fixed)
      place(*root, *root, placed);
  }

  bool mayMove(const llvm::Instruction &instruction) const {
    return isMovable(instruction) || again.contains(&instruction);
  }

  void place(llvm::Instruction &user, llvm::Instruction &root, llvm::SmallPtrSetImpl<llvm::Instruction *> &placed) {
    for (llvm::Value *operand : user.operands()) {
      auto *made = llvm::dyn_cast<llvm::Instruction>(operand);
      if (!made || made->getParent() != root.getParent() || !mayMove(*made) || !placed.insert(made).second)
        continue;
      place(*made, root, placed);
      made->moveBefore(root.getIterator());
    }
  }

  llvm::Function &function;
  const arch::Chip &chip;
  const Meetings meetings;
  llvm::MapVector<llvm::Instruction *, Making> values;
  llvm::SmallPtrSet<const llvm::Instruction *, 32> again; ///< widened once more
};

} // namespace

std::int64_t computeAgain(llvm::Function &function, const arch::Chip &chip) { return Rewriter(function, chip).run(); }

} // namespace tessera::ir::nvidia
