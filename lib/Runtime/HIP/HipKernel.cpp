//===- HipKernel.cpp - a kernel on an AMD device --------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/HIP/HipKernel.h"

#include "Runtime/ElfCheck.h"

#include "tessera/core/Error.h"

#include <array>
#include <elf.h>
#include <fmt/format.h>
#include <limits>

namespace tessera::rt::hip {

static constexpr std::uint16_t kAmdgpuMachine = 224; // EM_AMDGPU, which not every elf.h has

HipKernel::HipKernel(HipDevice &device, const Image &image)
    : device(device), name(forever(image.kernel)), threads(image.threadsPerProgram), sharedBytes(image.sharedBytes) {
  const Target target(image.target);
  if (target.family() != "hip" || image.format != "hsaco")
    throw DeviceError(fmt::format("kernel `{}` was compiled for {} as {}, and device {} runs hsaco for hip",
                                  image.kernel, image.target, image.format, device.name()));
  if (const std::string chip = chipFor(device.archName()); target.chip() != chip)
    throw DeviceError(fmt::format("kernel `{}` was compiled for {}, which does not run on device {}, a {}{}",
                                  image.kernel, image.target, device.name(), device.archName(),
                                  chip.empty() ? "" : "; compile it for hip:" + chip));

  const CurrentDevice current(device);
  try {
    loadModule(image);
    checkResources();
  } catch (...) {
    if (module)
      device.api.hipModuleUnload(module);
    throw;
  }
}

HipKernel::~HipKernel() {
  if (device.health.isLost())
    return;
  try {
    const CurrentDevice current(device);
    device.api.hipModuleUnload(module);
  } catch (const DeviceError &) { // the runtime does not even take the device, and nobody waits to hear of it
  }
}

void HipKernel::loadModule(const Image &image) {
  if (const std::string problem = problemOfElf(image.binary, kAmdgpuMachine, "AMD's GPUs"); !problem.empty())
    throw DeviceError(
        fmt::format("device {} cannot load the hsaco of kernel `{}`: {}", device.name(), image.kernel, problem));
  if (const Result code = device.api.hipModuleLoadData(&module, image.binary.data()); code != Result::Success) {
    module = nullptr;
    device.fail(fmt::format("loading kernel `{}` ({} for {})", image.kernel, image.format, image.target), code);
  }
  if (const Result code = device.api.hipModuleGetFunction(&function, module, image.entry.c_str());
      code != Result::Success)
    device.fail(fmt::format("finding entry `{}` of kernel `{}`", image.entry, image.kernel), code);
}

int HipKernel::attribute(FunctionAttribute attribute) {
  int value = 0;
  device.call("hipFuncGetAttribute", device.api.hipFuncGetAttribute, &value, attribute, function);
  return value;
}

void HipKernel::checkResources() {
  const int registers = attribute(FunctionAttribute::Registers);
  const int most = attribute(FunctionAttribute::MaxThreadsPerBlock);
  if (static_cast<std::uint32_t>(most) < threads)
    throw DeviceError(fmt::format("device {} cannot run kernel `{}` with {} threads per program: its code is made for "
                                  "at most {}",
                                  device.name(), name, threads, most));
  found.emplace_back("registers", fmt::format("{}", registers));
  found.emplace_back("stack_bytes", fmt::format("{}", attribute(FunctionAttribute::LocalBytes)));
}

void HipKernel::launch(StreamHandle stream, const LaunchParams &params) {
  device.health.requireAlive();
  // The runtime counts the threads of an axis, not the programs, in 32 bits.
  const std::int64_t most = std::numeric_limits<std::uint32_t>::max() / threads;
  if (params.grid[0] > most) [[unlikely]]
    throw DeviceError(fmt::format("device {} cannot launch {} programs of kernel `{}`, which have {} threads each: "
                                  "axis x allows {}; let each program do more",
                                  device.name(), params.grid[0], name, threads, most));
  std::size_t bytes = params.packed.size();
  const auto word = [](LaunchWord value) { return reinterpret_cast<void *>(value); };
  std::array<void *, 5> extra{word(LaunchWord::BufferPointer), const_cast<std::byte *>(params.packed.data()),
                              word(LaunchWord::BufferBytes), &bytes, word(LaunchWord::End)};
  device.health.noteLaunch(name);
  if (const Result code = device.api.hipModuleLaunchKernel(
          function, static_cast<unsigned>(params.grid[0]), static_cast<unsigned>(params.grid[1]),
          static_cast<unsigned>(params.grid[2]), threads, 1, 1, sharedBytes, stream, nullptr, extra.data());
      code != Result::Success) [[unlikely]]
    device.fail(fmt::format("launching kernel `{}` with a grid of {} x {} x {}", name, params.grid[0], params.grid[1],
                            params.grid[2]),
                code);
}

} // namespace tessera::rt::hip
