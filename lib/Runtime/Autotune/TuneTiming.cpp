//===- TuneTiming.cpp - candidates timed in turn until one has won -----===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Autotune/TuneTiming.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace tessera::rt {

Trial::~Trial() = default;

namespace {

/// First calls of a candidate, which load it and warm it up; the least of them is a first guess.
constexpr int kFirstCalls = 3;
/// Whoever takes this many times the least first guess is out of the race without further samples.
constexpr double kHopeless = 2;
/// More samples of one candidate tell nothing new.
constexpr std::size_t kMostSamples = 400;

class Race {
public:
  Race(const std::vector<Trial *> &trials, const TimingLimits &limits, const TimingHooks &hooks)
      : trials(trials), limits(limits), hooks(hooks), samples(trials.size()), guess(trials.size(), kNever) {
    outcome.trials.resize(trials.size());
    running.resize(trials.size());
    std::iota(running.begin(), running.end(), std::size_t{0});
    started = now();
  }

  TimingOutcome run() {
    firstCalls();
    while (outcome.ending[0] == 0) {
      // Nobody always comes first, behind the same neighbour.
      std::ranges::rotate(running, running.begin() + (running.empty() ? 0 : 1));
      const std::vector<std::size_t> now = running;
      for (const std::size_t i : now) {
        if (isSpent())
          break;
        if (take(i))
          outcome.trials[i].time = estimate(samples[i]);
      }
      judge();
    }
    return std::move(outcome);
  }

private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  double now() const {
    if (hooks.nowMs)
      return hooks.nowMs();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  bool isSpent() const { return now() - started >= limits.budgetMs; }
  void drop(std::size_t i) { std::erase(running, i); }

  /// One sample of a candidate; false if it is given up.
  bool take(std::size_t i) {
    const double start = now();
    double ms = 0;
    try {
      if (hooks.before)
        hooks.before(i);
      ms = trials[i]->sample();
      if (hooks.after)
        hooks.after();
    } catch (const std::exception &error) {
      if (hooks.after)
        hooks.after();
      outcome.trials[i].gaveUp = error.what();
      outcome.trials[i].error = std::current_exception();
    }
    outcome.trials[i].spentMs += now() - start;
    if (outcome.trials[i].gaveUp.empty() && ms > limits.timeLimitMs)
      outcome.trials[i].gaveUp =
          fmt::format("a call took {:.0f} ms, longer than the limit of {:.0f} ms", ms, limits.timeLimitMs);
    if (hooks.progress)
      hooks.progress(std::min(1.0, (now() - started) / limits.budgetMs));
    if (outcome.trials[i].gaveUp.empty()) {
      samples[i].push_back(ms);
      return true;
    }
    samples[i].clear();
    outcome.trials[i].time = {};
    guess[i] = kNever;
    drop(i);
    if (hooks.failed)
      hooks.failed(i, outcome.trials[i].gaveUp);
    return false;
  }

  /// Calls everyone, even beyond the budget: each must have had its chance.
  void firstCalls() {
    double best = kNever;
    for (std::size_t i = 0; i != trials.size(); ++i)
      for (int call = 0; call != kFirstCalls && take(i); ++call) {
        guess[i] = std::min(guess[i], samples[i].back());
        best = std::min(best, guess[i]);
        // The first call loads the kernel; from the second on, far behind is far behind.
        if (call && (guess[i] > kHopeless * best || isSpent()))
          break;
      }
    for (std::size_t i = 0; i != trials.size(); ++i) {
      if (guess[i] == kNever)
        continue;
      if (samples[i].size() > 1)
        samples[i].erase(samples[i].begin());
      outcome.trials[i].time = estimate(samples[i]);
      if (guess[i] > kHopeless * best)
        drop(i);
    }
  }

  /// Drops those who have lost and ends the race if it is decided.
  void judge() {
    std::optional<std::size_t> leader;
    for (const std::size_t i : running)
      if (!leader || outcome.trials[i].time.ms < outcome.trials[*leader].time.ms)
        leader = i;
    if (!leader || running.size() == 1) {
      outcome.ending = "separated";
      return;
    }
    const TimeEstimate best = outcome.trials[*leader].time;
    std::erase_if(running, [&](std::size_t i) { return isSlower(outcome.trials[i].time, best); });
    const bool tied = std::ranges::all_of(
        running, [&](std::size_t i) { return i == *leader || areTied(outcome.trials[i].time, best); });
    const bool exhausted =
        std::ranges::all_of(running, [&](std::size_t i) { return samples[i].size() >= kMostSamples; });
    if (running.size() == 1)
      outcome.ending = "separated";
    else if (tied || exhausted)
      outcome.ending = "tied";
    else if (isSpent())
      outcome.ending = "budget spent";
  }

  const std::vector<Trial *> &trials;
  const TimingLimits &limits;
  const TimingHooks &hooks;
  std::vector<std::vector<double>> samples;
  std::vector<double> guess;
  std::vector<std::size_t> running;
  double started = 0;
  TimingOutcome outcome;
};

} // namespace

TimingOutcome timeInTurn(const std::vector<Trial *> &trials, const TimingLimits &limits, const TimingHooks &hooks) {
  return Race(trials, limits, hooks).run();
}

} // namespace tessera::rt
