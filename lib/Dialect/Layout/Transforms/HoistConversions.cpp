//===- HoistConversions.cpp - carry tiles as loops compute them ----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  scf.for iter_args(%x : #a) { %y = layout.convert %x : #a -> #b;  …  %z = layout.convert %w : #b -> #a
//          scf.yield %z }
// After:   scf.for iter_args(%y : #b) { …  scf.yield %w }, with a conversion before the loop and one behind it
// Needs:   layouts.  Gives: no conversion of a carried tile to the layout that it is computed in.
// Place:   after products have their operands' layouts, before shared memory becomes explicit.
// Numerics: none.
//
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Layout/Transforms/Passes.h"

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::ir::layout {

#define GEN_PASS_DEF_HOISTCONVERSIONSPASS
#include "tessera-ir/Dialect/Layout/Transforms/Passes.h.inc"

using mlir::scf::ForOp;

namespace {

/// Carries value \p number of \p loop in the layout that its next round is computed in, if the loop begins by
/// converting it to that.
bool carryAsComputed(ForOp loop, unsigned number) {
  const BlockArgument carried = loop.getRegionIterArg(number);
  auto last = loop.getYieldedValues()[number].getDefiningOp<ConvertOp>();
  if (!last || last.getSource().getType() == carried.getType())
    return false;
  const Type wanted = last.getSource().getType(), given = carried.getType();
  SmallVector<ConvertOp> first;
  for (Operation *user : carried.getUsers()) {
    auto convert = dyn_cast<ConvertOp>(user);
    if (!convert || convert.getType() != wanted)
      return false;
    first.push_back(convert);
  }
  if (first.empty())
    return false;

  OpBuilder b(loop);
  OpOperand &init = loop.getInitsMutable()[number];
  init.set(ConvertOp::create(b, first.front().getLoc(), wanted, init.get()));
  BlockArgument(carried).setType(wanted);
  for (ConvertOp convert : first) {
    convert.getResult().replaceAllUsesWith(carried);
    convert.erase();
  }
  loop.getBody()->getTerminator()->setOperand(number, last.getSource());
  if (last->use_empty())
    last.erase();
  Value result = loop.getResult(number);
  result.setType(wanted);
  if (!result.use_empty()) {
    b.setInsertionPointAfter(loop);
    auto back = ConvertOp::create(b, loop.getLoc(), given, result);
    result.replaceAllUsesExcept(back.getResult(), back);
  }
  return true;
}

struct HoistConversionsPass : impl::HoistConversionsPassBase<HoistConversionsPass> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<ForOp> loops;
    getOperation()->walk([&](ForOp loop) { loops.push_back(loop); }); // inner ones first
    for (ForOp loop : loops)
      for (unsigned number = 0; number != loop.getNumResults(); ++number)
        carryAsComputed(loop, number);
  }
};

} // namespace

} // namespace tessera::ir::layout
