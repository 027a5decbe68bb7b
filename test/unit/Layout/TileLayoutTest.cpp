//===- TileLayoutTest.cpp - which thread holds which element --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Layout/TileLayout.h"
#include "unit/Layout/RandomLayouts.h"

#include <gmock/gmock.h>
#include <set>

using namespace tessera::layout;
using tessera::layout::test::forEachHolder;
using tessera::layout::test::Random;
using testing::HasSubstr;

using Shape = std::vector<std::int64_t>;

/// Calls \p check with random layouts of rank 0 to 3.
template <class Check> static void forRandomLayouts(unsigned seed, Check check) {
  Random random(seed);
  for (int round = 0; round != 200; ++round) {
    const int rank = random.upTo(3), bits = rank == 0 ? 0 : random.upTo(8);
    const TileLayout layout = random.layout(random.shape(rank, bits), random.upTo(5), random.upTo(2), random.upTo(1));
    SCOPED_TRACE(layout.str());
    check(random, layout);
  }
}

TEST(TileLayout, randomOnesAreValid) {
  forRandomLayouts(1, [](Random &, const TileLayout &layout) {
    TileLayout::Bases bases;
    for (const Dim dim : kDims)
      bases[static_cast<std::size_t>(dim)].assign(layout.bases(dim).begin(), layout.bases(dim).end());
    EXPECT_EQ(TileLayout::problemOf(layout.shape(), bases), "");
    std::set<std::uint32_t> held;
    forEachHolder(layout, [&](auto... holder) { held.insert(layout.at(holder...)); });
    EXPECT_EQ(static_cast<std::int64_t>(held.size()), layout.elements());
  });
}

TEST(TileLayout, saysWhatIsWrong) {
  const auto problem = [](Shape shape, TileLayout::Bases bases) { return TileLayout::problemOf(shape, bases); };
  EXPECT_EQ(problem({}, {}), "");
  EXPECT_EQ(problem({4}, {{{1}, {2}, {}, {}}}), "");
  EXPECT_EQ(problem({3}, {}), "expected extents that are powers of two, got 3");
  EXPECT_EQ(problem({0}, {}), "expected extents that are powers of two, got 0");
  EXPECT_EQ(problem({-2}, {}), "expected extents that are powers of two, got -2");
  EXPECT_EQ(problem({1 << 20, 1 << 20}, {}), "expected at most 2^30 elements, got 1048576x1048576");
  EXPECT_EQ(problem({4}, {{{1}, {4}, {}, {}}}), "expected columns below the 4 elements, got 4 for a bit of lane");
  EXPECT_EQ(problem({2, 4}, {{{1}, {2}, {3}, {}}}), "expected columns that span all 8 elements, got 4");
  EXPECT_EQ(problem({}, {{{}, {}, std::vector<std::uint32_t>(31), {}}}), "expected at most 30 bits of warp, got 31");
  const std::vector<std::uint32_t> many(30);
  EXPECT_EQ(problem({}, {{many, many, {0}, {}}}), "expected at most 60 bits in all dimensions, got 61");
}

// Along each axis: elements of the thread, then lanes, then warps, then again; all with order[0] fastest.
TEST(TileLayout, blockedIsNestedTiles) {
  Random random(2);
  for (int round = 0; round != 200; ++round) {
    const int rank = 1 + random.upTo(2);
    const Shape shape = random.shape(rank, random.upTo(9)), perThread = random.shape(rank, random.upTo(3)),
                lanes = random.shape(rank, 5), warps = random.shape(rank, random.upTo(3));
    std::vector<int> order(rank);
    for (int axis = 0; axis != rank; ++axis)
      order[axis] = axis;
    random.shuffle(order);
    const TileLayout layout = TileLayout::blocked(shape, perThread, lanes, warps, order);
    SCOPED_TRACE(layout.str());
    EXPECT_EQ(layout.bits(Dim::Lane), 5);
    EXPECT_EQ(layout.copyMask(Dim::Register), 0u);

    // Digits of a number in a mixed base with order[0] lowest.
    const auto along = [&](std::int64_t number, const Shape &counts, int axis) {
      for (const int at : order) {
        if (at == axis)
          return number % counts[at];
        number /= counts[at];
      }
      return std::int64_t{0};
    };
    Shape inThread(rank), repeats(rank);
    std::int64_t registersOfTile = 1;
    for (int axis = 0; axis != rank; ++axis) {
      inThread[axis] = std::min(perThread[axis], shape[axis]);
      registersOfTile *= inThread[axis];
      repeats[axis] = std::max<std::int64_t>(1, shape[axis] / (perThread[axis] * lanes[axis] * warps[axis]));
    }
    forEachHolder(layout, [&](std::uint32_t reg, std::uint32_t lane, std::uint32_t warp, std::uint32_t) {
      for (int axis = 0; axis != rank; ++axis) {
        std::int64_t at = along(reg / registersOfTile, repeats, axis);
        at = at * warps[axis] + along(warp, warps, axis);
        at = at * lanes[axis] + along(lane, lanes, axis);
        at = at * perThread[axis] + along(reg % registersOfTile, inThread, axis);
        ASSERT_EQ(layout.coordinate(layout.at(reg, lane, warp), axis), at % shape[axis]);
      }
    });
  }
}

TEST(TileLayout, coordinatesMakeTheFlatIndex) {
  forRandomLayouts(3, [](Random &, const TileLayout &layout) {
    for (std::uint32_t flat = 0; flat != layout.elements(); ++flat) {
      std::int64_t again = 0;
      for (int axis = 0; axis != layout.rank(); ++axis) {
        again = again * layout.shape()[axis] + layout.coordinate(flat, axis);
        EXPECT_EQ(layout.coordinate(flat & layout.axisMask(axis), axis), layout.coordinate(flat, axis));
        EXPECT_EQ((flat & layout.axisMask(axis)) >> layout.axisShift(axis), layout.coordinate(flat, axis));
      }
      ASSERT_EQ(again, flat);
    }
  });
}

// Those whose copy bits are zero hold each element exactly once.
TEST(TileLayout, copyMasksLeaveOneHolder) {
  forRandomLayouts(4, [](Random &, const TileLayout &layout) {
    std::vector<int> held(layout.elements(), 0);
    forEachHolder(layout, [&](std::uint32_t reg, std::uint32_t lane, std::uint32_t warp, std::uint32_t block) {
      if ((reg & layout.copyMask(Dim::Register)) == 0 && (lane & layout.copyMask(Dim::Lane)) == 0 &&
          (warp & layout.copyMask(Dim::Warp)) == 0 && (block & layout.copyMask(Dim::Block)) == 0)
        ++held[layout.at(reg, lane, warp, block)];
    });
    EXPECT_THAT(held, testing::Each(1));
  });
}

TEST(TileLayout, movedAxesKeepWhoHoldsWhat) {
  forRandomLayouts(5, [](Random &random, const TileLayout &layout) {
    const int rank = layout.rank();
    if (rank == 0)
      return;
    std::vector<int> permutation(rank);
    for (int axis = 0; axis != rank; ++axis)
      permutation[axis] = axis;
    random.shuffle(permutation);
    const int dropped = random.upTo(rank - 1);
    Shape source(layout.shape().begin(), layout.shape().end());
    source[dropped] = 1;

    const TileLayout turned = transposed(layout, permutation), less = withoutAxis(layout, dropped),
                     narrow = squeezed(layout, source);
    EXPECT_EQ(less.rank(), rank - 1);
    EXPECT_THAT(narrow.shape(), testing::ElementsAreArray(source));
    forEachHolder(layout, [&](auto... holder) {
      const std::uint32_t flat = layout.at(holder...);
      for (int axis = 0; axis != rank; ++axis) {
        ASSERT_EQ(turned.coordinate(turned.at(holder...), axis), layout.coordinate(flat, permutation[axis]));
        ASSERT_EQ(narrow.coordinate(narrow.at(holder...), axis), axis == dropped ? 0 : layout.coordinate(flat, axis));
        if (axis != dropped) {
          ASSERT_EQ(less.coordinate(less.at(holder...), axis - (axis > dropped)), layout.coordinate(flat, axis));
        }
      }
    });
  });
}

TEST(TileLayout, reshapedKeepsTheFlatIndex) {
  const TileLayout layout = TileLayout::blocked(Shape{8, 16}, Shape{1, 4}, Shape{8, 4}, Shape{1, 1}, std::vector{1, 0});
  const TileLayout line = reshaped(layout, Shape{1, 128});
  EXPECT_EQ(line.str(), "1x128, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (0, 16), (0, 32), (0, 64)]");
  forEachHolder(layout, [&](auto... holder) { EXPECT_EQ(layout.at(holder...), line.at(holder...)); });
}

TEST(TileLayout, registerCopiesAreDropped) {
  forRandomLayouts(6, [](Random &, const TileLayout &layout) {
    const TileLayout less = withoutRegisterCopies(layout);
    EXPECT_EQ(less.copyMask(Dim::Register), 0u);
    for (const Dim dim : {Dim::Lane, Dim::Warp, Dim::Block})
      EXPECT_THAT(less.bases(dim), testing::ElementsAreArray(layout.bases(dim)));
    for (std::uint32_t lane = 0; lane != layout.size(Dim::Lane); ++lane) {
      std::set<std::uint32_t> before, after;
      for (std::uint32_t reg = 0; reg != layout.size(Dim::Register); ++reg)
        before.insert(layout.at(reg, lane, 0));
      for (std::uint32_t reg = 0; reg != less.size(Dim::Register); ++reg)
        EXPECT_TRUE(after.insert(less.at(reg, lane, 0)).second);
      EXPECT_EQ(before, after);
    }
  });
}

/// Whether all groups of \p width registers hold neighbours of \p axis from a multiple of the width on.
static bool formGroups(const TileLayout &layout, int axis, std::uint32_t width) {
  bool good = true;
  forEachHolder(layout, [&](std::uint32_t reg, std::uint32_t lane, std::uint32_t warp, std::uint32_t block) {
    const std::uint32_t first = layout.at(reg & ~(width - 1), lane, warp, block);
    const std::uint32_t wanted = first + ((reg & (width - 1)) << layout.axisShift(axis));
    good &= layout.coordinate(first, axis) % width == 0 && layout.at(reg, lane, warp, block) == wanted;
  });
  return good;
}

TEST(TileLayout, contiguousRegistersAreTheMost) {
  forRandomLayouts(7, [](Random &, const TileLayout &layout) {
    for (int axis = 0; axis != layout.rank(); ++axis) {
      const std::uint32_t width = contiguousRegisters(layout, axis);
      EXPECT_TRUE(formGroups(layout, axis, width));
      if (2 * width <= layout.size(Dim::Register) && 2 * width <= layout.shape()[axis]) {
        EXPECT_FALSE(formGroups(layout, axis, 2 * width));
      }
    }
  });
}

// Two registers hold neighbours in every thread, but in odd lanes in falling order.
TEST(TileLayout, contiguousRegistersNeedOrder) {
  EXPECT_EQ(contiguousRegisters(TileLayout({8}, {{{1}, {2, 4}, {}, {}}}), 0), 2u);
  EXPECT_EQ(contiguousRegisters(TileLayout({8}, {{{1}, {3, 4}, {}, {}}}), 0), 1u);
}

TEST(TileLayout, printsColumnsAsCoordinates) {
  EXPECT_EQ(TileLayout().str(), "");
  EXPECT_EQ(TileLayout({}, {{{}, {0, 0}, {0}, {}}}).str(), "lane = [(), ()], warp = [()]");
  EXPECT_EQ(TileLayout({1}, {}).str(), "1");
  EXPECT_EQ(TileLayout({4, 8}, {{{1, 2}, {4, 9}, {16}, {0}}}).str(),
            "4x8, register = [(0, 1), (0, 2)], lane = [(0, 4), (1, 1)], warp = [(2, 0)], block = [(0, 0)]");
}

TEST(TileLayout, hashTellsMapsApart) {
  std::set<std::size_t> hashes;
  std::set<std::string> texts;
  forRandomLayouts(8, [&](Random &, const TileLayout &layout) {
    hashes.insert(layout.hash());
    texts.insert(layout.str());
    EXPECT_EQ(TileLayout(layout), layout);
    EXPECT_EQ(TileLayout(layout).hash(), layout.hash());
  });
  EXPECT_EQ(hashes.size(), texts.size());
  EXPECT_NE(TileLayout({2}, {{{1}, {}, {}, {}}}), TileLayout({2}, {{{}, {1}, {}, {}}}));
}
