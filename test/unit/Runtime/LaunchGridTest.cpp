//===- LaunchGridTest.cpp - grids against the limits of a device -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/LaunchGrid.h"
#include "tessera/runtime/Grid.h"

#include <gtest/gtest.h>
#include <limits>

using namespace tessera;
using rt::decideGrid;
using rt::GridDecision;

namespace {
GridDecision decide(std::int64_t x, std::int64_t y = 1, std::int64_t z = 1) {
  return decideGrid({x, y, z}, {0x7fffffff, 65535, 65535}, "cuda:0");
}
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
} // namespace

TEST(LaunchGrid, fitsAsItIs) {
  EXPECT_EQ(decide(1).kind, GridDecision::Direct);
  EXPECT_EQ(decide(0x7fffffff).kind, GridDecision::Direct);
  EXPECT_EQ(decide(1, 65535, 65535).kind, GridDecision::Direct);
}

// SEMANTICS P1a
TEST(LaunchGrid, zeroLaunchesNothing) {
  EXPECT_EQ(decide(0).kind, GridDecision::Empty);
  EXPECT_EQ(decide(5, 0).kind, GridDecision::Empty);
  EXPECT_EQ(decide(kMax, kMax, 0).kind, GridDecision::Empty);
}

// SEMANTICS P1a
TEST(LaunchGrid, largeYAndZAreFolded) {
  EXPECT_EQ(decide(1, 65536).kind, GridDecision::Folded);
  EXPECT_EQ(decide(2, 1, 1000000).kind, GridDecision::Folded);
}

// SEMANTICS P1a
TEST(LaunchGrid, negativeIsRefused) {
  EXPECT_EQ(decide(-1).problem, "grid (-1, 1, 1) has a negative extent; extents are at least 0");
  EXPECT_EQ(decide(0, 0, -3).kind, GridDecision::Refused);
}

TEST(LaunchGrid, tooManyProgramsAreRefused) {
  EXPECT_EQ(
      decide(std::int64_t{1} << 31).problem,
      "grid (2147483648, 1, 1) has 2147483648 programs; device cuda:0 starts at most 2147483647 in one launch; let a "
      "program do more work");
  EXPECT_EQ(decide(65536, 65536).kind, GridDecision::Refused);
  EXPECT_EQ(decide(kMax, 2).kind, GridDecision::Refused);
  EXPECT_NE(decide(kMax, kMax).problem.find("more than 2^63"), std::string::npos);
}

TEST(LaunchGrid, overflowIsRefusedWhateverTheLimits) {
  EXPECT_EQ(decideGrid({kMax, kMax, 1}, {kMax, kMax, kMax}, "interp").kind, GridDecision::Refused);
}

TEST(Grid, isWrittenInBraces) {
  const auto extents = [](Grid grid) { return grid.extents(); };
  const std::size_t large = 5;
  const int small = 2;
  EXPECT_EQ(extents({large}), (std::array<std::int64_t, 3>{5, 1, 1}));
  EXPECT_EQ(extents({small, large, 7L}), (std::array<std::int64_t, 3>{2, 5, 7}));
  EXPECT_EQ(extents(small), (std::array<std::int64_t, 3>{2, 1, 1}));
  EXPECT_EQ(Grid(std::numeric_limits<std::uint64_t>::max()).x, kMax) << "not a negative number";
}
