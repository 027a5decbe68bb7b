//===- DeviceTrial.h - a launch that is timed on its device --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

//
// By the device's own events. Calls of 0.1 ms and more are timed one by one, after other memory has displaced theirs
// from the caches; shorter ones many at a time, captured into a graph where the device has graphs, so that the host's
// time for a launch does not count.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_AUTOTUNE_DEVICETRIAL_H
#define TESSERA_RUNTIME_AUTOTUNE_DEVICETRIAL_H

#include "Runtime/Autotune/TuneTiming.h"
#include "Runtime/DeviceState.h"

#include <functional>
#include <memory>

namespace tessera::rt {

/// Calls below this are timed many at a time.
inline constexpr double kShortMs = 0.1;

/// A stream to time on, two events, and memory to fill the caches with.
class TimingStream {
public:
  explicit TimingStream(DeviceState &device);
  ~TimingStream();
  TimingStream(const TimingStream &) = delete;
  TimingStream &operator=(const TimingStream &) = delete;

  StreamState &stream() { return *state; }
  const std::shared_ptr<StreamState> &handle() const { return state; }
  /// Displaces what is in the caches.
  void flush();
  /// Milliseconds of the device's time for what \p enqueue enqueues. Waits for it.
  double time(const std::function<void()> &enqueue);

private:
  DeviceState &device;
  const std::shared_ptr<StreamState> state;
  void *before = nullptr, *after = nullptr;
  void *memory = nullptr;
  std::size_t memoryBytes = 0;
};

/// What is timed of one candidate.
struct TimedLaunch {
  std::function<void()> enqueue; ///< on the stream of the TimingStream
  std::function<void()> prepare; ///< enqueues what must be done before each call, untimed; empty if nothing must
  std::function<void()> finish;  ///< the same after each call
};

/// A candidate on a device.
class DeviceTrial final : public Trial {
public:
  DeviceTrial(TimingStream &timing, TimedLaunch launch) : timing(timing), launch(std::move(launch)) {}
  double sample() override;

private:
  double single();

  TimingStream &timing;
  const TimedLaunch launch;
  bool warm = false;
  double least = 0; ///< of the first calls
  int calls = 1;    ///< in a sample
  std::unique_ptr<CapturedWork> captured;
};

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_AUTOTUNE_DEVICETRIAL_H
