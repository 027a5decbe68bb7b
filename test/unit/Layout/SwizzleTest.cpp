//===- SwizzleTest.cpp - the buffer between two layouts -------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Layout/Swizzle.h"
#include "Layout/LayoutText.h"
#include "unit/Layout/BankSimulator.h"
#include "unit/Layout/RandomLayouts.h"

#include <gmock/gmock.h>

using namespace tessera::layout;
using tessera::layout::test::Random;
using tessera::layout::test::wavefrontsOf;

using Shape = std::vector<std::int64_t>;

/// Wavefronts of a warp for its part of a tile.
static std::int64_t allWavefronts(const TileLayout &layout, const SharedLayout &shared, std::uint32_t elements,
                                  int elementBytes) {
  const Wavefronts one = wavefrontsOf(layout, shared, elements, elementBytes);
  return one.actual * static_cast<std::int64_t>(accessGroups(layout, shared, elements).size()) / elements;
}

/// Wavefronts and instructions of both sides.
static std::int64_t costOf(const TileLayout &store, const TileLayout &load, const Swizzle &swizzle, int elementBytes) {
  std::int64_t cost = 0;
  for (const auto &[layout, elements] :
       {std::pair(&store, swizzle.storeElements), std::pair(&load, swizzle.loadElements)})
    cost += allWavefronts(*layout, swizzle.shared, elements, elementBytes) +
            static_cast<std::int64_t>(accessGroups(*layout, swizzle.shared, elements).size()) / elements;
  return cost;
}

/// Checks that the layouts can use the buffer as said, and that equally wide accesses have no conflict.
static Swizzle checked(const TileLayout &store, const TileLayout &load, int elementBytes) {
  SCOPED_TRACE(store.str() + "\n" + load.str() + "\n" + std::to_string(elementBytes));
  const Swizzle swizzle = chooseSwizzle(store, load, elementBytes);
  EXPECT_THAT(swizzle.shared.shape(), testing::ElementsAreArray(store.shape()));
  EXPECT_EQ(SharedLayout::problemOf(swizzle.shared.shape(), swizzle.shared.bases()), "");
  EXPECT_EQ(swizzle.storeElements, widestAccess(store, swizzle.shared, elementBytes));
  EXPECT_EQ(swizzle.loadElements, widestAccess(load, swizzle.shared, elementBytes));
  EXPECT_LE(swizzle.storeElements * elementBytes, 16u);
  EXPECT_LE(swizzle.loadElements * elementBytes, 16u);
  EXPECT_FALSE(accessGroups(store, swizzle.shared, swizzle.storeElements).empty());
  EXPECT_FALSE(accessGroups(load, swizzle.shared, swizzle.loadElements).empty());
  const Wavefronts ofStore = wavefrontsOf(store, swizzle.shared, swizzle.storeElements, elementBytes),
                   ofLoad = wavefrontsOf(load, swizzle.shared, swizzle.loadElements, elementBytes);
  if (swizzle.storeElements <= swizzle.loadElements) {
    EXPECT_EQ(ofLoad.actual, ofLoad.ideal);
  }
  if (swizzle.loadElements <= swizzle.storeElements) {
    EXPECT_EQ(ofStore.actual, ofStore.ideal);
  }
  return swizzle;
}

TEST(Swizzle, equallyWideAccessesHaveNoConflicts) {
  Random random(1);
  int equal = 0, unequal = 0;
  for (int round = 0; round != 600 && !HasFailure(); ++round) {
    const Shape shape = random.shape(2, random.upTo(12));
    const TileLayout store = random.layout(shape, 5, random.upTo(2)), load = random.layout(shape, 5, random.upTo(2));
    const Swizzle swizzle = checked(store, load, 1 << random.upTo(3));
    ++(swizzle.storeElements == swizzle.loadElements ? equal : unequal);
  }
  EXPECT_GT(equal, 50);
  EXPECT_GT(unequal, 50);
}

// No buffer that some thousand draws find, or steps away from the chosen one, does with less.
TEST(Swizzle, drawnOnesAreNotBetter) {
  Random random(2);
  for (int round = 0; round != 60; ++round) {
    const Shape shape = random.shape(2, 5 + random.upTo(3));
    const TileLayout store = random.layout(shape, 5, random.upTo(1)), load = random.layout(shape, 5, random.upTo(1));
    const int elementBytes = 1 << random.upTo(3);
    const Swizzle chosen = checked(store, load, elementBytes);
    const std::int64_t least = costOf(store, load, chosen, elementBytes);
    const SharedLayout plain = SharedLayout::inOrder(shape, std::vector{1, 0});
    for (int draw = 0; draw != 60; ++draw) {
      const SharedLayout &start = draw % 2 == 0 ? plain : chosen.shared;
      std::vector<std::uint32_t> bases(start.bases().begin(), start.bases().end());
      if (draw % 2 == 0)
        random.shuffle(bases);
      const int last = static_cast<int>(bases.size()) - 1;
      for (int step = random.upTo(8); step != 0; --step)
        if (const int from = random.upTo(last), to = random.upTo(last); from != to)
          bases[to] ^= bases[from];
      Swizzle drawn{.shared = SharedLayout(shape, std::move(bases))};
      drawn.storeElements = widestAccess(store, drawn.shared, elementBytes);
      drawn.loadElements = widestAccess(load, drawn.shared, elementBytes);
      EXPECT_LE(least, costOf(store, load, drawn, elementBytes)) << store.str() << "\n"
                                                                 << load.str() << "\n"
                                                                 << drawn.shared.str();
    }
  }
}

// Where one side is wider: its lanes tell words apart that the other side's lanes need not, small elements share words,
// and what the wide side adds is not held by single registers. A search found these costs.
TEST(Swizzle, unequalWidths) {
  const auto cost = [](std::string_view store, std::string_view load, int elementBytes) {
    TextProblem problem;
    const TileLayout from = parseTileLayout(store, problem).value(), to = parseTileLayout(load, problem).value();
    return costOf(from, to, checked(from, to, elementBytes), elementBytes);
  };
  EXPECT_EQ(cost("32x16, register = [(0, 1), (0, 2), (0, 4), (0, 8)], lane = [(1, 0), (2, 0), (4, 0), (8, 0), (16, 0)]",
                 "32x16, register = [(3, 0), (1, 5), (16, 8)], lane = [(2, 0), (8, 2), (3, 13), (0, 4), (4, 0)], "
                 "warp = [(10, 4)]",
                 1),
            21);
  EXPECT_EQ(cost("16x4, register = [(5, 1), (1, 0), (0, 0), (0, 3)], lane = [(8, 0), (0, 1), (0, 2), (2, 0), (15, 2)]",
                 "16x4, register = [(4, 0), (2, 0), (1, 0)], lane = [(0, 0), (8, 0), (0, 0), (0, 2), (0, 1)]", 1),
            11);
  EXPECT_EQ(cost("8x64, register = [(0, 36), (0, 18), (2, 16)], lane = [(2, 0), (1, 0), (0, 4), (1, 9), (5, 9)], "
                 "warp = [(0, 44)]",
                 "8x64, register = [(0, 1), (0, 2), (0, 4)], lane = [(0, 16), (0, 32), (1, 0), (2, 0), (4, 0)], "
                 "warp = [(0, 8)]",
                 2),
            21);
}

// Rows in, columns out.
TEST(Swizzle, transposes) {
  const Shape shape{64, 64}, one{1, 1};
  for (const int elementBytes : {1, 2, 4, 8}) {
    const TileLayout rows =
                         TileLayout::blocked(shape, Shape{1, 16 / elementBytes}, Shape{8, 4}, one, std::vector{1, 0}),
                     columns =
                         TileLayout::blocked(shape, Shape{16 / elementBytes, 1}, Shape{4, 8}, one, std::vector{0, 1});
    const Swizzle swizzle = checked(rows, columns, elementBytes);
    for (const auto &[layout, elements] :
         {std::pair(&rows, swizzle.storeElements), std::pair(&columns, swizzle.loadElements)}) {
      const Wavefronts wavefronts = wavefrontsOf(*layout, swizzle.shared, elements, elementBytes);
      EXPECT_EQ(wavefronts.actual, wavefronts.ideal) << elementBytes;
    }
    // What threads of both sides hold is 2x2 or more; the loads may be wider without a conflict of the stores.
    EXPECT_EQ(swizzle.storeElements * elementBytes, std::min(4u * elementBytes, 16u));
    EXPECT_EQ(swizzle.loadElements * elementBytes, 16u);
  }
}

// Accumulators of a matrix unit, where a thread has two neighbours in each of two rows: these four lie together.
TEST(Swizzle, towardsAccumulators) {
  const Shape shape{64, 64};
  const TileLayout rows = TileLayout::blocked(shape, Shape{1, 4}, Shape{2, 16}, Shape{4, 1}, std::vector{1, 0});
  const TileLayout tiles({64, 64}, {{{1, 8 * 64, 8, 16, 32}, {2, 4, 64, 128, 256}, {16 * 64, 32 * 64}, {}}});
  const Swizzle swizzle = checked(tiles, rows, 4);
  EXPECT_EQ(swizzle.storeElements, 4u);
  EXPECT_EQ(swizzle.loadElements, 4u);
}

// Loads of 16 bytes by warps of 64 are served in turns of their own.
TEST(Swizzle, warpsOf64) {
  Random random(3);
  int wide = 0;
  for (int round = 0; round != 400 && !HasFailure(); ++round) {
    const Shape shape = random.shape(2, random.upTo(12));
    const TileLayout store = random.layout(shape, 6, random.upTo(2)), load = random.layout(shape, 6, random.upTo(2));
    const int elementBytes = 1 << random.upTo(3);
    const Swizzle swizzle = chooseSwizzle(store, load, elementBytes);
    if (swizzle.storeElements > swizzle.loadElements)
      continue;
    SCOPED_TRACE(store.str() + "\n" + load.str() + "\n" + swizzle.shared.str());
    const Wavefronts ofLoad = wavefrontsOf(load, swizzle.shared, swizzle.loadElements, elementBytes, {.loads = true});
    EXPECT_EQ(ofLoad.actual, ofLoad.ideal);
    wide += swizzle.loadElements * elementBytes == 16;
  }
  EXPECT_GT(wide, 20);
}

TEST(Swizzle, scalarsAndCopies) {
  const TileLayout scalar({}, {{{}, {0, 0, 0, 0, 0}, {0, 0}, {}}});
  EXPECT_EQ(checked(scalar, scalar, 4), Swizzle());
  const TileLayout everywhere({8}, {{{1, 2, 4}, {0, 0, 0, 0, 0}, {}, {}}}),
      spread({8}, {{{}, {1, 2, 4, 0, 0}, {}, {}}});
  const Swizzle swizzle = checked(spread, everywhere, 4);
  EXPECT_EQ(swizzle.storeElements, 1u);
  EXPECT_EQ(swizzle.loadElements, 4u);
}
