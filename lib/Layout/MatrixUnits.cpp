//===- MatrixUnits.cpp - how matrix units hold their matrices -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// All fragments are made of one piece: eight rows by four words, lane/4 a row and lane%4 a word of its elements. Larger
// ones repeat it in registers, along rows first.
//
//===---------------------------------------------------------------------===//

#include "Layout/MatrixUnits.h"

#include "Layout/LayoutBuilder.h"

#include <array>

namespace tessera::layout {

namespace {

/// Hands out the two axes of a fragment.
class FragmentBuilder : public LayoutBuilder {
public:
  FragmentBuilder(std::span<const std::int64_t> shape, int rows, int words)
      : LayoutBuilder(shape), leading(static_cast<int>(shape.size()) - 2), rows(leading + rows),
        words(leading + words) {}

  /// Eight rows by four words of 2^wordBits elements each.
  void givePiece(int wordBits) {
    give(Dim::Register, words, wordBits);
    give(Dim::Lane, words, 2);
    give(Dim::Lane, rows, 3);
  }
  void giveRegister(int axis) { give(Dim::Register, axis, 1); }
  /// All that is left: \p warps lie highest along \p axis, and lower parts are repeated in registers.
  void giveRest(int axis, int warps) { give(Dim::Register, axis, std::max(0, left(axis) - warps)); }
  void giveLeading() {
    for (int axis = leading; axis-- != 0;)
      give(Dim::Register, axis, left(axis));
  }

  const int leading, rows, words;
};

} // namespace

static TileLayout accumulator(std::span<const std::int64_t> shape, bool halves, int groupWarps, WarpGrid warps) {
  FragmentBuilder builder(shape, 0, 1);
  builder.givePiece(1);
  if (halves)
    builder.giveRegister(builder.rows);
  builder.give(Dim::Warp, builder.rows, groupWarps);
  const int alongRows = log2Of(warps.rows) - groupWarps, alongColumns = log2Of(warps.columns);
  builder.giveRest(builder.words, alongColumns);
  builder.giveRest(builder.rows, alongRows);
  builder.giveLeading();
  builder.give(Dim::Warp, builder.rows, alongRows);
  builder.give(Dim::Warp, builder.words, alongColumns);
  return std::move(builder).finish();
}

static TileLayout operandA(std::span<const std::int64_t> shape, int elementBits, int groupWarps, WarpGrid warps) {
  FragmentBuilder builder(shape, 0, 1);
  builder.givePiece(elementBits < 32 ? log2Of(32 / elementBits) : 0);
  if (elementBits <= 32) {
    builder.giveRegister(builder.rows);
    builder.giveRegister(builder.words);
  }
  builder.give(Dim::Warp, builder.rows, groupWarps);
  const int alongRows = log2Of(warps.rows) - groupWarps;
  builder.giveRest(builder.words, 0);
  builder.giveRest(builder.rows, alongRows);
  builder.giveLeading();
  builder.give(Dim::Warp, builder.rows, alongRows);
  builder.copies(Dim::Warp, log2Of(warps.columns));
  return std::move(builder).finish();
}

TileLayout mmaAccumulator(std::span<const std::int64_t> shape, int elementBits, WarpGrid warps) {
  return accumulator(shape, elementBits <= 32, 0, warps);
}

TileLayout mmaOperandA(std::span<const std::int64_t> shape, int elementBits, WarpGrid warps) {
  return operandA(shape, elementBits, 0, warps);
}

TileLayout mmaOperandB(std::span<const std::int64_t> shape, int elementBits, WarpGrid warps) {
  FragmentBuilder builder(shape, 1, 0); // what A has as rows are columns here
  builder.givePiece(elementBits < 32 ? log2Of(32 / elementBits) : 0);
  if (elementBits <= 32)
    builder.giveRegister(builder.words);
  const int alongColumns = log2Of(warps.columns);
  builder.giveRest(builder.words, 0);
  builder.giveRest(builder.rows, alongColumns);
  builder.giveLeading();
  builder.copies(Dim::Warp, log2Of(warps.rows));
  builder.give(Dim::Warp, builder.rows, alongColumns);
  return std::move(builder).finish();
}

/// Where the bits of a row's number in its 64 go. Bit 3, in which two registers differ, is the lowest. What remains in
/// half a warp, whose accesses of two words are served together, are rows 2 and 16 apart and four steps along k: these
/// lie in other chunks of 16 bytes, as the swizzle exchanges bits 0 to 2 of their number for those of k.
static constexpr std::array kSpread{1, 4, 2, 0, 3, 5};

/// \p layout, of rows in order, with rows as asked.
static TileLayout withRows(const TileLayout &layout, UnitRows rows) {
  if (rows == UnitRows::InOrder)
    return layout;
  const int shift = layout.axisShift(layout.rank() - 2);
  const std::uint32_t moved = ((std::uint32_t{1} << kSpread.size()) - 1) << shift;
  TileLayout::Bases bases;
  for (const Dim dim : kDims)
    for (const std::uint32_t base : layout.bases(dim)) {
      std::uint32_t spread = base & ~moved;
      for (std::size_t bit = 0; bit != kSpread.size(); ++bit)
        spread |= (base >> (static_cast<std::size_t>(shift) + bit) & 1) << (shift + kSpread[bit]);
      bases[static_cast<std::size_t>(dim)].push_back(spread);
    }
  return TileLayout({layout.shape().begin(), layout.shape().end()}, std::move(bases));
}

TileLayout wgmmaAccumulator(std::span<const std::int64_t> shape, WarpGrid warps, UnitRows rows) {
  return withRows(accumulator(shape, true, 2, warps), rows);
}

TileLayout wgmmaOperandA(std::span<const std::int64_t> shape, int elementBits, WarpGrid warps, UnitRows rows) {
  return withRows(operandA(shape, elementBits, 2, warps), rows);
}

} // namespace tessera::layout
