//===- Products.cpp - the matrix instructions of a block ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/AMD/Products.h"

#include "Conversion/LayoutToLLVM/Border.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

#include <algorithm>

namespace tessera::ir::amd {

bool isMatrixProduct(const llvm::Value *value) {
  auto *call = llvm::dyn_cast_or_null<llvm::IntrinsicInst>(value);
  if (!call)
    return false;
  const llvm::StringRef name = call->getCalledFunction()->getName();
  return name.starts_with("llvm.amdgcn.mfma.") || name.starts_with("llvm.amdgcn.wmma.");
}

Products productsOf(llvm::BasicBlock &block) {
  Products all;
  for (llvm::Instruction &instruction : block)
    if (isMatrixProduct(&instruction))
      all.push_back(&instruction);
  return all;
}

std::vector<Products> runsOfProducts(llvm::BasicBlock &block) {
  // How many products, not counting those that are only added to, something has gone through in this block.
  llvm::DenseMap<const llvm::Value *, std::size_t> depths;
  std::vector<Products> runs;
  for (llvm::Instruction &instruction : block) {
    if (llvm::isa<llvm::PHINode>(instruction))
      continue;
    const bool isProduct = isMatrixProduct(&instruction);
    std::size_t depth = 0;
    for (const llvm::Value *operand : instruction.operands())
      if (const auto known = depths.find(operand); known != depths.end())
        depth = std::max(depth, known->second + (isMatrixProduct(operand) && !isProduct ? 1 : 0));
    depths[&instruction] = depth;
    if (!isProduct)
      continue;
    if (runs.size() <= depth)
      runs.resize(depth + 1);
    runs[depth].push_back(&instruction);
  }
  std::erase_if(runs, [](const Products &run) { return run.empty(); });
  // Runs whose instructions stand among one another are one.
  for (std::size_t next = 1; next < runs.size();) {
    Products &before = runs[next - 1];
    if (before.back()->comesBefore(runs[next].front())) {
      ++next;
      continue;
    }
    before.append(runs[next].begin(), runs[next].end());
    std::ranges::sort(before, [](const auto *a, const auto *b) { return a->comesBefore(b); });
    runs.erase(runs.begin() + static_cast<std::ptrdiff_t>(next));
    next = std::max<std::size_t>(next, 2) - 1;
  }
  return runs;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// The operand of \p product that has the type of the result: the sums.
static const llvm::Value *sumsOf(const llvm::Instruction &product) {
  const llvm::Value *sums = nullptr;
  for (const llvm::Use &operand : llvm::cast<llvm::CallInst>(product).args())
    if (operand->getType() == product.getType())
      sums = operand;
  return sums;
}

bool readsColumns(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call && (call->getIntrinsicID() == llvm::Intrinsic::amdgcn_ds_read_tr16_b64 ||
                  call->getIntrinsicID() == llvm::Intrinsic::amdgcn_ds_read_tr8_b64);
}

static bool isSharedRead(const llvm::Instruction &instruction) {
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->getPointerAddressSpace() == border::kSharedSpace;
  return readsColumns(instruction);
}

SharedReads::SharedReads(const Products &products) {
  llvm::SmallPtrSet<const llvm::Instruction *, 32> seen;
  const auto collect = [&](auto &self, llvm::Instruction &value) -> void {
    for (llvm::Value *operand : value.operands()) {
      auto *instruction = llvm::dyn_cast<llvm::Instruction>(operand);
      if (!instruction || instruction->getParent() != value.getParent() || isMatrixProduct(instruction) ||
          llvm::isa<llvm::PHINode>(instruction) || !seen.insert(instruction).second)
        continue;
      if (isSharedRead(*instruction))
        all.insert(instruction);
      else if (!llvm::isa<llvm::LoadInst>(instruction))
        self(self, *instruction);
    }
  };
  while (productsOfFirst != products.size() && !isMatrixProduct(sumsOf(*products[productsOfFirst])))
    ++productsOfFirst;
  for (const auto [number, product] : llvm::enumerate(products)) {
    collect(collect, *product);
    if (number + 1 == productsOfFirst)
      readsOfFirst = all.size();
  }
}

} // namespace tessera::ir::amd
