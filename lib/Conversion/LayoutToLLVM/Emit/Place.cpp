//===- Place.cpp - which elements a thread holds --------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Layouts are linear: a coordinate is what the thread contributes, computed once, xor-ed with what the register does,
// which is known now.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Core.h"

#include "tessera-ir/Dialect/Layout/IR/LayoutAttrs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

#include <map>

namespace tessera::ir::gpu {

namespace arith = mlir::arith;
using ::tessera::layout::Dim;

const TileLayout &Emitter::layoutOf(Value tile) {
  static const TileLayout scalar;
  const auto encoding = layout::encodingOf(tile.getType());
  return encoding ? encoding.getLayout() : scalar;
}

unsigned Emitter::warpSize() { return static_cast<unsigned>(s->shape.warpSize); }
unsigned Emitter::numWarps() { return static_cast<unsigned>(s->shape.numWarps); }

Value Emitter::laneId() {
  if (!s->laneId)
    s->laneId = atStart(*this, [&] { return s->border.laneId(); });
  return s->laneId;
}

static Value warpInBlock(Emitter &e) {
  Emitter::State &s = e.state();
  if (!s.warpInBlock)
    s.warpInBlock = atStart(e, [&] { return s.border.warpId(); });
  return s.warpInBlock;
}

Value Emitter::warpId() {
  if (!s->warpId)
    s->warpId = atStart(*this, [&]() -> Value {
      if (s->shape.programsPerBlock == 1)
        return warpInBlock(*this);
      return arith::AndIOp::create(s->b, s->loc, warpInBlock(*this), i32(s->shape.numWarps - 1));
    });
  return s->warpId;
}

unsigned Emitter::numBlocks() { return static_cast<unsigned>(s->shape.numBlocks); }

Value Emitter::blockInCluster() {
  if (!s->blockInCluster)
    s->blockInCluster = atStart(*this, [&]() -> Value {
      return arith::AndIOp::create(s->b, s->loc, s->border.blockId(border::Axis::X), i32(s->shape.numBlocks - 1));
    });
  return s->blockInCluster;
}

Value Emitter::uniformWarpId() {
  if (!s->uniformWarpId)
    s->uniformWarpId = atStart(*this, [&] { return shuffle(border::Shuffle::Idx, warpId(), i32(0)); });
  return s->uniformWarpId;
}

Value Emitter::threadInProgram() {
  return atStart(*this, [&] { return add(mul(warpId(), i32(warpSize())), laneId()); });
}

Value programInBlock(Emitter &e) {
  Emitter::State &s = e.state();
  if (!s.programInBlock)
    s.programInBlock = atStart(e, [&]() -> Value {
      const auto shift = static_cast<std::int64_t>(llvm::Log2_64(static_cast<std::uint64_t>(s.shape.numWarps)));
      if (shift == 0)
        return warpInBlock(e);
      return arith::ShRUIOp::create(s.b, s.loc, warpInBlock(e), e.i32(shift));
    });
  return s.programInBlock;
}

Value Emitter::linearMap(ArrayRef<std::uint32_t> bases, Value bits) {
  // Bits that move by one distance move together.
  std::map<int, std::uint32_t> masks;
  for (auto [k, base] : llvm::enumerate(bases))
    for (unsigned to = 0; to != 32; ++to)
      if (base >> to & 1)
        masks[static_cast<int>(to) - static_cast<int>(k)] |= std::uint32_t{1} << k;
  Value sum = i32(0);
  for (const auto &[distance, mask] : masks) {
    Value part = bits;
    if (mask != (std::uint64_t{1} << bases.size()) - 1)
      part = arith::AndIOp::create(s->b, s->loc, bits, i32(mask));
    if (distance > 0)
      part = arith::ShLIOp::create(s->b, s->loc, part, i32(distance));
    else if (distance < 0)
      part = arith::ShRUIOp::create(s->b, s->loc, part, i32(-distance));
    sum = bitXor(sum, part);
  }
  return sum;
}

/// The bits of flat indices that make the coordinate on \p axis, and how far they lie to the left of it.
static std::pair<std::uint32_t, unsigned> axisBits(const TileLayout &layout, int axis) {
  const std::uint32_t mask = layout.axisMask(axis);
  return {mask, mask ? static_cast<unsigned>(llvm::countr_zero(mask)) : 0};
}

/// What the thread contributes to the bits \p mask of the flat index, moved \p shift to the right.
static Value threadPart(Emitter &e, const TileLayout &layout, std::uint32_t mask, unsigned shift) {
  const auto part = [&](Dim dim, Value bits) {
    SmallVector<std::uint32_t> bases;
    for (const std::uint32_t base : layout.bases(dim))
      bases.push_back((base & mask) >> shift);
    return e.linearMap(bases, bits);
  };
  const auto has = [&](Dim dim) {
    return llvm::any_of(layout.bases(dim), [&](std::uint32_t base) { return base & mask; });
  };
  Value sum = part(Dim::Lane, e.laneId());
  if (has(Dim::Warp))
    sum = e.bitXor(sum, part(Dim::Warp, e.warpId()));
  return has(Dim::Block) ? e.bitXor(sum, part(Dim::Block, e.blockInCluster())) : sum;
}

/// What the thread contributes to \p axis, or to the flat index for -1.
static Value indexOf(Emitter &e, const TileLayout &layout, int axis) {
  for (const ThreadIndex &known : e.state().indices)
    if (known.axis == axis && known.layout == layout)
      return known.code;
  const auto [mask, shift] = axis < 0 ? std::pair(~std::uint32_t{0}, 0U) : axisBits(layout, axis);
  const Value code = atStart(e, [&, mask = mask, shift = shift] { return threadPart(e, layout, mask, shift); });
  e.state().indices.push_back({layout, axis, code});
  return code;
}

Value Emitter::axisIndex(const TileLayout &layout, int axis) { return indexOf(*this, layout, axis); }
Value Emitter::flatIndex(const TileLayout &layout) { return indexOf(*this, layout, -1); }

std::int64_t Emitter::registerIndex(const TileLayout &layout, int axis, unsigned reg) {
  return layout.coordinate(layout.at(reg, 0, 0), axis);
}

bool Emitter::isSeparable(const TileLayout &layout, int axis) {
  const std::uint32_t mask = layout.axisMask(axis);
  std::uint32_t registers = 0, threads = 0;
  for (const std::uint32_t base : layout.bases(Dim::Register))
    registers |= base & mask;
  for (const Dim dim : {Dim::Lane, Dim::Warp, Dim::Block})
    for (const std::uint32_t base : layout.bases(dim))
      threads |= base & mask;
  return !(registers & threads);
}

SmallVector<Value, 5> Emitter::coordinates(const TileLayout &layout, unsigned reg) {
  SmallVector<Value, 5> result;
  for (int axis = 0; axis != layout.rank(); ++axis) {
    const Value own = i32(registerIndex(layout, axis, reg));
    result.push_back(bitXor(axisIndex(layout, axis), own));
  }
  return result;
}

bool Emitter::isCopy(const TileLayout &layout, unsigned reg) { return reg & layout.copyMask(Dim::Register); }

std::uint32_t copyBits(const TileLayout &layout, Dim dim, unsigned size) {
  return layout.copyMask(dim) | (~(layout.size(dim) - 1) & (size - 1));
}

/// Whether \p number, below \p size, has none of the bits of \p mask.
static Value isZero(Emitter &e, Value number, std::uint32_t mask, unsigned size) {
  return e.math().eqI(mask == size - 1 ? number : e.math().andI(number, e.i32(mask)), e.i32(0));
}

Value Emitter::isOwnerInBlock(const TileLayout &layout) {
  for (const auto &[known, code] : s->owners)
    if (known == layout)
      return code;
  const std::uint32_t lane = copyBits(layout, Dim::Lane, warpSize()), warp = copyBits(layout, Dim::Warp, numWarps());
  Value owner;
  if (lane || warp)
    owner = atStart(*this, [&] {
      return both(lane ? isZero(*this, laneId(), lane, warpSize()) : Value(),
                  warp ? isZero(*this, warpId(), warp, numWarps()) : Value());
    });
  s->owners.emplace_back(layout, owner);
  return owner;
}

Value Emitter::isOwner(const TileLayout &layout) {
  const Value inBlock = isOwnerInBlock(layout);
  const std::uint32_t block = copyBits(layout, Dim::Block, numBlocks());
  if (!block)
    return inBlock;
  return both(inBlock, atStart(*this, [&] { return isZero(*this, blockInCluster(), block, numBlocks()); }));
}

} // namespace tessera::ir::gpu
