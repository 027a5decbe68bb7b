//===- Stream.h - queues of work and points in them ------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_STREAM_H
#define TESSERA_RUNTIME_STREAM_H

#include "tessera/core/Export.h"

#include <memory>

namespace tessera {

namespace rt {
struct DeviceState;
struct StreamState;
} // namespace rt

class Device;
class Event;

/// A queue of launches and copies on one device, done in order. A handle: copies name the same stream, which is
/// destroyed with the last of them. Any thread may use it; two threads that enqueue at once get some order.
class TESSERA_API Stream {
public:
  /// A stream of another library: a `CUstream`, a `hipStream_t`. Not destroyed here, and must outlive all uses.
  static Stream borrow(const Device &device, void *native);

  /// The device whose work this is.
  Device device() const;
  /// The vendor's handle; null for the default stream.
  void *native() const;
  /// Waits until everything enqueued so far is done. DeviceError for what went wrong in it: faults that checks found, a
  /// failed device_assert, the vendor's error.
  void synchronize() const;
  /// Makes work enqueued from now on wait for \p event.
  void wait(const Event &event) const;

  /// \name For other parts of this library
  /// @{
  explicit Stream(std::shared_ptr<rt::StreamState> state) : state_(std::move(state)) {}
  rt::StreamState &state() const { return *state_; }
  /// @}

private:
  std::shared_ptr<rt::StreamState> state_;
};

/// A point in a stream, to wait for or to measure from. A handle: copies name the same event.
class TESSERA_API Event {
public:
  /// An event of \p device that has not been recorded. Without \p timing it costs less and cannot measure.
  explicit Event(const Device &device, bool timing = true);
  /// Marks the end of what \p stream, a stream of the same device, holds so far.
  void record(const Stream &stream) const;
  /// Waits until that point is reached. At once if the event was never recorded.
  void synchronize() const;
  /// Milliseconds of the device's time from \p earlier to this event. Both must be recorded and have timing; waits for
  /// both.
  double milliseconds_since(const Event &earlier) const;

private:
  friend class Stream;
  struct State;
  std::shared_ptr<State> state_;
};

} // namespace tessera

#endif // TESSERA_RUNTIME_STREAM_H
