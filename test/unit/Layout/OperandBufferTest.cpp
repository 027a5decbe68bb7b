//===- OperandBufferTest.cpp - the buffer from which warps multiply -------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Layout/OperandBuffer.h"
#include "Layout/AmdMatrixUnits.h"
#include "Layout/MatrixLoad.h"
#include "Layout/MatrixUnits.h"
#include "unit/Layout/BankSimulator.h"

#include <gmock/gmock.h>

#include <algorithm>

using namespace tessera::layout;

using Shape = std::vector<std::int64_t>;

namespace {

/// Threads that copy a matrix 16 bytes at a time, lanes along its rows first.
TileLayout copied(const Shape &shape, std::vector<int> order, int warps, int elementBytes, int warpSize = 32) {
  const std::int64_t vector = std::min<std::int64_t>(16 / elementBytes, shape[order[0]]);
  const std::int64_t along = std::min<std::int64_t>(warpSize, shape[order[0]] / vector);
  Shape perThread(2, 1), lanes(2, 1), warpsOf(2, 1);
  perThread[order[0]] = vector;
  lanes[order[0]] = along;
  lanes[order[1]] = warpSize / along;
  warpsOf[order[1]] = warps;
  return TileLayout::blocked(shape, perThread, lanes, warpsOf, order);
}

/// Neither the copy nor the loads of matrices have bank conflicts, and both are as wide as can be.
void expectFree(const TileLayout &store, const TileLayout &load, int elementBytes, bool isTransposed) {
  const SharedLayout shared = operandBuffer(store, load, elementBytes, {.keepsOrder = true});
  SCOPED_TRACE(store.str() + "\n" + load.str() + "\n" + shared.str());
  const std::uint32_t width = widestAccess(store, shared, elementBytes);
  EXPECT_EQ(width * elementBytes, 16u);
  const Wavefronts ofStore = bankConflicts(store, shared, width, elementBytes);
  EXPECT_EQ(ofStore.actual, ofStore.ideal);
  const std::optional<MatrixAccess> matrices = matrixAccess(offsetsOf(load, shared), elementBytes);
  ASSERT_TRUE(matrices);
  EXPECT_EQ(matrices->isTransposed, isTransposed);
  EXPECT_EQ(matrices->words, 4u);
  const Wavefronts ofLoad = bankConflicts(*matrices, elementBytes);
  EXPECT_EQ(ofLoad.actual, ofLoad.ideal);
}

const std::vector<int> kByRows{1, 0}, kByColumns{0, 1};

TEST(OperandBuffer, halvesInEitherOrderHaveNoConflicts) {
  for (const std::int64_t depth : {16, 32, 64, 128})
    for (const WarpGrid grid : {WarpGrid{2, 2}, WarpGrid{4, 1}, WarpGrid{4, 2}}) {
      const int warps = grid.rows * grid.columns;
      const Shape left{128, depth}, right{depth, 128};
      const TileLayout a = mmaOperandA(left, 16, grid), b = mmaOperandB(right, 16, grid);
      expectFree(copied(left, kByRows, warps, 2), a, 2, false);
      expectFree(copied(left, kByColumns, warps, 2), a, 2, true);
      expectFree(copied(right, kByRows, warps, 2), b, 2, true);
      expectFree(copied(right, kByColumns, warps, 2), b, 2, false);
    }
}

TEST(OperandBuffer, otherElementsHaveNoConflictsAlongTheDepth) {
  for (const int bytes : {1, 4})
    for (const std::int64_t depth : {32, 64, 128, 256})
      for (const WarpGrid grid : {WarpGrid{2, 2}, WarpGrid{4, 2}}) {
        const int warps = grid.rows * grid.columns;
        const Shape left{128, depth}, right{depth, 128};
        expectFree(copied(left, kByRows, warps, bytes), mmaOperandA(left, 8 * bytes, grid), bytes, false);
        expectFree(copied(right, kByColumns, warps, bytes), mmaOperandB(right, 8 * bytes, grid), bytes, false);
      }
}

// Fragments of AMD's units, whose runs along the depth are neighbours in memory.
TEST(OperandBuffer, runsHaveNoConflicts) {
  const AmdFragment large{.rows = "rrlrr"}, small{};
  for (const AmdFragment &fragment : {large, small})
    for (const std::int64_t depth : {32, 64, 128})
      for (const int banks : {32, 64}) {
        const Shape left{128, depth};
        const WarpGrid grid{2, 2};
        const TileLayout store = copied(left, kByRows, 4, 2, 64), load = amdOperandA(left, fragment, grid);
        const SharedLayout shared = operandBuffer(store, load, 2, {.loads = MatrixLoads::None, .loadBanks = banks});
        SCOPED_TRACE(load.str() + "\n" + shared.str());
        EXPECT_EQ(widestAccess(store, shared, 2), 8u);
        ASSERT_EQ(widestAccess(load, shared, 2), 8u);
        const Wavefronts ofStore = test::wavefrontsOf(store, shared, 8, 2),
                         ofLoad = test::wavefrontsOf(load, shared, 8, 2, {.loads = true, .banks = banks});
        EXPECT_EQ(ofStore.actual, ofStore.ideal);
        EXPECT_EQ(ofLoad.actual, ofLoad.ideal) << banks;
      }
}

/// The widest access of a warp that reads \p step elements along axis \p axis at a time.
std::uint32_t widestOfStep(const TileLayout &load, const SharedLayout &shared, int axis, std::int64_t step) {
  TileLayout::Bases offsets = offsetsOf(load, shared);
  std::vector<std::uint32_t> inside, &apart = offsets[static_cast<std::size_t>(Dim::Block)];
  for (const std::uint32_t column : load.bases(Dim::Register))
    (load.coordinate(column, axis) < step ? inside : apart).push_back(shared.offset(column));
  offsets[static_cast<std::size_t>(Dim::Register)] = inside;
  return widestAccess(offsets, 2, 16);
}

// Steps along k are read one after another, each in accesses of its own.
TEST(OperandBuffer, stepsOfMatricesInTheOtherOrderAreReadWidely) {
  const AmdFragment large{.rows = "rrlrr"}, small{},
      copies{.rows = "lrrr", .laneBits = 5, .depthBits = 4, .runBits = 3, .hasCopies = true},
      halves{.rows = "rrrl", .laneBits = 5, .depthBits = 3};
  for (const AmdFragment &fragment : {large, small, copies, halves})
    for (const std::int64_t depth : {32, 64})
      for (const WarpGrid grid : {WarpGrid{2, 2}, WarpGrid{4, 2}}) {
        const Shape right{depth, 128};
        const int warps = grid.rows * grid.columns;
        const std::int64_t step = fragment.stepOf(depth);
        const TileLayout store = copied(right, kByRows, warps, 2, 1 << fragment.laneBits),
                         load = amdOperandB(right, fragment, grid);
        const SharedLayout shared =
            operandBuffer(store, load, 2, {.loads = MatrixLoads::None, .axis = 1, .step = step});
        SCOPED_TRACE(store.str() + "\n" + load.str() + "\n" + shared.str());
        EXPECT_GE(widestOfStep(load, shared, 0, step), 4u);
      }
}

// What is loaded keeps the order of memory, so that it can be copied; what is computed need not.
TEST(OperandBuffer, loadedMatricesKeepTheirOrder) {
  const Shape right{64, 128};
  const TileLayout store = copied(right, kByRows, 4, 1), load = mmaOperandB(right, 8, {2, 2});
  const SharedLayout kept = operandBuffer(store, load, 1, {.keepsOrder = true}),
                     free = operandBuffer(store, load, 1, {});
  EXPECT_GE(widestAccess(store, kept, 1), 4u);
  EXPECT_TRUE(matrixAccess(offsetsOf(load, free), 1));
}

} // namespace
