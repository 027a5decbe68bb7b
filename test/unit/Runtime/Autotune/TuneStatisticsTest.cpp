//===- TuneStatisticsTest.cpp - which candidate is faster --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Autotune/TuneStatistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace tessera::rt;

static TimeEstimate time(double ms, double low, double high, int samples = 20) { return {ms, low, high, samples}; }

TEST(TuneStatistics, estimatesTheMedian) {
  EXPECT_EQ(estimate({}), TimeEstimate());
  EXPECT_EQ(estimate({3}), time(3, 3, 3, 1));
  EXPECT_EQ(estimate({5, 1, 3}), time(3, 1, 5, 3));
  EXPECT_EQ(estimate({4, 1, 2, 3}), time(2.5, 1, 4, 4));
  // Nine samples: the second and the second last bound the median with 96 %.
  EXPECT_EQ(estimate({9, 8, 7, 6, 5, 4, 3, 2, 1}), time(5, 2, 8, 9));
}

// Whatever the distribution, the interval holds the true median in 95 of 100 experiments, or more.
TEST(TuneStatistics, intervalsHoldTheMedianAsOftenAsTheyPromise) {
  std::mt19937 random(7);
  std::lognormal_distribution<double> skewed(0, 1); // its median is 1
  for (const std::size_t count : {6u, 9u, 25u, 100u, 300u}) {
    int held = 0;
    for (int experiment = 0; experiment != 2000; ++experiment) {
      std::vector<double> samples(count);
      std::ranges::generate(samples, [&] { return skewed(random); });
      const TimeEstimate found = estimate(samples);
      held += found.low <= 1 && 1 <= found.high;
    }
    EXPECT_GE(held, 2000 * 94 / 100) << count;
  }
}

TEST(TuneStatistics, isSlowerOnlyBeyondDoubt) {
  EXPECT_TRUE(isSlower(time(2, 1.9, 2.1), time(1, 0.9, 1.1)));
  EXPECT_FALSE(isSlower(time(2, 1.0, 2.1), time(1, 0.9, 1.1)));
  EXPECT_FALSE(isSlower(time(2, 1.9, 2.1, 5), time(1, 0.9, 1.1))) << "too few samples";
}

TEST(TuneStatistics, tiesGoToTheEarlierCandidate) {
  const TimeEstimate a = time(1.005, 1.0, 1.01), b = time(1, 0.995, 1.004);
  EXPECT_EQ(fastest(std::vector{a, b}), 0u);
  EXPECT_EQ(fastest(std::vector{b, a}), 0u);
  EXPECT_EQ(fastest(std::vector{time(1.1, 1.0, 1.2), b}), 1u) << "ten percent are no tie, sure or not";
  EXPECT_EQ(fastest(std::vector{time(1.005, 1.0045, 1.006), b}), 1u) << "slower beyond doubt";
  EXPECT_TRUE(areTied(a, b));
  EXPECT_FALSE(areTied(time(1.005, 0.9, 1.1), b)) << "not known well enough";
}

TEST(TuneStatistics, thoseWithoutSamplesDoNotTakePart) {
  EXPECT_EQ(fastest(std::vector<TimeEstimate>{}), std::nullopt);
  EXPECT_EQ(fastest(std::vector{TimeEstimate(), TimeEstimate()}), std::nullopt);
  EXPECT_EQ(fastest(std::vector{TimeEstimate(), time(5, 5, 5, 1)}), 1u);
}
