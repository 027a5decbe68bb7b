//===- TuneStatistics.cpp - which candidate is faster, and how sure that is -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Autotune/TuneStatistics.h"

#include <algorithm>
#include <cmath>

namespace tessera::rt {

/// How many samples at each end lie outside the interval: as many as a fair coin leaves with less than 2.5 %.
static std::size_t outside(std::size_t count) {
  const auto n = static_cast<double>(count);
  if (count > 200) // the normal approximation
    return static_cast<std::size_t>(std::max(0.0, (n - 1.96 * std::sqrt(n)) / 2 - 1));
  double probability = std::exp2(-n), sum = 0;
  for (std::size_t k = 0; k != count; ++k) {
    sum += probability;
    if (sum > 0.025)
      return k;
    probability *= (n - static_cast<double>(k)) / static_cast<double>(k + 1);
  }
  return 0;
}

TimeEstimate estimate(std::vector<double> samples) {
  if (samples.empty())
    return {};
  std::ranges::sort(samples);
  const std::size_t count = samples.size(), half = count / 2;
  // With k samples outside, the interval runs from the k-th to the k-th last, counted from 1.
  const std::size_t skipped = std::max<std::size_t>(outside(count), 1) - 1;
  return {count % 2 ? samples[half] : (samples[half - 1] + samples[half]) / 2, samples[skipped],
          samples[count - 1 - skipped], static_cast<int>(count)};
}

bool isSlower(const TimeEstimate &slower, const TimeEstimate &faster) {
  return slower.samples >= kEnoughSamples && faster.samples >= kEnoughSamples && slower.low > faster.high;
}

static bool isSharp(const TimeEstimate &time) {
  return time.samples >= kEnoughSamples && time.high - time.low <= 2 * kTie * time.ms;
}

bool areTied(const TimeEstimate &a, const TimeEstimate &b) {
  return isSharp(a) && isSharp(b) && std::fabs(a.ms - b.ms) <= kTie * std::min(a.ms, b.ms);
}

std::optional<std::size_t> fastest(std::span<const TimeEstimate> candidates) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i != candidates.size(); ++i)
    if (candidates[i].samples && (!best || candidates[i].ms < candidates[*best].ms))
      best = i;
  if (!best)
    return best;
  const TimeEstimate leader = candidates[*best];
  for (std::size_t i = 0; i != *best; ++i)
    if (candidates[i].samples && candidates[i].ms <= leader.ms * (1 + kTie) && !isSlower(candidates[i], leader))
      return i;
  return best;
}

} // namespace tessera::rt
