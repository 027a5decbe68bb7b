//===- MatrixUnitsTest.cpp - how matrix units hold their matrices ---------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Against the formulas of the PTX ISA, sections "Matrix Fragments for mma.…" and "Register Fragments and Shared Memory
// Matrix Layouts" of wgmma, where groupID is laneid >> 2 and threadID_in_group is laneid % 4.
//
//===---------------------------------------------------------------------===//

#include "Layout/MatrixUnits.h"
#include "Layout/Access.h"
#include "unit/Layout/RandomLayouts.h"

#include <gmock/gmock.h>

using namespace tessera::layout;
using tessera::layout::test::forEachHolder;

using Shape = std::vector<std::int64_t>;

/// Where the formulas put element i of a fragment of a lane.
struct RowColumn {
  int row, column;
};

/// Checks that one instruction's layout is that of \p formula(i, group, thread).
template <class Formula>
static void expectFragment(const TileLayout &layout, std::uint32_t registers, Formula formula) {
  SCOPED_TRACE(layout.str());
  EXPECT_EQ(layout.size(Dim::Register), registers);
  EXPECT_EQ(layout.size(Dim::Lane), 32u);
  EXPECT_EQ(layout.size(Dim::Warp), 1u);
  forEachHolder(layout, [&](std::uint32_t i, std::uint32_t lane, auto...) {
    const RowColumn wanted = formula(i, static_cast<int>(lane >> 2), static_cast<int>(lane % 4));
    ASSERT_EQ(layout.coordinate(layout.at(i, lane, 0), 0), wanted.row) << "a" << i << " of lane " << lane;
    ASSERT_EQ(layout.coordinate(layout.at(i, lane, 0), 1), wanted.column) << "a" << i << " of lane " << lane;
  });
}

// mma.m16n8k16 with floating point type, .f16 and .bf16
TEST(MatrixUnits, m16n8k16) {
  expectFragment(mmaOperandA(Shape{16, 16}, 16, {}), 8, [](int i, int group, int thread) -> RowColumn {
    const int row = (0 <= i && i < 2) || (4 <= i && i < 6) ? group : group + 8;
    const int column = i < 4 ? thread * 2 + (i & 1) : thread * 2 + (i & 1) + 8;
    return {row, column};
  });
  expectFragment(mmaOperandB(Shape{16, 8}, 16, {}), 4, [](int i, int group, int thread) -> RowColumn {
    const int row = i < 2 ? thread * 2 + (i & 1) : thread * 2 + (i & 1) + 8;
    return {row, group};
  });
  for (const int bits : {16, 32})
    expectFragment(mmaAccumulator(Shape{16, 8}, bits, {}), 4, [](int i, int group, int thread) -> RowColumn {
      const int row = i < 2 ? group : group + 8;
      return {row, thread * 2 + (i & 1)};
    });
}

// mma.m16n8k8, .f16 and .bf16: half as deep
TEST(MatrixUnits, m16n8k8) {
  expectFragment(mmaOperandA(Shape{16, 8}, 16, {}), 8, [](int i, int group, int thread) -> RowColumn {
    const int row = (i & 3) < 2 ? group : group + 8;
    return {row, thread * 2 + (i & 1)}; // registers 4 to 7 are copies of 0 to 3
  });
}

// mma.m16n8k8 with .tf32
TEST(MatrixUnits, m16n8k8Tf32) {
  expectFragment(mmaOperandA(Shape{16, 8}, 32, {}), 4, [](int i, int group, int thread) -> RowColumn {
    const int row = i == 0 || i == 2 ? group : group + 8;
    const int column = i == 0 || i == 1 ? thread : thread + 4;
    return {row, column};
  });
  expectFragment(mmaOperandB(Shape{8, 8}, 32, {}), 2,
                 [](int i, int group, int thread) -> RowColumn { return {i == 0 ? thread : thread + 4, group}; });
}

// mma.m16n8k32, .s8 .u8 .e4m3 .e5m2
TEST(MatrixUnits, m16n8k32) {
  expectFragment(mmaOperandA(Shape{16, 32}, 8, {}), 16, [](int i, int group, int thread) -> RowColumn {
    const int row = (0 <= i && i < 4) || (8 <= i && i < 12) ? group : group + 8;
    const int column = i < 8 ? thread * 4 + (i & 3) : thread * 4 + (i & 3) + 16;
    return {row, column};
  });
  expectFragment(mmaOperandB(Shape{32, 8}, 8, {}), 8, [](int i, int group, int thread) -> RowColumn {
    const int row = i < 4 ? thread * 4 + (i & 3) : thread * 4 + (i & 3) + 16;
    return {row, group};
  });
}

// mma.m8n8k4 with .f64
TEST(MatrixUnits, m8n8k4F64) {
  expectFragment(mmaOperandA(Shape{8, 4}, 64, {}), 1,
                 [](int, int group, int thread) -> RowColumn { return {group, thread}; });
  expectFragment(mmaOperandB(Shape{4, 8}, 64, {}), 1,
                 [](int, int group, int thread) -> RowColumn { return {thread, group}; });
  expectFragment(mmaAccumulator(Shape{8, 8}, 64, {}), 2,
                 [](int i, int group, int thread) -> RowColumn { return {group, thread * 2 + (i & 1)}; });
}

// wgmma.m64nNk16: register 4i + {0,1} is row lane/4 + 16 * warp, columns 8i + 2 * (lane % 4) + {0,1}; 4i + {2,3} lie
// eight rows below.
TEST(MatrixUnits, wgmmaAccumulators) {
  for (const std::int64_t columns : {8, 64, 256}) {
    const TileLayout layout = wgmmaAccumulator(Shape{64, columns}, {.rows = 4});
    EXPECT_EQ(layout.size(Dim::Register), columns / 2);
    forEachHolder(layout, [&](std::uint32_t i, std::uint32_t lane, std::uint32_t warp, std::uint32_t) {
      const std::uint32_t flat = layout.at(i, lane, warp);
      ASSERT_EQ(layout.coordinate(flat, 0), lane / 4 + 16 * warp + 8 * (i / 2 % 2));
      ASSERT_EQ(layout.coordinate(flat, 1), 8 * (i / 4) + 2 * (lane % 4) + i % 2);
    });
  }
}

// Spread rows are the same 64, those of the accumulator the same as those of the operand, and pairs of words of the
// left operand are read from boxes whose rows are contiguous without bank conflicts.
TEST(MatrixUnits, spreadRows) {
  const TileLayout acc = wgmmaAccumulator(Shape{128, 64}, {.rows = 8}, UnitRows::Spread),
                   a = wgmmaOperandA(Shape{128, 32}, 32, {.rows = 8}, UnitRows::Spread);
  forEachHolder(acc, [&](std::uint32_t i, std::uint32_t lane, std::uint32_t warp, std::uint32_t) {
    const std::int64_t row = acc.coordinate(acc.at(i, lane, warp), 0);
    ASSERT_EQ(row / 64, warp / 4);
    ASSERT_EQ(row % 2, i / 2 % 2);
    ASSERT_EQ(row, a.coordinate(a.at(i / 2 % 2, lane, warp), 0));
  });
  const SharedLayout boxes = SharedLayout::tensorCopy(Shape{128, 32}, std::array{0, 1}, 128, 4);
  EXPECT_EQ(widestAccess(a, boxes, 4), 2u);
  EXPECT_EQ(bankConflicts(a, boxes, 2, 4), (Wavefronts{2, 2}));
  const TileLayout inOrder = wgmmaOperandA(Shape{128, 32}, 32, {.rows = 8});
  EXPECT_EQ(bankConflicts(inOrder, boxes, 1, 4), (Wavefronts{2, 1}));
}

// The accumulators of one product are the left operand of the next, registers in the same order.
TEST(MatrixUnits, accumulatorsBecomeOperands) {
  EXPECT_EQ(wgmmaOperandA(Shape{64, 128}, 16, {.rows = 4}), wgmmaAccumulator(Shape{64, 128}, {.rows = 4}));
  EXPECT_EQ(mmaOperandA(Shape{64, 32}, 16, {.rows = 4}), mmaAccumulator(Shape{64, 32}, 32, {.rows = 4}));
}

// Each warp has neighbouring rows and columns of the result, and all that it needs of the operands.
TEST(MatrixUnits, warpsHoldWhatTheyMultiply) {
  const WarpGrid warps{.rows = 2, .columns = 4};
  for (const int bits : {8, 16, 32, 64}) {
    const TileLayout a = mmaOperandA(Shape{64, 64}, bits, warps), b = mmaOperandB(Shape{64, 128}, bits, warps),
                     c = mmaAccumulator(Shape{64, 128}, std::max(bits, 32), warps);
    EXPECT_EQ(c.size(Dim::Register) * 32 * 8, 64u * 128);
    const auto check = [&](const TileLayout &layout, bool rows, bool columns) {
      forEachHolder(layout, [&](std::uint32_t i, std::uint32_t lane, std::uint32_t warp, std::uint32_t) {
        const std::uint32_t flat = layout.at(i, lane, warp);
        if (rows) {
          ASSERT_EQ(layout.coordinate(flat, 0) / 32, warp % 2);
        }
        if (columns) {
          ASSERT_EQ(layout.coordinate(flat, 1) / 32, warp / 2);
        }
      });
    };
    check(a, true, false);
    check(b, false, true);
    check(c, true, true);
    EXPECT_EQ(a.copyMask(Dim::Warp), 0b110u);
    EXPECT_EQ(b.copyMask(Dim::Warp), 0b001u);
    EXPECT_EQ(c.copyMask(Dim::Warp), 0u);
  }
}

// Two groups of four warps lie below each other; a batch is repeated in registers.
TEST(MatrixUnits, groupsAndBatches) {
  const TileLayout layout = wgmmaAccumulator(Shape{2, 256, 16}, {.rows = 8});
  forEachHolder(layout, [&](std::uint32_t i, std::uint32_t lane, std::uint32_t warp, std::uint32_t) {
    const std::uint32_t flat = layout.at(i, lane, warp);
    ASSERT_EQ(layout.coordinate(flat, 0), i / 16);
    ASSERT_EQ(layout.coordinate(flat, 1) / 16, warp % 4 + i / 8 % 2 * 4 + warp / 4 * 8);
  });
  EXPECT_EQ(mmaAccumulator(Shape{4, 16, 8}, 32, {}).str(),
            "4x16x8, register = [(0, 0, 1), (0, 8, 0), (1, 0, 0), (2, 0, 0)], "
            "lane = [(0, 0, 2), (0, 0, 4), (0, 1, 0), (0, 2, 0), (0, 4, 0)]");
}

// A tile of fewer rows than an instruction: what the instruction reads as rows 8 to 15 are copies.
TEST(MatrixUnits, smallTilesAreCopies) {
  const TileLayout layout = mmaOperandA(Shape{8, 16}, 16, {.rows = 2});
  EXPECT_EQ(layout.size(Dim::Register), 8u);
  EXPECT_EQ(layout.copyMask(Dim::Register), 0b010u);
  EXPECT_EQ(layout.copyMask(Dim::Warp), 0b1u);
}
