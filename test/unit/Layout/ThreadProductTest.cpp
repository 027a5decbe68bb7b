//===- ThreadProductTest.cpp - products that threads compute alone --------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Layout/ThreadProduct.h"

#include "BankSimulator.h"
#include "RandomLayouts.h"

#include <gtest/gtest.h>

#include <set>

namespace tessera::layout {
namespace {

using Shape = std::vector<std::int64_t>;

struct Case {
  Shape result;
  std::int64_t k;
  int warps;
};

const std::vector<Case> kCases = {
    {{128, 128}, 16, 8},  {{128, 128}, 32, 8}, {{128, 128}, 8, 8},   {{64, 64}, 16, 4}, {{128, 64}, 16, 4},
    {{64, 256}, 16, 8},   {{128, 256}, 8, 8},  {{128, 256}, 32, 16}, {{32, 32}, 32, 1}, {{16, 256}, 32, 4},
    {{128, 8}, 16, 4},    {{1, 512}, 64, 4},   {{512, 1}, 64, 4},    {{1, 1}, 1, 1},    {{2, 4}, 8, 2},
    {{4, 64, 32}, 16, 4}, {{8, 2, 2}, 4, 4},   {{2, 1, 1}, 2, 8},
};

/// What is copied to a buffer by accesses of up to 16 bytes along \p axis.
TileLayout copied(const Shape &shape, int axis, int warps) {
  Shape perThread(shape.size(), 1), lanes(shape.size(), 1), ofWarps(shape.size(), 1);
  const auto last = static_cast<int>(shape.size()) - 1, other = axis == last ? last - 1 : last;
  perThread[axis] = std::min<std::int64_t>(4, shape[axis]);
  lanes[axis] = std::min<std::int64_t>(32, shape[axis] / perThread[axis]);
  lanes[other] = 32 / lanes[axis];
  ofWarps[other] = warps;
  std::vector<int> order{axis, other};
  if (last == 2)
    order.push_back(0);
  return TileLayout::blocked(shape, perThread, lanes, ofWarps, order);
}

Shape operandShape(const Case &of, ProductSide side) {
  Shape shape = of.result;
  shape[shape.size() - (side == ProductSide::A ? 1 : 2)] = of.k;
  return shape;
}

TEST(ThreadProduct, accumulatorsAreSquares) {
  const TileLayout layout = threadAccumulator(Shape{128, 128}, 8, 32);
  EXPECT_EQ(layout.str(), "128x128, register = [(0, 1), (0, 2), (1, 0), (2, 0), (0, 16), (32, 0)], "
                          "lane = [(0, 4), (4, 0), (8, 0), (16, 0), (0, 8)], warp = [(0, 32), (64, 0), (0, 64)]");
  EXPECT_EQ(threadAccumulator(Shape{64, 64}, 4, 32).size(Dim::Register), 32u);
}

TEST(ThreadProduct, accumulatorsHoldEveryElementOnceWhereThereAreEnough) {
  for (const Case &of : kCases) {
    const TileLayout layout = threadAccumulator(of.result, of.warps, 32);
    SCOPED_TRACE(layout.str());
    EXPECT_EQ(layout.bits(Dim::Lane), 5);
    EXPECT_EQ(layout.size(Dim::Warp), static_cast<std::uint32_t>(of.warps));
    EXPECT_EQ(TileLayout::problemOf(
                  layout.shape(), {std::vector(layout.bases(Dim::Register).begin(), layout.bases(Dim::Register).end()),
                                   std::vector(layout.bases(Dim::Lane).begin(), layout.bases(Dim::Lane).end()),
                                   std::vector(layout.bases(Dim::Warp).begin(), layout.bases(Dim::Warp).end()),
                                   {}}),
              "");
    EXPECT_EQ(layout.copyMask(Dim::Register), 0u);
    if (layout.elements() >= std::int64_t{32} * of.warps) {
      EXPECT_EQ(layout.size(Dim::Register) * 32 * of.warps, layout.elements());
    }
  }
}

TEST(ThreadProduct, lanesThatReadTheSameLieInPairs) {
  const TileLayout layout = threadAccumulator(Shape{128, 128}, 8, 32);
  const TileLayout a = threadOperand(layout, ProductSide::A, 16, 1), b = threadOperand(layout, ProductSide::B, 16, 1);
  EXPECT_EQ(a.bases(Dim::Lane)[0], 0u);
  EXPECT_EQ(b.bases(Dim::Lane)[1], 0u);
}

TEST(ThreadProduct, operandsAreTheRowsAndColumnsOfTheResult) {
  for (const Case &of : kCases) {
    const TileLayout layout = threadAccumulator(of.result, of.warps, 32);
    SCOPED_TRACE(layout.str());
    const int row = layout.rank() - 2, column = layout.rank() - 1;
    for (const ProductSide side : {ProductSide::A, ProductSide::B}) {
      const bool isA = side == ProductSide::A;
      const TileLayout read = threadOperand(layout, side, of.k, std::min<std::int64_t>(4, of.k));
      EXPECT_EQ(TileLayout(read).shape().back(), operandShape(of, side).back());
      for (std::uint32_t warp = 0; warp != layout.size(Dim::Warp); ++warp)
        for (std::uint32_t lane = 0; lane != 32; ++lane) {
          std::set<std::int64_t> wanted, got;
          for (std::uint32_t reg = 0; reg != layout.size(Dim::Register); ++reg)
            wanted.insert(layout.coordinate(layout.at(reg, lane, warp), isA ? row : column));
          for (std::uint32_t reg = 0; reg != read.size(Dim::Register); ++reg) {
            const std::uint32_t flat = read.at(reg, lane, warp);
            got.insert(read.coordinate(flat, isA ? row : column));
            EXPECT_LT(read.coordinate(flat, isA ? column : row), 4);
          }
          ASSERT_EQ(wanted, got);
        }
    }
  }
}

/// Whichever axis memory has in a row, reads of rows or columns have no bank conflict; nor have copies, but for single
/// rows and columns.
TEST(ThreadProduct, buffersHaveNoBankConflicts) {
  for (const Case &of : kCases)
    for (const ProductSide side : {ProductSide::A, ProductSide::B})
      for (const int elementBytes : {4, 8})
        for (const int back : {1, 2}) {
          const TileLayout layout = threadAccumulator(of.result, of.warps, 32);
          const Shape shape = operandShape(of, side);
          const TileLayout store = copied(shape, static_cast<int>(shape.size()) - back, of.warps);
          const SharedLayout shared = threadOperandBuffer(store, layout, side, elementBytes);
          const TileLayout read = threadOperand(layout, side, of.k, 1);
          SCOPED_TRACE(layout.str() + "\n" + store.str() + "\n" + shared.str() + "\n" + std::to_string(elementBytes));
          const std::uint32_t wide = widestAccess(read, shared, elementBytes);
          const Wavefronts reads = test::wavefrontsOf(read, shared, wide, elementBytes);
          EXPECT_EQ(reads.actual, reads.ideal);
          // All neighbours that threads have, up to 16 bytes.
          const std::int64_t neighbours = contiguousRegisters(threadOperand(layout, side, of.k, 1),
                                                              layout.rank() - (side == ProductSide::A ? 2 : 1));
          EXPECT_GE(wide * elementBytes, std::min<std::int64_t>(16, neighbours * elementBytes));
          const std::uint32_t stored = widestAccess(store, shared, elementBytes);
          const Wavefronts stores = test::wavefrontsOf(store, shared, stored, elementBytes);
          if (elementBytes == 4 && std::ranges::min(layout.shape()) >= 32) {
            EXPECT_EQ(stores.actual, stores.ideal);
          }
        }
}

TEST(ThreadProduct, whatLiesAlongRowsOrColumnsIsCopiedInVectors) {
  const TileLayout layout = threadAccumulator(Shape{128, 128}, 8, 32);
  const TileLayout a = copied({128, 16}, 0, 8), b = copied({16, 128}, 1, 8);
  EXPECT_EQ(widestAccess(a, threadOperandBuffer(a, layout, ProductSide::A, 4), 4), 4u);
  EXPECT_EQ(widestAccess(b, threadOperandBuffer(b, layout, ProductSide::B, 4), 4), 4u);
}

/// Narrow elements that lie along k are read along k.
TEST(ThreadProduct, narrowElementsKeepTheirOrder) {
  const TileLayout layout = threadAccumulator(Shape{64, 64}, 4, 32);
  const TileLayout a = copied({64, 16}, 1, 4);
  const SharedLayout shared = threadOperandBuffer(a, layout, ProductSide::A, 2);
  EXPECT_GE(widestAccess(a, shared, 2), 4u);
  EXPECT_GE(widestAccess(threadOperand(layout, ProductSide::A, 16, 16), shared, 2), 4u);
}

} // namespace
} // namespace tessera::layout
