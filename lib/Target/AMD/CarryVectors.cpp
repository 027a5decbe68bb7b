//===- CarryVectors.cpp - loops carry vectors as vectors ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  %a = phi [0, before], [%d, loop]      After:  %v = phi [zero, before], [%w, loop]
//          %b = phi [0, before], [%e, loop]              %w = mfma …, %v
//          %v = <%a, %b>
//          %w = mfma …, %v
//          %d = %w[0]
//          %e = %w[1]
//
// A matrix instruction has its sums in neighbouring registers. Numbers that a loop carries one by one are given
// registers one by one, and are copied to their neighbours and back in every round.
//
//===---------------------------------------------------------------------===//

#include "Target/AMD/Codegen.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

#include <optional>

namespace tessera::ir::amd {

namespace {

using Scalars = llvm::SmallVector<llvm::Value *, 16>;

/// The elements from which insertions make the whole of \p vector; empty if it does not come from any.
Scalars elementsOf(llvm::InsertElementInst &vector) {
  auto *type = llvm::dyn_cast<llvm::FixedVectorType>(vector.getType());
  Scalars elements(type ? type->getNumElements() : 0, nullptr);
  std::size_t missing = elements.size();
  for (auto *insert = &vector; insert && missing != 0;
       insert = llvm::dyn_cast<llvm::InsertElementInst>(insert->getOperand(0))) {
    auto *place = llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2));
    if (!place || place->getZExtValue() >= elements.size())
      return {};
    llvm::Value *&element = elements[place->getZExtValue()];
    if (!element) {
      element = insert->getOperand(1);
      --missing;
    }
  }
  return missing == 0 ? elements : Scalars();
}

/// The vector whose elements \p elements are, in order; null if there is none.
llvm::Value *vectorOf(llvm::ArrayRef<llvm::Value *> elements, llvm::Type *type) {
  llvm::Value *vector = nullptr;
  for (auto [place, element] : llvm::enumerate(elements)) {
    auto *extract = llvm::dyn_cast<llvm::ExtractElementInst>(element);
    auto *index = extract ? llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand()) : nullptr;
    if (!index || index->getZExtValue() != place || extract->getVectorOperandType() != type ||
        (vector && extract->getVectorOperand() != vector))
      return nullptr;
    vector = extract->getVectorOperand();
  }
  return vector;
}

/// What \p scalars are on the way from \p from.
Scalars incoming(llvm::ArrayRef<llvm::PHINode *> scalars, llvm::BasicBlock *from) {
  Scalars values;
  for (llvm::PHINode *scalar : scalars)
    values.push_back(scalar->getIncomingValueForBlock(from));
  return values;
}

/// One vector that a block gets as scalars.
struct Carried {
  llvm::FixedVectorType *type = nullptr;
  llvm::SmallVector<llvm::PHINode *, 16> scalars = {};
  llvm::InsertElementInst *made = nullptr; ///< the same vector made of them; may be null
};

/// What is carried by the phis that \p scalars are; nothing if they are others, or are a vector on no way into the
/// block.
std::optional<Carried> carriedBy(llvm::ArrayRef<llvm::Value *> scalars, llvm::FixedVectorType *type) {
  Carried carried{.type = type};
  for (llvm::Value *scalar : scalars) {
    auto *phi = llvm::dyn_cast<llvm::PHINode>(scalar);
    if (!phi || llvm::is_contained(carried.scalars, phi) ||
        (!carried.scalars.empty() && phi->getParent() != carried.scalars.front()->getParent()))
      return std::nullopt;
    carried.scalars.push_back(phi);
  }
  if (carried.scalars.size() < 2)
    return std::nullopt;
  const auto isVector = [&](llvm::BasicBlock *from) {
    return vectorOf(incoming(carried.scalars, from), type) != nullptr;
  };
  return llvm::any_of(carried.scalars.front()->blocks(), isVector) ? std::optional(std::move(carried)) : std::nullopt;
}

/// What is carried by phis of \p block, one of which is \p phi, that take a vector apart on the way from \p from.
std::optional<Carried> carriedFrom(llvm::PHINode &phi, llvm::BasicBlock *from) {
  auto *extract = llvm::dyn_cast<llvm::ExtractElementInst>(phi.getIncomingValueForBlock(from));
  auto *type = extract ? llvm::dyn_cast<llvm::FixedVectorType>(extract->getVectorOperandType()) : nullptr;
  if (!type)
    return std::nullopt;
  Scalars scalars(type->getNumElements(), nullptr);
  for (llvm::PHINode &other : phi.getParent()->phis()) {
    auto *element = llvm::dyn_cast<llvm::ExtractElementInst>(other.getIncomingValueForBlock(from));
    auto *index = element ? llvm::dyn_cast<llvm::ConstantInt>(element->getIndexOperand()) : nullptr;
    if (index && element->getVectorOperand() == extract->getVectorOperand() && index->getZExtValue() < scalars.size())
      scalars[index->getZExtValue()] = &other;
  }
  return llvm::is_contained(scalars, nullptr) ? std::nullopt : carriedBy(scalars, type);
}

/// The vector of \p elements at the end of \p block.
llvm::Value *makeVector(llvm::ArrayRef<llvm::Value *> elements, llvm::Type *type, llvm::BasicBlock &block) {
  if (llvm::Value *vector = vectorOf(elements, type))
    return vector;
  llvm::IRBuilder<> end(block.getTerminator());
  llvm::Value *vector = llvm::PoisonValue::get(type);
  for (auto [place, element] : llvm::enumerate(elements))
    vector = end.CreateInsertElement(vector, element, place);
  return vector;
}

/// Uses element \p place of \p vector instead of \p scalar, and takes it out where it is used: elements of its own
/// would be copied in every round.
void takeWhereUsed(llvm::Instruction &scalar, llvm::Value *vector, std::uint64_t place) {
  llvm::SmallDenseMap<llvm::BasicBlock *, llvm::Value *> taken;
  for (llvm::Use &use : llvm::make_early_inc_range(scalar.uses())) {
    auto *user = llvm::cast<llvm::Instruction>(use.getUser());
    auto *phi = llvm::dyn_cast<llvm::PHINode>(user);
    llvm::BasicBlock *const block = phi ? phi->getIncomingBlock(use) : user->getParent();
    llvm::Value *&element = taken[block];
    if (!element)
      element = llvm::IRBuilder<>(block, block->getFirstInsertionPt()).CreateExtractElement(vector, place);
    use.set(element);
  }
  scalar.eraseFromParent();
}

/// Whether \p block, or the way out of it, uses \p value.
bool isUsedIn(const llvm::Instruction &value, const llvm::BasicBlock &block) {
  return llvm::any_of(value.uses(), [&](const llvm::Use &use) {
    auto *user = llvm::cast<llvm::Instruction>(use.getUser());
    auto *phi = llvm::dyn_cast<llvm::PHINode>(user);
    return (phi ? phi->getIncomingBlock(use) : user->getParent()) == &block;
  });
}

void carry(const Carried &carried) {
  llvm::PHINode *const first = carried.scalars.front();
  auto *const vector = llvm::PHINode::Create(carried.type, first->getNumIncomingValues(), "", first->getIterator());
  llvm::SmallDenseMap<llvm::BasicBlock *, llvm::Value *> made; // a block may come twice
  for (llvm::BasicBlock *from : first->blocks()) {
    llvm::Value *&value = made[from];
    if (!value)
      value = makeVector(incoming(carried.scalars, from), carried.type, *from);
    vector->addIncoming(value, from);
  }
  if (carried.made)
    carried.made->replaceAllUsesWith(vector);
  for (auto [place, scalar] : llvm::enumerate(carried.scalars))
    takeWhereUsed(*scalar, vector, place);
  if (carried.made)
    llvm::RecursivelyDeleteTriviallyDeadInstructions(carried.made);
}

/// Carries one vector more; false if there is none.
bool carryOne(llvm::Function &function) {
  for (llvm::BasicBlock &block : function) {
    for (llvm::PHINode &phi : block.phis())
      for (llvm::BasicBlock *from : phi.blocks())
        if (const std::optional<Carried> carried = carriedFrom(phi, from)) {
          carry(*carried);
          return true;
        }
    for (llvm::Instruction &instruction : block) {
      auto *made = llvm::dyn_cast<llvm::InsertElementInst>(&instruction);
      auto *type = made ? llvm::dyn_cast<llvm::FixedVectorType>(made->getType()) : nullptr;
      std::optional<Carried> carried = type ? carriedBy(elementsOf(*made), type) : std::nullopt;
      if (carried) {
        carried->made = made;
        carry(*carried);
        return true;
      }
    }
  }
  return false;
}

/// Leaves vectors that are taken apart and put together again as they are.
void keepWhole(llvm::Function &function) {
  llvm::SmallVector<llvm::WeakVH> all;
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block)
      if (llvm::isa<llvm::InsertElementInst, llvm::ExtractElementInst>(instruction))
        all.emplace_back(&instruction);
  for (const llvm::WeakVH &each : all)
    if (auto *made = llvm::dyn_cast_or_null<llvm::InsertElementInst>(each))
      if (llvm::Value *whole = vectorOf(elementsOf(*made), made->getType()))
        made->replaceAllUsesWith(whole);
  for (const llvm::WeakVH &each : all)
    if (auto *instruction = llvm::dyn_cast_or_null<llvm::Instruction>(each))
      llvm::RecursivelyDeleteTriviallyDeadInstructions(instruction);
}

/// Takes elements out of vectors where they are used, if that is in other blocks only.
void takeLate(llvm::Function &function) {
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(block)) {
      auto *extract = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction);
      auto *place = extract ? llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand()) : nullptr;
      if (place && !isUsedIn(*extract, block))
        takeWhereUsed(*extract, extract->getVectorOperand(), place->getZExtValue());
    }
}

} // namespace

void carryVectors(llvm::Function &function) {
  while (carryOne(function))
    ;
  keepWhole(function);
  takeLate(function);
}

} // namespace tessera::ir::amd
