//===- MatrixLoad.cpp - accesses that a warp makes together ---------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Layout/MatrixLoad.h"

#include "Layout/ColumnLoad.h"
#include "Layout/FlatIndex.h"
#include "Layout/Span.h"

#include <algorithm>

namespace tessera::layout {

static constexpr int kRowBytes = 16, kLaneBits = 5;

namespace {

/// Looks for accesses of one form.
class Search {
public:
  Search(const TileLayout::Bases &offsets, int elementBytes, bool isTransposed)
      : offsets(offsets), isTransposed(isTransposed), rowElements(kRowBytes / elementBytes) {
    // Neighbours that a lane has of a row, and how many rows it has them of.
    const std::uint32_t inRow = (isTransposed ? 2 : 4) / elementBytes;
    access.isTransposed = isTransposed;
    access.wordElements = isTransposed ? 2 * inRow : inRow;
    neighbours = inRow;
    for (const std::uint32_t column : columns(Dim::Register))
      registers.insert(column);
  }

  std::optional<MatrixAccess> find(std::uint32_t maxMatrices) {
    if (neighbours == 0 || !lanesFit() || !chooseWord())
      return std::nullopt;
    chooseMatrices(maxMatrices);
    giveRows();
    listRegisters();
    return access;
  }

private:
  std::span<const std::uint32_t> columns(Dim dim) const { return offsets[static_cast<std::size_t>(dim)]; }
  std::uint32_t place(std::uint32_t offset) const { return offset & (rowElements - 1); } // in a row
  std::uint32_t offsetOf(std::uint32_t reg) const { return combined(columns(Dim::Register), reg); }

  /// Lanes are told apart inside a row as the instruction does, and by nothing else outside of it.
  bool lanesFit() const {
    const std::span<const std::uint32_t> lanes = columns(Dim::Lane);
    if (lanes.size() != kLaneBits)
      return false;
    const int firstInRow = isTransposed ? 2 : 0, countInRow = isTransposed ? 3 : 2;
    for (int bit = 0; bit != kLaneBits; ++bit) {
      const bool isInRow = firstInRow <= bit && bit < firstInRow + countInRow;
      if (isInRow ? lanes[bit] != neighbours << (bit - firstInRow) : place(lanes[bit]) != 0)
        return false;
    }
    for (const Dim dim : {Dim::Warp, Dim::Block})
      for (const std::uint32_t column : columns(dim))
        if (place(column) != 0)
          return false;
    return true;
  }

  /// Which registers are neighbours in a word, and in the other row of a transposed one.
  bool chooseWord() {
    for (const std::uint32_t column : columns(Dim::Register))
      if (place(column) >= neighbours)
        return false; // a lane has other places of a row
    for (std::uint32_t distance = 1; distance != neighbours; distance *= 2) {
      const auto apart = registers.combinationOf(distance);
      if (!apart)
        return false;
      word.push_back(static_cast<std::uint32_t>(*apart));
    }
    used.insertAll(word);
    if (!isTransposed)
      return true;
    const std::optional<std::uint32_t> other = takeRegister();
    if (other)
      word.push_back(*other);
    return other.has_value();
  }

  /// A register that differs by whole rows from register 0, and is no combination of those taken before.
  std::optional<std::uint32_t> takeRegister() {
    const std::uint32_t copies = copyMask();
    for (std::size_t bit = 0; bit != columns(Dim::Register).size(); ++bit) {
      std::uint32_t reg = std::uint32_t{1} << bit;
      if ((reg & copies) != 0)
        continue;
      reg ^= combined(word, place(offsetOf(reg)));
      if (used.insert(reg))
        return reg;
    }
    return std::nullopt;
  }

  void chooseMatrices(std::uint32_t most) {
    while (2 * access.words <= most) {
      const std::optional<std::uint32_t> next = takeRegister();
      if (!next)
        return;
      matrices.push_back(*next);
      access.words *= 2;
    }
  }

  void giveRows() {
    const std::span<const std::uint32_t> lanes = columns(Dim::Lane);
    std::vector<std::uint32_t> rows;
    if (isTransposed)
      rows = {offsetOf(word.back()), lanes[0], lanes[1]};
    else
      rows = {lanes[2], lanes[3], lanes[4]};
    for (const std::uint32_t reg : matrices)
      rows.push_back(offsetOf(reg));
    rows.resize(kLaneBits, 0);
    access.rows = offsets;
    access.rows[static_cast<std::size_t>(Dim::Lane)] = std::move(rows);
  }

  void listRegisters() {
    std::vector<std::uint32_t> apart = word;
    apart.insert(apart.end(), matrices.begin(), matrices.end());
    const std::uint32_t copies = copyMask();
    for (std::uint32_t reg = 0; reg != std::uint32_t{1} << columns(Dim::Register).size(); ++reg)
      // The first register of an access has the lowest number among those that differ by `apart`, then it begins a row.
      if ((reg & copies) == 0 && used.remainder(reg) == reg) {
        const std::uint32_t first = reg ^ combined(word, place(offsetOf(reg)));
        for (std::uint32_t at = 0; at != std::uint32_t{1} << apart.size(); ++at)
          access.registers.push_back(first ^ combined(apart, at));
      }
  }

  /// The bits of registers whose column lies in the span of those before it.
  std::uint32_t copyMask() const {
    Span span;
    std::uint32_t mask = 0;
    for (std::size_t bit = 0; bit != columns(Dim::Register).size(); ++bit)
      mask |= span.insert(columns(Dim::Register)[bit]) ? 0 : std::uint32_t{1} << bit;
    return mask;
  }

  const TileLayout::Bases &offsets;
  const bool isTransposed;
  const std::uint32_t rowElements;
  std::uint32_t neighbours;
  Span registers; // offsets of single register bits
  Span used;      // numbers of registers in `word` and `matrices`
  std::vector<std::uint32_t> word, matrices;
  MatrixAccess access;
};

} // namespace

std::optional<MatrixAccess> matrixAccess(const TileLayout::Bases &offsets, int elementBytes, MatrixLoads loads,
                                         std::uint32_t maxMatrices) {
  if (loads == MatrixLoads::None)
    return std::nullopt;
  if (loads == MatrixLoads::Columns)
    return columnAccess(offsets, elementBytes);
  if (auto plain = Search(offsets, elementBytes, false).find(maxMatrices))
    return plain;
  return Search(offsets, elementBytes, true).find(maxMatrices);
}

Wavefronts bankConflicts(const MatrixAccess &access, int elementBytes, int banks) {
  const bool isOfRows = access.kind == MatrixLoads::Rows;
  const std::vector<std::uint32_t> &lanes = access.rows[static_cast<std::size_t>(Dim::Lane)];
  // Lanes are served together that give a matrix of Rows, or 8 bytes for each two banks.
  const int bytesOfLane = isOfRows ? kRowBytes : kColumnBytes;
  const int together = isOfRows ? 3 : std::min<int>(log2Of(4 * banks / kColumnBytes), static_cast<int>(lanes.size()));
  Span words, inBanks;
  const auto add = [&](std::uint32_t byteAddress) {
    words.insert(byteAddress >> 2);
    inBanks.insert(byteAddress >> 2 & static_cast<std::uint32_t>(banks - 1));
  };
  for (int bit = 0; bit != together; ++bit)
    add(lanes[bit] * elementBytes);
  for (int bytes = 4; bytes < bytesOfLane; bytes *= 2)
    add(bytes);
  const int turns = isOfRows ? static_cast<int>(access.words) : 1 << (static_cast<int>(lanes.size()) - together);
  return {.actual = turns << (words.rank() - inBanks.rank()), .ideal = turns};
}

} // namespace tessera::layout
