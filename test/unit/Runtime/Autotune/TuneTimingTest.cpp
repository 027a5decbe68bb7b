//===- TuneTimingTest.cpp - candidates timed in turn -------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Autotune/TuneTiming.h"

#include <gmock/gmock.h>

#include <random>
#include <stdexcept>

using namespace tessera::rt;
using testing::HasSubstr;

namespace {

/// Time goes on by what samples take.
class TuneTimingTest : public testing::Test {
protected:
  /// Takes about \p ms, give or take \p noise of it, plus what is added to everybody.
  struct Fake : Trial {
    Fake(TuneTimingTest &test, double ms, double noise) : test(test), ms(ms), noise(noise) {}
    double sample() override {
      ++calls;
      test.order.push_back(this);
      if (calls == failsAt)
        throw std::runtime_error("failed on purpose");
      const double taken = ms * (1 + noise * std::uniform_real_distribution<double>(-1, 1)(test.random)) * test.drag;
      test.now += taken;
      return taken;
    }
    TuneTimingTest &test;
    double ms, noise;
    int calls = 0, failsAt = 0;
  };

  Fake &add(double ms, double noise = 0.02) {
    owned.push_back(std::make_unique<Fake>(*this, ms, noise));
    trials.push_back(owned.back().get());
    return *owned.back();
  }
  TimingOutcome run(double budget = 1000, double limit = 10000) {
    hooks.nowMs = [this] { return now; };
    return timeInTurn(trials, {budget, limit}, hooks);
  }
  std::size_t winner(const TimingOutcome &outcome) {
    std::vector<TimeEstimate> times;
    for (const TrialResult &result : outcome.trials)
      times.push_back(result.time);
    return fastest(times).value();
  }

  double now = 0, drag = 1;
  std::mt19937 random{1};
  std::vector<std::unique_ptr<Fake>> owned;
  std::vector<Trial *> trials;
  std::vector<Trial *> order;
  TimingHooks hooks;
};

} // namespace

TEST_F(TuneTimingTest, endsWhenTheWinnerIsSeparated) {
  add(1.2), add(1.0), add(1.4);
  const TimingOutcome outcome = run();
  EXPECT_STREQ(outcome.ending, "separated");
  EXPECT_EQ(winner(outcome), 1u);
  EXPECT_LT(now, 60) << "long before the budget of 1000";
  EXPECT_GE(outcome.trials[1].time.samples, kEnoughSamples);
}

TEST_F(TuneTimingTest, endsWhenTheRestIsAsFast) {
  add(1.0, 0.001), add(1.001, 0.001), add(3);
  const TimingOutcome outcome = run();
  EXPECT_STREQ(outcome.ending, "tied");
  EXPECT_EQ(winner(outcome), 0u);
}

TEST_F(TuneTimingTest, endsWithTheBudget) {
  add(1.0, 0.5), add(1.02, 0.5);
  const TimingOutcome outcome = run(100);
  EXPECT_STREQ(outcome.ending, "budget spent");
  EXPECT_NEAR(now, 100, 5);
}

// However small the budget, everybody is tried.
TEST_F(TuneTimingTest, everybodyIsTriedOnce) {
  add(50), add(40), add(60);
  const TimingOutcome outcome = run(1);
  for (const TrialResult &result : outcome.trials)
    EXPECT_GT(result.time.samples, 0);
  EXPECT_EQ(winner(outcome), 1u);
}

TEST_F(TuneTimingTest, wastesNoTimeOnTheHopeless) {
  Fake &slow = add(100);
  add(1), add(1.3);
  run();
  EXPECT_LE(slow.calls, 3);
}

// A machine that gets slower must not favour those who came first.
TEST_F(TuneTimingTest, samplesAreInterleaved) {
  Fake &a = add(1.0, 0.05), &b = add(0.97, 0.05);
  hooks.after = [this] { drag *= 1.001; };
  const TimingOutcome outcome = run(400);
  EXPECT_EQ(winner(outcome), 1u);
  EXPECT_LE(std::abs(a.calls - b.calls), 1);
  int firsts = 0, rounds = 0;
  for (std::size_t i = 6; i + 1 < order.size(); i += 2, ++rounds)
    firsts += order[i] == &a;
  EXPECT_NEAR(firsts, rounds / 2.0, 1) << "each comes first in half of the rounds";
}

TEST_F(TuneTimingTest, thoseThatFailAreGivenUp) {
  Fake &fails = add(0.95);
  fails.failsAt = 5;
  add(1);
  add(0.9).failsAt = 1;
  std::vector<std::size_t> failed;
  hooks.failed = [&](std::size_t i, const std::string &reason) {
    failed.push_back(i);
    EXPECT_EQ(reason, "failed on purpose");
  };
  const TimingOutcome outcome = run();
  EXPECT_EQ(outcome.trials[0].gaveUp, "failed on purpose");
  EXPECT_EQ(outcome.trials[0].time, TimeEstimate());
  EXPECT_THAT(failed, testing::ElementsAre(2, 0));
  EXPECT_EQ(winner(outcome), 1u);
}

TEST_F(TuneTimingTest, thoseBeyondTheLimitAreGivenUp) {
  Fake &slow = add(500, 0);
  add(1);
  const TimingOutcome outcome = run(1000, 100);
  EXPECT_EQ(slow.calls, 1);
  EXPECT_EQ(outcome.trials[0].gaveUp, "a call took 500 ms, longer than the limit of 100 ms");
}

TEST_F(TuneTimingTest, nobodyIsLeftIfAllFail) {
  add(1).failsAt = 1;
  add(1).failsAt = 2;
  const TimingOutcome outcome = run();
  EXPECT_FALSE(outcome.trials[0].gaveUp.empty());
  EXPECT_FALSE(outcome.trials[1].gaveUp.empty());
  EXPECT_TRUE(run().trials.size() == 2) << "and nothing hangs";
}

TEST_F(TuneTimingTest, failuresMayEndEverything) {
  add(1).failsAt = 4;
  add(1);
  hooks.failed = [](std::size_t, const std::string &) { throw std::logic_error("the device is lost"); };
  EXPECT_THROW(run(), std::logic_error);
}
