//===- MemoryHazardsTest.cpp - which accesses of a kernel need order -------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Analysis/MemoryHazards.h"

#include <gtest/gtest.h>
#include <random>

using namespace tessera::ir;
using tessera::layout::TileLayout;

namespace {

/// By asking every pair of holders.
ThreadScope bruteForce(const TileLayout &a, const TileLayout &b) {
  using tessera::layout::Dim;
  ThreadScope scope = ThreadScope::None;
  const auto forEach = [](const TileLayout &layout, auto visit) {
    for (uint32_t block = 0; block != layout.size(Dim::Block); ++block)
      for (uint32_t warp = 0; warp != layout.size(Dim::Warp); ++warp)
        for (uint32_t lane = 0; lane != layout.size(Dim::Lane); ++lane)
          for (uint32_t reg = 0; reg != layout.size(Dim::Register); ++reg)
            visit(block, warp, lane, layout.at(reg, lane, warp, block));
  };
  forEach(a, [&](uint32_t block, uint32_t warp, uint32_t lane, uint32_t element) {
    forEach(b, [&](uint32_t otherBlock, uint32_t otherWarp, uint32_t otherLane, uint32_t otherElement) {
      if (element != otherElement)
        return;
      if (block != otherBlock)
        scope = ThreadScope::Cluster;
      else if (warp != otherWarp)
        scope = std::max(scope, ThreadScope::Block);
      else if (lane != otherLane)
        scope = std::max(scope, ThreadScope::Warp);
    });
  });
  return scope;
}

/// A layout of 16 elements over up to 4 registers, 4 lanes, 4 warps and 2 blocks, often with copies.
TileLayout randomLayout(std::mt19937 &random, bool fewWarps) {
  while (true) {
    TileLayout::Bases bases;
    for (size_t dim = 0; dim != 4; ++dim) {
      bases[dim].resize(dim == 3 ? random() % 8 == 0 : dim == 2 && fewWarps ? 1 : 2);
      for (uint32_t &column : bases[dim])
        column = random() % 8 == 0 ? random() % 16 : uint32_t{1} << random() % 4;
    }
    if (TileLayout::problemOf(std::vector<int64_t>{16}, bases).empty())
      return TileLayout({16}, bases);
  }
}

TEST(ScopeBetween, agreesWithTryingAllPairs) {
  std::mt19937 random(1);
  int counts[4] = {};
  for (int round = 0; round != 3000; ++round) {
    const TileLayout a = randomLayout(random, round % 3 == 0);
    TileLayout b = a;
    if (round % 2 == 0)
      b = randomLayout(random, round % 3 == 0);
    if (round % 4 == 1) { // another order of registers or lanes
      TileLayout::Bases bases;
      for (const auto dim : tessera::layout::kDims)
        bases[static_cast<size_t>(dim)].assign(a.bases(dim).begin(), a.bases(dim).end());
      std::swap(bases[random() % 2].front(), bases[random() % 2].back());
      b = TileLayout({16}, bases);
    }
    const ThreadScope scope = scopeBetween(a, b);
    EXPECT_EQ(scope, bruteForce(a, b)) << a.str() << " and " << b.str();
    ++counts[static_cast<int>(scope)];
  }
  for (const int count : counts)
    EXPECT_GT(count, 20) << counts[0] << " " << counts[1] << " " << counts[2] << " " << counts[3];
}

TEST(ScopeBetween, differentShapesAreNotCompared) {
  const TileLayout line({4}, {{{1, 2}, {}, {}, {}}}), square({2, 2}, {{{1, 2}, {}, {}, {}}});
  EXPECT_EQ(scopeBetween(line, line), ThreadScope::None);
  EXPECT_EQ(scopeBetween(line, square), ThreadScope::Cluster);
}

} // namespace
