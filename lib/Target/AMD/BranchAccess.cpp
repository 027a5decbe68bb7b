//===- BranchAccess.cpp - masked accesses become branches -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  %a = load(p, mask, x)        After:  br mask, inside, behind
//          %q = getelementptr p, 64             inside: load p, load q; br behind
//          %b = load(q, mask, y)                behind: %a = phi …, %b = phi …
//
// An access whose mask is known needs no branch. Others that have one mask share a branch where they lie in one block
// with nothing between them that touches memory or lanes; what only computes is done before.
//
//===---------------------------------------------------------------------===//

#include "Target/AMD/Access.h"
#include "Target/AMD/Border.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

namespace tessera::ir::amd {

namespace {

/// The widest access of a lane.
constexpr unsigned kMaxBytes = 16;

/// \p pointer, computed again where \p b stands if that was in another block: the code generator sees a block at a
/// time, and what is the same in all threads, a thread's offset and a constant are parts of an access where it sees all
/// three.
llvm::Value *computedHere(llvm::Value *pointer, llvm::IRBuilderBase &b) {
  const auto isElsewhere = [&](llvm::Value *value) {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return instruction && instruction->getParent() != b.GetInsertBlock();
  };
  auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer);
  if (!address || !isElsewhere(address))
    return pointer;
  llvm::Value *const base = computedHere(address->getPointerOperand(), b);
  llvm::SmallVector<llvm::Value *> indices;
  for (llvm::Use &index : address->indices()) {
    auto *widened = llvm::dyn_cast<llvm::ZExtInst>(index);
    indices.push_back(widened && isElsewhere(widened) ? b.Insert(widened->clone()) : index.get());
  }
  return b.CreateGEP(address->getSourceElementType(), base, indices, "", address->getNoWrapFlags());
}

/// Emits \p access as if its mask were true. The result is that of a load, null for a store.
llvm::Value *emit(const Access &access, llvm::IRBuilderBase &b) {
  const llvm::Align align(access.callee.type.bytes());
  llvm::Value *const pointer = computedHere(access.pointer(), b);
  llvm::Instruction *made = nullptr;
  if (access.isStore()) {
    llvm::StoreInst *const store = b.CreateAlignedStore(access.call->getArgOperand(1), pointer, align);
    store->setVolatile(access.isVolatile());
    made = store;
  } else {
    llvm::LoadInst *const load = b.CreateAlignedLoad(access.call->getType(), pointer, align);
    load->setVolatile(access.isVolatile());
    made = load;
  }
  if (access.isUsedOnce()) {
    llvm::Metadata *const one = llvm::ConstantAsMetadata::get(b.getInt32(1));
    made->setMetadata(llvm::LLVMContext::MD_nontemporal, llvm::MDNode::get(b.getContext(), {one}));
  }
  made->setDebugLoc(access.call->getDebugLoc());
  return access.isStore() ? nullptr : made;
}

void replace(const Access &access, llvm::Value *value) {
  llvm::Value *const pointer = access.pointer();
  access.replaceWith(value);
  llvm::RecursivelyDeleteTriviallyDeadInstructions(pointer);
}

/// Accesses of one mask that share a branch, in order.
class Group {
public:
  bool empty() const { return members.empty(); }

  /// Whether \p access can be made together with those that are here.
  bool takes(const Access &access) const {
    return !empty() && access.mask() == members.front().mask() && !dependsOnMembers(*access.call);
  }

  void add(Access access) {
    for (llvm::Instruction *each : between)
      each->moveBefore(members.front().call->getIterator());
    between.clear();
    later.insert(access.call);
    members.push_back(std::move(access));
  }

  /// Takes note of an instruction behind the last member. False if nothing behind it can be done before it.
  bool pass(llvm::Instruction &instruction) {
    if (instruction.mayReadOrWriteMemory() || instruction.mayHaveSideEffects() || instruction.isTerminator())
      return false;
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (dependsOnMembers(instruction) || (call && call->isConvergent()) || llvm::isa<llvm::PHINode>(instruction))
      later.insert(&instruction);
    else
      between.push_back(&instruction);
    return true;
  }

  /// Emits the members.
  void close() {
    if (empty())
      return;
    llvm::CallInst *const first = members.front().call;
    llvm::BasicBlock *const head = first->getParent();
    llvm::IRBuilder<> inside(
        llvm::SplitBlockAndInsertIfThen(members.front().mask(), first->getIterator(), /*Unreachable=*/false));
    llvm::BasicBlock *const tail = first->getParent();
    for (const Access &access : members) {
      llvm::Value *value = emit(access, inside);
      if (value) {
        llvm::PHINode *const merged = llvm::PHINode::Create(value->getType(), 2, "", tail->begin());
        merged->addIncoming(value, inside.GetInsertBlock());
        merged->addIncoming(access.other(), head);
        value = merged;
      }
      replace(access, value);
    }
    *this = Group();
  }

private:
  bool dependsOnMembers(const llvm::Instruction &instruction) const {
    return llvm::any_of(instruction.operands(), [&](const llvm::Use &use) { return later.contains(use.get()); });
  }

  llvm::SmallVector<Access> members;
  llvm::SmallVector<llvm::Instruction *> between;   ///< may be done before the members
  llvm::SmallPtrSet<const llvm::Value *, 16> later; ///< the members, and what must stay behind them
};

/// Replaces the accesses of \p block. Blocks that are split from it hold none.
llvm::Error lowerBlock(llvm::BasicBlock &block) {
  llvm::SmallVector<llvm::Instruction *> instructions;
  for (llvm::Instruction &instruction : block)
    instructions.push_back(&instruction);
  Group group;
  for (llvm::Instruction *const instruction : instructions) {
    Access access = accessOf(*instruction);
    if (!access.call || access.isCopy()) {
      if (!group.empty() && !group.pass(*instruction))
        group.close();
      continue;
    }
    if (access.callee.type.bytes() > kMaxBytes)
      return llvm::createStringError("the chip has no access of %u bytes", access.callee.type.bytes());
    if (group.takes(access)) {
      group.add(std::move(access));
      continue;
    }
    group.close();
    if (gpu::isFalse(access.mask())) {
      replace(access, access.isStore() ? nullptr : access.other());
    } else if (gpu::isTrue(access.mask())) {
      llvm::IRBuilder<> builder(access.call);
      replace(access, emit(access, builder));
    } else {
      group.add(std::move(access));
    }
  }
  group.close();
  return llvm::Error::success();
}

} // namespace

llvm::Error lowerAccesses(llvm::Module &module) {
  for (llvm::Function &function : module) {
    llvm::SmallVector<llvm::BasicBlock *> blocks;
    for (llvm::BasicBlock &block : function)
      blocks.push_back(&block);
    for (llvm::BasicBlock *const block : blocks)
      if (llvm::Error error = lowerBlock(*block))
        return error;
  }
  return llvm::Error::success();
}

} // namespace tessera::ir::amd
