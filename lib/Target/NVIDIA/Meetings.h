//===- Meetings.h - what waits while threads meet --------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Most registers are taken at the places where threads meet: what lies between them the assembler puts in an order that
// suits it.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_NVIDIA_MEETINGS_H
#define TESSERA_TARGET_NVIDIA_MEETINGS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <cstdint>
#include <vector>

namespace tessera::ir::nvidia {

/// The places of a function's instructions among its meetings; stale once instructions are moved.
class Meetings {
public:
  explicit Meetings(llvm::Function &function);

  int count() const { return meetings; }
  bool hasLoops() const { return !loops.empty(); }
  /// In the order of places.
  const std::vector<llvm::Instruction *> &all() const { return instructions; }
  bool knows(const llvm::Instruction &instruction) const { return order.contains(&instruction); }
  int placeOf(const llvm::Instruction &instruction) const { return order.at(&instruction).at; }
  /// How many meetings come before.
  int meetingOf(const llvm::Instruction &instruction) const { return order.at(&instruction).meeting; }

  /// Whether \p use of \p value comes after a meeting that \p value comes before, and may have a value of its own.
  bool isApart(const llvm::Instruction &value, const llvm::Use &use) const;
  /// How many meetings come before the last use of \p value, or of those that are not apart.
  int lastUse(const llvm::Instruction &value, bool onlyKept = false) const;

  /// The most halves of registers that wait at one meeting, where \p lastUse of each value is given.
  int mostWaiting(llvm::function_ref<int(const llvm::Instruction &)> lastUse) const;
  int mostWaiting() const {
    return mostWaiting([this](const llvm::Instruction &each) { return lastUse(each); });
  }

  /// The uses of \p value that are apart, in groups that one value serves: those in one block between two meetings.
  /// Calls \p each with the first of them and all.
  void forUsesApart(llvm::Instruction &value,
                    llvm::function_ref<void(llvm::Instruction &first, llvm::ArrayRef<llvm::Use *>)> each) const;

private:
  struct Place {
    int at;      ///< in the order of instructions
    int meeting; ///< how many came before
  };

  llvm::DominatorTree tree;
  llvm::LoopInfo loops;
  std::vector<llvm::Instruction *> instructions;
  llvm::DenseMap<const llvm::Instruction *, Place> order;
  int meetings = 0;
};

/// Threads of a block of \p kernel; 0 if it does not say.
std::int64_t threadsOf(const llvm::Function &kernel);

/// Whether \p instruction makes a float of a half.
bool isWidenedHalf(const llvm::Instruction &instruction);

/// The same float, which neither LLVM nor the assembler takes for the one that there is.
llvm::CallInst *widenOnceMore(llvm::IRBuilderBase &builder, llvm::Instruction &widened);

} // namespace tessera::ir::nvidia

#endif // TESSERA_TARGET_NVIDIA_MEETINGS_H
