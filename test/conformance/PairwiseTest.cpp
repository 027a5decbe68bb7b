//===- PairwiseTest.cpp - the choices of cases ----------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "conformance/Conformance.h"

#include <set>

namespace tessera::conformance {

TEST(Pairwise, coversEveryPairWithFewCases) {
  const std::size_t levels[] = {14, 6, 7, 4, 5, 1};
  for (std::uint64_t seed : {0, 1, 2}) {
    const std::vector<Choice> cases = pairwise(levels, seed);
    for (std::size_t i = 0; i != std::size(levels); ++i)
      for (std::size_t j = i + 1; j != std::size(levels); ++j) {
        std::set<std::pair<std::size_t, std::size_t>> pairs;
        for (const Choice &choice : cases)
          pairs.insert({choice.at(i), choice.at(j)});
        EXPECT_EQ(pairs.size(), levels[i] * levels[j]) << i << ", " << j << ", seed " << seed;
      }
    EXPECT_GE(cases.size(), 14u * 7);
    EXPECT_LT(cases.size(), 2u * 14 * 7) << "of 11760 combinations";
  }
}

TEST(Pairwise, drawsOtherCasesFromOtherSeeds) {
  const std::size_t levels[] = {5, 5, 5};
  EXPECT_EQ(pairwise(levels, 7), pairwise(levels, 7));
  EXPECT_NE(pairwise(levels, 7), pairwise(levels, 8));
}

} // namespace tessera::conformance
