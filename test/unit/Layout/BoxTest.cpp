//===- BoxTest.cpp - parts of a tile in the threads that hold the whole --===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Layout/Box.h"

#include "RandomLayouts.h"

#include <gtest/gtest.h>

namespace tessera::layout {
namespace {

/// The index in \p whole of an element of a box.
std::uint32_t placed(const TileLayout &whole, const TileLayout &box, const std::vector<std::int64_t> &offsets,
                     std::uint32_t flat) {
  std::uint32_t result = 0;
  for (int axis = 0; axis != whole.rank(); ++axis) {
    const std::int64_t place = box.coordinate(flat, axis) + offsets[static_cast<std::size_t>(axis)];
    result |= static_cast<std::uint32_t>(place) << whole.axisShift(axis);
  }
  return result;
}

/// Whether each thread finds what it holds of the box where \p registers says, and the rest is outside.
void expectSame(const TileLayout &whole, const TileLayout &box, const std::vector<std::int64_t> &offsets,
                const std::vector<std::uint32_t> &registers) {
  test::forEachHolder(whole, [&](std::uint32_t reg, std::uint32_t lane, std::uint32_t warp, std::uint32_t block) {
    const std::uint32_t flat = whole.at(reg, lane, warp, block);
    if (registers[reg] != kOutsideBox) {
      ASSERT_EQ(flat, placed(whole, box, offsets, box.at(registers[reg], lane, warp, block)));
      return;
    }
    bool isInside = true;
    for (int axis = 0; axis != whole.rank(); ++axis) {
      const std::int64_t place = whole.coordinate(flat, axis) - offsets[static_cast<std::size_t>(axis)];
      isInside &= place >= 0 && place < box.shape()[static_cast<std::size_t>(axis)];
    }
    ASSERT_FALSE(isInside);
  });
}

TEST(Box, layoutOfABoxIsWhatThreadsHoldOfTheWhole) {
  test::Random random(11);
  int found = 0;
  for (int round = 0; round != 400; ++round) {
    const int rank = 1 + random.upTo(2);
    const TileLayout whole = random.layout(random.shape(rank, 2 + random.upTo(6)), random.upTo(3), random.upTo(2));
    std::vector<std::int64_t> shape, offsets;
    for (const std::int64_t extent : whole.shape()) {
      shape.push_back(random.chance(50) ? extent : std::max<std::int64_t>(1, extent / 2));
      offsets.push_back(random.upTo(static_cast<int>(extent - shape.back())));
    }
    const std::optional<TileLayout> box = boxLayout(whole, offsets, shape);
    if (!box)
      continue;
    ++found;
    const auto registers = boxRegisters(whole, *box, offsets);
    ASSERT_TRUE(registers) << whole.str() << " " << box->str();
    expectSame(whole, *box, offsets, *registers);
  }
  EXPECT_GT(found, 50);
}

TEST(Box, unevenOffsetsNeedTheAxisInRegisters) {
  const TileLayout registers({8}, {std::vector<std::uint32_t>{1, 2, 4}, {0}, {}, {}});
  const TileLayout lanes({8}, {std::vector<std::uint32_t>{1, 4}, {2}, {}, {}});
  const std::vector<std::int64_t> offset{3}, extent{4};
  EXPECT_TRUE(boxLayout(registers, offset, extent));
  EXPECT_FALSE(boxLayout(lanes, offset, extent));
}

TEST(Box, lanesThatDifferInBeingInsideHaveNone) {
  const TileLayout lanes({8}, {std::vector<std::uint32_t>{1, 2}, {4}, {}, {}});
  const std::vector<std::int64_t> offset{4}, extent{4};
  EXPECT_FALSE(boxLayout(lanes, offset, extent));
  EXPECT_FALSE(boxRegisters(lanes, TileLayout({4}, {std::vector<std::uint32_t>{1, 2}, {0}, {}, {}}), offset));
}

TEST(Box, threadsCanHoldOfEveryPart) {
  test::Random random(17);
  int found = 0;
  for (int round = 0; round != 400; ++round) {
    const int rank = 1 + random.upTo(2), axis = random.upTo(rank - 1);
    const TileLayout whole = random.layout(random.shape(rank, 2 + random.upTo(6)), random.upTo(3), random.upTo(2));
    std::vector<std::int64_t> shape(whole.shape().begin(), whole.shape().end()), offsets(shape.size(), 0);
    std::int64_t &extent = shape[static_cast<std::size_t>(axis)];
    extent = std::max<std::int64_t>(1, extent >> random.upTo(2));
    const std::optional<TileLayout> held = layoutOfParts(whole, axis, extent);
    if (!held)
      continue;
    ASSERT_EQ(held->size(Dim::Register), whole.size(Dim::Register));
    if (!boxLayout(*held, offsets, shape))
      continue;
    ++found;
    for (; offsets[static_cast<std::size_t>(axis)] != whole.shape()[axis];
         offsets[static_cast<std::size_t>(axis)] += extent)
      ASSERT_TRUE(boxLayout(*held, offsets, shape)) << whole.str() << " " << held->str();
  }
  EXPECT_GT(found, 50);
}

TEST(Box, partsNeedRegisters) {
  const TileLayout layout({4, 4}, {std::vector<std::uint32_t>{1}, {2, 4, 8}, {}, {}});
  EXPECT_FALSE(layoutOfParts(layout, 1, 1));
  const std::optional<TileLayout> halves = layoutOfParts(layout, 1, 2);
  ASSERT_TRUE(halves);
  EXPECT_EQ(halves->str(), TileLayout({4, 4}, {std::vector<std::uint32_t>{2}, {1, 4, 8}, {}, {}}).str());
}

TEST(Box, mirrorImagesAreFoundByXor) {
  test::Random random(13);
  for (int round = 0; round != 100; ++round) {
    const int rank = 1 + random.upTo(2), axis = random.upTo(rank - 1);
    const TileLayout layout = random.layout(random.shape(rank, random.upTo(7)), random.upTo(4), random.upTo(1));
    const auto mirror = mirrorHolder(layout, axis);
    if (!mirror)
      continue;
    test::forEachHolder(layout, [&](std::uint32_t reg, std::uint32_t lane, std::uint32_t warp, std::uint32_t) {
      ASSERT_EQ(layout.at(reg ^ mirror->first, lane ^ mirror->second, warp),
                layout.at(reg, lane, warp) ^ layout.axisMask(axis));
    });
  }
  const TileLayout warps({4}, {std::vector<std::uint32_t>{1}, {}, {2}, {}});
  EXPECT_FALSE(mirrorHolder(warps, 0));
}

} // namespace
} // namespace tessera::layout
