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

#include "Target/AMD/Codegen.h"
#include "Target/AMD/Products.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

namespace tessera::ir::amd {

/// Kinds of instructions, as sched_group_barrier numbers them.
static constexpr unsigned kMatrix = 0x8, kSharedRead = 0x100;

static bool isCallOf(const llvm::Instruction &instruction, llvm::Intrinsic::ID id) {
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call && call->getIntrinsicID() == id;
}

/// Whether an order is worth it: there is more than one step, and something to multiply beside each read.
static bool areMany(const Products &products, const SharedReads &reads) {
  return products.size() >= kManyProducts && reads.productsOfFirst < products.size() &&
         reads.all.size() > reads.readsOfFirst && products.size() >= reads.all.size();
}

/// \p isApart: what the first step reads comes before a change of priority, across which nothing is scheduled.
static void interleave(const Products &products, const SharedReads &reads, bool isApart) {
  llvm::IRBuilder<> b(products.back()->getNextNode());
  const auto group = [&](unsigned kind, std::size_t count) {
    b.CreateIntrinsic(b.getVoidTy(), llvm::Intrinsic::amdgcn_sched_group_barrier,
                      {b.getInt32(kind), b.getInt32(static_cast<std::uint32_t>(count)), b.getInt32(0)});
  };
  const std::size_t between = products.size() / reads.all.size(), later = reads.all.size() - reads.readsOfFirst;
  if (!isApart)
    group(kSharedRead, reads.readsOfFirst);
  for (std::size_t read = 0; read != later; ++read) {
    group(kMatrix, between);
    group(kSharedRead, 1);
  }
  group(kMatrix, products.size() - later * between);
}

void interleaveReads(llvm::Function &function) {
  for (llvm::BasicBlock &block : function) {
    const Products all = productsOf(block);
    if (all.empty())
      continue;
    const bool changesPriority = llvm::any_of(block, [](const llvm::Instruction &instruction) {
      return isCallOf(instruction, llvm::Intrinsic::amdgcn_s_setprio);
    });
    for (const Products &run : changesPriority ? runsOfProducts(block) : std::vector<Products>{all})
      if (const SharedReads reads(run); areMany(run, reads))
        interleave(run, reads, changesPriority);
  }
}

void forgetOrder(llvm::Function &function) {
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(block))
      if (isCallOf(instruction, llvm::Intrinsic::amdgcn_sched_group_barrier) ||
          isCallOf(instruction, llvm::Intrinsic::amdgcn_s_setprio))
        instruction.eraseFromParent();
}

} // namespace tessera::ir::amd
