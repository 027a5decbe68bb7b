//===- Stream.cpp - copies that run rounds ahead of a loop ---------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What is left up to the bound is counted, as an unsigned number: an index some rounds ahead may lie behind the end of
// its type.
//
//===---------------------------------------------------------------------===//

#include "Dialect/Layout/Transforms/PipelineLoops/Stream.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

namespace tessera::ir::layout {

namespace arith = mlir::arith;
using mlir::IRMapping;
using mlir::ValueRange;
using mlir::scf::ForOp;
using mlir::scf::IfOp;
using mlir::scf::YieldOp;

static Value number(OpBuilder &b, Location loc, Type type, int64_t value) {
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
}

static Value zeroTile(OpBuilder &b, Location loc, Type type) {
  const auto tile = cast<RankedTensorType>(type);
  return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(tile, b.getZeroAttr(tile.getElementType())));
}

/// What \p loop has left at the round with \p index, which is one.
static Value leftAt(OpBuilder &b, ForOp loop, Value index) {
  const Location loc = loop.getLoc();
  const Value zero = number(b, loc, index.getType(), 0);
  const Value isRound = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, index, loop.getUpperBound());
  const Value distance = arith::SubIOp::create(b, loc, loop.getUpperBound(), index);
  return arith::SelectOp::create(b, loc, isRound, distance, zero);
}

/// The same a round later.
static Value leftAfter(OpBuilder &b, ForOp loop, Value left) {
  const Location loc = loop.getLoc();
  const Value zero = number(b, loc, left.getType(), 0);
  const Value isMore = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt, left, loop.getStep());
  const Value rest = arith::SubIOp::create(b, loc, left, loop.getStep());
  return arith::SelectOp::create(b, loc, isMore, rest, zero);
}

/// The index of the round that has \p left. It lies between the bounds, and where they are constants its range shows.
static Value indexWith(OpBuilder &b, ForOp loop, Value left) {
  const Location loc = loop.getLoc();
  Value index = arith::SubIOp::create(b, loc, loop.getUpperBound(), left);
  if (mlir::matchPattern(loop.getLowerBound(), mlir::m_Constant()))
    index = arith::MaxSIOp::create(b, loc, index, loop.getLowerBound());
  if (APInt bound; mlir::matchPattern(loop.getUpperBound(), mlir::m_ConstantInt(&bound)) && !bound.isMinSignedValue())
    index = arith::MinSIOp::create(b, loc, index,
                                   arith::ConstantOp::create(b, loc, b.getIntegerAttr(index.getType(), bound - 1)));
  return index;
}

Stream::Stream(ForOp loop, ArrayRef<CopiedLoad> all, function_ref<bool(const CopiedLoad &)> isMeant) : loop(loop) {
  for (const CopiedLoad &load : all)
    if (isMeant(load)) {
      loads.push_back(load);
      tiles += !load.hasRing();
    }
  slice = sliceOf(loop, loads);
}

SmallVector<Value> Stream::start(OpBuilder &b) const {
  ForOp each = loop;
  SmallVector<Value> state{leftAt(b, loop, each.getLowerBound())};
  for (const unsigned carried : slice.carried)
    state.push_back(each.getInits()[carried]);
  for (const CopiedLoad &load : loads)
    if (!load.hasRing())
      state.push_back(zeroTile(b, load.op->getLoc(), load.result().getType()));
  return state;
}

/// The state a round further.
SmallVector<Value> Stream::advanceOne(OpBuilder &b, ValueRange state, Value when,
                                      function_ref<void(OpBuilder &)> before, Begin begin) const {
  ForOp each = loop;
  IRMapping map;
  map.map(each.getInductionVar(), indexWith(b, loop, state.front()));
  for (const auto [place, carried] : llvm::enumerate(slice.carried))
    map.map(each.getRegionIterArgs()[carried], state[1 + place]);
  before(b);
  SmallVector<Value> loaded;
  const CopiedLoad *next = loads.begin();
  for (Operation &op : *each.getBody()) {
    if (next != loads.end() && next->op == &op) {
      if (next->hasRing())
        begin(b, *next, map, when);
      else
        loaded.push_back(b.clone(op, map)->getResult(0));
      ++next;
    } else if (slice.ops.contains(&op)) {
      b.clone(op, map);
    }
  }
  SmallVector<Value> after{leftAfter(b, loop, state.front())};
  for (const unsigned carried : slice.carried)
    after.push_back(map.lookupOrDefault(each.getYieldedValues()[carried]));
  after.append(loaded);
  return after;
}

SmallVector<Value> Stream::advance(OpBuilder &b, ValueRange state, function_ref<void(OpBuilder &)> before,
                                   Begin begin) const {
  ForOp each = loop;
  const Location loc = each.getLoc();
  const Value left = state.front();
  const Value isRound =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, left, number(b, loc, left.getType(), 0));
  if (llvm::any_of(loads, [](const CopiedLoad &load) { return load.way == CopyWay::Straight; }))
    return advanceOne(b, state, isRound, before, begin);
  auto branch = IfOp::create(b, loc, state.getTypes(), isRound, /*withElseRegion=*/true);
  OpBuilder inside = OpBuilder::atBlockBegin(branch.thenBlock());
  YieldOp::create(inside, loc, advanceOne(inside, state, /*when=*/{}, before, begin));
  inside.setInsertionPointToEnd(branch.elseBlock());
  YieldOp::create(inside, loc, state);
  return SmallVector<Value>(branch.getResults());
}

} // namespace tessera::ir::layout
