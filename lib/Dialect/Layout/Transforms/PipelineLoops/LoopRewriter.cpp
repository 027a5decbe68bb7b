//===- LoopRewriter.cpp - write a loop as a pipeline ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Slot `round % stages` of each ring is filled `stages - 1` rounds ahead, once nobody reads what was there: behind the
// first waits of a round, where products are over at the end of theirs; behind the wait for the last round's products
// where those are left under way.
//
//===---------------------------------------------------------------------===//

#include "Dialect/Layout/Transforms/PipelineLoops/LoopRewriter.h"

#include "Dialect/Layout/Transforms/PipelineLoops/LastingNumber.h"
#include "Dialect/Layout/Transforms/PipelineLoops/LoopMemory.h"
#include "Dialect/Layout/Transforms/PipelineLoops/Stream.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <optional>

namespace tessera::ir::layout {

namespace arith = mlir::arith;
using mlir::IRMapping;
using mlir::ValueRange;
using mlir::scf::ForOp;
using mlir::scf::YieldOp;

namespace {

/// Takes a list of values apart from its front.
class Parts {
public:
  explicit Parts(ValueRange values) : values(values) {}
  Value take() { return take(1).front(); }
  ValueRange take(size_t count) {
    const ValueRange front = values.take_front(count);
    values = values.drop_front(count);
    return front;
  }

private:
  ValueRange values;
};

class Rewriter {
public:
  explicit Rewriter(LoopPlan plan)
      : plan(std::move(plan)), loop(this->plan.loop), loc(loop.getLoc()),
        copies(loop, this->plan.loads, [](const CopiedLoad &load) { return load.hasRing(); }),
        registers(loop, this->plan.loads, [](const CopiedLoad &load) { return !load.hasRing(); }) {}

  void run() {
    if (hasWay(CopyWay::Tensor)) {
      phases.emplace(loop);
      makeBarriers();
    }
    chooseOps();
    OpBuilder b(loop);
    makeRings(b);
    const SmallVector<Value> state = prologue(b);
    auto pipeline = ForOp::create(b, loc, loop.getLowerBound(), loop.getUpperBound(), loop.getStep(), state,
                                  [&](OpBuilder &inside, Location, Value index, ValueRange carried) {
                                    YieldOp::create(inside, loc, round(inside, index, carried));
                                  });
    pipeline->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    pipeline->removeDiscardableAttr(tile::TileDialect::kNumStages);
    finish(b, pipeline);
    loop.erase();
  }

private:
  //===--- What is left of the body ---===//

  bool hasWay(CopyWay way) const {
    return llvm::any_of(plan.loads, [&](const CopiedLoad &load) { return load.way == way; });
  }

  /// Finds the ops and the carried values that rounds still need.
  void chooseOps() {
    for (const CopiedLoad &load : plan.loads) {
      replaced.insert(load.op);
      if (load.hasRing() && load.buffer)
        dropBuffer(load.buffer, load.store);
      if (load.hasRing() && !load.buffer && load.read != load.result().getType())
        for (Operation *convert : load.result().getUsers())
          replaced.insert(convert);
    }
    for (SharedAllocOp buffer : plan.flying.doubled)
      dropBuffer(buffer.getResult(), nullptr);
    for (Operation *wait : plan.flying.waits)
      replaced.insert(wait);
    dropFences();

    Block *const body = loop.getBody();
    for (Operation &op : body->without_terminator())
      if (!replaced.contains(&op) && !mlir::wouldOpBeTriviallyDead(&op))
        need(&op);
    for (const auto [number, result] : llvm::enumerate(loop.getResults()))
      if (!result.use_empty())
        need(loop.getRegionIterArgs()[number]);
    for (const auto &accumulator : plan.flying.accumulators)
      need(loop.getRegionIterArgs()[accumulator.carried]);
  }

  /// The body no longer makes \p buffer, nor does \p store fill it.
  void dropBuffer(Value buffer, Operation *store) {
    replaced.insert(buffer.getDefiningOp());
    if (store)
      replaced.insert(store);
    for (Operation *user : buffer.getUsers())
      if (isa<SharedFreeOp>(user))
        replaced.insert(user);
  }

  /// Fences are for what threads write; where they write no more, none is needed.
  void dropFences() {
    SmallVector<Operation *> fences;
    bool writes = false;
    loop.getBody()->walk([&](Operation *op) {
      if (isa<ProxyFenceOp>(op) && op->getBlock() == loop.getBody())
        fences.push_back(op);
      writes |= isa<SharedStoreOp, SharedScatterOp, SharedFillOp, SharedAtomicAddOp>(op) && !replaced.contains(op);
    });
    if (!writes)
      replaced.insert_range(fences);
  }

  void need(Operation *op) {
    if (!needed.insert(op).second)
      return;
    op->walk([&](Operation *each) {
      for (const Value operand : each->getOperands())
        need(operand);
    });
  }

  void need(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument.getOwner() != loop.getBody() || argument == loop.getInductionVar())
        return;
      const unsigned number = argument.getArgNumber() - 1;
      if (carried.insert(number))
        need(loop.getYieldedValues()[number]);
      return;
    }
    Operation *const op = value.getDefiningOp();
    if (op->getBlock() != loop.getBody())
      return;
    if (!replaced.contains(op))
      need(op);
    else if (isa<AsyncDotWaitOp>(op))
      for (const Value each : op->getOperands())
        need(each);
  }

  //===--- Before the loop ---===//

  Value number(OpBuilder &b, int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(static_cast<int32_t>(value)));
  }

  void makeRings(OpBuilder &b) {
    const auto make = [&](BufferType slot, int64_t slots) -> Value {
      const auto type = BufferType::get(slot.getElement(), slot.getLayout(), slots);
      return freed.emplace_back(SharedAllocOp::create(b, loc, type));
    };
    for (const CopiedLoad &load : copies.getLoads())
      rings[load.op] = make(load.slot, plan.stages);
    for (SharedAllocOp buffer : plan.flying.doubled)
      rings[buffer] = make(buffer.getResult().getType(), 2);
  }

  void makeBarriers() {
    auto kernel = loop->getParentOfType<tile::KernelOp>();
    OpBuilder b = OpBuilder::atBlockBegin(&kernel.getBody().front());
    full = MBarrierAllocOp::create(b, loc, MBarrierType::get(b.getContext(), plan.stages), IntegerAttr());
    MBarrierInitOp::create(b, loc, full, 1);
    ProxyFenceOp::create(b, loc, FenceSpace::Shared);
  }

  /// Begins the first rounds; gives what the loop carries at first.
  SmallVector<Value> prologue(OpBuilder &b) {
    SmallVector<Value> state;
    for (const unsigned value : carried)
      state.push_back(loop.getInits()[value]);
    if (hasWay(CopyWay::Tensor)) // of what threads did where the rings are now
      ProxyFenceOp::create(b, loc, FenceSpace::Shared);
    if (!copies.isEmpty()) {
      SmallVector<Value> first = copies.start(b);
      const int64_t rounds = plan.stages - 1;
      if (rounds == 1) {
        first = begin(b, first, number(b, 0));
      } else {
        auto filling = ForOp::create(b, loc, number(b, 0), number(b, rounds), number(b, 1), first,
                                     [&](OpBuilder &inside, Location, Value slot, ValueRange values) {
                                       YieldOp::create(inside, loc, begin(inside, values, slot));
                                     });
        first = SmallVector<Value>(filling.getResults());
      }
      state.push_back(number(b, 0));
      state.append(first);
    }
    if (phases)
      state.push_back(phases->before());
    if (!plan.flying.doubled.empty())
      state.push_back(number(b, 0));
    if (!registers.isEmpty())
      state.append(load(b, registers.start(b)));
    return state;
  }

  /// Begins the copies of the next round into \p slot.
  SmallVector<Value> begin(OpBuilder &b, ValueRange state, Value slot) {
    SmallVector<Value> after = copies.advance(
        b, state, [&](OpBuilder &inside) { expect(inside, slot); },
        [&](OpBuilder &inside, const CopiedLoad &load, const IRMapping &map, Value when) {
          beginCopy(inside, load, map, slot, when);
        });
    if (hasWay(CopyWay::Async) || hasWay(CopyWay::Straight))
      AsyncCommitOp::create(b, loc, ValueRange());
    return after;
  }

  /// Loads the tiles of the next round.
  SmallVector<Value> load(OpBuilder &b, ValueRange state) {
    return registers.advance(
        b, state, [](OpBuilder &) {}, [](OpBuilder &, const CopiedLoad &, const IRMapping &, Value) {});
  }

  //===--- Copies ---===//

  /// One barrier counts all boxes of a round.
  void expect(OpBuilder &b, Value slot) {
    int64_t bytes = 0;
    for (const CopiedLoad &load : copies.getLoads())
      bytes += load.way == CopyWay::Tensor ? load.slot.bytesOfSlot() : 0;
    if (bytes != 0)
      MBarrierExpectOp::create(b, loc, full, slot, static_cast<uint32_t>(bytes));
  }

  void beginCopy(OpBuilder &b, const CopiedLoad &load, const IRMapping &map, Value slot, Value when) {
    const Location at = load.op->getLoc();
    const Value to = SharedSlotOp::create(b, at, load.slot, rings.lookup(load.op), slot);
    const auto mapped = [&](Value value) { return value ? map.lookupOrDefault(value) : value; };
    if (auto view = dyn_cast<tile::ViewLoadOp>(load.op)) {
      const SmallVector<Value> coords = llvm::map_to_vector(view.getCoords(), mapped);
      if (load.way == CopyWay::Tensor)
        TensorLoadOp::create(b, at, mapped(view.getView()), coords, to, full, slot, /*multicast=*/Value(),
                             view.getEvict());
      else
        describe(ViewAsyncCopyOp::create(b, at, mapped(view.getView()), coords, when, to, load.access), load);
      return;
    }
    auto from = cast<tile::LoadOp>(load.op);
    describe(AsyncCopyOp::create(b, at, mapped(from.getPtr()), mapped(from.getMask()), to), load);
  }

  static void describe(Operation *copy, const CopiedLoad &load) {
    if (load.vector > 1)
      copy->setAttr(LayoutDialect::kVector, IntegerAttr::get(IntegerType::get(copy->getContext(), 64), load.vector));
    if (const Attribute inBounds = load.op->getAttr(LayoutDialect::kInBounds))
      copy->setAttr(LayoutDialect::kInBounds, inBounds);
  }

  //===--- A round ---===//

  SmallVector<Value> round(OpBuilder &b, Value index, ValueRange arguments) {
    IRMapping map;
    map.map(loop.getInductionVar(), index);
    Parts parts(arguments);
    for (const unsigned value : carried)
      map.map(loop.getRegionIterArgs()[value], parts.take());
    Value slot, phase, half;
    SmallVector<Value> ahead, loaded;
    if (!copies.isEmpty()) {
      slot = parts.take();
      ahead = SmallVector<Value>(parts.take(copies.stateSize()));
    }
    if (phases)
      phase = parts.take();
    if (!plan.flying.doubled.empty())
      half = parts.take();
    if (!registers.isEmpty())
      loaded = SmallVector<Value>(parts.take(registers.stateSize()));

    if (!copies.isEmpty())
      await(b, slot, phase);
    if (!plan.flying && !copies.isEmpty())
      ahead = begin(b, ahead, lastSlot(b, slot));
    nameSlots(b, map, slot, half, loaded);
    Operation *const loadsBefore = registers.isEmpty() ? nullptr : afterTiles();
    for (Operation &op : *loop.getBody()) {
      if (&op == loadsBefore)
        loaded = load(b, loaded);
      if (needed.contains(&op))
        b.clone(op, map);
      else
        replace(b, map, op);
    }
    if (plan.flying) {
      awaitProducts(b, map, plan.flying.groups);
      if (!copies.isEmpty())
        ahead = begin(b, ahead, lastSlot(b, slot));
    }

    SmallVector<Value> next;
    for (const unsigned value : carried)
      next.push_back(map.lookupOrDefault(loop.getYieldedValues()[value]));
    if (!copies.isEmpty()) {
      next.push_back(nextSlot(b, slot));
      next.append(ahead);
    }
    if (phases)
      next.push_back(nextPhase(b, slot, phase));
    if (half)
      next.push_back(arith::XOrIOp::create(b, loc, half, number(b, 1)));
    next.append(loaded);
    return next;
  }

  /// Waits for the copies of the round. The last `stages - 2` rounds that were begun may be under way.
  void await(OpBuilder &b, Value slot, Value phase) {
    const int64_t ahead = plan.stages - 2;
    if (hasWay(CopyWay::Straight))
      AsyncWaitOp::create(b, loc, static_cast<uint32_t>(ahead),
                          b.getI32IntegerAttr(static_cast<int32_t>(ahead) * accessesOfRound()), ValueRange());
    if (hasWay(CopyWay::Async)) {
      AsyncWaitOp::create(b, loc, static_cast<uint32_t>(ahead), IntegerAttr(), ValueRange());
      if (unitsReadCopies())
        ProxyFenceOp::create(b, loc, FenceSpace::Shared);
    }
    if (phase) {
      const Value bit = tile::ShrOp::create(b, loc, phase, slot, /*unsigned=*/true);
      MBarrierWaitOp::create(b, loc, full, slot, arith::TruncIOp::create(b, loc, b.getI1Type(), bit));
    }
  }

  /// How often a warp copies in a round.
  int32_t accessesOfRound() const {
    int64_t count = 0;
    for (const CopiedLoad &load : copies.getLoads())
      count += load.accesses();
    return static_cast<int32_t>(count);
  }

  /// Whether a unit of the chip reads what threads copied.
  bool unitsReadCopies() const {
    return llvm::any_of(plan.loads, [](const CopiedLoad &load) {
      return load.way == CopyWay::Async && load.buffer &&
             llvm::any_of(accessesOf(load.buffer), [](Operation *user) { return isa<AsyncDotOp>(user); });
    });
  }

  /// Says what the round's buffers and tiles are called.
  void nameSlots(OpBuilder &b, IRMapping &map, Value slot, Value half, ArrayRef<Value> loaded) {
    for (const CopiedLoad &load : copies.getLoads()) {
      const Value at = SharedSlotOp::create(b, load.op->getLoc(), load.slot, rings.lookup(load.op), slot);
      if (load.buffer)
        map.map(load.buffer, at);
      else
        slots[load.op] = at;
    }
    for (SharedAllocOp buffer : plan.flying.doubled)
      map.map(buffer.getResult(),
              SharedSlotOp::create(b, buffer.getLoc(), buffer.getResult().getType(), rings.lookup(buffer), half));
    if (!registers.isEmpty())
      for (const auto [load, tile] : llvm::zip_equal(registers.getLoads(), registers.tilesOf(loaded)))
        map.map(load.result(), tile);
  }

  /// Where the tiles of the round have been used: there those of the next one are loaded. The first op of the body if
  /// a product or what comes after it uses them.
  Operation *afterTiles() {
    Block *const body = loop.getBody();
    const auto product = llvm::find_if(*body, [](Operation &op) { return isProduct(&op); });
    for (const CopiedLoad &load : registers.getLoads())
      for (Operation *user : load.result().getUsers()) {
        Operation *const at = body->findAncestorOpInBlock(*user);
        if (product == body->end() || !at->isBeforeInBlock(&*product))
          return &body->front();
      }
    return &*product;
  }

  /// What stands for an op of the body that is not needed.
  void replace(OpBuilder &b, IRMapping &map, Operation &op) {
    if (plan.flying.waits.contains(&op))
      map.map(op.getResult(0), map.lookup(op.getOperand(0)));
    const auto found = llvm::find_if(copies.getLoads(), [&](const CopiedLoad &load) { return load.op == &op; });
    if (found == copies.getLoads().end() || found->buffer)
      return;
    const Value tile = SharedLoadOp::create(b, op.getLoc(), found->read, slots.lookup(&op));
    if (found->read == op.getResult(0).getType())
      return map.map(op.getResult(0), tile);
    for (Operation *convert : op.getUsers())
      map.map(convert->getResult(0), tile);
  }

  /// Waits for all products but those of the last \p groups; their accumulators go through it.
  void awaitProducts(OpBuilder &b, IRMapping &map, unsigned groups) {
    SmallVector<Value> values;
    for (const auto &accumulator : plan.flying.accumulators)
      values.push_back(map.lookup(accumulator.last));
    auto wait = AsyncDotWaitOp::create(b, loc, values, groups);
    for (const auto [accumulator, result] : llvm::zip_equal(plan.flying.accumulators, wait.getResults()))
      map.map(loop.getYieldedValues()[accumulator.carried], result);
  }

  Value nextSlot(OpBuilder &b, Value slot) {
    const Value next = arith::AddIOp::create(b, loc, slot, number(b, 1));
    const Value isLast = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, next, number(b, plan.stages));
    return arith::SelectOp::create(b, loc, isLast, number(b, 0), next);
  }

  /// The slot of the round before, which is that of `stages - 1` rounds ahead.
  Value lastSlot(OpBuilder &b, Value slot) {
    const Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, slot, number(b, 0));
    const Value last = arith::SubIOp::create(b, loc, slot, number(b, 1));
    return arith::SelectOp::create(b, loc, isFirst, number(b, plan.stages - 1), last);
  }

  /// Bit `slot` is the parity of the phase that the barrier of the slot is in.
  Value nextPhase(OpBuilder &b, Value slot, Value phase) {
    return arith::XOrIOp::create(b, loc, phase, tile::ShlOp::create(b, loc, number(b, 1), slot));
  }

  //===--- After the loop ---===//

  void finish(OpBuilder &b, ForOp pipeline) {
    for (const auto [place, value] : llvm::enumerate(carried))
      loop.getResult(value).replaceAllUsesWith(pipeline.getResult(place));
    if (plan.flying)
      landProducts(b, pipeline);
    if (hasWay(CopyWay::Straight)) // those that were for nothing
      AsyncWaitOp::create(b, loc, 0, IntegerAttr(), ValueRange());
    if (phases)
      phases->leave(pipeline.getResult(carried.size() + 1 + copies.stateSize()));
    for (const Value ring : freed)
      SharedFreeOp::create(b, loc, ring);
  }

  /// Waits for the products of the last round.
  void landProducts(OpBuilder &b, ForOp pipeline) {
    SmallVector<Value> values;
    for (const auto &accumulator : plan.flying.accumulators) {
      const auto *const place = llvm::find(carried, accumulator.carried);
      values.push_back(pipeline.getResult(static_cast<unsigned>(place - carried.begin())));
    }
    auto wait = AsyncDotWaitOp::create(b, loc, values, 0);
    for (const auto [value, result] : llvm::zip_equal(values, wait.getResults()))
      value.replaceAllUsesExcept(result, wait);
  }

  LoopPlan plan;
  ForOp loop;
  Location loc;
  Stream copies, registers;
  std::optional<LastingNumber> phases;      ///< parities of `full`, where boxes are copied
  Value full;                               ///< the barriers that count boxes
  SmallVector<Value> freed;                 ///< what is allocated for the loop
  llvm::DenseMap<Operation *, Value> rings; ///< of loads, and of buffers that are doubled
  llvm::DenseMap<Operation *, Value> slots; ///< that threads read back in this round
  llvm::DenseSet<Operation *> replaced, needed;
  llvm::SmallSetVector<unsigned, 8> carried; ///< values that the loop still carries
};

} // namespace

void rewriteLoop(LoopPlan plan) { Rewriter(std::move(plan)).run(); }

} // namespace tessera::ir::layout
