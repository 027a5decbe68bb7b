//===- SharedMemory.cpp - lives of buffers and places for them ------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Analysis/SharedMemory.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace tessera::ir {

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

int64_t leastSharedBytes(ArrayRef<SharedLife> lives) {
  int64_t least = 0;
  for (const SharedLife &at : lives) { // the worst time begins with some life
    int64_t alive = 0;
    for (const SharedLife &life : lives)
      if (life.begin <= at.begin && at.begin < life.end)
        alive += life.bytes;
    least = std::max(least, alive);
  }
  return least;
}

/// Puts one life after another in \p order, each into the tightest gap between those it meets, or behind them.
static SharedPlaces placeInOrder(ArrayRef<SharedLife> lives, ArrayRef<size_t> order) {
  SharedPlaces places{std::vector<int64_t>(lives.size(), 0), 0};
  SmallVector<size_t> placed;
  for (const size_t index : order) {
    const SharedLife &life = lives[index];
    SmallVector<std::pair<int64_t, int64_t>> taken;
    for (const size_t other : placed)
      if (life.meets(lives[other]))
        taken.emplace_back(places.offsets[other], places.offsets[other] + lives[other].bytes);
    llvm::sort(taken);
    int64_t cursor = 0, best = -1, bestGap = 0;
    for (const auto [from, to] : taken) {
      const int64_t offset = llvm::alignTo(cursor, life.alignment);
      if (offset + life.bytes <= from && (best < 0 || from - cursor < bestGap)) {
        best = offset;
        bestGap = from - cursor;
      }
      cursor = std::max(cursor, to);
    }
    places.offsets[index] = best >= 0 ? best : static_cast<int64_t>(llvm::alignTo(cursor, life.alignment));
    places.bytes = std::max(places.bytes, places.offsets[index] + life.bytes);
    placed.push_back(index);
  }
  return places;
}

/// Up to so many lives all orders are tried. One of them is a best one: that of the offsets of any best places, as each
/// life then finds room at its offset there or below.
static constexpr size_t kFew = 6;

SharedPlaces placeShared(ArrayRef<SharedLife> lives) {
  std::vector<size_t> order(lives.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const int64_t least = leastSharedBytes(lives);
  SharedPlaces best = placeInOrder(lives, order);
  const auto attempt = [&] {
    if (SharedPlaces places = placeInOrder(lives, order); places.bytes < best.bytes)
      best = std::move(places);
  };
  const auto byFalling = [&](auto weight) {
    std::sort(order.begin(), order.end(),
              [&](size_t a, size_t b) { return std::pair(-weight(lives[a]), a) < std::pair(-weight(lives[b]), b); });
    attempt();
  };
  byFalling([](const SharedLife &life) { return life.bytes; });
  byFalling([](const SharedLife &life) { return life.end - life.begin; });
  byFalling([](const SharedLife &life) { return life.bytes * (life.end - life.begin); });
  if (lives.size() > kFew)
    return best;
  std::sort(order.begin(), order.end());
  do
    attempt();
  while (best.bytes > least && std::next_permutation(order.begin(), order.end()));
  return best;
}

SmallVector<SharedLife> keptThroughNext(ArrayRef<SharedLife> lives) {
  SmallVector<SharedLife> kept(lives);
  for (SharedLife &life : kept) {
    const SharedLife *next = nullptr;
    for (const SharedLife &other : lives)
      if (other.begin >= life.end && (!next || other.begin < next->begin))
        next = &other;
    if (next)
      life.end = next->end;
  }
  return kept;
}

//===----------------------------------------------------------------------===//
// Objects of a kernel
//===----------------------------------------------------------------------===//

int64_t alignmentOf(layout::BufferType buffer) {
  constexpr int64_t kLeast = 16, kMost = 1024;
  int64_t alignment = kLeast;
  for (const uint32_t offset : buffer.getLayout().getOffsets())
    if (!llvm::isPowerOf2_32(offset)) // part of a swizzle
      alignment = std::max<int64_t>(alignment, llvm::bit_floor(offset) * 2 * buffer.bytesOfElement());
  return std::min(alignment, kMost);
}

Operation *allocationOf(Value buffer) {
  while (Operation *op = buffer.getDefiningOp()) {
    if (isa<layout::SharedAllocOp, layout::MBarrierAllocOp>(op))
      return op;
    if (!isa<layout::SharedSlotOp, layout::SharedSubviewOp, layout::SharedTransOp, layout::SharedReshapeOp>(op))
      return nullptr;
    buffer = op->getOperand(0);
  }
  return nullptr;
}

std::optional<int64_t> SharedObject::offset() const {
  const std::optional<uint64_t> offset = isa<layout::SharedAllocOp>(alloc)
                                             ? cast<layout::SharedAllocOp>(alloc).getOffset()
                                             : cast<layout::MBarrierAllocOp>(alloc).getOffset();
  return offset ? std::optional<int64_t>(*offset) : std::nullopt;
}

void SharedObject::setOffset(int64_t offset) const {
  if (auto buffer = dyn_cast<layout::SharedAllocOp>(alloc))
    buffer.setOffset(offset);
  else
    cast<layout::MBarrierAllocOp>(alloc).setOffset(offset);
}

namespace {

/// Follows the text of a kernel.
class LifeReader {
public:
  explicit LifeReader(tile::KernelOp kernel) : kernel(kernel) {}

  FailureOr<SmallVector<SharedObject>> run() {
    if (kernel->walk<mlir::WalkOrder::PreOrder>([&](Operation *op) { return visit(op); }).wasInterrupted())
      return failure();
    for (SharedObject &object : objects) {
      if (isa<layout::MBarrierAllocOp>(object.alloc))
        object.life.end = time + 1;
      if (object.life.end == 0)
        return object.alloc->emitError("has no `layout.shared_free` that ends its life");
      // Roles run at one time, whatever the order of their texts.
      if (const auto roles = object.alloc->getParentOfType<layout::WarpRolesOp>())
        std::tie(object.life.begin, object.life.end) = spans.lookup(roles);
    }
    return std::move(objects);
  }

private:
  mlir::WalkResult visit(Operation *op) {
    ++time;
    for (const Value operand : op->getOperands())
      if (isa<layout::BufferType>(operand.getType()) && failed(use(op, allocationOf(operand))))
        return mlir::WalkResult::interrupt();
    if (auto buffer = dyn_cast<layout::SharedAllocOp>(op))
      add(op, buffer.getResult().getType().bytes(), alignmentOf(buffer.getResult().getType()));
    if (auto barrier = dyn_cast<layout::MBarrierAllocOp>(op))
      add(op, 8 * barrier.getResult().getType().getSlots(), 8);
    if (isa<layout::WarpRolesOp>(op)) {
      int64_t nested = 0;
      op->walk([&](Operation *) { ++nested; });
      spans[op] = {time, time + nested};
    }
    return mlir::WalkResult::advance();
  }

  void add(Operation *alloc, int64_t bytes, int64_t alignment) {
    indices[alloc] = objects.size();
    objects.push_back({alloc, {bytes, alignment, time, 0}});
  }

  LogicalResult use(Operation *op, Operation *alloc) {
    const auto found = indices.find(alloc);
    if (found == indices.end())
      return op->emitError("uses a buffer whose `layout.shared_alloc` is not known");
    SharedObject &object = objects[found->second];
    if (object.life.end != 0)
      return op->emitError("uses a buffer after its `layout.shared_free`");
    if (isa<layout::SharedFreeOp>(op))
      object.life.end = time;
    return success();
  }

  tile::KernelOp kernel;
  int64_t time = 0;
  SmallVector<SharedObject> objects;
  llvm::DenseMap<Operation *, size_t> indices;
  llvm::DenseMap<Operation *, std::pair<int64_t, int64_t>> spans; ///< of roles
};

} // namespace

FailureOr<SmallVector<SharedObject>> sharedObjects(tile::KernelOp kernel) { return LifeReader(kernel).run(); }

} // namespace tessera::ir
