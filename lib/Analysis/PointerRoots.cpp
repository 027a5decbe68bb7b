//===- PointerRoots.cpp - which memory a pointer may address --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Sets of roots flow from operands to results and through regions, to a fixed point over loops.
//
//===---------------------------------------------------------------------===//

#include "Analysis/PointerRoots.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tessera::ir {

bool isPointerLike(Type type) { return isa<tile::ViewType>(type) || isa<tile::PtrType>(tile::elementOf(type)); }

/// Whether the result may hold an address from memory or of an integer: anything may be behind it.
static bool comesFromAnywhere(Operation *op) {
  return isa<tile::IntToPtrOp>(op) ||
         (!isa<tile::WorkspaceOp>(op) && op->getNumRegions() == 0 && !mlir::isMemoryEffectFree(op));
}

PointerRoots::PointerRoots(tile::KernelOp kernel, Unknown unknown)
    : unknown(unknown), parameters(kernel.getNumArguments()) {
  count = parameters;
  kernel.walk([&](tile::WorkspaceOp op) { workspaces[op] = count++; });
  if (unknown == Unknown::Apart)
    ++count;
  none.resize(count);
  mayAlias.resize(count);
  for (BlockArgument argument : kernel.getArguments()) {
    const unsigned number = argument.getArgNumber();
    if (kernel.getArgAttr(number, tile::TileDialect::kMayAlias))
      mayAlias.set(number);
    if (isPointerLike(argument.getType())) {
      llvm::BitVector root = none;
      root.set(number);
      sets[argument] = root;
    }
  }
  do {
    changed = false;
    kernel.walk([&](Operation *op) { visit(op); });
  } while (changed);
}

const llvm::BitVector &PointerRoots::of(Value pointer) const {
  auto known = sets.find(pointer);
  return known == sets.end() ? none : known->second;
}

llvm::BitVector PointerRoots::ofOperands(Operation *op) const {
  llvm::BitVector roots = none;
  for (Value operand : op->getOperands())
    if (isPointerLike(operand.getType()))
      roots |= of(operand);
  return roots;
}

bool PointerRoots::meet(const llvm::BitVector &a, const llvm::BitVector &b) const {
  return a.anyCommon(b) || (a.anyCommon(mayAlias) && b.any()) || (b.anyCommon(mayAlias) && a.any());
}

void PointerRoots::join(Value into, const llvm::BitVector &roots) {
  if (!isPointerLike(into.getType()))
    return;
  llvm::BitVector &mine = sets.try_emplace(into, none).first->second;
  const llvm::BitVector before = mine;
  mine |= roots;
  changed |= mine != before;
}

void PointerRoots::visit(Operation *op) {
  if (isa<tile::KernelOp>(op))
    return;
  llvm::BitVector roots = ofOperands(op);
  if (comesFromAnywhere(op)) {
    if (unknown == Unknown::Apart)
      roots = none, roots.set(count - 1);
    else
      roots.set();
  }
  if (auto workspace = workspaces.find(op); workspace != workspaces.end())
    roots.set(workspace->second);
  // What a region yields may become any pointer its operation gives or hands to a region.
  for (Region &region : op->getRegions())
    for (Block &block : region)
      roots |= ofOperands(block.getTerminator());
  for (Value result : op->getResults())
    join(result, roots);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (BlockArgument argument : block.getArguments())
        join(argument, roots);
}

} // namespace tessera::ir
