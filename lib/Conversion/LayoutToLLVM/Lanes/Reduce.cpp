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
// Lanes that hold copies differ in no bit of the axis and are never met, so nothing counts twice.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Lanes/Families.h"
#include "Conversion/LayoutToLLVM/Lanes/Rows.h"

#include "llvm/ADT/MapVector.h"

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
    SmallVector<Holder> steps(holders->begin(), holders->end());
    if (!op.getDeterministic()) {
      llvm::erase_if(steps, isLane);
      llvm::copy_if(*holders, std::back_inserter(steps), isLane);
    }
    const auto firstLane = llvm::find_if(steps, isLane);
    const bool isWholeWarp = !op.getDeterministic() && 1U << (steps.end() - firstLane) == e.warpSize();
    for (const Holder &step : llvm::make_range(steps.begin(), isWholeWarp ? firstLane : steps.end()))
      combineBit(step);
    if (isWholeWarp && !combineWarp())
      for (const Holder &step : llvm::make_range(firstLane, steps.end()))
        combineBit(step);
    if (!kind && firstLane != steps.end())
      takeFirst(steps);
    give();
  }

private:
  void combineBit(const Holder &holder) {
    if (holder.dim == Dim::Lane)
      combineLanes(holder.bit);
    else
      combineRegisters(holder.bit);
  }

  void combineRegisters(int bit) {
    const unsigned mask = 1U << bit;
    for (auto &[reg, row] : rows)
      if (!(reg & mask))
        row = combineRows(e, op.getCombine(), row, rows[reg | mask]);
    rows.remove_if([&](const auto &entry) { return (entry.first & mask) != 0; });
  }

  void combineLanes(int bit) {
    const Value mask = e.i32(int64_t(1) << bit);
    SmallVector<Row> others;
    for (const auto &[reg, row] : rows)
      others.push_back(shuffleRow(e, border::Shuffle::Xor, row, mask));
    for (auto [entry, other] : llvm::zip_equal(rows, others))
      entry.second = combineRows(e, op.getCombine(), entry.second, other);
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
  void takeFirst(ArrayRef<Holder> steps) {
    int64_t mask = 0;
    for (const Holder &step : steps)
      if (step.dim == Dim::Lane)
        mask |= int64_t(1) << step.bit;
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
