//===- LoopMemory.cpp - what a loop does to memory -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Dialect/Layout/Transforms/PipelineLoops/LoopMemory.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"
#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tessera::ir::layout {

using mlir::scf::ForOp;

bool isProduct(Operation *op) { return isa<tile::DotOp, SharedDotOp, AsyncDotOp>(op); }

bool isLoad(Operation *op) { return isa<tile::LoadOp, tile::ViewLoadOp, tile::ViewLoadRowsOp>(op); }

static bool isReload(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<tile::LoadOp, tile::ViewLoadOp, tile::ViewLoadRowsOp>([](auto load) { return load.getReload(); })
      .Default([](Operation *) { return false; });
}

LoopMemory::LoopMemory(ForOp loop)
    : roots(loop->getParentOfType<tile::KernelOp>()), written(roots.size()), everWritten(roots.size()) {
  loop->getParentOfType<tile::KernelOp>()->walk([&](Operation *op) { visit(op, loop->isProperAncestor(op)); });
}

bool LoopMemory::mayRunAhead(Operation *op) const {
  if (isProduct(op))
    return false;
  if (!isLoad(op))
    return mlir::isMemoryEffectFree(op);
  return !ordersLoads && !isReload(op) && !roots.meet(roots.ofOperands(op), written);
}

bool LoopMemory::isEverWritten(Operation *op) const { return hasAsm || roots.meet(roots.ofOperands(op), everWritten); }

void LoopMemory::visit(Operation *op, bool isInside) {
  using tile::MemoryOrder;
  const auto write = [&] {
    const llvm::BitVector target = roots.ofOperands(op);
    everWritten |= target;
    if (isInside)
      written |= target;
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case<tile::StoreOp, tile::ViewStoreOp, tile::ViewStoreRowsOp, TensorStoreOp>([&](auto) { write(); })
      .Case<tile::AtomicRMWOp, tile::AtomicCASOp, tile::AtomicLoadOp, tile::AtomicStoreOp>([&](auto each) {
        const MemoryOrder order = each.getOrder();
        ordersLoads |= isInside && (order == MemoryOrder::Acquire || order == MemoryOrder::AcqRel);
        write();
      })
      .Case([&](tile::InlineAsmOp each) {
        const bool touches = !mlir::isMemoryEffectFree(each);
        hasAsm |= touches;
        ordersLoads |= isInside && touches;
      })
      // What it is about must come before the loads that it guards.
      .Case<tile::AssertOp, BarrierOp, NamedBarrierSyncOp, ClusterBarrierOp>([&](auto) { ordersLoads |= isInside; });
}

} // namespace tessera::ir::layout
