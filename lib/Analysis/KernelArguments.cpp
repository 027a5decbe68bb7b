//===- KernelArguments.cpp - how a kernel uses its arguments --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Forward: which parameters' memory pointers may address. Backward: from each address, the integers it is made of, and
// whether a product lies between.
//
//===---------------------------------------------------------------------===//

#include "Analysis/KernelArguments.h"

#include "Analysis/PointerRoots.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"

namespace tessera::ir {

namespace {

/// Walks from addresses back to the parameters they are computed from.
class AddressSlice {
public:
  AddressSlice(tile::KernelOp kernel, MutableArrayRef<ArgumentFacts> facts) : kernel(kernel), facts(facts) {
    kernel.walk([&](Operation *op) {
      if (auto add = dyn_cast<tile::AddPtrOp>(op))
        push(add.getOffset(), false);
      if (auto view = dyn_cast<tile::MakeViewOp>(op))
        for (Value stride : view.getStrides())
          push(stride, true);
    });
    while (!work.empty()) {
      const auto [value, multiplied] = work.pop_back_val();
      follow(value, multiplied != 0);
    }
  }

private:
  void push(Value value, bool multiplied) {
    // Conditions choose between addresses but are no part of them.
    const Type element = tile::elementOf(value.getType());
    if (element.isInteger(1) || !isa<IntegerType>(element))
      return;
    const Item item{value, multiplied};
    if (seen.insert(item).second)
      work.push_back(item);
  }
  void follow(Value value, bool multiplied) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return followArgument(argument, multiplied);
    Operation *op = value.getDefiningOp();
    if (op->getNumRegions()) {
      // Loops and branches: the yielded values and the initial ones.
      const unsigned number = cast<OpResult>(value).getResultNumber();
      followRegions(op, number, multiplied);
      return;
    }
    if (!mlir::isMemoryEffectFree(op))
      return;
    const bool product = isa<mlir::arith::MulIOp, tile::ShlOp>(op);
    for (Value operand : op->getOperands())
      push(operand, multiplied || product);
  }
  void followArgument(BlockArgument argument, bool multiplied) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (parent == kernel) {
      facts[argument.getArgNumber()].inAddress = true;
      facts[argument.getArgNumber()].asStride |= multiplied;
      return;
    }
    if (auto loop = dyn_cast<mlir::scf::ForOp>(parent)) {
      if (argument == loop.getInductionVar()) {
        push(loop.getLowerBound(), multiplied);
        push(loop.getStep(), multiplied);
        return;
      }
      return followRegions(parent, argument.getArgNumber() - 1, multiplied);
    }
    followEverything(parent, multiplied);
  }
  void followRegions(Operation *op, unsigned number, bool multiplied) {
    if (auto loop = dyn_cast<mlir::scf::ForOp>(op)) {
      push(loop.getInitArgs()[number], multiplied);
      push(loop.getBody()->getTerminator()->getOperand(number), multiplied);
      return;
    }
    if (auto branch = dyn_cast<mlir::scf::IfOp>(op)) {
      for (Region &region : branch->getRegions())
        for (Block &block : region)
          push(block.getTerminator()->getOperand(number), multiplied);
      return;
    }
    followEverything(op, multiplied);
  }
  /// Whatever goes into the operation or is yielded inside it.
  void followEverything(Operation *op, bool multiplied) {
    for (Value operand : op->getOperands())
      push(operand, multiplied);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value yielded : block.getTerminator()->getOperands())
          push(yielded, multiplied);
  }

  tile::KernelOp kernel;
  MutableArrayRef<ArgumentFacts> facts;
  using Item = std::pair<Value, unsigned>; ///< a value, and whether a product lies between it and the address
  llvm::DenseSet<Item> seen;
  SmallVector<Item> work;
};

} // namespace

/// Whether \p op may have the effect on some memory it is given a pointer to.
template <class Effect> static bool mayHave(Operation *op) {
  if (auto effects = dyn_cast<mlir::MemoryEffectOpInterface>(op))
    return effects.hasEffect<Effect>();
  return op->getNumRegions() == 0 && !mlir::isMemoryEffectFree(op);
}

/// Whether \p op stores through its first operand.
static bool stores(Operation *op) {
  return isa<tile::StoreOp, tile::ViewStoreOp, tile::ViewStoreRowsOp, tile::AtomicRMWOp, tile::AtomicCASOp,
             tile::AtomicStoreOp>(op);
}

SmallVector<ArgumentFacts> analyzeArguments(tile::KernelOp kernel, bool *storesElsewhere) {
  SmallVector<ArgumentFacts> facts(kernel.getNumArguments());
  const PointerRoots roots(kernel), computed(kernel, PointerRoots::Unknown::Apart);
  kernel.walk([&](Operation *op) {
    const bool reads = mayHave<mlir::MemoryEffects::Read>(op), writes = mayHave<mlir::MemoryEffects::Write>(op);
    if (!reads && !writes)
      return;
    for (Value operand : op->getOperands()) {
      if (!isPointerLike(operand.getType()))
        continue;
      for (unsigned number : roots.of(operand).set_bits()) {
        if (number >= facts.size())
          break; // a workspace
        facts[number].read |= reads;
        facts[number].written |= writes;
      }
    }
  });
  bool elsewhere = false;
  kernel.walk([&](Operation *op) {
    if (stores(op))
      for (unsigned number : computed.of(op->getOperand(0)).set_bits()) {
        if (number < facts.size()) // no workspace
          facts[number].stored = true;
        elsewhere |= number == computed.size() - 1;
      }
  });
  if (storesElsewhere)
    *storesElsewhere = elsewhere;
  AddressSlice(kernel, facts);
  // Pointers reached through "anywhere" are pointers only.
  for (BlockArgument argument : kernel.getArguments())
    if (!isPointerLike(argument.getType()))
      facts[argument.getArgNumber()].read = facts[argument.getArgNumber()].written = false;
  return facts;
}

} // namespace tessera::ir
