//===- CudaDriver.cpp - NVIDIA's devices ----------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Every call makes the device's context current for its own time, but for launches on a stream, which name their
// context by it.
//
//===---------------------------------------------------------------------===//

#include "Runtime/CUDA/CudaDriver.h"

#include "Runtime/CUDA/CudaDevice.h"
#include "Runtime/CUDA/CudaKernel.h"
#include "Runtime/Drivers.h"

#include "tessera/core/Error.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <mutex>
#include <vector>

namespace tessera::rt {
namespace cuda {

static StreamHandle streamOf(void *stream) { return static_cast<StreamHandle>(stream); }
static EventHandle eventOf(void *event) { return static_cast<EventHandle>(event); }
static DeviceAddress addressOf(const void *memory) { return reinterpret_cast<DeviceAddress>(memory); }

/// Whether \p stream is the null stream or another of the driver's constants, which mean the current context's.
static bool needsContext(void *stream) { return reinterpret_cast<std::uintptr_t>(stream) <= 2; }

TensorMapDataType tensorMapDataType(DType dtype) {
  switch (dtype.kind) {
  case Kind::F16:
    return TensorMapDataType::Float16;
  case Kind::BF16:
    return TensorMapDataType::Bfloat16;
  case Kind::F32:
    return TensorMapDataType::Float32;
  case Kind::F64:
    return TensorMapDataType::Float64;
  case Kind::I32:
    return TensorMapDataType::Int32;
  case Kind::I64:
    return TensorMapDataType::Int64;
  default:
    break;
  }
  // Copies move bits: all else goes by its width.
  switch (dtype.bytes()) {
  case 1:
    return TensorMapDataType::Uint8;
  case 2:
    return TensorMapDataType::Uint16;
  case 4:
    return TensorMapDataType::Uint32;
  case 8:
    return TensorMapDataType::Uint64;
  default:
    throw DeviceError(fmt::format("there are no tensor descriptors of {}", dtype.name()));
  }
}

namespace {

class CudaDriver final : public DeviceDriver {
public:
  explicit CudaDriver(std::string library) : library(std::move(library)) {}

  std::string_view family() const override { return "cuda"; }
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
    CudaDevice &device = use(index);
    const CurrentContext current(device);
    DeviceAddress memory = 0;
    const Result code = device.api.cuMemAlloc(&memory, std::max<std::size_t>(bytes, 1));
    if (code == Result::OutOfMemory) {
      std::size_t free = 0, total = 0;
      device.api.cuMemGetInfo(&free, &total);
      throw DeviceError(fmt::format("device {} has no memory for {} more bytes: {} of {} are free", device.name(),
                                    bytes, free, total));
    }
    if (code != Result::Success)
      device.fail("cuMemAlloc", code);
    return reinterpret_cast<void *>(memory);
  }
  void free(int index, void *memory) noexcept override {
    quietly(index, [&](const Api &api) { api.cuMemFree(addressOf(memory)); });
  }
  void *allocateHost(int index, std::size_t bytes) override {
    CudaDevice &device = use(index);
    const CurrentContext current(device);
    void *memory = nullptr;
    device.call("cuMemHostAlloc", device.api.cuMemHostAlloc, &memory, std::max<std::size_t>(bytes, 1),
                kHostPortable | kHostDeviceMap);
    return memory;
  }
  void freeHost(int index, void *memory) noexcept override {
    quietly(index, [&](const Api &api) { api.cuMemFreeHost(memory); });
  }

  void copyToDevice(int index, void *stream, void *to, const void *from, std::size_t bytes) override {
    CudaDevice &device = use(index);
    if (!bytes)
      return;
    const CurrentContext current(device);
    device.call("cuMemcpyHtoDAsync", device.api.cuMemcpyHtoDAsync, addressOf(to), from, bytes, streamOf(stream));
  }
  void copyToHost(int index, void *stream, void *to, const void *from, std::size_t bytes) override {
    CudaDevice &device = use(index);
    if (!bytes)
      return;
    const CurrentContext current(device);
    device.call("cuMemcpyDtoHAsync", device.api.cuMemcpyDtoHAsync, to, addressOf(from), bytes, streamOf(stream));
  }
  void copyOnDevice(int index, void *stream, void *to, const void *from, std::size_t bytes) override {
    CudaDevice &device = use(index);
    if (!bytes)
      return;
    const CurrentContext current(device);
    device.call("cuMemcpyDtoDAsync", device.api.cuMemcpyDtoDAsync, addressOf(to), addressOf(from), bytes,
                streamOf(stream));
  }
  void fill(int index, void *stream, void *to, std::uint64_t pattern, int patternBytes, std::size_t count) override;

  void *createStream(int index) override {
    CudaDevice &device = use(index);
    const CurrentContext current(device);
    StreamHandle stream = nullptr;
    // It waits for the default stream and the other way round: copies without a stream see what launches on it did.
    device.call("cuStreamCreate", device.api.cuStreamCreate, &stream, kStreamDefault);
    return stream;
  }
  void destroyStream(int index, void *stream) noexcept override {
    quietly(index, [&](const Api &api) { api.cuStreamDestroy(streamOf(stream)); });
  }
  void synchronize(int index, void *stream) override {
    CudaDevice &device = use(index);
    const CurrentContext current(device);
    device.call("cuStreamSynchronize", device.api.cuStreamSynchronize, streamOf(stream));
  }
  bool isCapturing(int index, void *stream) override {
    CudaDevice &device = use(index);
    const CurrentContext current(device);
    CaptureStatus status = CaptureStatus::None;
    const Result code = device.api.cuStreamIsCapturing(streamOf(stream), &status);
    if (code == Result::CaptureImplicit) // the null stream, while a stream that waits for it is captured
      return true;
    if (code != Result::Success)
      device.fail("cuStreamIsCapturing", code);
    return status != CaptureStatus::None;
  }

  std::unique_ptr<CapturedWork> capture(int index, void *stream, const std::function<void()> &enqueue) override;

  void *createEvent(int index, bool timing) override {
    CudaDevice &device = use(index);
    const CurrentContext current(device);
    EventHandle event = nullptr;
    device.call("cuEventCreate", device.api.cuEventCreate, &event, timing ? 0u : kEventDisableTiming);
    return event;
  }
  void destroyEvent(int index, void *event) noexcept override {
    quietly(index, [&](const Api &api) { api.cuEventDestroy(eventOf(event)); });
  }
  void recordEvent(int index, void *stream, void *event) override {
    CudaDevice &device = use(index);
    const CurrentContext current(device);
    device.call("cuEventRecord", device.api.cuEventRecord, eventOf(event), streamOf(stream));
  }
  void waitEvent(int index, void *stream, void *event) override {
    CudaDevice &device = use(index);
    const CurrentContext current(device);
    device.call("cuStreamWaitEvent", device.api.cuStreamWaitEvent, streamOf(stream), eventOf(event), 0u);
  }
  void synchronizeEvent(int index, void *event) override {
    CudaDevice &device = use(index);
    const CurrentContext current(device);
    device.call("cuEventSynchronize", device.api.cuEventSynchronize, eventOf(event));
  }
  double elapsedMs(int index, void *from, void *to) override {
    CudaDevice &device = use(index);
    const CurrentContext current(device);
    float ms = 0;
    device.call("cuEventElapsedTime", device.api.cuEventElapsedTime, &ms, eventOf(from), eventOf(to));
    return ms;
  }

  std::unique_ptr<LoadedKernel> load(int device, const Image &image) override {
    return std::make_unique<CudaKernel>(use(device), image);
  }
  void launch(int, void *stream, LoadedKernel &kernel, const LaunchParams &params) override {
    auto &loaded = static_cast<CudaKernel &>(kernel);
    if (needsContext(stream)) {
      const CurrentContext current(loaded.device);
      loaded.launch(streamOf(stream), params);
    } else {
      loaded.launch(streamOf(stream), params);
    }
  }
  void encodeTensorMap(int device, const TensorMapValues &values, std::byte *out) override;

private:
  void look() noexcept;

  /// The device, which works.
  CudaDevice &use(int index) {
    deviceCount();
    CudaDevice &device = *devices.at(static_cast<std::size_t>(index));
    device.health.requireAlive();
    return device;
  }
  /// Calls \p action with the device's context, unless the device is lost. What goes wrong stays unsaid.
  template <class Action> void quietly(int index, Action action) noexcept {
    CudaDevice &device = *devices[static_cast<std::size_t>(index)];
    ContextHandle popped = nullptr;
    if (device.health.isLost() || device.api.cuCtxPushCurrent(device.context()) != Result::Success)
      return;
    action(device.api);
    device.api.cuCtxPopCurrent(&popped);
  }

  const std::string library;
  std::once_flag looked;
  std::unique_ptr<const Api> api;
  std::vector<std::unique_ptr<CudaDevice>> devices;
  std::string absent;
};

} // namespace

void CudaDriver::look() noexcept {
  try {
    api = Api::open(library, absent);
    if (!api)
      return;
    int count = 0;
    if (const Result code = api->cuDeviceGetCount(&count); code != Result::Success) {
      absent = fmt::format("NVIDIA's driver does not count its devices: {}", api->describe(code));
      return;
    }
    bool usable = false;
    for (int i = 0; i != count; ++i) {
      devices.push_back(std::make_unique<CudaDevice>(*api, i));
      usable |= !chipFor(devices.back()->capability()).empty();
    }
    if (usable)
      return;
    const Capability first = count ? devices[0]->capability() : Capability{};
    absent = count ? fmt::format("there is no code generation for NVIDIA's devices here, of compute capability {}.{}",
                                 first.major, first.minor)
                   : "NVIDIA's driver found no device";
  } catch (const std::exception &error) {
    absent = error.what();
  }
  devices.clear();
}

void CudaDriver::fill(int index, void *stream, void *to, std::uint64_t pattern, int patternBytes, std::size_t count) {
  CudaDevice &device = use(index);
  if (!count)
    return;
  const CurrentContext current(device);
  const Api &api = device.api;
  const DeviceAddress start = addressOf(to);
  const auto low = static_cast<std::uint32_t>(pattern), high = static_cast<std::uint32_t>(pattern >> 32);
  switch (patternBytes) {
  case 1:
    return device.call("cuMemsetD8Async", api.cuMemsetD8Async, start, static_cast<unsigned char>(pattern), count,
                       streamOf(stream));
  case 2:
    return device.call("cuMemsetD16Async", api.cuMemsetD16Async, start, static_cast<unsigned short>(pattern), count,
                       streamOf(stream));
  case 4:
    return device.call("cuMemsetD32Async", api.cuMemsetD32Async, start, low, count, streamOf(stream));
  case 8:
    if (low == high)
      return device.call("cuMemsetD32Async", api.cuMemsetD32Async, start, low, 2 * count, streamOf(stream));
    // Two columns of one word each.
    device.call("cuMemsetD2D32Async", api.cuMemsetD2D32Async, start, std::size_t{8}, low, std::size_t{1}, count,
                streamOf(stream));
    return device.call("cuMemsetD2D32Async", api.cuMemsetD2D32Async, start + 4, std::size_t{8}, high, std::size_t{1},
                       count, streamOf(stream));
  default:
    throw InternalError(fmt::format("a fill with a pattern of {} bytes", patternBytes));
  }
}

namespace {
struct CudaGraph final : CapturedWork {
  explicit CudaGraph(CudaDevice &device) : device(device) {}
  ~CudaGraph() override {
    ContextHandle popped = nullptr;
    if (!executable || device.health.isLost() || device.api.cuCtxPushCurrent(device.context()) != Result::Success)
      return;
    device.api.cuGraphExecDestroy(executable);
    device.api.cuCtxPopCurrent(&popped);
  }
  void enqueue(void *stream) override {
    device.health.requireAlive();
    const CurrentContext current(device);
    device.call("cuGraphLaunch", device.api.cuGraphLaunch, executable, streamOf(stream));
  }

  CudaDevice &device;
  ExecutableGraphHandle executable = nullptr;
};
} // namespace

std::unique_ptr<CapturedWork> CudaDriver::capture(int index, void *stream, const std::function<void()> &enqueue) {
  CudaDevice &device = use(index);
  const Api &api = device.api;
  if (!api.cuStreamBeginCapture || !api.cuStreamEndCapture || !api.cuGraphInstantiate || !api.cuGraphLaunch ||
      !api.cuGraphExecDestroy || !api.cuGraphDestroy)
    return nullptr;
  const CurrentContext current(device);
  auto work = std::make_unique<CudaGraph>(device);
  device.call("cuStreamBeginCapture", api.cuStreamBeginCapture, streamOf(stream), CaptureMode::ThreadLocal);
  GraphHandle graph = nullptr;
  try {
    enqueue();
  } catch (...) {
    if (api.cuStreamEndCapture(streamOf(stream), &graph) == Result::Success && graph)
      api.cuGraphDestroy(graph);
    throw;
  }
  device.call("cuStreamEndCapture", api.cuStreamEndCapture, streamOf(stream), &graph);
  const Result code = api.cuGraphInstantiate(&work->executable, graph, 0ull);
  api.cuGraphDestroy(graph);
  if (code != Result::Success)
    device.fail("cuGraphInstantiateWithFlags", code);
  return work;
}

/// Bytes from the first element of a tensor to behind its last one.
static std::uint64_t spanOf(const TensorMapValues &values) {
  const auto elementBytes = static_cast<std::uint64_t>(values.dtype.bytes());
  std::uint64_t bytes = values.extents[0] * elementBytes;
  for (std::size_t axis = 1; axis < static_cast<std::size_t>(values.rank); ++axis)
    bytes += (values.extents[axis] - 1) * values.strideBytes[axis - 1];
  return bytes;
}

/// The driver lets chips of the capabilities 10 to 12 look for addresses outside of a tensor in a way that small ones
/// may not be treated in: copies touch memory that is not theirs. (Release notes of NVIDIA's driver 595.71.05, known
/// issues; chips before ignore the bit.)
static void correctSmallTensorMap(std::byte *map, const TensorMapValues &values, Capability capability) {
  constexpr std::uint64_t kSmall = 128 * 1024;
  constexpr int kByteOfBit85 = 85 / 8;
  if (capability.major >= 10 && capability.major <= 12 && spanOf(values) < kSmall)
    map[kByteOfBit85] &= ~(std::byte{1} << 85 % 8);
}

void CudaDriver::encodeTensorMap(int index, const TensorMapValues &values, std::byte *out) {
  CudaDevice &device = use(index);
  if (!device.api.cuTensorMapEncodeTiled || !device.hasTensorMemoryAccess())
    return DeviceDriver::encodeTensorMap(index, values, out);
  const CurrentContext current(device);
  TensorMap map;
  constexpr std::array<std::uint32_t, 5> ones{1, 1, 1, 1, 1};
  device.call("cuTensorMapEncodeTiled", device.api.cuTensorMapEncodeTiled, &map, tensorMapDataType(values.dtype),
              static_cast<std::uint32_t>(values.rank), reinterpret_cast<void *>(values.address), values.extents.data(),
              values.strideBytes.data(), values.box.data(), ones.data(), TensorMapInterleave::None,
              static_cast<TensorMapSwizzle>(values.swizzle), TensorMapPromotion::L2Bytes256,
              static_cast<TensorMapFill>(values.fill));
  std::memcpy(out, &map, sizeof map);
  correctSmallTensorMap(out, values, device.capability());
}

std::unique_ptr<DeviceDriver> createDriver(std::string library) {
  return std::make_unique<CudaDriver>(std::move(library));
}

} // namespace cuda

std::unique_ptr<DeviceDriver> createCudaDriver() { return cuda::createDriver("libcuda.so.1"); }

} // namespace tessera::rt
