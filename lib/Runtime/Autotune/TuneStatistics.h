//===- TuneStatistics.h - which candidate is faster, and how sure that is -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_AUTOTUNE_TUNESTATISTICS_H
#define TESSERA_RUNTIME_AUTOTUNE_TUNESTATISTICS_H

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace tessera::rt {

/// The time of one call, from several samples.
struct TimeEstimate {
  double ms = 0;            ///< median
  double low = 0, high = 0; ///< confidence interval of the median; of too few samples, the least and the greatest
  int samples = 0;

  bool operator==(const TimeEstimate &) const = default;
};

/// Samples below which nothing can be said with 95 % confidence.
inline constexpr int kEnoughSamples = 6;
/// Candidates whose medians differ by less than this are equally fast.
inline constexpr double kTie = 0.01;

/// The median of \p samples and its 95 % confidence interval, by order statistics: whatever the distribution.
TimeEstimate estimate(std::vector<double> samples);

/// Whether \p slower is slower than \p faster beyond doubt.
bool isSlower(const TimeEstimate &slower, const TimeEstimate &faster);
/// Whether both medians are known well and too close to matter.
bool areTied(const TimeEstimate &a, const TimeEstimate &b);

/// The fastest candidate; the earliest of those that are as fast, by the medians, unless they differ beyond doubt.
/// Those without samples do not take part. Nothing if none does.
std::optional<std::size_t> fastest(std::span<const TimeEstimate> candidates);

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_AUTOTUNE_TUNESTATISTICS_H
