//===- AccessTest.cpp - what accesses of memory ask of layouts --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/TileToLayout/Access.h"

#include "unit/Layout/RandomLayouts.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace tessera::ir::layout;
using tessera::ir::WideAccess;
using tessera::layout::test::Random;

namespace {

constexpr KernelShape kFourWarps{4, 32, 1, 1};

double leastCost(const Access &access) {
  double least = costOf(access, coalescedLayouts(access, kFourWarps).front());
  for (const TileLayout &layout : coalescedLayouts(access, kFourWarps))
    least = std::min(least, costOf(access, layout));
  return least;
}

} // namespace

/// No layout out of many costs less than the best of those that an access asks for.
TEST(Access, coalescedLayoutsAreBest) {
  struct Case {
    std::vector<std::int64_t> shape;
    std::vector<std::optional<std::int64_t>> strides;
    WideAccess wide;
    std::int64_t bytes;
  };
  const Case cases[] = {
      {{2048}, {4}, {0, 4}, 4},
      {{2048}, {2}, {0, 8}, 2},
      {{2048}, {2}, {0, 1}, 2},
      {{64, 64}, {256, 4}, {1, 4}, 4},
      {{64, 64}, {4, 256}, {0, 4}, 4},
      {{64, 64}, {std::nullopt, 4}, {1, 4}, 4},
      {{64, 64}, {std::nullopt, 2}, {1, 1}, 2},
      {{16, 4, 32}, {std::nullopt, 128, 4}, {2, 4}, 4},
  };
  for (const Case &c : cases)
    for (const bool isStore : {false, true}) {
      Access access;
      access.shape.assign(c.shape.begin(), c.shape.end());
      access.strides.assign(c.strides.begin(), c.strides.end());
      access.wide = c.wide;
      access.bytes = c.bytes;
      access.isStore = isStore;
      const double least = leastCost(access);
      for (unsigned seed = 0; seed < 400; ++seed) {
        Random random(seed);
        const TileLayout layout = random.layout(c.shape, 5, 2);
        EXPECT_GE(costOf(access, layout), least) << layout.str();
      }
    }
}

/// Small tiles: threads first, then bytes.
TEST(Access, runsShrinkBeforeThreadsIdle) {
  Access access;
  access.shape = {256};
  access.strides = {4};
  access.wide = {0, 4};
  access.bytes = 4;
  EXPECT_EQ(coalescedLayouts(access, kFourWarps).front().str(),
            "256, register = [(1)], lane = [(2), (4), (8), (16), (32)], warp = [(64), (128)]");
}
