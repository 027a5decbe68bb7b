//===- FixOrder.cpp - let reductions and scans keep their order -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  %r = tile.reduce %x axis 0 ...
// After:   %r = tile.reduce %x axis 0 deterministic ...
// Needs:   nothing.  Gives: reductions and scans with the same bits for every layout (SEMANTICS R4).
// Place:   before layouts, which an order may choose, where the compile option `deterministic` is on.
// Numerics: fixes the order of the free ones.
//
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Tile/Transforms/Passes.h"

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

namespace tessera::ir::tile {

#define GEN_PASS_DEF_FIXORDERPASS
#include "tessera-ir/Dialect/Tile/Transforms/Passes.h.inc"

namespace {

struct FixOrder : impl::FixOrderPassBase<FixOrder> {
  using FixOrderPassBase::FixOrderPassBase;

  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (auto reduce = dyn_cast<ReduceOp>(op))
        reduce.setDeterministic(true);
      else if (auto scan = dyn_cast<ScanOp>(op))
        scan.setDeterministic(true);
    });
  }
};

} // namespace

} // namespace tessera::ir::tile
