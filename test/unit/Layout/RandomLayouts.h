//===- RandomLayouts.h - layouts for property tests ------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_LAYOUT_RANDOMLAYOUTS_H
#define TESSERA_TEST_UNIT_LAYOUT_RANDOMLAYOUTS_H

#include "Layout/TileLayout.h"

#include <algorithm>
#include <bit>
#include <random>
#include <utility>
#include <vector>

namespace tessera::layout::test {

/// Draws shapes and layouts; the same ones in every run of a test.
class Random {
public:
  explicit Random(unsigned seed) : engine(seed) {}

  /// A number from 0 to \p most.
  int upTo(int most) { return std::uniform_int_distribution<int>(0, most)(engine); }
  bool chance(int percent) { return upTo(99) < percent; }
  template <class T> void shuffle(std::vector<T> &values) { std::shuffle(values.begin(), values.end(), engine); }

  /// A shape of \p rank axes with 2^bits elements.
  std::vector<std::int64_t> shape(int rank, int bits) {
    std::vector<std::int64_t> result(rank, 1);
    for (int bit = 0; bit != bits; ++bit)
      result[upTo(rank - 1)] *= 2;
    return result;
  }

  /// Columns that span 2^bits elements: one bit each in a random order with zeros between, and if \p mixed some of them
  /// added to others. Lanes, warps and blocks have as many bits as asked for, registers what is needed or a few more.
  TileLayout::Bases bases(int elementBits, int lanes, int warps, int blocks, bool mixed) {
    std::vector<std::uint32_t> columns;
    for (int bit = 0; bit != elementBits; ++bit)
      columns.push_back(std::uint32_t{1} << bit);
    const int copies = chance(50) ? upTo(3) : 0;
    while (static_cast<int>(columns.size()) < lanes + warps + blocks ||
           static_cast<int>(columns.size()) < elementBits + copies)
      columns.push_back(mixed && chance(50) ? upTo((1 << elementBits) - 1) : 0);
    if (chance(80))
      shuffle(columns);
    if (mixed && !columns.empty())
      for (int step = 0; step != 12; ++step) {
        const int from = upTo(static_cast<int>(columns.size()) - 1), to = upTo(static_cast<int>(columns.size()) - 1);
        if (from != to)
          columns[to] ^= columns[from];
      }
    TileLayout::Bases result;
    const auto take = [&](Dim dim, int count) {
      std::vector<std::uint32_t> &taken = result[static_cast<std::size_t>(dim)];
      taken.assign(columns.end() - count, columns.end());
      columns.resize(columns.size() - count);
    };
    take(Dim::Lane, lanes);
    take(Dim::Warp, warps);
    take(Dim::Block, blocks);
    take(Dim::Register, static_cast<int>(columns.size()));
    return result;
  }

  TileLayout layout(std::vector<std::int64_t> shape, int lanes, int warps, int blocks = 0) {
    int bits = 0;
    for (const std::int64_t extent : shape)
      bits += std::bit_width(static_cast<unsigned>(extent)) - 1;
    TileLayout::Bases columns = bases(bits, lanes, warps, blocks, chance(50));
    return TileLayout(std::move(shape), std::move(columns));
  }

private:
  std::mt19937 engine;
};

/// Calls \p visit with every register, lane, warp and block of \p layout.
template <class Visit> void forEachHolder(const TileLayout &layout, Visit visit) {
  for (std::uint32_t block = 0; block != layout.size(Dim::Block); ++block)
    for (std::uint32_t warp = 0; warp != layout.size(Dim::Warp); ++warp)
      for (std::uint32_t lane = 0; lane != layout.size(Dim::Lane); ++lane)
        for (std::uint32_t reg = 0; reg != layout.size(Dim::Register); ++reg)
          visit(reg, lane, warp, block);
}

} // namespace tessera::layout::test

#endif // TESSERA_TEST_UNIT_LAYOUT_RANDOMLAYOUTS_H
