//===- EarlyProducts.cpp - products begun a round ahead ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Dialect/Layout/Transforms/PipelineLoops/EarlyProducts.h"

#include "Analysis/SharedMemory.h"
#include "Dialect/Layout/Transforms/PipelineLoops/CopiedLoads.h"
#include "Dialect/Layout/Transforms/PipelineLoops/FlyingProducts.h"
#include "Dialect/Layout/Transforms/PipelineLoops/LoopMemory.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <optional>

namespace tessera::ir::layout {

namespace arith = mlir::arith;
using mlir::IRMapping;
using mlir::scf::ForOp;
using mlir::scf::IfOp;
using mlir::scf::YieldOp;

namespace {

/// A product with all that it takes of a body.
struct EarlyProduct {
  AsyncDotOp dot;
  AsyncDotWaitOp wait;
  AsyncDotOp next;                  ///< multiplies what is made of it
  llvm::SetVector<Operation *> ops; ///< `dot`, `wait` and what they need of the body, in no order
};

/// Finds what a product takes of the body of a loop.
class Collector {
public:
  Collector(ForOp loop, const LoopMemory &memory) : loop(loop), body(loop.getBody()), memory(memory) {}

  std::optional<EarlyProduct> collect(AsyncDotOp dot) {
    auto commit = dyn_cast_or_null<AsyncDotCommitOp>(dot->getNextNode());
    auto wait = commit ? dyn_cast_or_null<AsyncDotWaitOp>(commit->getNextNode()) : AsyncDotWaitOp();
    if (!wait || wait.getPending() != 0 || wait.getValues().size() != 1 ||
        wait.getValues().front() != dot.getResult() || !dot.getResult().hasOneUse() ||
        !loop.isDefinedOutsideOfLoop(dot.getAcc()))
      return std::nullopt;
    auto next = dyn_cast_or_null<AsyncDotOp>(productFedBy(wait.getResults().front()));
    if (!next || next->getBlock() != body || !dot->isBeforeInBlock(next))
      return std::nullopt;
    ops.insert(dot);
    ops.insert(commit);
    ops.insert(wait);
    addOperandsOf(dot);
    addFence(dot);
    while (isPossible && !open.empty())
      visit(open.pop_back_val());
    if (!isPossible || !loads)
      return std::nullopt;
    return EarlyProduct{dot, wait, next, std::move(ops)};
  }

private:
  void addOperandsOf(Operation *op) {
    for (const Value operand : op->getOperands())
      if (!loop.isDefinedOutsideOfLoop(operand))
        open.push_back(operand);
  }

  /// The fence between what threads store and \p dot.
  void addFence(AsyncDotOp dot) {
    Operation *op = dot->getPrevNode();
    while (op && mlir::isMemoryEffectFree(op))
      op = op->getPrevNode();
    if (isa_and_nonnull<ProxyFenceOp>(op))
      ops.insert(op);
  }

  void visit(Value value) {
    Operation *const op = value.getDefiningOp();
    if (!op) { // of values that are carried, the next round's are not there
      isPossible &= value == loop.getInductionVar();
      return;
    }
    isPossible &= op->getBlock() == body;
    if (!isPossible || !ops.insert(op))
      return;
    addOperandsOf(op);
    if (isa<SharedAllocOp>(op))
      return addAccesses(value);
    // What lies outside of a view is not read; other loads would have to ask whether there is a next round.
    const bool isView = isa<tile::ViewLoadOp>(op);
    loads |= isView;
    isPossible &= op->getNumRegions() == 0 && memory.mayRunAhead(op) && (isView || mlir::isMemoryEffectFree(op));
  }

  void addAccesses(Value buffer) {
    for (Operation *user : accessesOf(buffer)) {
      isPossible &= user->getBlock() == body && (isa<SharedStoreOp, SharedFreeOp>(user) || ops.contains(user));
      if (isPossible && ops.insert(user))
        addOperandsOf(user);
    }
  }

  ForOp loop;
  Block *body;
  const LoopMemory &memory;
  llvm::SetVector<Operation *> ops;
  SmallVector<Value> open;
  bool isPossible = true, loads = false;
};

} // namespace

/// The registers that a thread needs for \p tile.
static int64_t registersOf(Value tile) {
  const auto type = dyn_cast<RankedTensorType>(tile.getType());
  return type
             ? int64_t{layoutOf(type).size(::tessera::layout::Dim::Register)} * tile::bitsOf(type.getElementType()) / 32
             : 0;
}

/// Whether threads have registers for both products of a round at once.
static bool fitsRegisters(EarlyProduct &product, const arch::Chip &chip) {
  const auto kernel = product.dot->getParentOfType<tile::KernelOp>();
  const int64_t threads = chip.warpSize * kernelShapeOf(kernel).value_or(KernelShape()).numWarps;
  const int64_t needed =
      registersOf(product.dot.getResult()) + registersOf(product.next.getResult()) + registersOf(product.next.getA());
  return needed <= std::min<int64_t>(chip.maxRegistersOfThread, chip.registersOfCore / threads) * 3 / 4;
}

/// The product to begin a round ahead.
static std::optional<EarlyProduct> findEarly(ForOp loop, const arch::Chip &chip) {
  const LoopMemory memory(loop);
  if (!memory.letsLoadsPass())
    return std::nullopt;
  for (AsyncDotOp dot : loop.getBody()->getOps<AsyncDotOp>()) {
    std::optional<EarlyProduct> product = Collector(loop, memory).collect(dot);
    // What else is loaded must not be loaded twice.
    if (product && fitsRegisters(*product, chip) && llvm::all_of(product->ops, [&](Operation *op) {
          return !isLoad(op) ||
                 llvm::all_of(op->getUsers(), [&](Operation *user) { return product->ops.contains(user); });
        }))
      return product;
  }
  return std::nullopt;
}

/// Copies the ops of \p product, of \p body, to where \p b is, for the round of \p map. Gives the product.
static Value copyOps(OpBuilder &b, EarlyProduct &product, Block &body, IRMapping &map) {
  for (Operation &op : body)
    if (product.ops.contains(&op)) {
      Operation *const copy = b.clone(op, map);
      copy->removeAttr(LayoutDialect::kInBounds); // which is said of rounds that there are
    }
  return map.lookup(product.wait.getResults().front());
}

/// Moves what only the accumulator of \p dot is computed from to before \p place.
static void sinkAccumulator(AsyncDotOp dot, Operation *place) {
  Block *const body = dot->getBlock();
  SmallVector<Value> open{dot.getAcc()};
  Operation *first = place;
  while (!open.empty()) {
    Operation *const op = open.pop_back_val().getDefiningOp();
    if (!op || op->getBlock() != body || !mlir::isMemoryEffectFree(op) || op->getNumRegions() != 0 ||
        !op->isBeforeInBlock(first) || !llvm::all_of(op->getUsers(), [&](Operation *user) {
          return user->getBlock() == body && (user == dot || !user->isBeforeInBlock(first));
        }))
      continue;
    op->moveBefore(first);
    first = op;
    llvm::append_range(open, op->getOperands());
  }
}

/// The first of the fences and constants directly before \p dot, or itself.
static Operation *beginOf(AsyncDotOp dot) {
  Operation *begin = dot;
  for (Operation *op = dot->getPrevNode(); op && (isa<ProxyFenceOp>(op) || op->hasTrait<mlir::OpTrait::ConstantLike>());
       op = op->getPrevNode())
    begin = op;
  return begin;
}

/// Moves \p wait, and the frees of what its products read, to where the first op needs it. Products that are begun in
/// between stay under way.
static void sink(AsyncDotWaitOp wait) {
  Block *const block = wait->getBlock();
  Operation *place = block->getTerminator();
  for (Operation *user : wait->getUsers())
    if (Operation *const at = block->findAncestorOpInBlock(*user); at->isBeforeInBlock(place))
      place = at;
  llvm::DenseSet<Operation *> buffers;
  for (const Value value : wait.getValues())
    if (auto dot = value.getDefiningOp<AsyncDotOp>())
      for (const Value operand : {Value(dot.getA()), Value(dot.getB())})
        if (isa<BufferType>(operand.getType()))
          buffers.insert(allocationOf(operand));
  unsigned begun = 0;
  SmallVector<Operation *> frees;
  for (Operation *op = wait->getNextNode(); op != place; op = op->getNextNode()) {
    begun += isa<AsyncDotCommitOp>(op);
    if (auto free = dyn_cast<SharedFreeOp>(op); free && buffers.contains(allocationOf(free.getBuffer())))
      frees.push_back(op);
  }
  if (wait.getPending() + begun > kMostPending)
    return;
  wait->moveBefore(place);
  wait.setPending(wait.getPending() + begun);
  for (Operation *free : frees)
    free->moveBefore(place);
}

ForOp beginProductsEarly(ForOp loop, const arch::Chip &chip) {
  std::optional<EarlyProduct> product = findEarly(loop, chip);
  if (!product)
    return loop;
  const Location loc = product->dot.getLoc();
  Value result = product->wait.getResults().front();
  Block *const body = loop.getBody();

  mlir::IRRewriter b(loop);
  const Value isRound =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, loop.getLowerBound(), loop.getUpperBound());
  auto first = IfOp::create(
      b, loc, isRound,
      [&](OpBuilder &inside, Location) {
        IRMapping map;
        map.map(loop.getInductionVar(), loop.getLowerBound());
        YieldOp::create(inside, loc, copyOps(inside, *product, *body, map));
      },
      [&](OpBuilder &inside, Location) { YieldOp::create(inside, loc, product->dot.getAcc()); });

  Operation *const place = beginOf(product->next);
  sinkAccumulator(product->next, place);
  auto nextRounds = [&](OpBuilder &, Location, ArrayRef<BlockArgument> carried) {
    OpBuilder inside(place);
    IRMapping map;
    map.map(loop.getInductionVar(),
            arith::AddIOp::create(inside, loc, loop.getInductionVar(), loop.getStep()).getResult());
    const Value ahead = copyOps(inside, *product, *body, map);
    result.replaceAllUsesWith(carried.front());
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*body)))
      if (product->ops.contains(&op) && op.use_empty())
        op.erase();
    return SmallVector<Value>{ahead};
  };
  FailureOr<mlir::LoopLikeOpInterface> replaced =
      loop.replaceWithAdditionalYields(b, first.getResult(0), /*replaceInitOperandUsesInLoop=*/false, nextRounds);
  auto more = cast<ForOp>(replaced->getOperation());
  const auto waits = llvm::to_vector(more.getBody()->getOps<AsyncDotWaitOp>());
  llvm::for_each(waits, sink);
  return more;
}

} // namespace tessera::ir::layout
