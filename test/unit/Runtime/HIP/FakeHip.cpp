//===- FakeHip.cpp - a HIP runtime for machines without one ---------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Runtime/HIP/FakeHip.h"

#include <cstdlib>
#include <cstring>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

using namespace tessera::rt::hip;
using tessera::test::FakeHip;

namespace tessera::rt::hip {
struct Stream {
  int device = 0;
};
struct Event {
  bool timing = false;
};
struct Function {
  std::string entry;
  int registers = 32, local = 0, threads = 1024, fault = 0;
};
struct Module {
  Function function;
};
/// Launches that were captured.
struct Graph {
  std::vector<std::function<void()>> launches;
};
struct ExecutableGraph : Graph {};
} // namespace tessera::rt::hip

static FakeHip state;
static Graph captured;
static thread_local int current = 0;

static constexpr Result kInvalidValue{1}, kInvalidHandle{400}, kNotFound{500}, kInvalidImage{200};

static Result failed(int code) {
  state.lastError = code;
  return static_cast<Result>(code);
}

/// What the call \p name gives before it does anything.
static Result enter(const char *name) {
  if (state.lost)
    return failed(state.lost);
  if (state.failing && !std::strcmp(state.failing, name) && state.skip-- == 0) {
    state.failing = nullptr;
    return failed(state.code);
  }
  return Result::Success;
}

#define ENTER(name)                                                                                                    \
  if (const Result entered = enter(name); entered != Result::Success)                                                  \
    return entered;

template <class T> static void fillWith(void *to, T value, std::size_t count) {
  for (std::size_t i = 0; i != count; ++i)
    std::memcpy(static_cast<char *>(to) + i * sizeof value, &value, sizeof value);
}

/// The chip's name where \p layout has it, between bytes that mean nothing.
static Result writeProperties(PropertiesBlock *properties, int device, const PropertiesLayout &layout) {
  std::memset(properties->bytes, 'x', layout.bytes);
  std::memset(properties->bytes + layout.archOffset, 0, layout.archBytes);
  std::strcpy(properties->bytes + layout.archOffset, state.chips[device]);
  return Result::Success;
}

extern "C" {

FakeHip *fakeHipReset() {
  state = {};
  current = 0;
  return &state;
}

Result hipInit(unsigned) { return enter("hipInit"); }
Result hipRuntimeGetVersion(int *version) {
  *version = state.version;
  return Result::Success;
}
const char *hipGetErrorName(Result code) {
  return code == Result::IllegalAddress    ? "hipErrorIllegalAddress"
         : static_cast<int>(code) == 12345 ? nullptr
                                           : "hipErrorOfTheTest";
}
const char *hipGetErrorString(Result) { return "words of the runtime"; }
Result hipGetLastError() {
  const auto code = static_cast<Result>(state.lastError);
  state.lastError = 0;
  return code;
}
Result hipGetDeviceCount(int *count) {
  ENTER("hipGetDeviceCount")
  *count = state.devices;
  return Result::Success;
}
Result hipGetDevice(int *device) {
  ENTER("hipGetDevice")
  *device = current;
  return Result::Success;
}
Result hipSetDevice(int device) {
  ENTER("hipSetDevice")
  current = device;
  return Result::Success;
}
Result hipDeviceGetName(char *name, int bytes, int) {
  ENTER("hipDeviceGetName")
  std::strncpy(name, "a fake device", static_cast<std::size_t>(bytes));
  return Result::Success;
}
Result hipDeviceGetAttribute(int *value, DeviceAttribute attribute, int device) {
  ENTER("hipDeviceGetAttribute")
  switch (attribute) {
  case DeviceAttribute::MaxThreadsPerBlock:
    *value = 1024;
    break;
  case DeviceAttribute::MaxGridX:
    *value = 0x7fffffff;
    break;
  case DeviceAttribute::MaxGridY:
  case DeviceAttribute::MaxGridZ:
    *value = 65536;
    break;
  case DeviceAttribute::WarpSize:
    *value = std::strstr(state.chips[device], "gfx9") ? 64 : 32;
    break;
  case DeviceAttribute::Multiprocessors:
    *value = 304;
    break;
  case DeviceAttribute::MaxSharedBytesPerBlock:
    *value = 64 * 1024;
    break;
  }
  return Result::Success;
}
Result hipDeviceTotalMem(std::size_t *bytes, int) {
  ENTER("hipDeviceTotalMem")
  *bytes = std::size_t{1} << 37;
  return Result::Success;
}
Result hipGetDeviceProperties(PropertiesBlock *properties, int device) {
  ENTER("hipGetDeviceProperties")
  return writeProperties(properties, device, kProperties5);
}
#ifndef TESSERA_TEST_HIP_5
Result hipGetDevicePropertiesR0600(PropertiesBlock *properties, int device) {
  ENTER("hipGetDevicePropertiesR0600")
  return writeProperties(properties, device, kProperties6);
}
#endif

Result hipMemGetInfo(std::size_t *free, std::size_t *total) {
  *free = 1000;
  *total = 2000;
  return Result::Success;
}
Result hipMalloc(void **memory, std::size_t bytes) {
  ENTER("hipMalloc")
  state.deviceOfMemory = current;
  *memory = bytes ? std::aligned_alloc(256, (bytes + 255) / 256 * 256) : nullptr;
  ++state.memory;
  return Result::Success;
}
Result hipFree(void *memory) {
  ENTER("hipFree")
  std::free(memory);
  --state.memory;
  return Result::Success;
}
Result hipHostMalloc(void **memory, std::size_t bytes, unsigned flags) {
  ENTER("hipHostMalloc")
  *memory = std::malloc(bytes);
  state.hostFlags = flags;
  ++state.hostMemory;
  return Result::Success;
}
Result hipHostFree(void *memory) {
  ENTER("hipHostFree")
  std::free(memory);
  --state.hostMemory;
  return Result::Success;
}
Result hipMemcpyHtoDAsync(void *to, void *from, std::size_t bytes, StreamHandle) {
  ENTER("hipMemcpyHtoDAsync")
  std::memcpy(to, from, bytes);
  return Result::Success;
}
Result hipMemcpyDtoHAsync(void *to, void *from, std::size_t bytes, StreamHandle) {
  ENTER("hipMemcpyDtoHAsync")
  std::memcpy(to, from, bytes);
  return Result::Success;
}
Result hipMemcpyDtoDAsync(void *to, void *from, std::size_t bytes, StreamHandle) {
  ENTER("hipMemcpyDtoDAsync")
  const auto *source = static_cast<const char *>(from), *target = static_cast<const char *>(to);
  if (source < target + bytes && target < source + bytes) // overlap is the caller's mistake
    return failed(1);
  std::memcpy(to, from, bytes);
  return Result::Success;
}
Result hipMemsetD8Async(void *to, unsigned char value, std::size_t count, StreamHandle) {
  ENTER("hipMemsetD8Async")
  fillWith(to, value, count);
  return Result::Success;
}
Result hipMemsetD16Async(void *to, unsigned short value, std::size_t count, StreamHandle) {
  ENTER("hipMemsetD16Async")
  fillWith(to, value, count);
  return Result::Success;
}
Result hipMemsetD32Async(void *to, int value, std::size_t count, StreamHandle) {
  ENTER("hipMemsetD32Async")
  fillWith(to, value, count);
  return Result::Success;
}

Result hipStreamCreate(StreamHandle *stream) {
  ENTER("hipStreamCreate")
  *stream = new Stream{current};
  ++state.streams;
  return Result::Success;
}
Result hipStreamDestroy(StreamHandle stream) {
  ENTER("hipStreamDestroy")
  delete stream;
  --state.streams;
  return Result::Success;
}
Result hipStreamSynchronize(StreamHandle) { return enter("hipStreamSynchronize"); }
Result hipStreamIsCapturing(StreamHandle, CaptureStatus *status) {
  ENTER("hipStreamIsCapturing")
  *status = state.capturing ? CaptureStatus::Active : CaptureStatus::None;
  return Result::Success;
}
#ifndef TESSERA_TEST_HIP_5
Result hipStreamBeginCapture(StreamHandle stream, CaptureMode) {
  ENTER("hipStreamBeginCapture")
  if (!stream || state.capturing)
    return failed(400);
  state.capturing = true;
  captured.launches.clear();
  return Result::Success;
}
Result hipStreamEndCapture(StreamHandle, GraphHandle *graph) {
  ENTER("hipStreamEndCapture")
  state.capturing = false;
  *graph = new Graph(captured);
  ++state.graphs;
  return Result::Success;
}
Result hipGraphInstantiate(ExecutableGraphHandle *executable, GraphHandle graph, GraphNodeHandle *, char *,
                           std::size_t) {
  ENTER("hipGraphInstantiate")
  *executable = new ExecutableGraph{*graph};
  ++state.graphs;
  return Result::Success;
}
Result hipGraphLaunch(ExecutableGraphHandle executable, StreamHandle) {
  ENTER("hipGraphLaunch")
  state.deviceOfGraph = current;
  for (const auto &launch : executable->launches)
    launch();
  return Result::Success;
}
Result hipGraphExecDestroy(ExecutableGraphHandle executable) {
  ENTER("hipGraphExecDestroy")
  delete executable;
  --state.graphs;
  return Result::Success;
}
Result hipGraphDestroy(GraphHandle graph) {
  ENTER("hipGraphDestroy")
  delete graph;
  --state.graphs;
  return Result::Success;
}
#endif
Result hipStreamWaitEvent(StreamHandle, EventHandle, unsigned) { return enter("hipStreamWaitEvent"); }
Result hipEventCreateWithFlags(EventHandle *event, unsigned flags) {
  ENTER("hipEventCreateWithFlags")
  *event = new Event{flags != kEventDisableTiming};
  state.eventFlags = flags;
  ++state.events;
  return Result::Success;
}
Result hipEventDestroy(EventHandle event) {
  ENTER("hipEventDestroy")
  delete event;
  --state.events;
  return Result::Success;
}
Result hipEventRecord(EventHandle, StreamHandle) { return enter("hipEventRecord"); }
Result hipEventSynchronize(EventHandle) { return enter("hipEventSynchronize"); }
Result hipEventElapsedTime(float *ms, EventHandle from, EventHandle to) {
  ENTER("hipEventElapsedTime")
  *ms = 1.5f;
  return from->timing && to->timing ? Result::Success : kInvalidHandle;
}

Result hipModuleLoadData(ModuleHandle *module, const void *image) {
  ENTER("hipModuleLoadData")
  auto made = std::make_unique<Module>();
  std::istringstream lines(static_cast<const char *>(image) + 64);
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
    else if (word == "does")
      words >> word >> function.fault;
    else
      return kInvalidImage;
  }
  *module = made.release();
  ++state.modules;
  return Result::Success;
}
Result hipModuleUnload(ModuleHandle module) {
  ENTER("hipModuleUnload")
  delete module;
  --state.modules;
  return Result::Success;
}
Result hipModuleGetFunction(FunctionHandle *function, ModuleHandle module, const char *name) {
  ENTER("hipModuleGetFunction")
  *function = &module->function;
  return module->function.entry == name ? Result::Success : kNotFound;
}
Result hipFuncGetAttribute(int *value, FunctionAttribute attribute, FunctionHandle function) {
  ENTER("hipFuncGetAttribute")
  *value = attribute == FunctionAttribute::Registers    ? function->registers
           : attribute == FunctionAttribute::LocalBytes ? function->local
                                                        : function->threads;
  return Result::Success;
}
Result hipModuleLaunchKernel(FunctionHandle function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                             unsigned blockY, unsigned blockZ, unsigned sharedBytes, StreamHandle stream,
                             void **parameters, void **extra) {
  ENTER("hipModuleLaunchKernel")
  const auto isWord = [](const void *found, LaunchWord word) {
    return reinterpret_cast<std::size_t>(found) == static_cast<std::size_t>(word);
  };
  if (parameters || !isWord(extra[0], LaunchWord::BufferPointer) || !isWord(extra[2], LaunchWord::BufferBytes) ||
      !isWord(extra[4], LaunchWord::End))
    return kInvalidValue;
  state.packedBytes = *static_cast<std::size_t *>(extra[3]);
  const unsigned grid[3] = {gridX, gridY, gridZ}, block[3] = {blockX, blockY, blockZ};
  std::memcpy(state.grid, grid, sizeof grid);
  std::memcpy(state.block, block, sizeof block);
  state.sharedBytes = sharedBytes;
  state.deviceOfLaunch = stream ? stream->device : current;
  if (function->fault) {
    state.lost = function->fault;
    return Result::Success;
  }
  std::int64_t *out = nullptr, value = 0;
  std::memcpy(&out, extra[1], 8);
  std::memcpy(&value, static_cast<char *>(extra[1]) + 8, 8);
  const auto store = [=] {
    for (unsigned i = 0; i != gridX * gridY * gridZ; ++i)
      out[i] = value + i;
  };
  if (state.capturing)
    captured.launches.emplace_back(store);
  else
    store();
  return Result::Success;
}

} // extern "C"
