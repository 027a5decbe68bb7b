//===- Priorities.cpp - waves that multiply go first ----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  loop: store; barrier; load; read a0 b0; read a1 b1; mfma; mfma
// After:   loop: store; barrier; load; read a0 b0; s_setprio 1; read a1 b1; mfma; mfma; s_setprio 0
//
// Waves of one execution unit that do the same at the same time leave the matrix unit to wait where all of them move
// data. One that multiplies goes before those that do not: so it is soon done with a round, they fill the cycles in
// which it waits for the matrix unit, and from then on they are apart.
//
// Nothing is scheduled across a change of priority. So it stands between what the first step along k reads and what
// later ones do, for which there is time beside the first.
//
//===---------------------------------------------------------------------===//

#include "Target/AMD/Codegen.h"
#include "Target/AMD/Products.h"
#include "Target/Gpu/EmitCode.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

namespace tessera::ir::amd {

namespace {

/// Which blocks all lanes of a wave execute together.
class Together {
public:
  Together(llvm::Function &function, llvm::UniformityInfo &uniformity, const llvm::LoopInfo &loops)
      : loops(loops), dominators(function), postDominators(function) {
    for (llvm::BasicBlock &block : function)
      if (uniformity.hasDivergentTerminator(block))
        divergent.push_back(&block);
  }

  bool contains(const llvm::BasicBlock &block) const {
    return llvm::none_of(divergent, [&](const llvm::BasicBlock *branch) { return isBehind(*branch, block); });
  }

private:
  /// Whether lanes that \p branch parts may not all be back in \p block.
  bool isBehind(const llvm::BasicBlock &branch, const llvm::BasicBlock &block) const {
    for (const llvm::Loop *loop = loops.getLoopFor(&block); loop; loop = loop->getParentLoop())
      if (loop->isLoopExiting(&branch))
        return true;
    if (!dominators.dominates(&branch, &block))
      return false;
    const auto *node = postDominators.getNode(&branch);
    const auto *meeting = node ? node->getIDom() : nullptr;
    return !meeting || !meeting->getBlock() || !dominators.dominates(meeting->getBlock(), &block);
  }

  const llvm::LoopInfo &loops;
  llvm::DominatorTree dominators;
  llvm::PostDominatorTree postDominators;
  llvm::SmallVector<const llvm::BasicBlock *> divergent;
};

} // namespace

static void setPriority(llvm::Instruction &before, std::uint16_t priority) {
  llvm::IRBuilder<> b(&before);
  b.CreateIntrinsic(b.getVoidTy(), llvm::Intrinsic::amdgcn_s_setprio, {b.getInt16(priority)});
}

/// The first of the products of \p run and of what their later steps read.
static llvm::Instruction &startOf(const Products &run) {
  const SharedReads reads(run);
  llvm::Instruction *start = run.front();
  for (llvm::Instruction *read : reads.all.getArrayRef().drop_front(reads.readsOfFirst))
    if (read->comesBefore(start))
      start = read;
  return *start;
}

bool sharesUnits(const arch::Chip &chip, std::uint32_t threads) {
  constexpr int kUnits = 4; // of a compute unit, or of the two that share a program on gfx11 and gfx12
  return static_cast<int>(threads) / chip.warpSize >= 2 * kUnits;
}

void raisePriorities(llvm::Function &function, llvm::TargetMachine &machine) {
  gpu::analyse(machine, [&](llvm::FunctionAnalysisManager &analyses) {
    const llvm::LoopInfo &loops = analyses.getResult<llvm::LoopAnalysis>(function);
    const Together together(function, analyses.getResult<llvm::UniformityInfoAnalysis>(function), loops);
    for (llvm::BasicBlock &block : function) {
      const llvm::Loop *const loop = loops.getLoopFor(&block);
      if (!loop || !loop->isInnermost() || !together.contains(block))
        continue;
      for (const Products &run : runsOfProducts(block))
        if (run.size() >= kManyProducts) {
          setPriority(startOf(run), 1);
          setPriority(*run.back()->getNextNode(), 0);
        }
    }
  });
}

} // namespace tessera::ir::amd
