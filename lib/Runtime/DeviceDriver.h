//===- DeviceDriver.h - the interface every kind of device -----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// One implementation per family of devices (interp, null, cpu, cuda, hip), each in a room of its own, listed in
// Registry.h. A call that fails throws DeviceError with the call, the code and the vendor's words. All calls may come
// from any thread, whose current device or context they leave as they find it. A stream or event is the vendor's own
// handle, so that those of other libraries can be used; the null stream is the device's default stream.
//
// A fault may lose a device for the rest of the process (NVIDIA: 700, 716, 719). From then on a driver answers every
// call with the first error and the advice to restart the process; free, destroy and ~LoadedKernel are silent.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_DEVICEDRIVER_H
#define TESSERA_RUNTIME_DEVICEDRIVER_H

#include "Runtime/Image.h"

#include "tessera/core/Target.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace tessera::rt {

/// What a device is and what it allows.
struct DeviceProperties {
  std::string name;        ///< as its vendor calls it
  std::string software;    ///< the driver below this library and its version: "CUDA 13.0"; empty if there is none
  Target target{"interp"}; ///< what to compile for
  /// Of a processor: its architecture and what code for this device may use, separated by commas.
  std::string instructionSets;
  int warpSize = 0; ///< 0: programs are not split over threads
  int multiprocessors = 1;
  std::int64_t memoryBytes = 0;                 ///< 0: unknown
  std::int64_t cacheBytes = 0;                  ///< of what a call that is timed should find cold; 0: unknown
  std::array<std::int64_t, 3> maxGrid{1, 1, 1}; ///< largest extent of a grid, per axis
  std::uint32_t maxThreadsPerProgram = 1;
  std::uint32_t maxSharedBytes = 0; ///< per program, opted in
};

/// A kernel loaded onto one device, ready to launch. Destroyed only when no launch of it is in flight.
class LoadedKernel {
public:
  virtual ~LoadedKernel();
  /// What loading found out, as metadata of images: "registers", "spill_bytes", "shared_bytes" …
  virtual std::vector<std::pair<std::string, std::string>> facts() const { return {}; }
};

/// Work of a stream that was captured, to be enqueued as a whole. Destroyed only when none of it is in flight.
class CapturedWork {
public:
  virtual ~CapturedWork();
  virtual void enqueue(void *stream) = 0;
};

/// What is known about one pointer argument of a launch.
struct PointerExtent {
  const void *address = nullptr;
  std::uint64_t bytes = 0; ///< if `sized`
  bool sized = false;      ///< false: a raw pointer without a count, which may reach anything
  bool readOnly = false;   ///< a pointer to const
};

/// One launch. Everything referred to outlives the call, not the launch.
struct LaunchParams {
  std::array<std::int64_t, 3> grid{1, 1, 1}; ///< of the device: after folding, every extent at least 1
  /// The argument block, hidden arguments filled in. A vendor's launch gets the address of each argument in it.
  std::span<const std::byte> packed;
  /// One per argument of the image, in order; all-zero for those that are not Pointer, Workspace or Counters.
  std::span<const PointerExtent> extents;
};

/// The values of a TMA descriptor, ready to encode.
struct TensorMapValues {
  std::uint64_t address = 0;
  DType dtype;
  int rank = 0;
  std::array<std::uint64_t, 5> extents{};     ///< elements
  std::array<std::uint64_t, 4> strideBytes{}; ///< of axes 1 …
  std::array<std::uint32_t, 5> box{};
  TensorSwizzle swizzle = TensorSwizzle::None;
  TensorFill fill = TensorFill::Zero;
};

/// What makes \p values no descriptor, in words; empty if nothing does. Drivers say "invalid argument" to all of it.
std::string problemOf(const TensorMapValues &values);

class DeviceDriver {
public:
  virtual ~DeviceDriver();

  /// The family in device and target names: "interp", "cuda".
  virtual std::string_view family() const = 0;
  /// Whether its devices are called "family:number"; otherwise the family is the name of its only device.
  virtual bool isNumbered() const { return false; }
  /// What stands behind the colon in the name of a device, if it is not its number: "sm_80". Empty if it is.
  virtual std::string label(int device) const { return (void)device, std::string(); }
  /// Which family Device::current() prefers: the highest with a device. GPUs 100, cpu 50, interp 10, null below 0
  /// (never).
  virtual int priority() const = 0;
  /// Devices present; 0 if the vendor's library is missing. Does not throw.
  virtual int deviceCount() noexcept = 0;
  /// Why there are none, for messages: "libcuda.so.1 was not found". Empty if there are some.
  virtual std::string whyAbsent() noexcept { return {}; }
  virtual DeviceProperties properties(int device) = 0;

  /// \p bytes of device memory aligned to 256; never null, also for 0 bytes.
  virtual void *allocate(int device, std::size_t bytes) = 0;
  /// Frees what allocate() returned, once all work on it is done. Must not throw.
  virtual void free(int device, void *memory) noexcept = 0;
  /// Memory of the host that kernels reach under the same address and that stays readable when a kernel faults. For
  /// records, not for data.
  virtual void *allocateHost(int device, std::size_t bytes) = 0;
  virtual void freeHost(int device, void *memory) noexcept = 0;
  /// Enqueues a copy. The host's memory is free again after synchronize().
  virtual void copyToDevice(int device, void *stream, void *to, const void *from, std::size_t bytes) = 0;
  virtual void copyToHost(int device, void *stream, void *to, const void *from, std::size_t bytes) = 0;
  virtual void copyOnDevice(int device, void *stream, void *to, const void *from, std::size_t bytes) = 0;
  /// Enqueues a fill with a pattern of 1, 2, 4 or 8 bytes, \p count times.
  virtual void fill(int device, void *stream, void *to, std::uint64_t pattern, int patternBytes, std::size_t count) = 0;

  virtual void *createStream(int device) = 0;
  virtual void destroyStream(int device, void *stream) noexcept = 0;
  /// Waits for all work on the stream; DeviceError for what went wrong in it since the last call.
  virtual void synchronize(int device, void *stream) = 0;
  /// Whether the stream is being captured into a graph. Allocating, freeing, unloading and synchronising would break
  /// the capture; loading would not, but takes too long to be wanted there.
  virtual bool isCapturing(int device, void *stream) { return (void)device, (void)stream, false; }
  /// Captures what \p enqueue enqueues on the stream, which is not the null stream, instead of doing it. Null, and
  /// nothing called, where that is not possible.
  virtual std::unique_ptr<CapturedWork> capture(int device, void *stream, const std::function<void()> &enqueue);

  /// An event; only with \p timing may elapsedMs() ask it.
  virtual void *createEvent(int device, bool timing) = 0;
  virtual void destroyEvent(int device, void *event) noexcept = 0;
  virtual void recordEvent(int device, void *stream, void *event) = 0;
  virtual void waitEvent(int device, void *stream, void *event) = 0;
  virtual void synchronizeEvent(int device, void *event) = 0;
  /// Milliseconds between two recorded events that have both happened.
  virtual double elapsedMs(int device, void *from, void *to) = 0;

  /// Loads an image made for properties(device).target and compares the binary's parameters with the image's table
  /// where it can. The image may be destroyed afterwards. `binary` has no terminating zero, also when it is text.
  virtual std::unique_ptr<LoadedKernel> load(int device, const Image &image) = 0;
  /// Enqueues a launch. May run it before returning.
  virtual void launch(int device, void *stream, LoadedKernel &kernel, const LaunchParams &params) = 0;
  /// Writes the 128 bytes of a TMA descriptor, for values that problemOf() finds nothing wrong with. DeviceError on
  /// devices without TMA.
  virtual void encodeTensorMap(int device, const TensorMapValues &values, std::byte *out);
};

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_DEVICEDRIVER_H
