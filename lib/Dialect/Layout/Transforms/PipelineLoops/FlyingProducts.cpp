//===- FlyingProducts.cpp - products that rounds leave under way ---------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Dialect/Layout/Transforms/PipelineLoops/FlyingProducts.h"

#include "Analysis/SharedMemory.h"

namespace tessera::ir::layout {

using mlir::scf::ForOp;

namespace {

class Finder {
public:
  Finder(ForOp loop, ArrayRef<CopiedLoad> loads) : loop(loop), body(loop.getBody()) {
    for (const CopiedLoad &load : loads)
      if (load.hasRing() && load.buffer)
        rings.insert(load.buffer.getDefiningOp());
  }

  FlyingProducts find() {
    bool isFlat = true;
    body->walk([&](Operation *op) {
      found.groups += isa<AsyncDotCommitOp>(op);
      if (isa<AsyncDotOp, AsyncDotWaitOp, AsyncDotCommitOp>(op))
        isFlat &= op->getBlock() == body;
    });
    if (!isFlat || found.groups > kMostPending)
      return {};
    for (const BlockArgument carried : loop.getRegionIterArgs())
      follow(carried);
    return std::move(found);
  }

private:
  /// The product that \p value, which nothing else needs, is waited for; nothing if it is something else.
  std::pair<AsyncDotOp, AsyncDotWaitOp> productOf(Value value) const {
    auto wait = value.hasOneUse() ? value.getDefiningOp<AsyncDotWaitOp>() : AsyncDotWaitOp();
    if (!wait || wait->getBlock() != body || wait.getValues().size() != 1)
      return {};
    auto product = wait.getValues().front().getDefiningOp<AsyncDotOp>();
    if (!product || product->getBlock() != body || !product.getResult().hasOneUse())
      return {};
    return {product, wait};
  }

  /// Follows an accumulator back through the products of a round.
  void follow(BlockArgument carried) {
    const unsigned number = carried.getArgNumber() - 1;
    FlyingProducts::Accumulator accumulator{.carried = number, .last = {}};
    SmallVector<Operation *> waits;
    SmallVector<SharedAllocOp> doubled;
    Value value = loop.getYieldedValues()[number];
    AsyncDotOp last;
    while (true) {
      auto [product, wait] = productOf(value);
      if (!product)
        break;
      if (!hasRoom(product.getA(), doubled) || !hasRoom(product.getB(), doubled))
        return;
      if (!last)
        last = product;
      waits.push_back(wait);
      value = product.getAcc();
    }
    if (!last)
      return;
    accumulator.last = last.getResult();
    if (value != carried || !carried.hasOneUse()) {
      for (Operation *user : carried.getUsers())
        if (Operation *const at = body->findAncestorOpInBlock(*user);
            !accumulator.landing || at->isBeforeInBlock(accumulator.landing))
          accumulator.landing = at;
      // Assemblers do not see that others may read it while younger products are under way, and take turns then.
      if (Operation *const landing = accumulator.landing;
          landing && (commitsBetween(last, body->getTerminator()) != 1 || commitsBetween(&body->front(), landing) != 0))
        return;
    }
    found.accumulators.push_back(accumulator);
    found.waits.insert_range(waits);
    for (SharedAllocOp buffer : doubled)
      if (!llvm::is_contained(found.doubled, buffer))
        found.doubled.push_back(buffer);
  }

  static unsigned commitsBetween(Operation *from, Operation *to) {
    unsigned count = 0;
    for (Operation *op = from; op != to; op = op->getNextNode())
      count += isa<AsyncDotCommitOp>(op);
    return count;
  }

  /// Whether nothing that the next round writes is where \p operand lies, or can be made so by \p doubled.
  bool hasRoom(Value operand, SmallVectorImpl<SharedAllocOp> &doubled) {
    if (!isa<BufferType>(operand.getType()))
      return true;
    Operation *const alloc = allocationOf(operand);
    if (!alloc)
      return false;
    if (rings.contains(alloc))
      return true;
    if (!loop->isProperAncestor(alloc))
      return !isWritten(alloc->getResult(0));
    auto buffer = dyn_cast<SharedAllocOp>(alloc);
    if (!buffer || alloc->getBlock() != body || buffer.getResult().getType().isRing())
      return false;
    doubled.push_back(buffer);
    return true;
  }

  /// Whether the loop writes a buffer that is there before it.
  bool isWritten(Value buffer) {
    return llvm::any_of(accessesOf(buffer), [&](Operation *user) {
      return loop->isProperAncestor(user) && !isa<SharedLoadOp, SharedDotOp, AsyncDotOp>(user);
    });
  }

  ForOp loop;
  Block *body;
  llvm::DenseSet<Operation *> rings; ///< allocations that become some
  FlyingProducts found;
};

} // namespace

Operation *FlyingProducts::lastLanding() const {
  Operation *last = nullptr;
  for (const Accumulator &accumulator : accumulators) {
    if (!accumulator.landing)
      return nullptr;
    if (!last || last->isBeforeInBlock(accumulator.landing))
      last = accumulator.landing;
  }
  return last;
}

FlyingProducts flyingProducts(ForOp loop, ArrayRef<CopiedLoad> loads) { return Finder(loop, loads).find(); }

} // namespace tessera::ir::layout
