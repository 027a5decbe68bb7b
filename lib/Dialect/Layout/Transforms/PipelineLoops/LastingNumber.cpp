//===- LastingNumber.cpp - a number that outlives a loop -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Dialect/Layout/Transforms/PipelineLoops/LastingNumber.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::ir::layout {

using mlir::scf::ForOp;
using mlir::scf::IfOp;
using mlir::scf::YieldOp;

/// What is around \p op in the kernel, the outermost first.
static SmallVector<Operation *> around(Operation *op) {
  SmallVector<Operation *> result;
  for (Operation *at = op->getParentOp(); !isa<tile::KernelOp>(at); at = at->getParentOp())
    result.push_back(at);
  std::reverse(result.begin(), result.end());
  return result;
}

bool LastingNumber::isPossible(Operation *op) {
  return llvm::all_of(around(op), [](Operation *each) { return isa<ForOp, IfOp>(each); });
}

/// Lets \p loop carry one value more, which each round hands on as it is; gives the new loop.
static ForOp withCarried(ForOp loop, Value first) {
  OpBuilder b(loop);
  SmallVector<Value> inits(loop.getInits());
  inits.push_back(first);
  auto more = ForOp::create(
      b, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(), loop.getStep(), inits,
      [](OpBuilder &, Location, Value, mlir::ValueRange) {}, loop.getUnsignedCmp());
  more->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  Block *const from = loop.getBody(), *const to = more.getBody();
  for (auto [old, fresh] : llvm::zip(from->getArguments(), to->getArguments()))
    old.replaceAllUsesWith(fresh);
  to->getOperations().splice(to->end(), from->getOperations());
  Operation *const yield = to->getTerminator();
  yield->insertOperands(yield->getNumOperands(), to->getArguments().back());
  loop->replaceAllUsesWith(more->getResults().drop_back());
  loop->erase();
  return more;
}

/// Lets \p branch give one value more, which is \p value on either way; gives the new branch.
static IfOp withResult(IfOp branch, Value value) {
  OpBuilder b(branch);
  SmallVector<Type> types(branch.getResultTypes());
  types.push_back(value.getType());
  auto more = IfOp::create(b, branch.getLoc(), types, branch.getCondition(), /*withElseRegion=*/true);
  more->setDiscardableAttrs(branch->getDiscardableAttrDictionary());
  more.getThenRegion().takeBody(branch.getThenRegion());
  if (branch.elseBlock()) {
    more.getElseRegion().takeBody(branch.getElseRegion());
  } else {
    b.setInsertionPointToEnd(more.elseBlock());
    YieldOp::create(b, branch.getLoc());
  }
  for (Block *block : {more.thenBlock(), more.elseBlock()}) {
    Operation *const yield = block->getTerminator();
    yield->insertOperands(yield->getNumOperands(), value);
  }
  branch->replaceAllUsesWith(more->getResults().drop_back());
  branch->erase();
  return more;
}

LastingNumber::LastingNumber(Operation *op) {
  SmallVector<Operation *> ops = around(op);
  // Before the outermost loop it is 0.
  const auto outermost = llvm::find_if(ops, [](Operation *each) { return isa<ForOp>(each); });
  ops.erase(ops.begin(), outermost);
  Operation *const start = ops.empty() ? op : ops.front();
  OpBuilder b(start);
  found = mlir::arith::ConstantOp::create(b, start->getLoc(), b.getI32IntegerAttr(0));
  for (auto [index, each] : llvm::enumerate(ops)) {
    Operation *const inner = index + 1 == ops.size() ? op : ops[index + 1];
    if (auto loop = dyn_cast<ForOp>(each)) {
      auto more = withCarried(loop, found);
      found = more.getRegionIterArgs().back();
      hops.push_back({more.getBody()->getTerminator(), more.getResults().back()});
    } else {
      auto more = withResult(cast<IfOp>(each), found);
      hops.push_back({inner->getBlock()->getTerminator(), more.getResults().back()});
    }
  }
}

void LastingNumber::leave(Value after) {
  for (const Hop &hop : llvm::reverse(hops)) {
    hop.terminator->setOperand(hop.terminator->getNumOperands() - 1, after);
    after = hop.result;
  }
}

} // namespace tessera::ir::layout
