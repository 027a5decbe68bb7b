//===- AmdMatrixUnits.cpp - how AMD's matrix units hold matrices ----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The columns of a tile, as bits of their number from the lowest: the run of a lane, which registers of an instruction
// tell apart, then instructions, if those are not enough; lanes; registers of the instruction that are left; more
// instructions; warps.
//
//===---------------------------------------------------------------------===//

#include "Layout/AmdMatrixUnits.h"

#include "Layout/FlatIndex.h"

#include <algorithm>

namespace tessera::layout {

int AmdFragment::resultBits() const { return static_cast<int>(std::count(rows.begin(), rows.end(), 'r')); }

int AmdFragment::operandRunBits(std::int64_t depth) const {
  const int own = log2Of(depth) - groupBits();
  return own < depthBits ? depthBits : std::min(runBits, own);
}

namespace {

/// Hands out bits of axes by their number.
class Builder {
public:
  Builder(std::span<const std::int64_t> shape, const AmdFragment &fragment, WarpGrid warps)
      : shape(shape), fragment(fragment), alongRows(log2Of(warps.rows)), alongColumns(log2Of(warps.columns)),
        last(static_cast<int>(shape.size()) - 1) {}

  /// Bit \p bit of \p axis to the next bit of \p dim; a copy if there is no such bit.
  void give(Dim dim, int axis, int bit) {
    bases[static_cast<std::size_t>(dim)].push_back(
        bit < bitsOf(axis) ? std::uint32_t{1} << (axisShiftOf(shape, axis) + bit) : 0);
  }
  void give(Dim dim, int axis, int first, int end) {
    for (int bit = first; bit < end; ++bit)
      give(dim, axis, bit);
  }
  void copies(Dim dim, int bits) {
    auto &columns = bases[static_cast<std::size_t>(dim)];
    columns.resize(columns.size() + static_cast<std::size_t>(bits), 0);
  }
  int bitsOf(int axis) const { return log2Of(shape[static_cast<std::size_t>(axis)]); }

  /// Registers for the bits of \p axis from \p used on, but for those of \p warps above them.
  void repeat(int axis, int used, int warps) { give(Dim::Register, axis, used, bitsOf(axis) - warps); }
  void giveLeading() {
    for (int axis = last - 1; axis-- != 0;)
      give(Dim::Register, axis, 0, bitsOf(axis));
  }
  /// Warps for what is left of \p axis.
  void giveWarps(int axis, int used, int warps) {
    const int first = std::max(used, bitsOf(axis) - warps);
    give(Dim::Warp, axis, first, first + warps);
  }

  /// The instructions side by side, as an exponent, that make up a run of columns.
  int instructionsOfRun() const {
    return std::clamp(bitsOf(last) - alongColumns - fragment.sideBits(), 0,
                      std::max(0, fragment.runBits - fragment.resultBits()));
  }
  /// Which bit of a column's number bit \p bit of an instruction's row is.
  int columnBitOf(int bit) const {
    const auto before = fragment.rows.substr(0, static_cast<std::size_t>(bit));
    const auto registers = static_cast<int>(std::count(before.begin(), before.end(), 'r'));
    const int inRun = std::min(fragment.runBits, fragment.resultBits()), run = inRun + instructionsOfRun();
    if (fragment.rows[static_cast<std::size_t>(bit)] == 'l')
      return run + bit - registers;
    return registers < inRun ? registers : run + fragment.sideBits() - fragment.resultBits() + registers - inRun;
  }
  /// The bits of an instruction's rows that \p who tells apart, to \p dim.
  void giveInstructionRows(Dim dim, char who) {
    for (int bit = 0; bit != fragment.sideBits(); ++bit)
      if (fragment.rows[static_cast<std::size_t>(bit)] == who)
        give(dim, last, columnBitOf(bit));
  }
  void giveInstructionsOfRun() {
    const int first = fragment.resultBits();
    give(Dim::Register, last, first, first + instructionsOfRun());
  }
  int usedColumns() const { return fragment.sideBits() + instructionsOfRun(); }

  /// The lanes of one row of an operand, whose k is \p axis.
  void giveGroups(int axis, int run) {
    if (fragment.hasCopies)
      copies(Dim::Lane, fragment.laneBits - fragment.sideBits());
    else
      give(Dim::Lane, axis, run, run + fragment.groupBits());
  }

  TileLayout finish() && { return TileLayout({shape.begin(), shape.end()}, std::move(bases)); }

  const std::span<const std::int64_t> shape;
  const AmdFragment &fragment;
  const int alongRows, alongColumns;
  const int last;

private:
  TileLayout::Bases bases;
};

} // namespace

TileLayout amdAccumulator(std::span<const std::int64_t> shape, const AmdFragment &fragment, WarpGrid warps) {
  Builder builder(shape, fragment, warps);
  const int columns = builder.last, rows = columns - 1, side = fragment.sideBits();
  builder.giveInstructionRows(Dim::Register, 'r');
  builder.giveInstructionsOfRun();
  builder.give(Dim::Lane, rows, 0, side);
  builder.giveInstructionRows(Dim::Lane, 'l');
  builder.repeat(columns, builder.usedColumns(), builder.alongColumns);
  builder.repeat(rows, side, builder.alongRows);
  builder.giveLeading();
  builder.giveWarps(rows, side, builder.alongRows);
  builder.giveWarps(columns, builder.usedColumns(), builder.alongColumns);
  return std::move(builder).finish();
}

TileLayout amdOperandA(std::span<const std::int64_t> shape, const AmdFragment &fragment, WarpGrid warps) {
  Builder builder(shape, fragment, warps);
  const int depth = builder.last, rows = depth - 1, side = fragment.sideBits();
  const int run = fragment.operandRunBits(shape.back());
  builder.give(Dim::Register, depth, 0, run);
  builder.give(Dim::Lane, rows, 0, side);
  builder.giveGroups(depth, run);
  builder.repeat(depth, run + fragment.groupBits(), 0);
  builder.repeat(rows, side, builder.alongRows);
  builder.giveLeading();
  builder.giveWarps(rows, side, builder.alongRows);
  builder.copies(Dim::Warp, builder.alongColumns);
  return std::move(builder).finish();
}

TileLayout amdOperandB(std::span<const std::int64_t> shape, const AmdFragment &fragment, WarpGrid warps) {
  Builder builder(shape, fragment, warps);
  const int columns = builder.last, depth = columns - 1;
  const int run = fragment.operandRunBits(shape[static_cast<std::size_t>(depth)]);
  builder.give(Dim::Register, depth, 0, run);
  for (int bit = 0; bit != fragment.sideBits(); ++bit)
    builder.give(Dim::Lane, columns, builder.columnBitOf(bit));
  builder.giveGroups(depth, run);
  builder.repeat(depth, run + fragment.groupBits(), 0);
  builder.giveInstructionsOfRun();
  builder.repeat(columns, builder.usedColumns(), builder.alongColumns);
  builder.giveLeading();
  builder.copies(Dim::Warp, builder.alongRows);
  builder.giveWarps(columns, builder.usedColumns(), builder.alongColumns);
  return std::move(builder).finish();
}

} // namespace tessera::layout
