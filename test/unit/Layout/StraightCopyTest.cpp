//===- StraightCopyTest.cpp - copies that go where lanes stand ------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Layout/StraightCopy.h"
#include "Layout/Access.h"
#include "Layout/AmdMatrixUnits.h"
#include "Layout/OperandBuffer.h"

#include <gmock/gmock.h>

#include <set>

using namespace tessera::layout;

namespace {

using Shape = std::vector<std::int64_t>;
const std::vector<int> kByRows{1, 0}, kByColumns{0, 1};

/// 256 threads in waves of 64 that load rows of 64 halves, 16 bytes at a time.
TileLayout loadedByRows(std::int64_t rows) {
  const Shape shape{rows, 64}, perThread{1, 8}, lanes{8, 8}, warps{4, 1};
  return TileLayout::blocked(shape, perThread, lanes, warps, kByRows);
}

} // namespace

TEST(StraightCopy, onlySomeWidthsExist) {
  EXPECT_TRUE(isStraightWidth(4, 4));
  EXPECT_TRUE(isStraightWidth(4, 16));
  EXPECT_TRUE(isStraightWidth(16, 16));
  EXPECT_FALSE(isStraightWidth(8, 16));
  EXPECT_FALSE(isStraightWidth(16, 4));
  EXPECT_FALSE(isStraightWidth(0, 0));
  EXPECT_FALSE(isStraightWidth(4, 0));
}

/// Whatever the swizzle: lane l fills the place l accesses behind that of lane 0, and everything is filled once.
TEST(StraightCopy, lanesFillTheBufferInOrder) {
  const Shape shape{64, 64};
  for (const std::int64_t perPhase : {1, 2, 4})
    for (const std::int64_t phases : {2, 4, 8}) {
      const SharedLayout shared = SharedLayout::swizzled(shape, kByRows, 8, perPhase, phases);
      const std::optional<TileLayout> layout = straightLayout(shared, 8, 64, 4);
      ASSERT_TRUE(layout);
      EXPECT_TRUE(isStraight(*layout, shared, 8));
      std::set<std::uint32_t> filled;
      for (std::uint32_t warp = 0; warp != 4; ++warp)
        for (std::uint32_t reg = 0; reg != layout->size(Dim::Register); reg += 8)
          for (std::uint32_t lane = 0; lane != 64; ++lane)
            for (std::uint32_t k = 0; k != 8; ++k) {
              const std::uint32_t offset = shared.offset(layout->at(reg + k, lane, warp));
              EXPECT_EQ(offset, shared.offset(layout->at(reg, 0, warp)) + 8 * lane + k);
              filled.insert(offset);
            }
      EXPECT_EQ(filled.size(), 64u * 64);
    }
}

TEST(StraightCopy, eachWarpHasAnAccess) {
  const SharedLayout shared = SharedLayout::inOrder(Shape{16, 64}, kByRows);
  EXPECT_TRUE(straightLayout(shared, 4, 64, 4));
  EXPECT_FALSE(straightLayout(shared, 8, 64, 4));
  EXPECT_FALSE(straightCopy(loadedByRows(16), shared, 8, 2));
}

TEST(StraightCopy, otherLayoutsAreNot) {
  const SharedLayout inOrder = SharedLayout::inOrder(Shape{64, 64}, kByRows);
  const TileLayout loaded = loadedByRows(64);
  EXPECT_TRUE(isStraight(loaded, inOrder, 8)); // rows follow each other
  EXPECT_FALSE(isStraight(loaded, SharedLayout::swizzled(Shape{64, 64}, kByRows, 8, 1, 8), 8));
  EXPECT_FALSE(isStraight(loaded, SharedLayout::inOrder(Shape{64, 64}, kByColumns), 8));
  EXPECT_FALSE(isStraight(loaded, inOrder, 4)); // the next lane is 8 elements further
  // Eight warps of which two hold the same.
  const Shape shape{32, 64}, perThread{1, 8}, lanes{8, 8}, warps{8, 1};
  EXPECT_FALSE(isStraight(TileLayout::blocked(shape, perThread, lanes, warps, kByRows),
                          SharedLayout::inOrder(shape, kByRows), 8));
}

/// Swizzles within a line of memory cost nothing there; a buffer in which lanes follow one another along columns would
/// have each lane touch a line of its own.
TEST(StraightCopy, noMoreLinesAreTouchedThanThreadsWould) {
  const TileLayout loaded = loadedByRows(64);
  EXPECT_EQ(linesOfAccess(loaded, 8, 1, 64), 8u);
  const auto swizzled = straightCopy(loaded, SharedLayout::swizzled(Shape{64, 64}, kByRows, 8, 2, 8), 8, 2);
  ASSERT_TRUE(swizzled);
  EXPECT_EQ(swizzled->lines, 8u);
  // Pieces of 8 stay together, and lanes go down the rows.
  std::vector<std::uint32_t> bases;
  for (int bit = 0; bit != 12; ++bit)
    bases.push_back(1u << (bit < 3 ? bit : bit < 6 ? bit + 6 : bit - 3));
  const SharedLayout byPieces(Shape{64, 64}, bases);
  EXPECT_TRUE(straightLayout(byPieces, 8, 64, 4));
  EXPECT_FALSE(straightCopy(loaded, byPieces, 8, 2));
  EXPECT_FALSE(straightCopy(loaded, SharedLayout::inOrder(Shape{64, 64}, kByColumns), 8, 2));
}

/// Threads load pairs of a row although more lanes lie along the columns: it is the pairs that are neighbours in
/// memory.
TEST(StraightCopy, neighboursInMemoryAreThoseOfAThread) {
  const Shape shape{1024, 2}, perThread{1, 2}, lanes{64, 1}, warps{4, 1};
  const TileLayout loaded = TileLayout::blocked(shape, perThread, lanes, warps, kByRows);
  const auto copy = straightCopy(loaded, SharedLayout::inOrder(shape, kByRows), 2, 2);
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy->layout, loaded);
  EXPECT_FALSE(straightCopy(loaded, SharedLayout::inOrder(shape, kByColumns), 2, 2));
}

/// Single words are told by lanes alone along which axis they lie in memory.
TEST(StraightCopy, wordsFollowTheirLanes) {
  const Shape shape{32, 64}, one{1, 1}, lanes{1, 64}, warps{4, 1};
  const TileLayout loaded = TileLayout::blocked(shape, one, lanes, warps, kByRows);
  EXPECT_TRUE(straightCopy(loaded, SharedLayout::inOrder(shape, kByRows), 1, 4));
  EXPECT_FALSE(straightCopy(loaded, SharedLayout::inOrder(shape, kByColumns), 1, 4));
}

/// The buffer of an operand of MFMA on a chip with 64 banks: copied in whole lines, and read without bank conflicts.
TEST(StraightCopy, operandsAreCopiedInLinesAndReadWithoutConflicts) {
  for (const std::int64_t depth : {32, 64, 128}) {
    const Shape shape{128, depth}, perThread{1, 8}, lanes{512 / depth, depth / 8}, warps{4, 1};
    const TileLayout loaded = TileLayout::blocked(shape, perThread, lanes, warps, kByRows);
    const AmdFragment fragment{.rows = "rrlrr", .depthBits = 3};
    const TileLayout operand = amdOperandA(shape, fragment, WarpGrid{2, 2});
    const SharedLayout shared = operandBuffer(
        loaded, operand, 2,
        {.loads = MatrixLoads::None, .loadBanks = 64, .straightBytes = 16, .axis = 0, .step = fragment.stepOf(depth)});
    SCOPED_TRACE(shared.str());
    const auto copy = straightCopy(loaded, shared, 8, 2);
    ASSERT_TRUE(copy);
    EXPECT_EQ(copy->lines, linesOfAccess(loaded, 8, 1, 64));
    const Wavefronts reading = bankConflicts(operand, shared, 8, 2, {.loads = true, .banks = 64});
    EXPECT_EQ(reading.actual, reading.ideal);
  }
}
