//===- HipDriver.cpp - AMD's devices --------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Every call makes the device the thread's current one for its own time, but for launches on a stream, which name their
// device by it.
//
//===---------------------------------------------------------------------===//

#include "Runtime/HIP/HipDriver.h"

#include "Runtime/Drivers.h"
#include "Runtime/HIP/HipDevice.h"
#include "Runtime/HIP/HipKernel.h"

#include "tessera/core/Error.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mutex>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tessera::rt {
namespace hip {

static StreamHandle streamOf(void *stream) { return static_cast<StreamHandle>(stream); }
static EventHandle eventOf(void *event) { return static_cast<EventHandle>(event); }
/// The runtime does not write to what it copies from.
static void *sourceOf(const void *memory) { return const_cast<void *>(memory); }

/// Whether \p stream is the null stream or another of the runtime's constants, which mean the current device's.
static bool needsDevice(void *stream) { return reinterpret_cast<std::uintptr_t>(stream) <= 2; }

namespace {

class HipDriver final : public DeviceDriver {
public:
  explicit HipDriver(Places places) : places(std::move(places)) {}

  std::string_view family() const override { return "hip"; }
  bool isNumbered() const override { return true; }
  int priority() const override { return 100; }
  int deviceCount() noexcept override {
    std::call_once(looked, [this] { look(); });
    return static_cast<int>(devices.size());
  }
  std::string whyAbsent() noexcept override {
    deviceCount();
    return absent;
  }
  DeviceProperties properties(int device) override { return use(device).properties(); }

  void *allocate(int index, std::size_t bytes) override {
    HipDevice &device = use(index);
    const CurrentDevice current(device);
    void *memory = nullptr;
    const Result code = device.api.hipMalloc(&memory, std::max<std::size_t>(bytes, 1));
    if (code == Result::OutOfMemory) {
      std::size_t free = 0, total = 0;
      device.api.hipMemGetInfo(&free, &total);
      device.api.hipGetLastError(); // of which others would think that it is theirs
      throw DeviceError(fmt::format("device {} has no memory for {} more bytes: {} of {} are free", device.name(),
                                    bytes, free, total));
    }
    if (code != Result::Success)
      device.fail("hipMalloc", code);
    return memory;
  }
  void free(int index, void *memory) noexcept override {
    quietly(index, [&](const Api &api) { api.hipFree(memory); });
  }
  void *allocateHost(int index, std::size_t bytes) override {
    HipDevice &device = use(index);
    const CurrentDevice current(device);
    void *memory = nullptr;
    device.call("hipHostMalloc", device.api.hipHostMalloc, &memory, std::max<std::size_t>(bytes, 1),
                kHostPortable | kHostMapped | kHostCoherent);
    return memory;
  }
  void freeHost(int index, void *memory) noexcept override {
    quietly(index, [&](const Api &api) { api.hipHostFree(memory); });
  }

  void copyToDevice(int index, void *stream, void *to, const void *from, std::size_t bytes) override {
    HipDevice &device = use(index);
    if (!bytes)
      return;
    const CurrentDevice current(device);
    device.call("hipMemcpyHtoDAsync", device.api.hipMemcpyHtoDAsync, to, sourceOf(from), bytes, streamOf(stream));
  }
  void copyToHost(int index, void *stream, void *to, const void *from, std::size_t bytes) override {
    HipDevice &device = use(index);
    if (!bytes)
      return;
    const CurrentDevice current(device);
    device.call("hipMemcpyDtoHAsync", device.api.hipMemcpyDtoHAsync, to, sourceOf(from), bytes, streamOf(stream));
  }
  void copyOnDevice(int index, void *stream, void *to, const void *from, std::size_t bytes) override {
    HipDevice &device = use(index);
    if (!bytes)
      return;
    const CurrentDevice current(device);
    device.call("hipMemcpyDtoDAsync", device.api.hipMemcpyDtoDAsync, to, sourceOf(from), bytes, streamOf(stream));
  }
  void fill(int index, void *stream, void *to, std::uint64_t pattern, int patternBytes, std::size_t count) override;

  void *createStream(int index) override {
    HipDevice &device = use(index);
    const CurrentDevice current(device);
    StreamHandle stream = nullptr;
    // It waits for the default stream and the other way round: copies without a stream see what launches on it did.
    device.call("hipStreamCreate", device.api.hipStreamCreate, &stream);
    return stream;
  }
  void destroyStream(int index, void *stream) noexcept override {
    quietly(index, [&](const Api &api) { api.hipStreamDestroy(streamOf(stream)); });
  }
  void synchronize(int index, void *stream) override {
    HipDevice &device = use(index);
    const CurrentDevice current(device);
    device.call("hipStreamSynchronize", device.api.hipStreamSynchronize, streamOf(stream));
  }
  bool isCapturing(int index, void *stream) override {
    HipDevice &device = use(index);
    const CurrentDevice current(device);
    CaptureStatus status = CaptureStatus::None;
    const Result code = device.api.hipStreamIsCapturing(streamOf(stream), &status);
    if (code == Result::CaptureImplicit) { // the null stream, while a stream that waits for it is captured
      device.api.hipGetLastError();
      return true;
    }
    if (code != Result::Success)
      device.fail("hipStreamIsCapturing", code);
    return status != CaptureStatus::None;
  }
  std::unique_ptr<CapturedWork> capture(int index, void *stream, const std::function<void()> &enqueue) override;

  void *createEvent(int index, bool timing) override {
    HipDevice &device = use(index);
    const CurrentDevice current(device);
    EventHandle event = nullptr;
    device.call("hipEventCreateWithFlags", device.api.hipEventCreateWithFlags, &event,
                timing ? 0u : kEventDisableTiming);
    return event;
  }
  void destroyEvent(int index, void *event) noexcept override {
    quietly(index, [&](const Api &api) { api.hipEventDestroy(eventOf(event)); });
  }
  void recordEvent(int index, void *stream, void *event) override {
    HipDevice &device = use(index);
    const CurrentDevice current(device);
    device.call("hipEventRecord", device.api.hipEventRecord, eventOf(event), streamOf(stream));
  }
  void waitEvent(int index, void *stream, void *event) override {
    HipDevice &device = use(index);
    const CurrentDevice current(device);
    device.call("hipStreamWaitEvent", device.api.hipStreamWaitEvent, streamOf(stream), eventOf(event), 0u);
  }
  void synchronizeEvent(int index, void *event) override {
    HipDevice &device = use(index);
    const CurrentDevice current(device);
    device.call("hipEventSynchronize", device.api.hipEventSynchronize, eventOf(event));
  }
  double elapsedMs(int index, void *from, void *to) override {
    HipDevice &device = use(index);
    const CurrentDevice current(device);
    float ms = 0;
    device.call("hipEventElapsedTime", device.api.hipEventElapsedTime, &ms, eventOf(from), eventOf(to));
    return ms;
  }

  std::unique_ptr<LoadedKernel> load(int device, const Image &image) override {
    return std::make_unique<HipKernel>(use(device), image);
  }
  void launch(int, void *stream, LoadedKernel &kernel, const LaunchParams &params) override {
    auto &loaded = static_cast<HipKernel &>(kernel);
    if (needsDevice(stream)) {
      loaded.device.health.requireAlive();
      const CurrentDevice current(loaded.device);
      loaded.launch(streamOf(stream), params);
    } else {
      loaded.launch(streamOf(stream), params);
    }
  }

private:
  void look() noexcept;
  /// Why no file of the kernel promises a device; empty if one does.
  std::string problemOfFiles() const;

  /// The device, which works.
  HipDevice &use(int index) {
    deviceCount();
    HipDevice &device = *devices.at(static_cast<std::size_t>(index));
    device.health.requireAlive();
    return device;
  }
  /// Calls \p action with the device as the current one, unless it is lost. What goes wrong stays unsaid.
  template <class Action> void quietly(int index, Action action) noexcept {
    HipDevice &device = *devices[static_cast<std::size_t>(index)];
    if (device.health.isLost())
      return;
    try {
      const CurrentDevice current(device);
      action(device.api);
    } catch (const DeviceError &) { // the runtime does not take the device
    }
  }

  const Places places;
  std::once_flag looked;
  std::unique_ptr<const Api> api;
  std::vector<std::unique_ptr<HipDevice>> devices;
  std::string absent;
};

} // namespace

std::string HipDriver::problemOfFiles() const {
  if (places.files.empty())
    return {};
  std::string closed;
  for (const std::string &file : places.files) {
    if (access(file.c_str(), R_OK | W_OK) == 0)
      return {};
    if (closed.empty() && access(file.c_str(), F_OK) == 0)
      closed = file;
  }
  if (!closed.empty())
    return fmt::format("{} is closed to this user; the groups `render` and `video` may open it", closed);
  return fmt::format("there is no {}, which the kernel's driver for AMD's GPUs makes", fmt::join(places.files, " or "));
}

void HipDriver::look() noexcept {
  try {
    absent = problemOfFiles();
    if (!absent.empty())
      return;
    api = Api::open(places.libraries, absent);
    if (!api)
      return;
    int count = 0;
    if (const Result code = api->hipGetDeviceCount(&count); code != Result::Success && code != Result::NoDevice) {
      absent = fmt::format("AMD's HIP runtime does not count its devices: {}", api->describe(code));
      return;
    }
    bool usable = false;
    for (int i = 0; i != count; ++i) {
      devices.push_back(std::make_unique<HipDevice>(*api, i));
      usable |= !chipFor(devices.back()->archName()).empty();
    }
    if (usable)
      return;
    absent = count ? fmt::format("there is no code generation for AMD's devices here, the first of which is a {}",
                                 devices[0]->archName())
                   : "AMD's HIP runtime found no device";
  } catch (const std::exception &error) {
    absent = error.what();
  }
  devices.clear();
}

void HipDriver::fill(int index, void *stream, void *to, std::uint64_t pattern, int patternBytes, std::size_t count) {
  HipDevice &device = use(index);
  if (!count)
    return;
  const CurrentDevice current(device);
  const Api &api = device.api;
  auto *const start = static_cast<std::byte *>(to);
  const auto words = [&](std::byte *at, std::uint64_t word, std::size_t number) {
    device.call("hipMemsetD32Async", api.hipMemsetD32Async, static_cast<void *>(at),
                static_cast<int>(static_cast<std::uint32_t>(word)), number, streamOf(stream));
  };
  switch (patternBytes) {
  case 1:
    return device.call("hipMemsetD8Async", api.hipMemsetD8Async, to, static_cast<unsigned char>(pattern), count,
                       streamOf(stream));
  case 2:
    return device.call("hipMemsetD16Async", api.hipMemsetD16Async, to, static_cast<unsigned short>(pattern), count,
                       streamOf(stream));
  case 4:
    return words(start, pattern, count);
  case 8:
    if (static_cast<std::uint32_t>(pattern) == pattern >> 32)
      return words(start, pattern, 2 * count);
    // The first one by its halves; then what there is, behind itself.
    words(start, pattern, 1);
    words(start + 4, pattern >> 32, 1);
    for (std::size_t done = 8, bytes = 8 * count; done != bytes;) {
      const std::size_t more = std::min(done, bytes - done);
      device.call("hipMemcpyDtoDAsync", api.hipMemcpyDtoDAsync, static_cast<void *>(start + done), to, more,
                  streamOf(stream));
      done += more;
    }
    return;
  default:
    throw InternalError(fmt::format("a fill with a pattern of {} bytes", patternBytes));
  }
}

namespace {
struct HipGraph final : CapturedWork {
  explicit HipGraph(HipDevice &device) : device(device) {}
  ~HipGraph() override {
    if (!executable || device.health.isLost())
      return;
    try {
      const CurrentDevice current(device);
      device.api.hipGraphExecDestroy(executable);
    } catch (const DeviceError &) { // the runtime does not take the device
    }
  }
  void enqueue(void *stream) override {
    device.health.requireAlive();
    const CurrentDevice current(device);
    device.call("hipGraphLaunch", device.api.hipGraphLaunch, executable, streamOf(stream));
  }

  HipDevice &device;
  ExecutableGraphHandle executable = nullptr;
};
} // namespace

std::unique_ptr<CapturedWork> HipDriver::capture(int index, void *stream, const std::function<void()> &enqueue) {
  HipDevice &device = use(index);
  const Api &api = device.api;
  if (!api.hipStreamBeginCapture || !api.hipStreamEndCapture || !api.hipGraphInstantiate || !api.hipGraphLaunch ||
      !api.hipGraphExecDestroy || !api.hipGraphDestroy)
    return nullptr;
  const CurrentDevice current(device);
  auto work = std::make_unique<HipGraph>(device);
  device.call("hipStreamBeginCapture", api.hipStreamBeginCapture, streamOf(stream), CaptureMode::ThreadLocal);
  GraphHandle graph = nullptr;
  try {
    enqueue();
  } catch (...) {
    if (api.hipStreamEndCapture(streamOf(stream), &graph) != Result::Success)
      api.hipGetLastError(); // of which others would think that it is theirs
    else if (graph)
      api.hipGraphDestroy(graph);
    throw;
  }
  device.call("hipStreamEndCapture", api.hipStreamEndCapture, streamOf(stream), &graph);
  const Result code = api.hipGraphInstantiate(&work->executable, graph, nullptr, nullptr, std::size_t{0});
  api.hipGraphDestroy(graph);
  if (code != Result::Success)
    device.fail("hipGraphInstantiate", code);
  return work;
}

std::unique_ptr<DeviceDriver> createDriver(Places places) { return std::make_unique<HipDriver>(std::move(places)); }

} // namespace hip

std::unique_ptr<DeviceDriver> createHipDriver() {
  // Of native Linux and of Linux under Windows.
  return hip::createDriver({.files = {"/dev/kfd", "/dev/dxg"},
                            .libraries = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so",
                                          "/opt/rocm/lib/libamdhip64.so"}});
}

} // namespace tessera::rt
