//===- SharedLayoutTest.cpp - where an element lies in a buffer -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Layout/SharedLayout.h"
#include "unit/Layout/RandomLayouts.h"

#include <gmock/gmock.h>
#include <numeric>

using namespace tessera::layout;
using tessera::layout::test::Random;

using Shape = std::vector<std::int64_t>;

static std::vector<int> randomOrder(Random &random, int rank) {
  std::vector<int> order(rank);
  std::iota(order.begin(), order.end(), 0);
  random.shuffle(order);
  return order;
}

/// The offset of an element where axes lie one after another, order[0] fastest.
static std::int64_t plainOffset(const SharedLayout &layout, const std::vector<int> &order, const Shape &at) {
  std::int64_t offset = 0;
  for (auto axis = order.rbegin(); axis != order.rend(); ++axis)
    offset = offset * layout.shape()[*axis] + at[*axis];
  return offset;
}

static Shape coordinates(const SharedLayout &layout, std::uint32_t flat) {
  Shape at;
  for (int axis = 0; axis != layout.rank(); ++axis)
    at.push_back(coordinateOf(layout.shape(), flat, axis));
  return at;
}

TEST(SharedLayout, inOrderIsStrides) {
  Random random(1);
  for (int round = 0; round != 50; ++round) {
    const int rank = 1 + random.upTo(3);
    const std::vector<int> order = randomOrder(random, rank);
    const SharedLayout layout = SharedLayout::inOrder(random.shape(rank, random.upTo(8)), order);
    for (std::uint32_t flat = 0; flat != layout.elements(); ++flat) {
      ASSERT_EQ(layout.offset(flat), plainOffset(layout, order, coordinates(layout, flat)));
      ASSERT_EQ(layout.flatAt(layout.offset(flat)), flat);
    }
  }
}

TEST(SharedLayout, swizzledMovesColumnsByTheRow) {
  Random random(2);
  for (int round = 0; round != 100; ++round) {
    const int rank = 2 + random.upTo(1);
    const std::vector<int> order = randomOrder(random, rank);
    Shape shape = random.shape(rank, random.upTo(6));
    const int vecBits = random.upTo(2), phaseBits = random.upTo(3), perPhase = 1 << random.upTo(2);
    shape[order[0]] = std::int64_t{1} << (vecBits + phaseBits + random.upTo(1));
    const std::int64_t vec = 1 << vecBits, maxPhase = 1 << phaseBits;
    const SharedLayout layout = SharedLayout::swizzled(shape, order, vec, perPhase, maxPhase);
    EXPECT_EQ(SharedLayout::problemOf(layout.shape(), layout.bases()), "");
    for (std::uint32_t flat = 0; flat != layout.elements(); ++flat) {
      Shape at = coordinates(layout, flat);
      at[order[0]] ^= at[order[1]] / perPhase % maxPhase * vec;
      ASSERT_EQ(layout.offset(flat), plainOffset(layout, order, at)) << layout.str();
    }
  }
}

// Chunks of 16 bytes: in an atom of `swizzle` bytes a row, chunk c of byte address a lies at c ^ (a / 128 % chunks).
TEST(SharedLayout, tensorCopiesPermuteChunks) {
  for (const int swizzle : {32, 64, 128})
    for (const int elementBytes : {1, 2, 4, 8})
      for (const std::int64_t rows : {1, 8, 64})
        for (const std::int64_t atoms : {1, 4}) {
          const std::int64_t width = swizzle / elementBytes, chunks = swizzle / 16;
          const SharedLayout layout =
              SharedLayout::tensorCopy(Shape{rows, width * atoms}, std::vector{1, 0}, swizzle, elementBytes);
          EXPECT_EQ(SharedLayout::problemOf(layout.shape(), layout.bases()), "");
          for (std::uint32_t flat = 0; flat != layout.elements(); ++flat) {
            const Shape at = coordinates(layout, flat);
            const std::int64_t plain = ((at[1] / width) * rows + at[0]) * width + at[1] % width;
            const std::int64_t address = plain * elementBytes, chunk = address / 16 % chunks;
            const std::int64_t moved = address + ((chunk ^ (address / 128 % chunks)) - chunk) * 16;
            ASSERT_EQ(layout.offset(flat) * elementBytes, moved) << layout.str();
          }
        }
}

// The 128-byte swizzle on rows of 64 two-byte elements is the one of eight phases of eight elements.
TEST(SharedLayout, tensorCopyIsASwizzle) {
  EXPECT_EQ(SharedLayout::tensorCopy(Shape{64, 64}, std::vector{1, 0}, 128, 2),
            SharedLayout::swizzled(Shape{64, 64}, std::vector{1, 0}, 8, 1, 8));
  EXPECT_EQ(SharedLayout::tensorCopy(Shape{32, 64}, std::vector{0, 1}, 64, 2),
            SharedLayout::swizzled(Shape{32, 64}, std::vector{0, 1}, 8, 2, 4));
}

TEST(SharedLayout, saysWhatIsWrong) {
  const auto problem = [](Shape shape, std::vector<std::uint32_t> bases) {
    return SharedLayout::problemOf(shape, bases);
  };
  EXPECT_EQ(problem({}, {}), "");
  EXPECT_EQ(problem({4}, {3, 1}), "");
  EXPECT_EQ(problem({6}, {}), "expected extents that are powers of two, got 6");
  EXPECT_EQ(problem({4}, {1}), "expected a column for each of the 2 bits of the index, got 1");
  EXPECT_EQ(problem({4}, {1, 4}), "expected columns below the 4 elements, got 4");
  EXPECT_EQ(problem({8}, {1, 2, 3}),
            "expected different offsets for different elements, got a column 3 that others make up");
}

TEST(SharedLayout, printsItsColumns) {
  EXPECT_EQ(SharedLayout().str(), "");
  EXPECT_EQ(SharedLayout::inOrder(Shape{4, 4}, std::vector{1, 0}).str(), "4x4");
  EXPECT_EQ(SharedLayout::inOrder(Shape{4, 4}, std::vector{0, 1}).str(), "4x4, offsets = [4, 8, 1, 2]");
  EXPECT_EQ(SharedLayout::swizzled(Shape{4, 4}, std::vector{1, 0}, 1, 1, 4).str(), "4x4, offsets = [1, 2, 5, 10]");
}

TEST(SharedLayout, hashTellsMapsApart) {
  EXPECT_NE(SharedLayout({4}, {1, 2}).hash(), SharedLayout({4}, {2, 1}).hash());
}
