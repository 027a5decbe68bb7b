//===- HoistConversions.cpp - carry tiles as loops compute them ----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  scf.for iter_args(%x : #a) { %y = layout.convert %x : #a -> #b;  …  %z = layout.convert %w : #b -> #a
//          scf.yield %z }
// After:   scf.for iter_args(%y : #b) { …  scf.yield %w }, with a conversion before the loop and one behind it; so with
//          a tile that is transposed and transposed back
// Needs:   layouts.  Gives: no conversion of a carried tile to the layout that it is computed in.
// Place:   after products have their operands' layouts, before shared memory becomes explicit.
// Numerics: none.
//
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Layout/Transforms/Passes.h"

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"
#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::ir::layout {

#define GEN_PASS_DEF_HOISTCONVERSIONSPASS
#include "tessera-ir/Dialect/Layout/Transforms/Passes.h.inc"

using mlir::scf::ForOp;

namespace {

/// Whether \p op only gives a tile another layout, or other names to its axes; so does the other one of the two undo
/// it.
bool isConversion(Operation *op) {
  auto trans = dyn_cast_or_null<tile::TransOp>(op);
  return isa_and_nonnull<ConvertOp>(op) || (trans && trans.getPermutation() == ArrayRef<int32_t>{1, 0});
}

/// The same op as \p like of \p x, which has its result's type.
Value convertedLike(OpBuilder &b, Operation *like, Type type, Value x) {
  if (isa<ConvertOp>(like))
    return ConvertOp::create(b, like->getLoc(), type, x);
  return tile::TransOp::create(b, like->getLoc(), type, x, ArrayRef<int32_t>{1, 0});
}

/// Carries value \p number of \p loop as its next round computes it, if the loop begins by converting it to that.
bool carryAsComputed(ForOp loop, unsigned number) {
  const BlockArgument carried = loop.getRegionIterArg(number);
  Operation *const last = loop.getYieldedValues()[number].getDefiningOp();
  if (!isConversion(last) || last->getOperand(0).getType() == carried.getType())
    return false;
  const Type wanted = last->getOperand(0).getType(), given = carried.getType();
  SmallVector<Operation *> first;
  for (Operation *user : carried.getUsers()) {
    if (!isConversion(user) || user->getName() != last->getName() || user->getResult(0).getType() != wanted)
      return false;
    first.push_back(user);
  }
  if (first.empty())
    return false;

  OpBuilder b(loop);
  OpOperand &init = loop.getInitsMutable()[number];
  init.set(convertedLike(b, first.front(), wanted, init.get()));
  BlockArgument(carried).setType(wanted);
  for (Operation *convert : first) {
    convert->getResult(0).replaceAllUsesWith(carried);
    convert->erase();
  }
  loop.getBody()->getTerminator()->setOperand(number, last->getOperand(0));
  Value result = loop.getResult(number);
  result.setType(wanted);
  if (!result.use_empty()) {
    b.setInsertionPointAfter(loop);
    const Value back = convertedLike(b, last, given, result);
    result.replaceAllUsesExcept(back, back.getDefiningOp());
  }
  if (last->use_empty())
    last->erase();
  return true;
}

struct HoistConversionsPass : impl::HoistConversionsPassBase<HoistConversionsPass> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<ForOp> loops;
    getOperation()->walk([&](ForOp loop) { loops.push_back(loop); }); // inner ones first
    for (ForOp loop : loops)
      for (unsigned number = 0; number != loop.getNumResults(); ++number)
        while (carryAsComputed(loop, number)) {
        }
  }
};

} // namespace

} // namespace tessera::ir::layout
