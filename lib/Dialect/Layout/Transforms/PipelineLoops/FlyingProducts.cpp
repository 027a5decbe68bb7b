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
    unsigned products = 0, waits = 0;
    bool isFlat = true;
    loop.getBody()->walk([&](Operation *op) {
      products += isa<AsyncDotOp>(op);
      waits += isa<AsyncDotWaitOp>(op);
      found.groups += isa<AsyncDotCommitOp>(op);
      if (isa<AsyncDotOp, AsyncDotWaitOp, AsyncDotCommitOp>(op))
        isFlat &= op->getBlock() == body;
    });
    constexpr unsigned kMostPending = 7;
    if (products == 0 || !isFlat || found.groups > kMostPending)
      return {};
    for (const BlockArgument carried : loop.getRegionIterArgs())
      follow(carried);
    if (followed.size() != products || found.waits.size() != waits ||
        !llvm::all_of(followed, [&](AsyncDotOp product) { return hasRoom(product.getA()) && hasRoom(product.getB()); }))
      return {};
    return std::move(found);
  }

private:
  /// Follows an accumulator through the products of a round.
  void follow(BlockArgument carried) {
    SmallVector<AsyncDotOp> products;
    SmallVector<Operation *> waits;
    const unsigned number = carried.getArgNumber() - 1;
    Value value = carried;
    while (value.hasOneUse()) {
      OpOperand &use = *value.use_begin();
      if (use.getOwner() == body->getTerminator() && use.getOperandNumber() == number && !products.empty()) {
        found.accumulators.push_back({number, products.back().getResult()});
        found.waits.insert_range(waits);
        followed.append(products);
        return;
      }
      auto product = dyn_cast<AsyncDotOp>(use.getOwner());
      if (!product || use.get() != product.getAcc() || !product.getResult().hasOneUse())
        return;
      auto wait = dyn_cast<AsyncDotWaitOp>(*product.getResult().user_begin());
      if (!wait || wait.getValues().size() != 1)
        return;
      products.push_back(product);
      waits.push_back(wait);
      value = wait.getResults().front();
    }
  }

  /// Whether nothing that the next round writes is where \p operand lies, or can be made so.
  bool hasRoom(Value operand) {
    Operation *const alloc = isa<BufferType>(operand.getType()) ? allocationOf(operand) : nullptr;
    if (!alloc)
      return false; // assemblers give registers that a product of the last round reads to others
    if (rings.contains(alloc))
      return true;
    if (loop->isProperAncestor(alloc)) {
      auto buffer = dyn_cast<SharedAllocOp>(alloc);
      if (!buffer || alloc->getBlock() != body || buffer.getResult().getType().isRing())
        return false;
      if (!llvm::is_contained(found.doubled, buffer))
        found.doubled.push_back(buffer);
      return true;
    }
    return !isWritten(alloc->getResult(0));
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
  SmallVector<AsyncDotOp> followed;
};

} // namespace

FlyingProducts flyingProducts(ForOp loop, ArrayRef<CopiedLoad> loads) { return Finder(loop, loads).find(); }

} // namespace tessera::ir::layout
