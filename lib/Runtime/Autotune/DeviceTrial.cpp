//===- DeviceTrial.cpp - a launch that is timed on its device ----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Autotune/DeviceTrial.h"

#include "tessera/core/Error.h"

#include <algorithm>

namespace tessera::rt {

/// What a sample of short calls takes altogether.
static constexpr double kSampleMs = 1;
static constexpr int kMostCalls = 2000;
/// Calls above this are not repeated to warm up.
static constexpr double kLongMs = 50;
/// Of memory for displacing others, whatever the size of the cache.
static constexpr std::int64_t kMostFlushBytes = std::int64_t{256} << 20, kUsualFlushBytes = std::int64_t{64} << 20;

TimingStream::TimingStream(DeviceState &device)
    : device(device), state(std::make_shared<StreamState>(device, device.driver.createStream(device.index), true)) {
  before = device.driver.createEvent(device.index, true);
  after = device.driver.createEvent(device.index, true);
}

TimingStream::~TimingStream() {
  for (void *event : {before, after})
    device.driver.destroyEvent(device.index, event);
  if (memory)
    device.driver.free(device.index, memory);
}

void TimingStream::flush() {
  if (!memoryBytes) {
    const std::int64_t cache = device.properties.cacheBytes;
    memoryBytes = static_cast<std::size_t>(cache ? std::min(2 * cache, kMostFlushBytes) : kUsualFlushBytes);
    try {
      memory = device.driver.allocate(device.index, memoryBytes);
    } catch (const DeviceError &) {
      memory = nullptr; // a device as full as that displaces its caches by itself
    }
  }
  if (memory)
    device.driver.fill(device.index, state->native, memory, 0, 1, memoryBytes);
}

double TimingStream::time(const std::function<void()> &enqueue) {
  device.driver.recordEvent(device.index, state->native, before);
  enqueue();
  device.driver.recordEvent(device.index, state->native, after);
  device.driver.synchronizeEvent(device.index, after);
  state->synchronize();
  return device.driver.elapsedMs(device.index, before, after);
}

double DeviceTrial::single() {
  if (launch.prepare)
    launch.prepare();
  if (least >= kShortMs)
    timing.flush();
  const double ms = timing.time(launch.enqueue);
  if (launch.finish)
    launch.finish();
  return ms;
}

double DeviceTrial::sample() {
  if (!warm) {
    // The first call loads the kernel; only a second one tells how short it is.
    least = single();
    if (least < kLongMs)
      least = single();
    warm = true;
  }
  // What must be done before each call cannot be repeated in a row.
  if (least >= kShortMs || launch.prepare || launch.finish)
    return single();
  if (calls == 1) {
    calls = std::clamp(static_cast<int>(kSampleMs / std::max(least, 1e-4)), 2, kMostCalls);
    DeviceState &device = timing.stream().device;
    captured = device.driver.capture(device.index, timing.stream().native, [&] {
      for (int i = 0; i != calls; ++i)
        launch.enqueue();
    });
  }
  return timing.time([&] {
    if (captured)
      captured->enqueue(timing.stream().native);
    else
      for (int i = 0; i != calls; ++i)
        launch.enqueue();
  }) / calls;
}

} // namespace tessera::rt
