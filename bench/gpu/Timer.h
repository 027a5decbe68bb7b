//===- Timer.h - how long work takes on a GPU ------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Other systems are timed in Python; this is the same protocol step by step, so that rows can stand side by side. Work
// is timed by the device's own events in short bursts with idle time between them, because a card that is kept busy for
// long slows down, and the median of the bursts counts. Work of 0.1 ms and more is timed call by call with a cold L2
// cache; shorter work is captured into a graph of many calls, so that the host's time for a launch does not count.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_BENCH_GPU_TIMER_H
#define TESSERA_BENCH_GPU_TIMER_H

#include "tessera/tessera.h"

#include <functional>

namespace tessera::bench {

/// Enqueues the work once.
using Work = std::function<void(const Stream &)>;

class Timer {
public:
  /// \p brief: one short burst, to see that everything works.
  Timer(const Device &device, bool brief);

  /// Milliseconds of one call, for choosing among candidates.
  double quick(const Work &work) const { return callByCall(work, 5, 15); }
  /// Milliseconds of one call, for rows.
  double median(const Work &work) const;

private:
  double callByCall(const Work &work, double warmupMs, double ms) const;
  double replayed(const Work &work, double ms) const;
  double between(const Stream &stream, const std::function<void()> &enqueue) const;

  Device device;
  bool brief;
  mutable Buffer<u8> cache; ///< written before each call, to put everything else out of the L2 cache
};

/// The middle of \p values; of two, the upper one.
double medianOf(std::vector<double> values);

} // namespace tessera::bench

#endif // TESSERA_BENCH_GPU_TIMER_H
