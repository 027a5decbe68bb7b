//===- AccessTest.cpp - what accesses of memory ask of layouts --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/TileToLayout/Access.h"

#include "Layout/Conversion.h"
#include "Layout/MatrixUnits.h"
#include "unit/Layout/RandomLayouts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace tessera::ir::layout;
using tessera::ir::WideAccess;
using tessera::layout::Dim;
using tessera::layout::TileLayout;
using tessera::layout::test::Random;

namespace {

constexpr KernelShape kFourWarps{4, 32, 1, 1};

double leastCost(const Access &access) {
  double least = costOf(access, coalescedLayouts(access, kFourWarps).front());
  for (const TileLayout &layout : coalescedLayouts(access, kFourWarps))
    least = std::min(least, costOf(access, layout));
  return least;
}

} // namespace

/// No layout out of many costs less than the best of those that an access asks for.
TEST(Access, coalescedLayoutsAreBest) {
  struct Case {
    std::vector<std::int64_t> shape;
    std::vector<std::optional<std::int64_t>> strides;
    WideAccess wide;
    std::int64_t bytes;
  };
  const Case cases[] = {
      {{2048}, {4}, {0, 4}, 4},
      {{2048}, {2}, {0, 8}, 2},
      {{2048}, {2}, {0, 1}, 2},
      {{64, 64}, {256, 4}, {1, 4}, 4},
      {{64, 64}, {4, 256}, {0, 4}, 4},
      {{64, 64}, {std::nullopt, 4}, {1, 4}, 4},
      {{64, 64}, {std::nullopt, 2}, {1, 1}, 2},
      {{16, 4, 32}, {std::nullopt, 128, 4}, {2, 4}, 4},
  };
  for (const Case &c : cases)
    for (const bool isStore : {false, true}) {
      Access access;
      access.shape.assign(c.shape.begin(), c.shape.end());
      access.strides.assign(c.strides.begin(), c.strides.end());
      access.wide = c.wide;
      access.bytes = c.bytes;
      access.isStore = isStore;
      const double least = leastCost(access);
      for (unsigned seed = 0; seed < 400; ++seed) {
        Random random(seed);
        const TileLayout layout = random.layout(c.shape, 5, 2);
        EXPECT_GE(costOf(access, layout), least) << layout.str();
      }
    }
}

/// Small tiles: threads first, then bytes.
TEST(Access, runsShrinkBeforeThreadsIdle) {
  Access access;
  access.shape = {256};
  access.strides = {4};
  access.wide = {0, 4};
  access.bytes = 4;
  EXPECT_EQ(coalescedLayouts(access, kFourWarps).front().str(),
            "256, register = [(1)], lane = [(2), (4), (8), (16), (32)], warp = [(64), (128)]");
}

namespace {

/// The elements that each warp has.
std::vector<std::set<std::uint32_t>> heldByWarps(const TileLayout &layout) {
  std::vector<std::set<std::uint32_t>> held(layout.size(Dim::Warp));
  for (std::uint32_t warp = 0; warp != held.size(); ++warp)
    for (std::uint32_t lane = 0; lane != layout.size(Dim::Lane); ++lane)
      for (std::uint32_t reg = 0; reg != layout.size(Dim::Register); ++reg)
        held[warp].insert(layout.at(reg, lane, warp));
  return held;
}

/// A layout of the same warps, with bits of what each has drawn for registers and lanes.
TileLayout drawnWithin(Random &random, const TileLayout &layout) {
  std::vector<std::uint32_t> columns;
  for (const Dim dim : {Dim::Register, Dim::Lane})
    columns.insert(columns.end(), layout.bases(dim).begin(), layout.bases(dim).end());
  random.shuffle(columns);
  const auto lanes = columns.end() - layout.bits(Dim::Lane);
  const std::span<const std::uint32_t> warps = layout.bases(Dim::Warp);
  return TileLayout({layout.shape().begin(), layout.shape().end()}, {std::vector(columns.begin(), lanes),
                                                                     std::vector(lanes, columns.end()),
                                                                     std::vector(warps.begin(), warps.end()),
                                                                     {}});
}

} // namespace

/// Warps keep what they have, and no drawn layout in which they do costs less.
TEST(Access, coalescedWithinTheWarpsOfResults) {
  using namespace tessera::layout;
  const std::int64_t wide[] = {64, 256}, square[] = {128, 128}, narrow[] = {64, 16};
  const TileLayout holders[] = {wgmmaAccumulator(wide, {4, 1}), wgmmaAccumulator(square, {4, 1}),
                                mmaAccumulator(square, 32, {2, 2}), mmaAccumulator(square, 32, {1, 4}),
                                mmaAccumulator(narrow, 32, {4, 1})};
  Random random(8);
  for (const TileLayout &holder : holders)
    for (const int axis : {0, 1})
      for (const std::int64_t bytes : {1, 2, 4}) {
        Access access{.shape = {holder.shape().begin(), holder.shape().end()},
                      .strides = {},
                      .wide = {axis, 16 / bytes},
                      .bytes = bytes,
                      .isStore = true};
        access.strides.assign(2, std::nullopt);
        access.strides[axis] = bytes;
        const std::optional<TileLayout> layout = coalescedWithin(access, holder, kFourWarps);
        ASSERT_TRUE(layout) << holder.str();
        EXPECT_EQ(heldByWarps(*layout), heldByWarps(holder)) << layout->str();
        EXPECT_NE(conversionKind(holder, *layout), ConversionKind::Shared);
        const double cost = costOf(access, *layout);
        EXPECT_LE(cost, costOf(access, holder));
        for (int round = 0; round != 200; ++round)
          EXPECT_LE(cost, costOf(access, drawnWithin(random, *layout))) << layout->str();
      }
}

/// Where bits of warps and lanes are mixed, there may be no such layout.
TEST(Access, negativeWarpsOfMixedBits) {
  const TileLayout mixed({4, 64}, {{{1}, {2, 4, 8, 16, 32 ^ 64}, {64 ^ 128, 128}, {}}});
  const Access access{.shape = {4, 64}, .strides = {std::nullopt, 4}, .wide = {1, 4}, .bytes = 4};
  EXPECT_FALSE(coalescedWithin(access, mixed, kFourWarps));
}
