//===- InsertBarriers.cpp - order the accesses of threads ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  layout.shared_store %b, %x;  %y = layout.shared_load %b
// After:   layout.shared_store %b, %x;  layout.barrier;  %y = layout.shared_load %b
// Needs:   buffers have their places.  Gives: the order of the text for all that may meet in memory (SEMANTICS M3, M5).
// Place:   after shared allocation; nothing may move accesses afterwards.
// Numerics: none.
//
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Layout/Transforms/Passes.h"

#include "Analysis/MemoryHazards.h"
#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"

namespace tessera::ir::layout {

#define GEN_PASS_DEF_INSERTBARRIERSPASS
#include "tessera-ir/Dialect/Layout/Transforms/Passes.h.inc"

/// Makes an op of each barrier that was placed, before the op of the step it stands before.
template <class Op> static void insert(const BarrierSteps &steps) {
  for (size_t i = 0; i != steps.size(); ++i) {
    if (steps[i].kind == BarrierStep::Kind::Barrier && !steps[i].op) {
      OpBuilder builder(steps[i + 1].op);
      Op::create(builder, steps[i + 1].op->getLoc());
    }
    insert<Op>(steps[i].body);
    insert<Op>(steps[i].other);
  }
}

template <class Op> static void order(const MemoryHazards &memory, ThreadScope scope) {
  BarrierSteps steps = memory.steps(scope);
  placeBarriers(steps, memory.hazards(scope));
  insert<Op>(steps);
}

/// Writing to another block takes that it runs.
static void awaitCluster(tile::KernelOp kernel) {
  for (Operation &op : kernel.getBody().front()) {
    const mlir::WalkResult found = op.walk([](SharedStoreOp store) {
      return store.getCluster() ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
    });
    if (!found.wasInterrupted())
      continue;
    OpBuilder builder(&op);
    ClusterBarrierOp::create(builder, op.getLoc());
    return;
  }
}

namespace {

struct InsertBarriers : impl::InsertBarriersPassBase<InsertBarriers> {
  using InsertBarriersPassBase::InsertBarriersPassBase;

  void runOnOperation() override {
    for (tile::KernelOp kernel : getOperation().getOps<tile::KernelOp>()) {
      const mlir::WalkResult placed = kernel->walk([](SharedAllocOp alloc) {
        if (alloc.getOffset())
          return mlir::WalkResult::advance();
        alloc.emitError("has no `offset`, without which buffers that share memory are not seen; "
                        "-layout-allocate-shared gives it");
        return mlir::WalkResult::interrupt();
      });
      if (placed.wasInterrupted())
        return signalPassFailure();
      awaitCluster(kernel);
      const MemoryHazards memory(kernel);
      order<ClusterBarrierOp>(memory, ThreadScope::Cluster);
      order<BarrierOp>(memory, ThreadScope::Block);
      order<WarpSyncOp>(memory, ThreadScope::Warp);
    }
  }
};

} // namespace

} // namespace tessera::ir::layout
