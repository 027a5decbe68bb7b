//===- TuneTiming.h - candidates timed in turn until one has won -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

//
// Samples of all candidates are interleaved, so that a machine that slows down slows all of them. Whoever is beyond
// doubt slower than the leader drops out. It ends when only the leader is left or the rest is as fast, or with the
// budget.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_AUTOTUNE_TUNETIMING_H
#define TESSERA_RUNTIME_AUTOTUNE_TUNETIMING_H

#include "Runtime/Autotune/TuneStatistics.h"

#include <exception>
#include <functional>
#include <string>
#include <vector>

namespace tessera::rt {

/// Somebody to be timed.
class Trial {
public:
  virtual ~Trial();
  /// Milliseconds of one call, from one sample. What it throws gives the candidate up, unless `fatal` says otherwise.
  virtual double sample() = 0;
};

struct TimingLimits {
  double budgetMs = 1000;     ///< wall time of all samples
  double timeLimitMs = 10000; ///< of one call
};

/// What became of one candidate.
struct TrialResult {
  TimeEstimate time;
  double spentMs = 0;       ///< wall time of its samples
  std::string gaveUp;       ///< why it has no time; empty if it has
  std::exception_ptr error; ///< what that tells of, if it was thrown
};

struct TimingOutcome {
  std::vector<TrialResult> trials; ///< in the order given
  const char *ending = "";         ///< `separated`, `tied`, `budget spent`
};

/// Who watches and helps.
struct TimingHooks {
  std::function<double()> nowMs;                 ///< a clock; the steady one if empty
  std::function<void(std::size_t trial)> before; ///< each sample; `after` follows it, whatever it throws
  std::function<void()> after;
  std::function<void(std::size_t trial, const std::string &reason)> failed; ///< may throw: then timing ends with that
  std::function<void(double share)> progress;                               ///< of the budget
};

/// Times \p trials against each other.
TimingOutcome timeInTurn(const std::vector<Trial *> &trials, const TimingLimits &limits, const TimingHooks &hooks);

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_AUTOTUNE_TUNETIMING_H
