//===- Scan.cpp - prefix combinations within warps -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Bit k of the axis completes blocks of 2^(k+1) elements: the last element of the lower half, on the left, is combined
// into each element of the upper half. Where the bit is one of the register number the halves are in one thread;
// otherwise the last element is fetched from the lane that has it. This is the tree that every executor follows. In
// reverse, the halves change places.
//
// An exclusive scan keeps a second set of rows: what lies before each element in its block. Until the first combination
// that is nothing, and the identity is only put where nothing ever comes.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Lanes/Families.h"
#include "Conversion/LayoutToLLVM/Lanes/Rows.h"

namespace tessera::ir::gpu {

using ::tessera::layout::Dim;
using ::tessera::layout::Holder;
using ::tessera::layout::TileLayout;

namespace {

class ScanEmitter {
public:
  ScanEmitter(tile::ScanOp op, Emitter &e)
      : e(e), op(op), layout(e.layoutOf(op.getInputs()[0])), axis(static_cast<int>(op.getAxis())),
        isReverse(op.getReverse()) {}

  void emit() {
    const std::optional<std::vector<Holder>> holders = holdersInWarp(e, *op, layout, axis);
    if (!holders)
      return e.setPlaceholders(*op);
    through = rowsOf(e, op.getInputs());
    if (op.getExclusive()) {
      Row identity;
      for (auto [value, input] : llvm::zip_equal(*op.getIdentity(), op.getInputs()))
        identity.push_back(e.constant(laneConstant(value, tile::elementOf(input.getType()))));
      before.assign(through.size(), identity);
    }
    for (const Holder &holder : *holders) {
      complete(holder);
      (holder.dim == Dim::Register ? lowRegisters : lowLanes) |= 1U << holder.bit;
    }
    setRows(e, op.getResults(), op.getExclusive() ? before : through);
  }

private:
  /// \p number with the bits of \p mask as the last element of a block has them.
  unsigned last(unsigned number, unsigned mask) const { return isReverse ? number & ~mask : number | mask; }

  /// The row of the last element of the lower half, for the elements of register \p reg in the upper one.
  Row lastOfLower(unsigned reg, const Holder &holder) {
    unsigned from = last(reg, lowRegisters);
    const unsigned bit = 1U << holder.bit;
    Value lane;
    const auto setLane = [&](unsigned mask, bool toOnes) {
      if (mask == 0)
        return;
      if (!lane)
        lane = e.laneId();
      lane = toOnes ? e.math().orI(lane, e.i32(mask)) : e.math().andI(lane, e.i32(~int64_t(mask)));
    };
    setLane(lowLanes, !isReverse);
    if (holder.dim == Dim::Register)
      from ^= bit;
    else
      setLane(bit, isReverse);
    if (!lane)
      return through[from];
    Row &row = fetched[from];
    if (row.empty())
      row = shuffleRow(e, border::Shuffle::Idx, through[from], lane);
    return row;
  }

  /// Whether register \p reg is in the half where \p holder's bit has the later value.
  bool isUpper(unsigned reg, const Holder &holder) const { return ((reg >> holder.bit & 1) != 0) != isReverse; }

  void complete(const Holder &holder) {
    fetched.clear();
    const bool isLane = holder.dim == Dim::Lane;
    Value upper;
    if (isLane) {
      upper = isLaneBitSet(e, holder.bit);
      if (isReverse)
        upper = e.math().notI(upper);
    }
    SmallVector<Row> next = through, nextBefore = before;
    for (unsigned reg = 0; reg != through.size(); ++reg) {
      if (!isLane && !isUpper(reg, holder))
        continue;
      const Row left = lastOfLower(reg, holder);
      const Row both = combineRows(e, op, left, through[reg]);
      next[reg] = isLane ? selectRow(e, upper, both, through[reg]) : both;
      if (op.getExclusive()) {
        const Row later = behind(reg, left);
        nextBefore[reg] = isLane ? selectRow(e, upper, later, before[reg]) : later;
      }
    }
    through = std::move(next);
    before = std::move(nextBefore);
  }

  /// What lies before the element of \p reg once \p left comes before its half.
  Row behind(unsigned reg, const Row &left) {
    // Nothing lay before it if it is the first of its half.
    const unsigned first = isReverse ? lowRegisters : 0;
    if ((reg & lowRegisters) != first)
      return combineRows(e, op, left, before[reg]);
    if (lowLanes == 0)
      return left;
    const Value lanes = e.math().andI(e.laneId(), e.i32(lowLanes));
    const Value isFirst = e.math().eqI(lanes, e.i32(isReverse ? lowLanes : 0));
    return selectRow(e, isFirst, left, combineRows(e, op, left, before[reg]));
  }

  Emitter &e;
  tile::ScanOp op;
  const TileLayout layout;
  int axis;
  bool isReverse;
  SmallVector<Row> through, before;              ///< by register: the block's elements up to this one, and without it
  unsigned lowRegisters = 0, lowLanes = 0;       ///< bits of the axis that are done
  llvm::SmallDenseMap<unsigned, Row, 8> fetched; ///< rows of other lanes, of the bit at hand
};

void emitScan(Operation &op, Emitter &e) { ScanEmitter(cast<tile::ScanOp>(op), e).emit(); }

} // namespace

void registerScanOps(OpTable &table) { table.add<tile::ScanOp>(emitScan); }

} // namespace tessera::ir::gpu
