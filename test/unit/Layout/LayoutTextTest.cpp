//===- LayoutTextTest.cpp - layouts as text -------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Layout/LayoutText.h"
#include "Layout/MatrixUnits.h"
#include "unit/Layout/RandomLayouts.h"

#include <gmock/gmock.h>

using namespace tessera::layout;
using tessera::layout::test::Random;

using Shape = std::vector<std::int64_t>;

static TileLayout tile(std::string_view text) {
  TextProblem problem;
  const auto layout = parseTileLayout(text, problem);
  EXPECT_TRUE(layout.has_value()) << problem.str(text);
  return layout.value_or(TileLayout());
}

static SharedLayout shared(std::string_view text) {
  TextProblem problem;
  const auto layout = parseSharedLayout(text, problem);
  EXPECT_TRUE(layout.has_value()) << problem.str(text);
  return layout.value_or(SharedLayout());
}

/// What is said of a text that is no layout of a tile, and where.
static std::string whyNoTile(std::string_view text) {
  TextProblem problem;
  EXPECT_FALSE(parseTileLayout(text, problem).has_value()) << text;
  return std::to_string(problem.column) + ": " + problem.words;
}

static std::string whyNoShared(std::string_view text) {
  TextProblem problem;
  EXPECT_FALSE(parseSharedLayout(text, problem).has_value()) << text;
  return std::to_string(problem.column) + ": " + problem.words;
}

TEST(LayoutText, readsWhatIsPrinted) {
  Random random(1);
  for (int round = 0; round != 200; ++round) {
    const int rank = random.upTo(3), bits = rank == 0 ? 0 : random.upTo(8);
    const TileLayout layout = random.layout(random.shape(rank, bits), random.upTo(5), random.upTo(2), random.upTo(1));
    EXPECT_EQ(tile(layout.str()), layout);
    EXPECT_EQ(tile("#layout.tile<" + layout.str() + ">"), layout);
  }
  for (const SharedLayout &layout : {SharedLayout(), SharedLayout({4}, {1, 2}), SharedLayout({2, 4}, {3, 2, 5})}) {
    EXPECT_EQ(shared(layout.str()), layout);
    EXPECT_EQ(shared("#layout.shared<" + layout.str() + ">"), layout);
  }
}

TEST(LayoutText, readsNamedLayoutsOfTiles) {
  EXPECT_EQ(tile("blocked 16x64 thread 1x4 lanes 4x8 warps 4x1 order 1,0"),
            TileLayout::blocked(Shape{16, 64}, Shape{1, 4}, Shape{4, 8}, Shape{4, 1}, std::vector{1, 0}));
  EXPECT_EQ(tile("  blocked 16x64 thread 1x4 lanes 4x8  "),
            TileLayout::blocked(Shape{16, 64}, Shape{1, 4}, Shape{4, 8}, Shape{1, 1}, std::vector{1, 0}));
  EXPECT_EQ(tile("blocked 16x64 thread 1x4 lanes 4x8 order 0, 1"),
            TileLayout::blocked(Shape{16, 64}, Shape{1, 4}, Shape{4, 8}, Shape{1, 1}, std::vector{0, 1}));
  EXPECT_EQ(tile("mma accumulator 64x64"), mmaAccumulator(Shape{64, 64}, 32, {}));
  EXPECT_EQ(tile("mma a 64x32 warps 2x4"), mmaOperandA(Shape{64, 32}, 16, {2, 4}));
  EXPECT_EQ(tile("mma b 32x64 bits 8 warps 2x4"), mmaOperandB(Shape{32, 64}, 8, {2, 4}));
  EXPECT_EQ(tile("wgmma accumulator 64x128"), wgmmaAccumulator(Shape{64, 128}, {4, 1}));
  EXPECT_EQ(tile("wgmma a 128x64 bits 8 warps 8x1"), wgmmaOperandA(Shape{128, 64}, 8, {8, 1}));
}

TEST(LayoutText, readsNamedLayoutsOfBuffers) {
  EXPECT_EQ(shared("plain 4x8"), SharedLayout::inOrder(Shape{4, 8}, std::vector{1, 0}));
  EXPECT_EQ(shared("plain 4x8 order 0,1"), SharedLayout::inOrder(Shape{4, 8}, std::vector{0, 1}));
  EXPECT_EQ(shared("swizzled 64x64 vec 8 per_phase 1 max_phase 8"),
            SharedLayout::swizzled(Shape{64, 64}, std::vector{1, 0}, 8, 1, 8));
  EXPECT_EQ(shared("tensor_copy 64x64 swizzle 128 element 2"),
            SharedLayout::tensorCopy(Shape{64, 64}, std::vector{1, 0}, 128, 2));
}

TEST(LayoutText, saysWhyATextIsNoTile) {
  EXPECT_EQ(whyNoTile("4x"), "2: expected a number");
  EXPECT_EQ(whyNoTile("4x6"), "0: expected extents that are powers of two, got 6");
  EXPECT_EQ(whyNoTile("99999999999"), "0: expected a number of at most 2^30");
  EXPECT_EQ(whyNoTile("4"), "0: expected columns that span all 4 elements, got 1");
  EXPECT_EQ(whyNoTile("4, lanes = [(1), (2)]"), "3: expected `register`, `lane`, `warp` or `block`");
  EXPECT_EQ(whyNoTile("4, lane = [(1)], lane = [(2)]"), "17: `lane` is given twice");
  EXPECT_EQ(whyNoTile("4, lane [(1)]"), "8: expected `=`");
  EXPECT_EQ(whyNoTile("4, lane = [(4)]"), "12: expected a coordinate below 4, got 4");
  EXPECT_EQ(whyNoTile("2x2, lane = [(1), (0, 1)]"), "13: expected 2 coordinates, got 1");
  EXPECT_EQ(whyNoTile("4, lane = [(1) (2)]"), "15: expected `,` or `]`");
  EXPECT_EQ(whyNoTile("2, lane = [(1)] 3"), "16: expected the end of the layout");
  EXPECT_EQ(whyNoTile("#layout.tile<2, lane = [(1)]"), "28: expected `>`");
  EXPECT_EQ(whyNoTile("tiled 4x4"), "0: expected the end of the layout");
  EXPECT_EQ(whyNoTile("blocked"), "7: expected extents, as in `16x64`");
  EXPECT_EQ(whyNoTile("blocked 16x64 lanes 4x8"), "14: expected `thread`");
  EXPECT_EQ(whyNoTile("blocked 16x64 thread 4 lanes 4x8"), "21: expected 2 extents, got 1");
  EXPECT_EQ(whyNoTile("blocked 16 thread 3 lanes 4"), "18: expected extents that are powers of two, got 3");
  EXPECT_EQ(whyNoTile("blocked 4 thread 4 lanes 536870912 warps 1073741824"),
            "8: expected at most 60 bits in all dimensions, got 61");
  EXPECT_EQ(whyNoTile("blocked 4x4 thread 1x1 lanes 4x4 order 1,1"), "39: expected each axis from 0 to 1 once");
  EXPECT_EQ(whyNoTile("blocked 4x4 thread 1x1 lanes 4x4 order 2,0"), "39: expected each axis from 0 to 1 once");
  EXPECT_EQ(whyNoTile("mma c 16x8"), "4: expected `accumulator`, `a` or `b`");
  EXPECT_EQ(whyNoTile("mma a 16"), "6: expected the extents of a matrix, as in `64x32`");
  EXPECT_EQ(whyNoTile("mma accumulator 16x8 bits 8"), "26: expected a power of two from 16 to 64, got 8");
  EXPECT_EQ(whyNoTile("wgmma b 16x8"), "6: expected `accumulator` or `a`");
  EXPECT_EQ(whyNoTile("wgmma accumulator 64x8 warps 2x2"), "29: expected a power of two from 4 to 64, got 2");
}

TEST(LayoutText, saysWhyATextIsNoBuffer) {
  EXPECT_EQ(whyNoShared("4x8, bases = [1]"), "5: expected `offsets`");
  EXPECT_EQ(whyNoShared("4, offsets = [1]"), "0: expected a column for each of the 2 bits of the index, got 1");
  EXPECT_EQ(whyNoShared("swizzled 8x8 vec 4 per_phase 1 max_phase 4"),
            "9: expected at least vec * max_phase = 16 elements along axis 1, got 8");
  EXPECT_EQ(whyNoShared("swizzled 8 vec 4 per_phase 1 max_phase 4"),
            "9: expected the extents of a matrix, as in `64x64`");
  EXPECT_EQ(whyNoShared("tensor_copy 8x32 swizzle 128 element 2"),
            "12: expected at least 128 bytes along the fastest axis");
  EXPECT_EQ(whyNoShared("tensor_copy 8x32 swizzle 16 element 2"), "25: expected a power of two from 32 to 128, got 16");
}

TEST(LayoutText, pointsAtTheProblem) {
  const std::string_view text = "4, lane = [(1), (7)]";
  TextProblem problem;
  EXPECT_FALSE(parseTileLayout(text, problem).has_value());
  EXPECT_EQ(problem.str(text), "expected a coordinate below 4, got 7\n"
                               "  4, lane = [(1), (7)]\n"
                               "                   ^");
}
