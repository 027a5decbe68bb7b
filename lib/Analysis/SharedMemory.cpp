//===- SharedMemory.cpp - lives of buffers and places for them ------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Analysis/SharedMemory.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

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

/// Up to so many lives all orders are tried, among which a best one is.
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
    if (isa<layout::SharedAllocOp>(op))
      return op;
    if (!isa<layout::SharedSlotOp, layout::SharedSubviewOp>(op))
      return nullptr;
    buffer = op->getOperand(0);
  }
  return nullptr;
}

FailureOr<SmallVector<SharedObject>> sharedObjects(tile::KernelOp kernel) {
  SmallVector<SharedObject> objects;
  llvm::DenseMap<Operation *, size_t> indices;
  int64_t time = 0;
  const mlir::WalkResult result = kernel->walk<mlir::WalkOrder::PreOrder>([&](Operation *op) {
    ++time;
    for (const Value operand : op->getOperands()) {
      if (!isa<layout::BufferType>(operand.getType()))
        continue;
      const auto found = indices.find(allocationOf(operand));
      if (found == indices.end())
        return op->emitError("uses a buffer whose `layout.shared_alloc` is not known"), mlir::WalkResult::interrupt();
      if (objects[found->second].life.end != 0)
        return op->emitError("uses a buffer after its `layout.shared_free`"), mlir::WalkResult::interrupt();
      if (isa<layout::SharedFreeOp>(op))
        objects[found->second].life.end = time;
    }
    if (auto alloc = dyn_cast<layout::SharedAllocOp>(op)) {
      const layout::BufferType type = alloc.getResult().getType();
      indices[op] = objects.size();
      objects.push_back({op, {type.bytes(), alignmentOf(type), time, 0}});
    }
    return mlir::WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  for (const SharedObject &object : objects)
    if (object.life.end == 0)
      return object.alloc->emitError("has no `layout.shared_free` that ends its life");
  return objects;
}

} // namespace tessera::ir
