//===- AxisBitsTest.cpp - who tells the elements of an axis apart --------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Layout/AxisBits.h"

#include "RandomLayouts.h"

#include <gtest/gtest.h>

namespace tessera::layout {
namespace {

/// 4 x 8: a register along the rows' lowest bit, lanes along the columns and the rows' highest bit, warps as asked.
TileLayout sample(std::vector<std::uint32_t> warps) {
  return TileLayout({4, 8}, {std::vector<std::uint32_t>{8}, {1, 2, 0}, std::move(warps), {}});
}

TEST(AxisBits, namesHolders) {
  const TileLayout layout = sample({4, 16});
  EXPECT_EQ(axisHolders(layout, 0), (std::vector<Holder>{{Dim::Register, 0}, {Dim::Warp, 1}}));
  EXPECT_EQ(axisHolders(layout, 1), (std::vector<Holder>{{Dim::Lane, 0}, {Dim::Lane, 1}, {Dim::Warp, 0}}));
  EXPECT_TRUE(spansWarps(layout, 0));
}

TEST(AxisBits, findsMixedColumnsNotPlain) {
  const TileLayout layout = sample({4 + 16, 16});
  EXPECT_EQ(axisHolders(layout, 0), std::nullopt); // two warps' bits on one bit of the rows
  EXPECT_EQ(axisHolders(layout, 1), std::nullopt); // a column with a bit of each axis
}

TEST(AxisBits, axisOfOneElementHasNoHolders) {
  const TileLayout layout({1, 4}, {std::vector<std::uint32_t>{1, 2}, {0}, {0}, {}});
  EXPECT_EQ(axisHolders(layout, 0), std::vector<Holder>{});
  EXPECT_FALSE(spansWarps(layout, 0));
}

TEST(AxisBits, layoutAlongAxisKeepsThreadsAndIsPlain) {
  test::Random random(7);
  for (int round = 0; round != 200; ++round) {
    const int rank = 1 + random.upTo(3), axis = random.upTo(rank - 1);
    const TileLayout like = random.layout(random.shape(rank, random.upTo(10)), random.upTo(5), random.upTo(3));
    for (const AxisWarps warps : {AxisWarps::None, AxisWarps::Highest, AxisWarps::Lowest}) {
      const TileLayout layout = alongAxis(like, axis, warps);
      EXPECT_EQ(
          TileLayout::problemOf(layout.shape(),
                                {std::vector(layout.bases(Dim::Register).begin(), layout.bases(Dim::Register).end()),
                                 std::vector(layout.bases(Dim::Lane).begin(), layout.bases(Dim::Lane).end()),
                                 std::vector(layout.bases(Dim::Warp).begin(), layout.bases(Dim::Warp).end()),
                                 {}}),
          "");
      EXPECT_EQ(layout.bits(Dim::Lane), like.bits(Dim::Lane));
      EXPECT_EQ(layout.bits(Dim::Warp), like.bits(Dim::Warp));
      for (int each = 0; each != rank; ++each)
        EXPECT_TRUE(axisHolders(layout, each)) << layout.str();
      if (warps == AxisWarps::None) {
        EXPECT_FALSE(spansWarps(layout, axis)) << layout.str();
      }
    }
  }
}

TEST(AxisBits, highestAndLowestTakeOtherEndsOfTheAxis) {
  const TileLayout like({64}, {std::vector<std::uint32_t>{}, {1, 2, 4, 8}, {16, 32}, {}});
  EXPECT_EQ(axisHolders(alongAxis(like, 0, AxisWarps::Highest), 0)->back().dim, Dim::Warp);
  EXPECT_EQ(axisHolders(alongAxis(like, 0, AxisWarps::Lowest), 0)->front().dim, Dim::Warp);
  EXPECT_EQ(axisHolders(alongAxis(like, 0, AxisWarps::Lowest), 0)->back().dim, Dim::Lane);
}

} // namespace
} // namespace tessera::layout
