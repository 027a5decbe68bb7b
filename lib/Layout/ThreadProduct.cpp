//===- ThreadProduct.cpp - products that threads compute alone -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Layout/ThreadProduct.h"

#include "Layout/LayoutBuilder.h"
#include "Layout/Swizzle.h"

#include <algorithm>
#include <utility>

namespace tessera::layout {

/// Rows, and columns, of a thread that are neighbours: accesses of 16 bytes for elements of 4.
static constexpr int kVectorBits = 2;

TileLayout threadAccumulator(std::span<const std::int64_t> shape, int numWarps, int warpSize) {
  const int rank = static_cast<int>(shape.size()), row = rank - 2, column = rank - 1;
  LayoutBuilder builder(shape);
  const int rows = builder.left(row), columns = builder.left(column);
  const int perThread = std::max(0, rows + columns - log2Of(std::int64_t{numWarps} * warpSize));
  const int ofColumns = std::clamp((perThread + 1) / 2, std::max(0, perThread - rows), columns);
  const int ofRows = perThread - ofColumns;
  const int inColumn = std::min(ofColumns, kVectorBits), inRow = std::min(ofRows, kVectorBits);
  builder.give(Dim::Register, column, inColumn);
  builder.give(Dim::Register, row, inRow);
  // The rest of a thread's rows and columns lies behind those of all lanes.
  int keptRows = ofRows - inRow, keptColumns = ofColumns - inColumn;
  const auto left = [&](int axis) {
    return builder.left(axis) - (axis == row ? keptRows : axis == column ? keptColumns : 0);
  };
  const auto giveBit = [&](Dim dim, int first, int second) {
    for (const int axis : {first, second})
      if (left(axis) > 0)
        return builder.give(dim, axis, 1);
    for (int axis = 0; axis < row; ++axis)
      if (left(axis) > 0)
        return builder.give(dim, axis, 1);
    builder.copies(dim, 1);
  };
  for (int bit = 0; bit != log2Of(warpSize); ++bit) {
    const bool toColumn = bit % 4 == 0;
    giveBit(Dim::Lane, toColumn ? column : row, toColumn ? row : column);
  }
  builder.give(Dim::Register, column, std::exchange(keptColumns, 0));
  builder.give(Dim::Register, row, std::exchange(keptRows, 0));
  for (int bit = 0; bit != log2Of(numWarps); ++bit) {
    const bool toColumn = builder.left(column) > builder.left(row);
    giveBit(Dim::Warp, toColumn ? column : row, toColumn ? row : column);
  }
  for (int axis = column; axis >= 0; --axis)
    builder.give(Dim::Register, axis, builder.left(axis));
  return std::move(builder).finish();
}

std::uint32_t threadOperandIndex(const TileLayout &accumulator, ProductSide side, std::int64_t k, std::uint32_t flat) {
  const auto shape = accumulator.shape();
  const int columns = log2Of(shape.back()), rows = log2Of(shape[shape.size() - 2]), depth = log2Of(k);
  if (side == ProductSide::A)
    return flat >> columns << depth;
  return flat >> (rows + columns) << (depth + columns) | (flat & ((std::uint32_t{1} << columns) - 1));
}

TileLayout threadOperand(const TileLayout &accumulator, ProductSide side, std::int64_t k, std::int64_t steps) {
  std::vector<std::int64_t> shape(accumulator.shape().begin(), accumulator.shape().end());
  const int axis = accumulator.rank() - (side == ProductSide::A ? 1 : 2), depth = log2Of(k);
  shape[static_cast<std::size_t>(axis)] = k;
  const int first = axisShiftOf(shape, axis);
  const auto mapped = [&](std::uint32_t flat) { return threadOperandIndex(accumulator, side, k, flat); };
  TileLayout::Bases bases;
  const auto columnsOf = [&](Dim dim) -> std::vector<std::uint32_t> & { return bases[static_cast<std::size_t>(dim)]; };
  for (int bit = 0; bit != depth; ++bit)
    if (bit < log2Of(steps))
      columnsOf(Dim::Register).push_back(std::uint32_t{1} << (first + bit));
  for (const std::uint32_t base : accumulator.bases(Dim::Register))
    if (const std::uint32_t kept = mapped(base); kept != 0)
      columnsOf(Dim::Register).push_back(kept);
  for (const Dim dim : {Dim::Lane, Dim::Warp, Dim::Block})
    for (const std::uint32_t base : accumulator.bases(dim))
      columnsOf(dim).push_back(mapped(base));
  for (int bit = log2Of(steps); bit < depth; ++bit)
    columnsOf(Dim::Block).push_back(std::uint32_t{1} << (first + bit));
  return TileLayout(std::move(shape), std::move(bases));
}

static TileLayout::Bases basesOf(const TileLayout &layout) {
  TileLayout::Bases bases;
  for (const Dim dim : kDims)
    bases[static_cast<std::size_t>(dim)].assign(layout.bases(dim).begin(), layout.bases(dim).end());
  return bases;
}

static TileLayout withBases(const TileLayout &like, TileLayout::Bases bases) {
  return TileLayout({like.shape().begin(), like.shape().end()}, std::move(bases));
}

/// One access of a copy from memory: of the registers only those that hold neighbours.
static TileLayout oneAccess(const TileLayout &store) {
  std::uint32_t neighbours = 1;
  for (int axis = 0; axis != store.rank(); ++axis)
    neighbours = std::max(neighbours, contiguousRegisters(store, axis));
  TileLayout::Bases bases = basesOf(store);
  std::vector<std::uint32_t> &registers = bases[static_cast<std::size_t>(Dim::Register)],
                             &others = bases[static_cast<std::size_t>(Dim::Block)];
  others.insert(others.end(), registers.begin() + log2Of(neighbours), registers.end());
  registers.resize(static_cast<std::size_t>(log2Of(neighbours)));
  return withBases(store, std::move(bases));
}

SharedLayout threadOperandBuffer(const TileLayout &store, const TileLayout &accumulator, ProductSide side,
                                 int elementBytes) {
  const std::int64_t k = store.shape()[store.shape().size() - (side == ProductSide::A ? 1 : 2)];
  const bool isOneStep = elementBytes >= 4;
  const TileLayout read = threadOperand(accumulator, side, k, isOneStep ? 1 : k);
  // Lanes that read the same count once.
  TileLayout::Bases bases = basesOf(read);
  std::vector<std::uint32_t> &lanes = bases[static_cast<std::size_t>(Dim::Lane)];
  const std::size_t count = lanes.size();
  std::erase(lanes, 0u);
  lanes.resize(count, 0);
  return chooseSwizzle(oneAccess(store), withBases(read, std::move(bases)), elementBytes, 16, isOneStep ? k : 1).shared;
}

} // namespace tessera::layout
