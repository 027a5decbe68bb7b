//===- Timer.cpp - how long work takes on a GPU --------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Timer.h"

#include "RawDriver.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace tessera::bench {

/// Larger than any L2 cache.
static constexpr std::int64_t kCacheBytes = std::int64_t{256} << 20;
static constexpr int kBursts = 7;
static constexpr double kBurstMs = 20;
static constexpr auto kIdle = std::chrono::milliseconds(150);
/// Calls below this are replayed.
static constexpr double kShortMs = 0.1;
static constexpr int kReplays = 10;

double medianOf(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// How often work of \p each milliseconds fits into \p ms, at least once.
static int fitting(double ms, double each) { return std::max(1, static_cast<int>(ms / std::max(each, 1e-5))); }

Timer::Timer(const Device &device, bool brief)
    : device(device), brief(brief), cache(device.buffer<u8>(brief ? 1 << 20 : kCacheBytes)) {}

double Timer::between(const Stream &stream, const std::function<void()> &enqueue) const {
  const Event start(device), end(device);
  start.record(stream);
  enqueue();
  end.record(stream);
  end.synchronize();
  return end.milliseconds_since(start);
}

double Timer::callByCall(const Work &work, double warmupMs, double ms) const {
  const Stream stream = device.stream();
  work(stream);
  stream.synchronize();
  const double estimate = between(stream,
                                  [&] {
                                    for (int i = 0; i != 5; ++i) {
                                      cache.fill_async(stream, 0);
                                      work(stream);
                                    }
                                  }) /
                          5;
  for (int i = 0, n = brief ? 1 : fitting(warmupMs, estimate); i != n; ++i)
    work(stream);
  const int count = brief ? 2 : fitting(ms, estimate);
  std::vector<Event> starts, ends;
  for (int i = 0; i != count; ++i) {
    starts.emplace_back(device);
    ends.emplace_back(device);
  }
  for (int i = 0; i != count; ++i) {
    cache.fill_async(stream, 0);
    starts[i].record(stream);
    work(stream);
    ends[i].record(stream);
  }
  stream.synchronize();
  std::vector<double> times;
  for (int i = 0; i != count; ++i)
    times.push_back(ends[i].milliseconds_since(starts[i]));
  return medianOf(times);
}

double Timer::replayed(const Work &work, double ms) const {
  const Stream stream = device.create_stream();
  work(stream);
  stream.synchronize();
  const double estimate = between(stream,
                                  [&] {
                                    for (int i = 0; i != 5; ++i)
                                      work(stream);
                                  }) /
                          5;
  const int count = fitting(ms, estimate);
  const auto graph = RawDriver::get()->capture(stream.native(), [&] {
    for (int i = 0; i != count; ++i)
      work(stream);
  });
  graph->launch(stream.native());
  stream.synchronize();
  std::vector<double> times;
  for (int i = 0; i != kReplays; ++i)
    times.push_back(between(stream, [&] { graph->launch(stream.native()); }) / count);
  return medianOf(times);
}

double Timer::median(const Work &work) const {
  const double first = callByCall(work, 5, 10);
  const bool replays = first < kShortMs && device.target().family() == "cuda";
  std::vector<double> times;
  for (int burst = 0; burst != (brief ? 1 : kBursts); ++burst) {
    if (!brief)
      std::this_thread::sleep_for(kIdle);
    times.push_back(replays ? replayed(work, brief ? 1 : kBurstMs) : callByCall(work, 2, kBurstMs));
  }
  return medianOf(times);
}

} // namespace tessera::bench
