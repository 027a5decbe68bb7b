//===- Interleave.cpp - reads of operands among matrix instructions -------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  read a0 b0; mfma … mfma; read a1 b1; mfma … mfma
// After:   read a0 b0; mfma; read a1; mfma; read b1; mfma … mfma
//
// Left alone, LLVM reads what a step along k multiplies where the step begins, and the matrix unit waits for shared
// memory in each. The code generator is told which order to look for: what the first step needs, then one read behind
// every so many matrix instructions.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Border.h"
#include "Target/AMD/Codegen.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

namespace tessera::ir::amd {

namespace {

/// Kinds of instructions, as sched_group_barrier numbers them.
constexpr unsigned kMatrix = 0x8, kSharedRead = 0x100;
/// So many matrix instructions are worth an order.
constexpr std::size_t kLeast = 8;

/// The matrix instructions of a block and what they read from shared memory there.
class Products {
public:
  explicit Products(llvm::BasicBlock &block) : block(block) {
    for (llvm::Instruction &instruction : block)
      if (isMatrix(&instruction))
        all.push_back(&instruction);
    // A step along k ends where a sum is added to again.
    while (first != all.size() && !isMatrix(all[first]->getOperand(sumOf(*all[first]))))
      ++first;
    for (const auto [number, product] : llvm::enumerate(all)) {
      collect(product);
      if (number + 1 == first)
        readsOfFirst = reads.size();
    }
  }

  /// Whether an order is worth it: there is more than one step, and something to multiply beside each read.
  bool areMany() const {
    return all.size() >= kLeast && first < all.size() && reads.size() > readsOfFirst && all.size() >= reads.size();
  }

  void interleave() {
    llvm::IRBuilder<> b(all.back()->getNextNode());
    const auto group = [&](unsigned kind, std::size_t count) {
      b.CreateIntrinsic(b.getVoidTy(), llvm::Intrinsic::amdgcn_sched_group_barrier,
                        {b.getInt32(kind), b.getInt32(static_cast<std::uint32_t>(count)), b.getInt32(0)});
    };
    const std::size_t between = all.size() / reads.size(), later = reads.size() - readsOfFirst;
    group(kSharedRead, readsOfFirst);
    for (std::size_t read = 0; read != later; ++read) {
      group(kMatrix, between);
      group(kSharedRead, 1);
    }
    group(kMatrix, all.size() - later * between);
  }

private:
  static bool isMatrix(const llvm::Value *value) {
    auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(value);
    if (!call)
      return false;
    const llvm::StringRef name = call->getCalledFunction()->getName();
    return name.starts_with("llvm.amdgcn.mfma.") || name.starts_with("llvm.amdgcn.wmma.");
  }
  /// The number of the operand that has the type of the result: the sums.
  static unsigned sumOf(const llvm::Instruction &product) {
    unsigned number = 0;
    for (const llvm::Use &operand : llvm::cast<llvm::CallInst>(product).args())
      if (operand->getType() == product.getType())
        number = operand.getOperandNo();
    return number;
  }
  /// What \p value takes from shared memory, in this block.
  void collect(llvm::Instruction *value) {
    for (llvm::Value *operand : value->operands()) {
      auto *instruction = llvm::dyn_cast<llvm::Instruction>(operand);
      if (!instruction || instruction->getParent() != &block || isMatrix(instruction) ||
          llvm::isa<llvm::PHINode>(instruction) || !seen.insert(instruction).second)
        continue;
      auto *load = llvm::dyn_cast<llvm::LoadInst>(instruction);
      if (!load)
        collect(instruction);
      else if (load->getPointerAddressSpace() == border::kSharedSpace)
        reads.insert(load);
    }
  }

  llvm::BasicBlock &block;
  llvm::SmallVector<llvm::Instruction *, 0> all;
  llvm::SmallSetVector<llvm::LoadInst *, 32> reads; ///< in the order in which they are needed
  llvm::SmallPtrSet<llvm::Instruction *, 32> seen;
  std::size_t first = 0, readsOfFirst = 0; ///< of the first step: matrix instructions, and reads for them
};

} // namespace

void interleaveReads(llvm::Function &function) {
  for (llvm::BasicBlock &block : function)
    if (Products products(block); products.areMany())
      products.interleave();
}

void forgetOrder(llvm::Function &function) {
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(block))
      if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
          call && call->getIntrinsicID() == llvm::Intrinsic::amdgcn_sched_group_barrier)
        call->eraseFromParent();
}

} // namespace tessera::ir::amd
