//===- FakeCuda.cpp - a driver library for machines without one -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Runtime/CUDA/FakeCuda.h"

#include <cstdlib>
#include <cstring>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

using namespace tessera::rt::cuda;
using tessera::test::FakeCuda;

namespace tessera::rt::cuda {
struct Context {
  int device = 0;
};
struct Stream {};
struct Event {
  bool timing = false;
};
struct Function {
  std::string entry;
  std::vector<std::size_t> params;
  int registers = 32, local = 0, threads = 1024, fault = 0;
  bool stores = true;
};
struct Module {
  Function function;
};
/// Launches that were captured.
struct Graph {
  std::vector<std::function<void()>> launches;
};
struct ExecutableGraph : Graph {};
} // namespace tessera::rt::cuda

static FakeCuda state;
static Graph captured;
static std::vector<Context> contexts(8);
static thread_local std::vector<Context *> current;

static constexpr Result kInvalidContext{201}, kNotFound{500}, kInvalidHandle{400};

/// What the call \p name gives before it does anything.
static Result enter(const char *name, bool needsContext = true) {
  if (state.lost)
    return static_cast<Result>(state.lost);
  if (state.failing && !std::strcmp(state.failing, name) && state.skip-- == 0) {
    state.failing = nullptr;
    return static_cast<Result>(state.code);
  }
  return needsContext && current.empty() ? kInvalidContext : Result::Success;
}

#define ENTER(...)                                                                                                     \
  if (const Result entered = enter(__VA_ARGS__); entered != Result::Success)                                           \
    return entered;

template <class T> static void fillWith(DeviceAddress to, T value, std::size_t count, std::size_t step = 1) {
  for (std::size_t i = 0; i != count; ++i)
    reinterpret_cast<T *>(to)[i * step] = value;
}

static void *hostMemory(DeviceAddress address) { return reinterpret_cast<void *>(address); }

extern "C" {

FakeCuda *fakeCudaReset() {
  state = {};
  return &state;
}

Result cuInit(unsigned) { return enter("cuInit", false); }
Result cuDriverGetVersion(int *version) {
  *version = state.version;
  return Result::Success;
}
Result cuGetErrorName(Result code, const char **text) {
  *text = code == Result::IllegalAddress ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_OF_THE_TEST";
  return static_cast<int>(code) == 12345 ? Result::InvalidValue : Result::Success;
}
Result cuGetErrorString(Result, const char **text) {
  *text = "words of the driver";
  return Result::Success;
}
Result cuDeviceGetCount(int *count) {
  ENTER("cuDeviceGetCount", false)
  *count = state.devices;
  return Result::Success;
}
Result cuDeviceGet(DeviceHandle *device, int ordinal) {
  ENTER("cuDeviceGet", false)
  *device = ordinal;
  return Result::Success;
}
Result cuDeviceGetName(char *name, int bytes, DeviceHandle) {
  ENTER("cuDeviceGetName", false)
  std::strncpy(name, "a fake device", static_cast<std::size_t>(bytes));
  return Result::Success;
}
Result cuDeviceGetAttribute(int *value, DeviceAttribute attribute, DeviceHandle) {
  ENTER("cuDeviceGetAttribute", false)
  switch (attribute) {
  case DeviceAttribute::MaxThreadsPerBlock:
    *value = 1024;
    break;
  case DeviceAttribute::MaxGridX:
    *value = 0x7fffffff;
    break;
  case DeviceAttribute::MaxGridY:
  case DeviceAttribute::MaxGridZ:
    *value = 65535;
    break;
  case DeviceAttribute::WarpSize:
    *value = 32;
    break;
  case DeviceAttribute::Multiprocessors:
    *value = 132;
    break;
  case DeviceAttribute::L2CacheBytes:
    *value = 50 << 20;
    break;
  case DeviceAttribute::CapabilityMajor:
    *value = state.major;
    break;
  case DeviceAttribute::CapabilityMinor:
    *value = state.minor;
    break;
  case DeviceAttribute::MaxSharedBytesOptIn:
    *value = 227 * 1024;
    break;
  }
  return Result::Success;
}
Result cuDeviceTotalMem_v2(std::size_t *bytes, DeviceHandle) {
  ENTER("cuDeviceTotalMem", false)
  *bytes = std::size_t{1} << 37;
  return Result::Success;
}

Result cuDevicePrimaryCtxRetain(ContextHandle *context, DeviceHandle device) {
  ENTER("cuDevicePrimaryCtxRetain", false)
  ++state.retained;
  contexts[static_cast<std::size_t>(device)].device = device;
  *context = &contexts[static_cast<std::size_t>(device)];
  return Result::Success;
}
Result cuCtxPushCurrent_v2(ContextHandle context) {
  ENTER("cuCtxPushCurrent", false)
  current.push_back(context);
  return Result::Success;
}
Result cuCtxPopCurrent_v2(ContextHandle *context) {
  if (current.empty())
    return kInvalidContext;
  *context = current.back();
  current.pop_back();
  return Result::Success;
}

Result cuMemGetInfo_v2(std::size_t *free, std::size_t *total) {
  *free = 1000;
  *total = 2000;
  return Result::Success;
}
Result cuMemAlloc_v2(DeviceAddress *memory, std::size_t bytes) {
  ENTER("cuMemAlloc")
  if (!bytes)
    return Result::InvalidValue;
  *memory = reinterpret_cast<DeviceAddress>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
  ++state.memory;
  return Result::Success;
}
Result cuMemFree_v2(DeviceAddress memory) {
  ENTER("cuMemFree")
  std::free(hostMemory(memory));
  --state.memory;
  return Result::Success;
}
Result cuMemHostAlloc(void **memory, std::size_t bytes, unsigned) {
  ENTER("cuMemHostAlloc")
  *memory = std::malloc(bytes);
  ++state.hostMemory;
  return Result::Success;
}
Result cuMemFreeHost(void *memory) {
  ENTER("cuMemFreeHost")
  std::free(memory);
  --state.hostMemory;
  return Result::Success;
}
Result cuMemcpyHtoDAsync_v2(DeviceAddress to, const void *from, std::size_t bytes, StreamHandle) {
  ENTER("cuMemcpyHtoDAsync")
  std::memcpy(hostMemory(to), from, bytes);
  return Result::Success;
}
Result cuMemcpyDtoHAsync_v2(void *to, DeviceAddress from, std::size_t bytes, StreamHandle) {
  ENTER("cuMemcpyDtoHAsync")
  std::memcpy(to, hostMemory(from), bytes);
  return Result::Success;
}
Result cuMemcpyDtoDAsync_v2(DeviceAddress to, DeviceAddress from, std::size_t bytes, StreamHandle) {
  ENTER("cuMemcpyDtoDAsync")
  std::memmove(hostMemory(to), hostMemory(from), bytes);
  return Result::Success;
}
Result cuMemsetD8Async(DeviceAddress to, unsigned char value, std::size_t count, StreamHandle) {
  ENTER("cuMemsetD8Async")
  fillWith(to, value, count);
  return Result::Success;
}
Result cuMemsetD16Async(DeviceAddress to, unsigned short value, std::size_t count, StreamHandle) {
  ENTER("cuMemsetD16Async")
  fillWith(to, value, count);
  return Result::Success;
}
Result cuMemsetD32Async(DeviceAddress to, unsigned value, std::size_t count, StreamHandle) {
  ENTER("cuMemsetD32Async")
  fillWith(to, value, count);
  return Result::Success;
}
Result cuMemsetD2D32Async(DeviceAddress to, std::size_t pitch, unsigned value, std::size_t width, std::size_t height,
                          StreamHandle) {
  ENTER("cuMemsetD2D32Async")
  if (width != 1)
    return Result::InvalidValue;
  fillWith(to, value, height, pitch / 4);
  return Result::Success;
}

Result cuStreamCreate(StreamHandle *stream, unsigned) {
  ENTER("cuStreamCreate")
  *stream = new Stream;
  ++state.streams;
  return Result::Success;
}
Result cuStreamDestroy_v2(StreamHandle stream) {
  ENTER("cuStreamDestroy")
  delete stream;
  --state.streams;
  return Result::Success;
}
Result cuStreamSynchronize(StreamHandle stream) { return enter("cuStreamSynchronize", !stream); }
Result cuStreamIsCapturing(StreamHandle stream, CaptureStatus *status) {
  ENTER("cuStreamIsCapturing", !stream)
  *status = state.capturing ? CaptureStatus::Active : CaptureStatus::None;
  return Result::Success;
}
Result cuStreamBeginCapture_v2(StreamHandle stream, CaptureMode) {
  ENTER("cuStreamBeginCapture")
  if (!stream || state.capturing)
    return kInvalidHandle;
  state.capturing = true;
  captured.launches.clear();
  return Result::Success;
}
Result cuStreamEndCapture(StreamHandle, GraphHandle *graph) {
  ENTER("cuStreamEndCapture")
  state.capturing = false;
  *graph = new Graph(captured);
  ++state.graphs;
  return Result::Success;
}
Result cuGraphInstantiateWithFlags(ExecutableGraphHandle *executable, GraphHandle graph, unsigned long long) {
  ENTER("cuGraphInstantiateWithFlags")
  *executable = new ExecutableGraph{*graph};
  ++state.graphs;
  return Result::Success;
}
Result cuGraphLaunch(ExecutableGraphHandle executable, StreamHandle) {
  ENTER("cuGraphLaunch")
  for (const auto &launch : executable->launches)
    launch();
  return Result::Success;
}
Result cuGraphExecDestroy(ExecutableGraphHandle executable) {
  ENTER("cuGraphExecDestroy")
  delete executable;
  --state.graphs;
  return Result::Success;
}
Result cuGraphDestroy(GraphHandle graph) {
  ENTER("cuGraphDestroy", false)
  delete graph;
  --state.graphs;
  return Result::Success;
}
Result cuStreamWaitEvent(StreamHandle, EventHandle, unsigned) { return enter("cuStreamWaitEvent"); }
Result cuEventCreate(EventHandle *event, unsigned flags) {
  ENTER("cuEventCreate")
  *event = new Event{flags != kEventDisableTiming};
  state.eventFlags = flags;
  ++state.events;
  return Result::Success;
}
Result cuEventDestroy_v2(EventHandle event) {
  ENTER("cuEventDestroy")
  delete event;
  --state.events;
  return Result::Success;
}
Result cuEventRecord(EventHandle, StreamHandle) { return enter("cuEventRecord"); }
Result cuEventSynchronize(EventHandle) { return enter("cuEventSynchronize"); }
Result cuEventElapsedTime(float *ms, EventHandle from, EventHandle to) {
  ENTER("cuEventElapsedTime")
  *ms = 1.5f;
  return from->timing && to->timing ? Result::Success : kInvalidHandle;
}

Result cuModuleLoadDataEx(ModuleHandle *module, const void *image, unsigned count, LoadOption *options, void **values) {
  ENTER("cuModuleLoadDataEx")
  const auto *text = static_cast<const char *>(image);
  if (!std::strncmp(text, "\177ELF", 4))
    text += 64;
  auto made = std::make_unique<Module>();
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    Function &function = made->function;
    if (word == "entry")
      words >> function.entry;
    else if (word == "registers")
      words >> function.registers;
    else if (word == "local")
      words >> function.local;
    else if (word == "threads")
      words >> function.threads;
    else if (word == "params")
      for (std::size_t bytes; words >> bytes;)
        function.params.push_back(bytes);
    else if (word == "does") {
      words >> word >> function.fault;
      function.stores = word == "store";
    } else {
      for (unsigned i = 0; i != count; ++i)
        if (options[i] == LoadOption::ErrorLog)
          std::strcpy(static_cast<char *>(values[i]), ("unknown word " + word).c_str());
      return static_cast<Result>(218);
    }
  }
  *module = made.release();
  ++state.modules;
  return Result::Success;
}
Result cuModuleUnload(ModuleHandle module) {
  ENTER("cuModuleUnload")
  delete module;
  --state.modules;
  return Result::Success;
}
Result cuModuleGetFunction(FunctionHandle *function, ModuleHandle module, const char *name) {
  ENTER("cuModuleGetFunction")
  *function = &module->function;
  return module->function.entry == name ? Result::Success : kNotFound;
}
Result cuFuncLoad(FunctionHandle) { return enter("cuFuncLoad"); }
Result cuFuncGetAttribute(int *value, FunctionAttribute attribute, FunctionHandle function) {
  ENTER("cuFuncGetAttribute")
  *value = attribute == FunctionAttribute::Registers    ? function->registers
           : attribute == FunctionAttribute::LocalBytes ? function->local
                                                        : function->threads;
  return Result::Success;
}
Result cuFuncSetAttribute(FunctionHandle, FunctionAttribute attribute, int value) {
  ENTER("cuFuncSetAttribute")
  (attribute == FunctionAttribute::MaxDynamicSharedBytes ? state.sharedBytesAsked : state.nonPortable) = value;
  return Result::Success;
}
Result cuFuncGetParamInfo(FunctionHandle function, std::size_t number, std::size_t *offset, std::size_t *bytes) {
  ENTER("cuFuncGetParamInfo")
  if (number >= function->params.size())
    return Result::InvalidValue;
  *offset = number * 8;
  *bytes = function->params[number];
  return Result::Success;
}
Result cuLaunchKernelEx(const LaunchConfig *config, FunctionHandle function, void **parameters, void **) {
  ENTER("cuLaunchKernelEx", !config->hStream)
  state.launch = *config;
  for (unsigned i = 0; i != config->numAttrs; ++i)
    std::memcpy(state.cluster, config->attrs[i].value.clusterDim, sizeof state.cluster);
  if (function->fault) {
    state.lost = function->fault;
    return Result::Success;
  }
  if (!function->stores)
    return Result::Success;
  auto *out = *static_cast<std::int64_t **>(parameters[0]);
  const std::int64_t value = *static_cast<std::int64_t *>(parameters[1]);
  const unsigned blocks = config->gridDimX * config->gridDimY * config->gridDimZ;
  const auto store = [=] {
    for (unsigned i = 0; i != blocks; ++i)
      out[i] = value + i;
  };
  if (state.capturing)
    captured.launches.emplace_back(store);
  else
    store();
  return Result::Success;
}
Result cuTensorMapEncodeTiled(TensorMap *map, TensorMapDataType dtype, std::uint32_t rank, void *,
                              const std::uint64_t *extents, const std::uint64_t *strides, const std::uint32_t *,
                              const std::uint32_t *, TensorMapInterleave, TensorMapSwizzle swizzle, TensorMapPromotion,
                              TensorMapFill) {
  ENTER("cuTensorMapEncodeTiled")
  if (reinterpret_cast<std::uintptr_t>(map) % 64)
    return Result::InvalidValue;
  std::memset(map, state.mapByte, sizeof *map);
  std::memcpy(state.extents, extents, rank * sizeof *extents);
  std::memcpy(state.strides, strides, (rank - 1) * sizeof *strides);
  state.mapDtype = static_cast<int>(dtype);
  state.mapRank = static_cast<int>(rank);
  state.mapSwizzle = static_cast<int>(swizzle);
  return Result::Success;
}

} // extern "C"
