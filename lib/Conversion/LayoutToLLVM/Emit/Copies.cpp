//===- Copies.cpp - values that only one of several threads has -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Copies.h"

#include "Conversion/LayoutToLLVM/Emit/Core.h"

namespace tessera::ir::gpu {

using ::tessera::layout::Dim;

bool isUsed(Emitter &e, Value result) {
  return isa<RankedTensorType>(result.getType()) ? e.isWanted(result) : !result.use_empty();
}

/// Whether a thread finds what it holds under the same register number in the thread that acts for it: copies come from
/// bits that contribute nothing.
static bool holdAlike(const TileLayout &layout, Dim dim) {
  for (auto [bit, base] : llvm::enumerate(layout.bases(dim)))
    if (layout.copyMask(dim) >> bit & 1 && base)
      return false;
  return true;
}

static bool needsScratch(Emitter &e, const TileLayout &layout) {
  return copyBits(layout, Dim::Block, e.numBlocks()) || copyBits(layout, Dim::Warp, e.numWarps()) ||
         !holdAlike(layout, Dim::Lane);
}

void fillCopies(const TileLayout &layout, SmallVectorImpl<Value> &registers) {
  llvm::SmallDenseMap<std::uint32_t, Value> held;
  for (auto [reg, value] : llvm::enumerate(registers)) {
    const auto [at, isNew] = held.try_emplace(layout.at(static_cast<std::uint32_t>(reg), 0, 0), value);
    if (!isNew)
      value = at->second;
  }
}

std::int64_t scratchBytes(Emitter &e, tile::KernelOp kernel) {
  std::int64_t most = 0;
  kernel.walk([&](Operation *op) {
    const unsigned warps = e.numBlocks() * e.numWarps();
    if (auto print = dyn_cast<tile::PrintOp>(op); print && print.getPred() && warps > 1)
      most = std::max<std::int64_t>(most, warps * 4);
    auto code = dyn_cast<tile::InlineAsmOp>(op);
    if (!isa<tile::AtomicRMWOp, tile::AtomicCASOp, tile::AtomicLoadOp>(op) && (!code || code.getPure()))
      return;
    for (Value result : op->getResults())
      if (isUsed(e, result) && needsScratch(e, e.layoutOf(result)))
        most = std::max<std::int64_t>(most, tile::elementCountOf(result.getType()) *
                                                storedBytes(tile::elementOf(result.getType())));
  });
  return most;
}

namespace {

/// Stores to what the emitter has of shared memory, for all threads of the program to read.
class ScratchStores {
public:
  explicit ScratchStores(Emitter &e) : e(e), ofCluster(e.numBlocks() != 1) {
    if (ofCluster)
      e.border().clusterBarrier(); // all blocks run, and have read what lay there
  }
  void add(Type element, Value value, Value place, Value mask) const {
    if (ofCluster)
      e.storeInCluster(element, {value}, place, mask);
    else
      e.storeShared(element, {value}, place, mask);
  }
  void finish() const {
    if (ofCluster)
      e.border().clusterBarrier();
    else
      e.barrier();
  }

private:
  Emitter &e;
  const bool ofCluster;
};

} // namespace

SmallVector<Value> shareWithCopies(Emitter &e, const TileLayout &layout, Type element, ArrayRef<Value> registers) {
  SmallVector<Value> shared;
  if (!needsScratch(e, layout)) {
    const std::uint32_t copies = copyBits(layout, Dim::Lane, e.warpSize());
    if (!copies)
      return SmallVector<Value>(registers);
    const Value owner = e.math().andI(e.laneId(), e.i32(~copies & (e.warpSize() - 1)));
    for (Value mine : registers)
      shared.push_back(e.shuffle(border::Shuffle::Idx, mine, owner));
    return shared;
  }
  const Value start = e.sharedPointer(e.state().scratchOffset), owner = e.isOwner(layout);
  const auto place = [&](unsigned reg) {
    const Value index = e.bitXor(e.flatIndex(layout), e.i32(layout.at(reg, 0, 0)));
    return e.bytePointer(start, e.mul(index, e.i32(storedBytes(element))));
  };
  const ScratchStores stores(e);
  for (auto [reg, mine] : llvm::enumerate(registers))
    if (!Emitter::isCopy(layout, static_cast<unsigned>(reg)))
      stores.add(element, mine, place(static_cast<unsigned>(reg)), owner);
  stores.finish();
  for (unsigned reg = 0; reg != registers.size(); ++reg)
    shared.push_back(e.loadShared(element, 1, place(reg))[0]);
  e.barrier(); // before the memory is used again
  return shared;
}

Value anyInProgram(Emitter &e, ValueRange conditions) {
  MathBuilder &m = e.math();
  Value any = conditions[0];
  for (Value condition : conditions.drop_front())
    any = m.orI(any, condition);
  any = m.neI(e.border().ballot(any), e.i64(0));
  const unsigned warps = e.numBlocks() * e.numWarps();
  if (warps == 1)
    return any;
  const Type word = e.builder().getI32Type();
  const Value start = e.sharedPointer(e.state().scratchOffset);
  Value mine = e.warpId();
  if (e.numBlocks() != 1)
    mine = e.add(mine, e.mul(e.blockInCluster(), e.i32(e.numWarps())));
  const ScratchStores stores(e);
  stores.add(word, m.zeroExtend(any, 32), e.bytePointer(start, e.mul(mine, e.i32(4))), m.eqI(e.laneId(), e.i32(0)));
  stores.finish();
  Value words = e.i32(0);
  for (unsigned warp = 0; warp != warps; ++warp)
    words = m.orI(words, e.loadShared(word, 1, e.bytePointer(start, std::int64_t{4} * warp))[0]);
  e.barrier(); // before the memory is used again
  return m.neI(words, e.i32(0));
}

} // namespace tessera::ir::gpu
