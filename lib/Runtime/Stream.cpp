//===- Stream.cpp - queues of work and points in them ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "tessera/runtime/Stream.h"

#include "Runtime/DeviceState.h"

#include "tessera/core/Error.h"
#include "tessera/runtime/Device.h"

#include <atomic>
#include <fmt/format.h>

namespace tessera {

struct Event::State {
  State(rt::DeviceState &device, bool timing)
      : device(device), native(device.driver.createEvent(device.index, timing)), timing(timing) {}
  ~State() { device.driver.destroyEvent(device.index, native); }
  State(const State &) = delete;
  State &operator=(const State &) = delete;

  rt::DeviceState &device;
  void *const native;
  const bool timing;
  std::atomic<bool> recorded{false};
};

/// UsageError unless \p event and the stream of \p stream belong together.
static void requireSameDevice(const rt::DeviceState &event, const rt::DeviceState &stream) {
  if (&event != &stream)
    throw UsageError(
        fmt::format("an event of device {} meets a stream of device {}; make the event on the stream's device",
                    event.name, stream.name));
}

Stream Stream::borrow(const Device &device, void *native) { return Stream(device.state().borrow(native)); }
Device Stream::device() const { return Device(state_->device); }
void *Stream::native() const { return state_->native; }
void Stream::synchronize() const { state_->synchronize(); }

void Stream::wait(const Event &event) const {
  const Event::State &point = *event.state_;
  if (!point.recorded)
    return;
  point.device.driver.waitEvent(state_->device.index, state_->native, point.native);
}

Event::Event(const Device &device, bool timing) : state_(std::make_shared<State>(device.state(), timing)) {}

void Event::record(const Stream &stream) const {
  requireSameDevice(state_->device, stream.state().device);
  state_->device.driver.recordEvent(state_->device.index, stream.native(), state_->native);
  state_->recorded = true;
}

void Event::synchronize() const {
  if (state_->recorded)
    state_->device.driver.synchronizeEvent(state_->device.index, state_->native);
}

double Event::milliseconds_since(const Event &earlier) const {
  requireSameDevice(state_->device, earlier.state_->device);
  if (!state_->recorded || !earlier.state_->recorded)
    throw UsageError("the time between two events needs both recorded; call record on a stream first");
  if (!state_->timing || !earlier.state_->timing)
    throw UsageError("the time between two events needs both made with timing");
  synchronize();
  earlier.synchronize();
  return state_->device.driver.elapsedMs(state_->device.index, earlier.state_->native, state_->native);
}

} // namespace tessera
