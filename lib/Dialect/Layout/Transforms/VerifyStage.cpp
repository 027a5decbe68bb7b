//===- VerifyStage.cpp - check that a module is at the layout stage ---===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  any module.
// After:   the same module, or an error on each op that does not belong.
// Needs:   nothing.  Gives: what stage_c1 and the following in Passes.td state.
// Place:   before code is emitted for threads.
// Numerics: none.
//
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Layout/Transforms/Passes.h"

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"
#include "tessera-ir/Dialect/Tile/IR/Tile.h"

namespace tessera::ir::layout {

#define GEN_PASS_DEF_VERIFYSTAGEPASS
#include "tessera-ir/Dialect/Layout/Transforms/Passes.h.inc"

namespace {

/// stage_c1: the only kernel of the module, if it says how many threads run it.
FailureOr<tile::KernelOp> kernelOf(ModuleOp module) {
  SmallVector<tile::KernelOp> kernels(module.getOps<tile::KernelOp>());
  if (kernels.size() != 1)
    return module.emitError("expected exactly one `tile.kernel` in the module, got ") << kernels.size();
  if (!kernelShapeOf(kernels.front()))
    return kernels.front().emitError("expected `layout.num_warps` and `layout.warp_size` on the kernel; "
                                     "-tile-to-layout sets them");
  return kernels.front();
}

struct VerifyStage : impl::VerifyStagePassBase<VerifyStage> {
  using VerifyStagePassBase::VerifyStagePassBase;
  void runOnOperation() override {
    markAllAnalysesPreserved();
    const FailureOr<tile::KernelOp> kernel = kernelOf(getOperation());
    if (failed(kernel))
      return signalPassFailure();
    bool wrong = false;
    tile::KernelOp found = *kernel;
    found->walk([&](Operation *op) { wrong |= failed(verifyLayoutRule(op)); }); // stage_c2, stage_c3
    if (wrong)
      signalPassFailure();
  }
};

} // namespace

} // namespace tessera::ir::layout
