//===- ColumnLoadTest.cpp - lanes that exchange what they read ------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Accesses are carried out lane by lane from lists of who gets what, and whether there are any is asked of every
// element.
//
//===---------------------------------------------------------------------===//

#include "Layout/AmdMatrixUnits.h"
#include "Layout/MatrixLoad.h"
#include "Layout/OperandBuffer.h"
#include "unit/Layout/AmdFragments.h"
#include "unit/Layout/BankSimulator.h"
#include "unit/Layout/RandomLayouts.h"

#include <gmock/gmock.h>

#include <map>
#include <set>

using namespace tessera::layout;
using tessera::layout::test::Piece;
using tessera::layout::test::Random;

using Shape = std::vector<std::int64_t>;

namespace {

constexpr int kLanes = 64;

Piece pieceOf(int elementBytes, int element, int lane) {
  return elementBytes == 2 ? test::columnOfHalves(element, lane) : test::columnOfBytes(element, lane);
}

std::uint32_t sizeOf(const TileLayout::Bases &bases, Dim dim) {
  return std::uint32_t{1} << bases[static_cast<std::size_t>(dim)].size();
}

std::uint32_t offsetAt(const TileLayout::Bases &bases, std::uint32_t reg, std::uint32_t lane, std::uint32_t warp) {
  return combined(bases[0], reg) ^ combined(bases[1], lane) ^ combined(bases[2], warp);
}

/// Carries out the accesses and checks that every element comes to where its layout says, and none is forgotten.
void expectMoves(const TileLayout::Bases &offsets, const MatrixAccess &access, int elementBytes) {
  const auto count = static_cast<int>(access.accessElements());
  ASSERT_EQ(access.kind, MatrixLoads::Columns);
  ASSERT_EQ(count * elementBytes, 8);
  ASSERT_EQ(access.registers.size() % access.accessElements(), 0u);
  std::set<std::uint32_t> moved, wanted;
  for (std::uint32_t warp = 0; warp != sizeOf(offsets, Dim::Warp); ++warp)
    for (std::size_t first = 0; first < access.registers.size(); first += access.accessElements())
      for (int lane = 0; lane != kLanes; ++lane)
        for (int element = 0; element != count; ++element) {
          const Piece piece = pieceOf(elementBytes, element, lane);
          const std::uint32_t start =
              offsetAt(access.rows, access.registers[first], static_cast<std::uint32_t>(piece.lane), warp);
          ASSERT_EQ(start % access.accessElements(), 0u);
          const std::uint32_t reg = access.registers[first + static_cast<std::size_t>(element)];
          ASSERT_EQ(start + static_cast<std::uint32_t>(piece.element),
                    offsetAt(offsets, reg, static_cast<std::uint32_t>(lane), warp))
              << "register " << reg << ", lane " << lane;
          if (warp == 0 && lane == 0) {
            EXPECT_TRUE(moved.insert(offsetAt(offsets, reg, 0, 0)).second) << "twice: register " << reg;
          }
        }
  for (std::uint32_t reg = 0; reg != sizeOf(offsets, Dim::Register); ++reg)
    wanted.insert(offsetAt(offsets, reg, 0, 0));
  EXPECT_EQ(moved, wanted);
}

/// Whether there are accesses that move the registers of a thread, element by element: what a lane gives is one run of
/// neighbours, which the lanes that get them have in one register.
bool canMove(const TileLayout::Bases &offsets, int elementBytes) {
  const auto run = static_cast<std::uint32_t>(8 / elementBytes);
  std::set<std::uint32_t> ofLane; // what lane 0 of warp 0 has
  for (std::uint32_t warp = 0; warp != sizeOf(offsets, Dim::Warp); ++warp)
    for (std::uint32_t reg = 0; reg != sizeOf(offsets, Dim::Register); ++reg)
      for (int lane = 0; lane != kLanes; ++lane) {
        const std::uint32_t offset = offsetAt(offsets, reg, static_cast<std::uint32_t>(lane), warp);
        const Piece piece = pieceOf(elementBytes, 0, lane);
        if (offset % run != static_cast<std::uint32_t>(piece.element))
          return false;
        const auto leader = static_cast<std::uint32_t>(lane - piece.element); // gets the first of the run
        if (offsetAt(offsets, reg, leader, warp) / run != offset / run)
          return false;
        if (warp == 0 && lane == 0)
          ofLane.insert(offset);
      }
  return ofLane.size() >= run;
}

/// A draw near enough to what instructions move that many fit.
TileLayout::Bases drawn(Random &random, int elementBytes) {
  const int inRun = elementBytes == 2 ? 2 : 3;
  const auto anyRun = [&] { return static_cast<std::uint32_t>(random.upTo(255)) << inRun; };
  TileLayout::Bases offsets;
  for (int bit = random.upTo(5); bit-- != 0;)
    offsets[0].push_back(random.chance(20) ? 0 : anyRun());
  for (int bit = 0; bit != 6; ++bit)
    offsets[1].push_back(bit < inRun ? std::uint32_t{1} << bit : anyRun());
  for (int bit = random.upTo(2); bit-- != 0;)
    offsets[2].push_back(anyRun());
  if (random.chance(30)) { // and some that do not
    std::vector<std::uint32_t> &some = offsets[static_cast<std::size_t>(random.upTo(2))];
    if (!some.empty())
      some[static_cast<std::size_t>(random.upTo(static_cast<int>(some.size()) - 1))] ^= 1u << random.upTo(inRun);
  }
  return offsets;
}

TEST(ColumnLoad, movesWhatLayoutsSayWheneverItCan) {
  Random random(1);
  int some = 0, none = 0;
  for (int round = 0; round != 2000 && !HasFailure(); ++round) {
    const int bytes = 1 + random.upTo(1);
    const TileLayout::Bases offsets = drawn(random, bytes);
    const std::optional<MatrixAccess> access = matrixAccess(offsets, bytes, MatrixLoads::Columns);
    ASSERT_EQ(access.has_value(), canMove(offsets, bytes));
    ++(access ? some : none);
    if (access)
      expectMoves(offsets, *access, bytes);
  }
  EXPECT_GT(some, 500);
  EXPECT_GT(none, 300);
}

TEST(ColumnLoad, elementsOfOtherSizesAndOtherWarpsAreNotMoved) {
  Random random(2);
  TileLayout::Bases offsets = drawn(random, 2);
  for (const int bytes : {4, 8})
    EXPECT_FALSE(matrixAccess(offsets, bytes, MatrixLoads::Columns));
  offsets[1].pop_back();
  EXPECT_FALSE(matrixAccess(offsets, 2, MatrixLoads::Columns));
}

/// The wavefronts by listing the words of each bank.
int wavefrontsOf(const MatrixAccess &access, int elementBytes, int banks) {
  int sum = 0;
  for (int first = 0; first < kLanes; first += banks / 2) {
    std::map<std::uint32_t, std::set<std::uint32_t>> wordsOfBank;
    for (int lane = first; lane != first + banks / 2; ++lane)
      for (std::uint32_t byte = 0; byte != 8; byte += 4) {
        const std::uint32_t start = offsetAt(access.rows, 0, static_cast<std::uint32_t>(lane), 0);
        const std::uint32_t word = (start * static_cast<std::uint32_t>(elementBytes) + byte) / 4;
        wordsOfBank[word % static_cast<std::uint32_t>(banks)].insert(word);
      }
    std::size_t most = 0;
    for (const auto &[bank, words] : wordsOfBank)
      most = std::max(most, words.size());
    sum += static_cast<int>(most);
  }
  return sum;
}

TEST(ColumnLoad, wavefrontsAreThoseOfBanks) {
  Random random(3);
  int conflicts = 0;
  for (int round = 0; round != 1000; ++round) {
    const int bytes = 1 + random.upTo(1), banks = 32 << random.upTo(1);
    const std::optional<MatrixAccess> access = matrixAccess(drawn(random, bytes), bytes, MatrixLoads::Columns);
    if (!access)
      continue;
    const Wavefronts wavefronts = bankConflicts(*access, bytes, banks);
    EXPECT_EQ(wavefronts.actual, wavefrontsOf(*access, bytes, banks));
    EXPECT_EQ(wavefronts.ideal, 128 / banks);
    conflicts += wavefronts.actual != wavefronts.ideal;
  }
  EXPECT_GT(conflicts, 100);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Threads that copy a matrix 16 bytes at a time, lanes along \p axis first.
TileLayout copied(const Shape &shape, std::size_t axis, int warps, int elementBytes) {
  const std::int64_t vector = std::min<std::int64_t>(16 / elementBytes, shape[axis]);
  const std::int64_t along = std::min<std::int64_t>(kLanes, shape[axis] / vector);
  Shape perThread(2, 1), lanes(2, 1), warpsOf(2, 1);
  perThread[axis] = vector;
  lanes[axis] = along;
  lanes[1 - axis] = kLanes / along;
  warpsOf[1 - axis] = warps;
  const std::vector<int> order{static_cast<int>(axis), static_cast<int>(1 - axis)};
  return TileLayout::blocked(shape, perThread, lanes, warpsOf, order);
}

struct Operand {
  TileLayout store, load;
  int axis; ///< of k, from the last
  std::int64_t step;
};

/// How \p operand is read from its buffer, step by step; nothing where it is not by columns.
std::optional<MatrixAccess> accessOf(const Operand &operand, const SharedLayout &shared, int elementBytes) {
  TileLayout::Bases offsets = offsetsOf(operand.load, shared);
  std::vector<std::uint32_t> inside, &apart = offsets[static_cast<std::size_t>(Dim::Block)];
  for (const std::uint32_t column : operand.load.bases(Dim::Register)) {
    const bool isInside = operand.load.coordinate(column, 1 - operand.axis) < operand.step;
    (isInside ? inside : apart).push_back(shared.offset(column));
  }
  offsets[static_cast<std::size_t>(Dim::Register)] = inside;
  return matrixAccess(offsets, elementBytes, MatrixLoads::Columns);
}

SharedLayout bufferOf(const Operand &operand, int elementBytes) {
  return operandBuffer(operand.store, operand.load, elementBytes,
                       {.loads = MatrixLoads::Columns, .loadBanks = 64, .axis = operand.axis, .step = operand.step});
}

/// Expects that \p operand is stored in accesses of at least \p storeBytes without bank conflicts and read by columns,
/// 64 lanes in
/// \p turns turns.
void expectColumns(const Operand &operand, int elementBytes, int storeBytes, int turns = 2) {
  const SharedLayout shared = bufferOf(operand, elementBytes);
  SCOPED_TRACE(operand.store.str() + "\n" + operand.load.str() + "\n" + shared.str());
  const std::uint32_t width = widestAccess(operand.store, shared, elementBytes);
  EXPECT_GE(static_cast<int>(width) * elementBytes, storeBytes);
  const Wavefronts ofStore = test::wavefrontsOf(operand.store, shared, width, elementBytes);
  EXPECT_EQ(ofStore.actual, ofStore.ideal);
  const std::optional<MatrixAccess> access = accessOf(operand, shared, elementBytes);
  ASSERT_TRUE(access);
  EXPECT_EQ(wavefrontsOf(*access, elementBytes, 64), turns);
}

const AmdFragment kLarge{.rows = "rrlrr", .depthBits = 3}, kSmall{.rows = "rrll", .depthBits = 3},
    kLargeBytes{.rows = "rrlrr", .depthBits = 4, .runBits = 4},
    kSmallBytes{.rows = "rrll", .depthBits = 4, .runBits = 4};

/// The operands of blocks of \p depth that lie across k.
void expectBothAcross(const AmdFragment &fragment, std::int64_t depth, WarpGrid grid, int elementBytes, int leftBytes,
                      int rightBytes, int rightTurns) {
  const int warps = grid.rows * grid.columns;
  const Shape left{256, depth}, right{depth, 256};
  const std::int64_t step = fragment.stepOf(depth);
  expectColumns({copied(left, 0, warps, elementBytes), amdOperandA(left, fragment, grid), 0, step}, elementBytes,
                leftBytes);
  expectColumns({copied(right, 1, warps, elementBytes), amdOperandB(right, fragment, grid), 1, step}, elementBytes,
                rightBytes, rightTurns);
}

// A lane has eight columns of the result side by side where two instructions of 16 make up a run. Right operands are
// stored four columns at a time there.
TEST(ColumnLoad, operandsOfHalvesThatLieAcrossAreStoredAsTheyCome) {
  for (const std::int64_t depth : {32, 64, 128})
    for (const WarpGrid grid : {WarpGrid{2, 2}, WarpGrid{2, 4}, WarpGrid{4, 2}}) {
      expectBothAcross(kLarge, depth, grid, 2, 16, 16, 2);
      expectBothAcross(kSmall, depth, grid, 2, 16, 8, 2);
    }
}

// Of bytes a run has 16 columns, of which four are rows 0 to 3 of an instruction, and the next are not.
TEST(ColumnLoad, operandsOfBytesThatLieAcrossAreStoredInWords) {
  for (const AmdFragment &fragment : {kLargeBytes, kSmallBytes})
    for (const std::int64_t depth : {64, 128})
      expectBothAcross(fragment, depth, {2, 2}, 1, 16, 4, 4);
}

/// What lies along k is read as it is, 16 bytes at a time.
TEST(ColumnLoad, operandsThatLieAlongAreNot) {
  for (const AmdFragment &fragment : {kLarge, kSmall}) {
    const WarpGrid grid{2, 2};
    const Shape left{128, 64};
    const Operand operand{copied(left, 1, 4, 2), amdOperandA(left, fragment, grid), 0, fragment.stepOf(64)};
    const SharedLayout shared = bufferOf(operand, 2);
    EXPECT_FALSE(accessOf(operand, shared, 2));
    EXPECT_EQ(widestAccess(operand.store, shared, 2), 8u);
    EXPECT_EQ(widestAccess(operand.load, shared, 2), 8u);
  }
}

} // namespace
