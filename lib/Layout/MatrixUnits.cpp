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

TileLayout wgmmaAccumulator(std::span<const std::int64_t> shape, WarpGrid warps) {
  return accumulator(shape, true, 2, warps);
}

TileLayout wgmmaOperandA(std::span<const std::int64_t> shape, int elementBits, WarpGrid warps) {
  return operandA(shape, elementBits, 2, warps);
}

} // namespace tessera::layout
