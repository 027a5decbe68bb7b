//===- MatrixLoadTest.cpp - accesses that a warp makes together -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Accesses are carried out byte by byte as the PTX ISA says, and whether there are any is asked of every element.
//
//===---------------------------------------------------------------------===//

#include "Layout/MatrixLoad.h"
#include "Layout/MatrixUnits.h"
#include "unit/Layout/RandomLayouts.h"

#include <gmock/gmock.h>

#include <map>
#include <set>

using namespace tessera::layout;
using tessera::layout::test::Random;

using Shape = std::vector<std::int64_t>;

namespace {

std::uint32_t sizeOf(const TileLayout::Bases &bases, Dim dim) {
  return std::uint32_t{1} << bases[static_cast<std::size_t>(dim)].size();
}

std::uint32_t offsetAt(const TileLayout::Bases &bases, std::uint32_t reg, std::uint32_t lane, std::uint32_t warp) {
  return combined(bases[0], reg) ^ combined(bases[1], lane) ^ combined(bases[2], warp);
}

/// Carries out the accesses and checks that every element comes to where its layout says, and none is forgotten.
void expectMoves(const TileLayout::Bases &offsets, const MatrixAccess &access, std::uint32_t elementBytes) {
  const std::uint32_t word = access.wordElements, count = access.accessElements();
  ASSERT_EQ(word * elementBytes, 4u);
  ASSERT_EQ(access.registers.size() % count, 0u);
  std::set<std::uint32_t> moved, wanted;
  for (std::uint32_t warp = 0; warp != sizeOf(offsets, Dim::Warp); ++warp)
    for (std::size_t first = 0; first < access.registers.size(); first += count) {
      std::array<std::uint32_t, 32> row; // the byte that lane gives
      for (std::uint32_t lane = 0; lane != 32; ++lane) {
        row[lane] = offsetAt(access.rows, access.registers[first], lane, warp) * elementBytes;
        ASSERT_EQ(row[lane] % 16, 0u);
      }
      for (std::uint32_t lane = 0; lane != 32; ++lane)
        for (std::uint32_t i = 0; i != count; ++i) {
          const std::uint32_t matrix = i / word, byte = i % word * elementBytes;
          const std::uint32_t at = access.isTransposed
                                       ? row[8 * matrix + 2 * (lane % 4) + byte / 2] + 2 * (lane / 4) + byte % 2
                                       : row[8 * matrix + lane / 4] + 4 * (lane % 4) + byte;
          const std::uint32_t reg = access.registers[first + i];
          ASSERT_EQ(at, offsetAt(offsets, reg, lane, warp) * elementBytes) << "register " << reg << ", lane " << lane;
          if (warp == 0 && lane == 0) {
            EXPECT_TRUE(moved.insert(offsetAt(offsets, reg, 0, 0)).second) << "twice: register " << reg;
          }
        }
    }
  for (std::uint32_t reg = 0; reg != sizeOf(offsets, Dim::Register); ++reg)
    wanted.insert(offsetAt(offsets, reg, 0, 0));
  EXPECT_EQ(moved, wanted);
}

/// Whether an instruction with one matrix could move the registers of a thread, element by element.
bool canMove(const TileLayout::Bases &offsets, std::uint32_t elementBytes, bool isTransposed) {
  const std::uint32_t inRow = (isTransposed ? 2 : 4) / elementBytes, rowElements = 16 / elementBytes;
  if (inRow == 0 || sizeOf(offsets, Dim::Lane) != 32)
    return false;
  std::set<std::uint32_t> ofLane; // what lane 0 of warp 0 has
  for (std::uint32_t warp = 0; warp != sizeOf(offsets, Dim::Warp); ++warp)
    for (std::uint32_t reg = 0; reg != sizeOf(offsets, Dim::Register); ++reg) {
      std::map<std::uint32_t, std::uint32_t> rowOf; // by the number of the row
      for (std::uint32_t lane = 0; lane != 32; ++lane) {
        const std::uint32_t offset = offsetAt(offsets, reg, lane, warp);
        const std::uint32_t row = isTransposed ? lane % 4 : lane / 4, place = isTransposed ? lane / 4 : lane % 4;
        if (offset % rowElements / inRow != place || offset % inRow != offsetAt(offsets, reg, 0, 0) % inRow ||
            rowOf.try_emplace(row, offset / rowElements).first->second != offset / rowElements)
          return false;
        if (warp == 0 && lane == 0)
          ofLane.insert(offset);
      }
    }
  for (const std::uint32_t offset : ofLane) // all neighbours in a word
    for (std::uint32_t i = 0; i != inRow; ++i)
      if (!ofLane.contains(offset / inRow * inRow + i))
        return false;
  return !isTransposed || ofLane.size() >= 2 * inRow;
}

/// A draw near enough to what instructions move that many fit.
TileLayout::Bases drawn(Random &random, int elementBits, bool isTransposed) {
  const int inRow = std::max(0, (isTransposed ? 1 : 2) - elementBits), row = 4 - elementBits;
  std::vector<std::uint32_t> high; // whole rows
  for (int bit = 0; bit != 6; ++bit)
    high.push_back(std::uint32_t{1} << (row + bit));
  const auto anyRow = [&] { return static_cast<std::uint32_t>(random.upTo(63)) << row; };
  TileLayout::Bases offsets;
  for (int bit = 0; bit != inRow; ++bit)
    offsets[0].push_back(std::uint32_t{1} << bit);
  for (int bit = random.upTo(4); bit-- != 0;)
    offsets[0].push_back(random.chance(20) ? 0 : anyRow());
  for (int step = 0; step != 6 && offsets[0].size() > 1; ++step) {
    const int last = static_cast<int>(offsets[0].size()) - 1, from = random.upTo(last), to = random.upTo(last);
    if (from != to)
      offsets[0][to] ^= offsets[0][from];
  }
  for (int bit = 0; bit != 5; ++bit) {
    const int inside = isTransposed ? bit - 2 : bit;
    const bool isInRow = 0 <= inside && inside < row - inRow;
    offsets[1].push_back(isInRow ? std::uint32_t{1} << (inRow + inside) : anyRow());
  }
  for (int bit = random.upTo(2); bit-- != 0;)
    offsets[2].push_back(anyRow());
  if (random.chance(30)) { // and some that do not
    std::vector<std::uint32_t> &some = offsets[random.upTo(2)];
    if (!some.empty())
      some[random.upTo(static_cast<int>(some.size()) - 1)] ^= 1u << random.upTo(row);
  }
  return offsets;
}

TEST(MatrixLoad, movesWhatLayoutsSayWheneverItCan) {
  Random random(1);
  int plain = 0, transposed = 0, none = 0;
  for (int round = 0; round != 3000 && !HasFailure(); ++round) {
    const int elementBits = random.upTo(3);
    const TileLayout::Bases offsets = drawn(random, elementBits, random.chance(50));
    const std::uint32_t bytes = 1u << elementBits, most = 1u << random.upTo(2);
    const std::optional<MatrixAccess> access = matrixAccess(offsets, static_cast<int>(bytes), MatrixLoads::Rows, most);
    ASSERT_EQ(access.has_value(), canMove(offsets, bytes, false) || canMove(offsets, bytes, true));
    ++(!access ? none : access->isTransposed ? transposed : plain);
    if (access) {
      EXPECT_LE(access->words, most);
      expectMoves(offsets, *access, bytes);
    }
  }
  EXPECT_GT(plain, 300);
  EXPECT_GT(transposed, 300);
  EXPECT_GT(none, 300);
}

/// The wavefronts by listing the words of each bank.
int wavefrontsOf(const MatrixAccess &access, std::uint32_t elementBytes) {
  int sum = 0;
  for (std::uint32_t matrix = 0; matrix != access.words; ++matrix) {
    std::map<std::uint32_t, std::set<std::uint32_t>> wordsOfBank;
    for (std::uint32_t row = 0; row != 8; ++row)
      for (std::uint32_t byte = 0; byte != 16; byte += 4) {
        const std::uint32_t word = (offsetAt(access.rows, 0, 8 * matrix + row, 0) * elementBytes + byte) / 4;
        wordsOfBank[word % 32].insert(word);
      }
    std::size_t most = 0;
    for (const auto &[bank, words] : wordsOfBank)
      most = std::max(most, words.size());
    sum += static_cast<int>(most);
  }
  return sum;
}

TEST(MatrixLoad, wavefrontsAreThoseOfBanks) {
  Random random(2);
  int conflicts = 0;
  for (int round = 0; round != 1000; ++round) {
    const int elementBits = random.upTo(2);
    const std::optional<MatrixAccess> access =
        matrixAccess(drawn(random, elementBits, random.chance(50)), 1 << elementBits);
    if (!access)
      continue;
    const Wavefronts wavefronts = bankConflicts(*access, 1 << elementBits);
    EXPECT_EQ(wavefronts.actual, wavefrontsOf(*access, 1u << elementBits));
    EXPECT_EQ(wavefronts.ideal, static_cast<int>(access->words));
    conflicts += wavefronts.actual != wavefronts.ideal;
  }
  EXPECT_GT(conflicts, 50);
}

/// Buffers as tensor copies write them serve the operands of matrix units without a conflict, four matrices at a time.
TEST(MatrixLoad, operandsInSwizzledBuffers) {
  for (const int bits : {8, 16, 32})
    for (const std::int64_t depth : {16, 32, 64, 128, 256})
      for (const WarpGrid grid : {WarpGrid{1, 1}, WarpGrid{2, 2}, WarpGrid{4, 1}, WarpGrid{2, 4}}) {
        const int bytes = bits / 8;
        if (depth * bytes < 32)
          continue;
        SCOPED_TRACE(std::to_string(bits) + " bits, depth " + std::to_string(depth));
        const auto expectFree = [&](const TileLayout &layout, std::vector<int> order, bool isTransposed) {
          const Shape shape(layout.shape().begin(), layout.shape().end());
          const int swizzle = static_cast<int>(std::min<std::int64_t>(128, shape[order[0]] * bytes));
          const TileLayout::Bases offsets = offsetsOf(layout, SharedLayout::tensorCopy(shape, order, swizzle, bytes));
          const std::optional<MatrixAccess> access = matrixAccess(offsets, bytes);
          ASSERT_TRUE(access);
          EXPECT_EQ(access->isTransposed, isTransposed);
          EXPECT_EQ(access->words, 4u);
          EXPECT_EQ(bankConflicts(*access, bytes).actual, 4);
          expectMoves(offsets, *access, static_cast<std::uint32_t>(bytes));
        };
        expectFree(mmaOperandA(Shape{128, depth}, bits, grid), {1, 0}, false);
        expectFree(mmaOperandB(Shape{depth, 128}, bits, grid), {0, 1}, false);
        if (bits == 16) {
          expectFree(mmaOperandA(Shape{128, depth}, bits, grid), {0, 1}, true);
          expectFree(mmaOperandB(Shape{depth, 128}, bits, grid), {1, 0}, true);
        }
      }
}

TEST(MatrixLoad, operandsThatLieAcrossAreNotMoved) {
  for (const int bits : {8, 32, 64}) {
    const TileLayout layout = mmaOperandB(Shape{64, 64}, bits, {});
    EXPECT_FALSE(
        matrixAccess(offsetsOf(layout, SharedLayout::inOrder(Shape{64, 64}, std::vector<int>{1, 0})), bits / 8));
  }
}

/// Results in 16 bits are stored eight columns at a time.
TEST(MatrixLoad, resultsAreStored) {
  const TileLayout layout = mmaAccumulator(Shape{64, 64}, 32, {2, 2});
  const TileLayout::Bases offsets =
      offsetsOf(layout, SharedLayout::tensorCopy(Shape{64, 64}, std::vector<int>{1, 0}, 128, 2));
  const std::optional<MatrixAccess> access = matrixAccess(offsets, 2);
  ASSERT_TRUE(access);
  EXPECT_FALSE(access->isTransposed);
  EXPECT_EQ(access->words, 4u);
  expectMoves(offsets, *access, 2);
}

} // namespace
