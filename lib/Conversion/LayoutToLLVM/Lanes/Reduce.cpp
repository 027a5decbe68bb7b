//===- Reduce.cpp - reductions within warps ------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The bits of the axis go away one by one: a bit of the register number by combining two registers, a bit of the lane
// by combining with the lane that differs in it. Registers go first, so that fewer values travel; with `deterministic`
// the lowest bit of the axis goes first, which is the tree that every executor follows. The first lane of those that
// differ only along the axis always finds its own value on the left.
//
// Of numbers that were halves before, the greatest and the least are found two at a time, where the chip can: the
// halves that lie side by side in a word stay in it, so that registers meet as words, until the two are all that is
// left.
//
// Lanes that hold copies differ in no bit of the axis and are never met, so nothing counts twice.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Lanes/Families.h"
#include "Conversion/LayoutToLLVM/Lanes/Rows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/bit.h"

#include <functional>

namespace tessera::ir::gpu {

using ::tessera::layout::Dim;
using ::tessera::layout::Holder;
using ::tessera::layout::TileLayout;
using tile::CombineKind;

namespace {

class ReduceEmitter {
public:
  ReduceEmitter(tile::ReduceOp op, Emitter &e)
      : e(e), op(op), layout(e.layoutOf(op.getInputs()[0])), axis(static_cast<int>(op.getAxis())),
        kind(tile::matchCombine(op.getCombine())) {}

  void emit() {
    const std::optional<std::vector<Holder>> holders = holdersInWarp(e, *op, layout, axis);
    if (!holders)
      return e.setPlaceholders(*op);
    for (auto [reg, row] : llvm::enumerate(rowsOf(e, op.getInputs())))
      if (!Emitter::isCopy(layout, static_cast<unsigned>(reg)))
        rows[static_cast<unsigned>(reg)] = row;

    const auto isLane = [](const Holder &holder) { return holder.dim == Dim::Lane; };
    SmallVector<Holder> lanes, steps(holders->begin(), holders->end());
    llvm::copy_if(steps, std::back_inserter(lanes), isLane);
    if (!op.getDeterministic())
      llvm::erase_if(steps, isLane);
    const SmallVector<Holder> registers(steps.begin(),
                                        llvm::find_if(steps, [&](const Holder &step) { return isLane(step); }));
    if (combineHalves(registers))
      steps.erase(steps.begin(), steps.begin() + registers.size());
    for (const Holder &step : steps)
      if (isLane(step))
        combineLanes(step.bit);
      else
        combineRegisters(step.bit);
    if (!op.getDeterministic() && (1U << lanes.size() != e.warpSize() || !combineWarp()))
      combineAllLanes(lanes);
    if (!kind && !lanes.empty())
      takeFirst(lanes);
    give();
  }

private:
  void combineRegisters(int bit) {
    const unsigned mask = 1U << bit;
    for (auto &[reg, row] : rows)
      if (!(reg & mask))
        row = combineRows(e, op, row, rows[reg | mask]);
    rows.remove_if([&](const auto &entry) { return (entry.first & mask) != 0; });
  }

  /// Combines registers that hold widened halves along \p steps, the first of which tells halves of a word; otherwise
  /// changes nothing.
  bool combineHalves(ArrayRef<Holder> steps) {
    static constexpr CombineKind kKinds[] = {CombineKind::MaxNum, CombineKind::MinNum, CombineKind::MaximumF,
                                             CombineKind::MinimumF};
    if (steps.size() < 2 || rows.empty() || !kind || !llvm::is_contained(kKinds, *kind))
      return false;
    llvm::MapVector<unsigned, Value> halves, words;
    for (const auto &[reg, row] : rows) {
      const Value half = widenedHalf(row[0]);
      if (!half)
        return false;
      halves[reg] = half;
    }
    VectorMathBuilder &m = e.math();
    const unsigned first = 1U << steps.front().bit;
    for (const auto &[reg, half] : halves)
      if (!(reg & first))
        words[reg] = wordOf(half, halves[reg | first]);
    for (const Holder &step : steps.drop_front()) {
      const unsigned mask = 1U << step.bit;
      for (auto &[reg, word] : words) {
        if (reg & mask)
          continue;
        word = e.hooks().compute(e, op.getCombine().front().front(), {word, words[reg | mask]});
        if (!word) // the first: nothing was made but packed words
          return false;
      }
      words.remove_if([&](const auto &entry) { return (entry.first & mask) != 0; });
    }
    rows.clear();
    const Type f16 = e.builder().getF16Type();
    for (const auto &[reg, word] : words) {
      const auto widened = [&](Value bits) { return Row{numbers::widen(m, m.truncate(bits, 16), f16)}; };
      rows[reg] = combineRows(e, op, widened(word), widened(m.shrU(word, 16)));
    }
    return true;
  }

  /// The bits of the half that \p number was before it was widened; null if it was none.
  static Value widenedHalf(Value number) {
    auto widened = number.getDefiningOp<mlir::arith::ExtFOp>();
    auto bits = widened ? widened.getIn().getDefiningOp<mlir::arith::BitcastOp>() : mlir::arith::BitcastOp();
    return bits && widened.getIn().getType().isF16() && bits.getIn().getType().isInteger(16) ? bits.getIn() : Value();
  }

  /// The word of two halves: that from which both were taken, or a new one.
  Value wordOf(Value low, Value high) {
    auto lower = low.getDefiningOp<mlir::arith::TruncIOp>(), upper = high.getDefiningOp<mlir::arith::TruncIOp>();
    if (auto shift = upper ? upper.getIn().getDefiningOp<mlir::arith::ShRUIOp>() : mlir::arith::ShRUIOp())
      if (lower && shift.getLhs() == lower.getIn() && lower.getIn().getType().isInteger(32) &&
          mlir::getConstantIntValue(shift.getRhs()) == 16)
        return lower.getIn();
    VectorMathBuilder &m = e.math();
    return m.orI(m.zeroExtend(low, 32), m.shl(m.zeroExtend(high, 32), 16));
  }

  void combineLanes(int bit) {
    const Value mask = e.i32(int64_t(1) << bit);
    SmallVector<Row> others;
    for (const auto &[reg, row] : rows)
      others.push_back(shuffleRow(e, border::Shuffle::Xor, row, mask));
    for (auto [entry, other] : llvm::zip_equal(rows, others))
      entry.second = combineRows(e, op, entry.second, other);
  }

  /// Combines lanes in any order. While several rows are left, lanes that meet share the work on them: each takes on
  /// half of the rows and gives the other half away. In the end they tell each other what they have.
  void combineAllLanes(ArrayRef<Holder> lanes) {
    SmallVector<std::pair<int, unsigned>> shared; // bit of the lane, bit of the register
    for (; !lanes.empty(); lanes = lanes.drop_front()) {
      const int bit = lanes.front().bit;
      // With no lane to meet after this, halves would only be told again.
      if (rows.size() == 1 || lanes.size() == 1) {
        combineLanes(bit);
        continue;
      }
      const unsigned reg = llvm::bit_floor(rows.back().first);
      combineHalf(bit, reg);
      shared.emplace_back(bit, reg);
    }
    for (const auto &[bit, reg] : llvm::reverse(shared))
      tellHalf(bit, reg);
  }

  /// Lanes in which \p bit is set go on with the rows of registers with \p regBit, others with those without; either
  /// are found at the number without it.
  void combineHalf(int bit, unsigned regBit) {
    const Value isSet = isLaneBitSet(e, bit), mask = e.i32(int64_t(1) << bit);
    for (auto &[reg, row] : rows) {
      if (reg & regBit)
        continue;
      const Row &other = rows[reg | regBit];
      const Row given = shuffleRow(e, border::Shuffle::Xor, selectRow(e, isSet, row, other), mask);
      row = combineRows(e, op, selectRow(e, isSet, other, row), given);
    }
    rows.remove_if([&](const auto &entry) { return (entry.first & regBit) != 0; });
  }

  void tellHalf(int bit, unsigned regBit) {
    const Value isSet = isLaneBitSet(e, bit), mask = e.i32(int64_t(1) << bit);
    for (auto &[reg, row] : SmallVector<std::pair<unsigned, Row>>(rows.begin(), rows.end())) {
      const Row other = shuffleRow(e, border::Shuffle::Xor, row, mask);
      rows[reg] = selectRow(e, isSet, other, row);
      rows[reg | regBit] = selectRow(e, isSet, row, other);
    }
  }

  /// Combines all lanes of the warp by one instruction, where there is one; otherwise changes nothing.
  bool combineWarp() {
    if (!kind || rows.empty())
      return false;
    const Type element = tile::elementOf(op.getInputs()[0].getType());
    std::function<Value(Value)> combine;
    if (element.isInteger(1))
      combine = ballotOf(*kind);
    else if (const std::optional<border::Reduction> how = reductionOf(*kind);
             how && element.isInteger(32) && e.hooks().hasWarpReduce(*how))
      combine = [this, how](Value value) { return e.border().reduce(*how, value); };
    if (!combine)
      return false;
    for (auto &[reg, row] : rows)
      row[0] = combine(row[0]);
    return true;
  }

  static std::optional<border::Reduction> reductionOf(CombineKind kind) {
    switch (kind) {
    case CombineKind::AddI:
      return border::Reduction::Add;
    case CombineKind::MaxSI:
      return border::Reduction::SMax;
    case CombineKind::MinSI:
      return border::Reduction::SMin;
    case CombineKind::MaxUI:
      return border::Reduction::UMax;
    case CombineKind::MinUI:
      return border::Reduction::UMin;
    case CombineKind::And:
      return border::Reduction::And;
    case CombineKind::Or:
      return border::Reduction::Or;
    case CombineKind::Xor:
      return border::Reduction::Xor;
    default:
      return std::nullopt;
    }
  }

  /// How the lanes' i1 combine by \p kind; empty where they are not just asked.
  std::function<Value(Value)> ballotOf(CombineKind kind) {
    VectorMathBuilder &m = e.math();
    switch (kind) {
    case CombineKind::Or:
      return [&](Value value) { return m.neI(e.border().ballot(value), e.i64(0)); };
    case CombineKind::And:
      return [&](Value value) { return m.eqI(e.border().ballot(m.notI(value)), e.i64(0)); };
    case CombineKind::Xor:
      return [&](Value value) { return m.truncate(m.popCount(e.border().ballot(value)), 1); };
    default:
      return {};
    }
  }

  /// Gives every lane the row of the first one that differs from it only along the axis: a combine whose sides may be
  /// told apart by their bits gives others something else.
  void takeFirst(ArrayRef<Holder> lanes) {
    int64_t mask = 0;
    for (const Holder &lane : lanes)
      mask |= int64_t(1) << lane.bit;
    const Value first = e.math().andI(e.laneId(), e.i32(~mask));
    for (auto &[reg, row] : rows)
      row = shuffleRow(e, border::Shuffle::Idx, row, first);
  }

  void give() {
    // What is left of the source's registers, by the part of the index that they contribute to the result.
    const TileLayout dropped = withoutAxis(layout, axis);
    llvm::DenseMap<std::uint32_t, Row> found;
    for (const auto &[reg, row] : rows)
      found[dropped.at(reg, 0, 0)] = row;
    const TileLayout result =
        isa<RankedTensorType>(op.getResult(0).getType()) ? e.layoutOf(op.getResult(0)) : TileLayout();
    SmallVector<Row> results;
    for (std::uint32_t reg = 0; reg != result.size(Dim::Register); ++reg)
      results.push_back(found.lookup(result.at(reg, 0, 0)));
    if (llvm::any_of(results, [](const Row &row) { return row.empty(); })) {
      e.refuse(*op, "has a result whose layout is not that of its operands without the axis");
      return e.setPlaceholders(*op);
    }
    setRows(e, op.getResults(), results);
  }

  Emitter &e;
  tile::ReduceOp op;
  const TileLayout layout;
  int axis;
  std::optional<CombineKind> kind;
  llvm::MapVector<unsigned, Row> rows; ///< by register number; what was combined is in the lowest of its registers
};

void emitReduce(Operation &op, Emitter &e) { ReduceEmitter(cast<tile::ReduceOp>(op), e).emit(); }

} // namespace

void registerReduceOps(OpTable &table) { table.add<tile::ReduceOp>(emitReduce); }

} // namespace tessera::ir::gpu
