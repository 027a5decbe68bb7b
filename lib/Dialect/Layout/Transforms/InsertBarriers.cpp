//===- InsertBarriers.cpp - order the accesses of threads ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  layout.shared_store %b, %x;  %y = layout.shared_load %b
// After:   layout.shared_store %b, %x;  layout.barrier shared;  %y = layout.shared_load %b
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

/// Calls \p make with each barrier that was placed, and a builder before the op of the step it stands before.
static void insert(const BarrierSteps &steps, function_ref<void(OpBuilder &, Location, const BarrierStep &)> make) {
  for (size_t i = 0; i != steps.size(); ++i) {
    if (steps[i].kind == BarrierStep::Kind::Barrier && !steps[i].op) {
      OpBuilder builder(steps[i + 1].op);
      make(builder, steps[i + 1].op->getLoc(), steps[i]);
    }
    insert(steps[i].body, make);
    insert(steps[i].other, make);
  }
}

static void orderCluster(const MemoryHazards &memory) {
  BarrierSteps steps = memory.steps(ThreadScope::Cluster);
  placeBarriers(steps, memory.hazards(ThreadScope::Cluster));
  insert(steps, [](OpBuilder &b, Location loc, const BarrierStep &) { ClusterBarrierOp::create(b, loc); });
}

static void orderBlock(const MemoryHazards &memory) {
  BarrierSteps steps = memory.steps(ThreadScope::Block);
  placeBarriers(steps, memory.hazards(ThreadScope::Block));
  weakenBarriers(steps, memory.hazards(ThreadScope::Block));
  insert(steps, [](OpBuilder &b, Location loc, const BarrierStep &step) { BarrierOp::create(b, loc, step.isWeak); });
}

static void orderWarps(const MemoryHazards &memory) {
  BarrierSteps steps = memory.steps(ThreadScope::Warp);
  placeBarriers(steps, memory.hazards(ThreadScope::Warp));
  insert(steps, [](OpBuilder &b, Location loc, const BarrierStep &) { WarpSyncOp::create(b, loc); });
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
      orderCluster(memory);
      orderBlock(memory);
      orderWarps(memory);
    }
  }
};

} // namespace

} // namespace tessera::ir::layout
