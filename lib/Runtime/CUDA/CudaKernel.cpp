//===- CudaKernel.cpp - a kernel on an NVIDIA device ----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/CUDA/CudaKernel.h"

#include "Runtime/ElfCheck.h"

#include "tessera/core/Error.h"

#include <algorithm>
#include <elf.h>
#include <fmt/format.h>

namespace tessera::rt::cuda {

/// Shared memory a program may ask for without saying so first.
static constexpr std::uint32_t kSharedBytesByDefault = 48 * 1024;
/// Programs in a cluster that every chip with clusters can launch.
static constexpr std::uint32_t kPortableCluster = 8;

CudaKernel::CudaKernel(CudaDevice &device, const Image &image)
    : device(device), name(forever(image.kernel)), cluster(image.cluster), threads(image.threadsPerProgram),
      sharedBytes(image.sharedBytes) {
  const Target target(image.target);
  if (target.family() != "cuda" || (image.format != "cubin" && image.format != "ptx"))
    throw DeviceError(fmt::format("kernel `{}` was compiled for {} as {}, and device {} runs cubin and ptx for cuda",
                                  image.kernel, image.target, image.format, device.name()));
  if (const Capability capability = device.capability(); !runsOn(target.chip(), image.format, capability))
    throw DeviceError(fmt::format("kernel `{}` was compiled for {} as {}, which does not run on device {} with compute "
                                  "capability {}.{}; compile it for {}",
                                  image.kernel, image.target, image.format, device.name(), capability.major,
                                  capability.minor, device.properties().target.str()));
  for (const Argument &argument : image.arguments)
    offsets.push_back(argument.offset);

  const CurrentContext current(device);
  try {
    loadModule(image);
    compareParameters(image);
    claimResources(image);
  } catch (...) {
    if (module)
      device.api.cuModuleUnload(module);
    throw;
  }
}

CudaKernel::~CudaKernel() {
  if (device.health.isLost() || device.api.cuCtxPushCurrent(device.context()) != Result::Success)
    return;
  device.api.cuModuleUnload(module);
  ContextHandle popped = nullptr;
  device.api.cuCtxPopCurrent(&popped);
}

void CudaKernel::loadModule(const Image &image) {
  std::vector<char> text;
  const void *bytes = image.binary.data();
  if (image.format == "ptx") {
    const char *begin = reinterpret_cast<const char *>(image.binary.data());
    text.assign(begin, begin + image.binary.size());
    text.push_back('\0');
    bytes = text.data();
  } else if (const std::string problem = problemOfElf(image.binary, EM_CUDA, "CUDA"); !problem.empty()) {
    throw DeviceError(
        fmt::format("device {} cannot load the cubin of kernel `{}`: {}", device.name(), image.kernel, problem));
  }
  std::array<char, 8192> log{};
  std::array<LoadOption, 2> options{LoadOption::ErrorLog, LoadOption::ErrorLogBytes};
  std::array<void *, 2> values{log.data(), reinterpret_cast<void *>(log.size() - 1)};
  if (const Result code = device.api.cuModuleLoadDataEx(&module, bytes, options.size(), options.data(), values.data());
      code != Result::Success) {
    module = nullptr;
    const std::string_view said(log.data());
    device.fail(fmt::format("loading kernel `{}` ({} for {}){}{}", image.kernel, image.format, image.target,
                            said.empty() ? "" : ", of which the driver says: ", said),
                code);
  }
  if (const Result code = device.api.cuModuleGetFunction(&function, module, image.entry.c_str());
      code != Result::Success)
    device.fail(fmt::format("finding entry `{}` of kernel `{}`", image.entry, image.kernel), code);
  // Otherwise the first launch, or the first one while a stream is captured, would do it.
  if (device.api.cuFuncLoad)
    device.call("cuFuncLoad", device.api.cuFuncLoad, function);
}

void CudaKernel::compareParameters(const Image &image) {
  if (!device.api.cuFuncGetParamInfo)
    return;
  const auto differ = [&](const std::string &how) {
    throw DeviceError(
        fmt::format("device {} cannot load kernel `{}`: its code {}, so it is not the code that the image "
                    "describes",
                    device.name(), image.kernel, how));
  };
  for (std::size_t i = 0; i <= offsets.size(); ++i) {
    std::size_t offset = 0, bytes = 0;
    const Result code = device.api.cuFuncGetParamInfo(function, i, &offset, &bytes);
    if (code == Result::InvalidValue) { // there is no parameter i
      if (i < offsets.size())
        differ(fmt::format("has {} parameters and the image {} arguments", i, offsets.size()));
      return;
    }
    if (code != Result::Success)
      device.fail("cuFuncGetParamInfo", code);
    if (i == offsets.size())
      differ(fmt::format("has more parameters than the image's {} arguments", i));
    if (bytes != image.arguments[i].packedBytes())
      differ(
          fmt::format("takes {} bytes for parameter {} and the image {}", bytes, i, image.arguments[i].packedBytes()));
  }
}

int CudaKernel::attribute(FunctionAttribute attribute) {
  int value = 0;
  device.call("cuFuncGetAttribute", device.api.cuFuncGetAttribute, &value, attribute, function);
  return value;
}

void CudaKernel::claimResources(const Image &image) {
  const int registers = attribute(FunctionAttribute::Registers);
  const int most = attribute(FunctionAttribute::MaxThreadsPerBlock);
  if (static_cast<std::uint32_t>(most) < threads)
    throw DeviceError(fmt::format("device {} cannot run kernel `{}` with {} threads per program: with {} registers a "
                                  "thread it allows {}; lower num_warps or set max_registers",
                                  device.name(), image.kernel, threads, registers, most));
  found.emplace_back("registers", fmt::format("{}", registers));
  found.emplace_back("stack_bytes", fmt::format("{}", attribute(FunctionAttribute::LocalBytes)));
  if (sharedBytes + image.staticSharedBytes > kSharedBytesByDefault)
    device.call("cuFuncSetAttribute", device.api.cuFuncSetAttribute, function, FunctionAttribute::MaxDynamicSharedBytes,
                static_cast<int>(sharedBytes));
  if (cluster[0] * cluster[1] * cluster[2] > kPortableCluster)
    device.call("cuFuncSetAttribute", device.api.cuFuncSetAttribute, function,
                FunctionAttribute::NonPortableClusterAllowed, 1);
}

void CudaKernel::launch(StreamHandle stream, const LaunchParams &params) {
  device.health.requireAlive();
  constexpr std::size_t kInline = 256;
  std::array<void *, kInline> inlinePointers;
  std::vector<void *> heapPointers;
  void **pointers = inlinePointers.data();
  if (offsets.size() > kInline) [[unlikely]] {
    heapPointers.resize(offsets.size());
    pointers = heapPointers.data();
  }
  auto *packed = const_cast<std::byte *>(params.packed.data());
  for (std::size_t i = 0; i != offsets.size(); ++i)
    pointers[i] = packed + offsets[i];

  LaunchAttribute attribute;
  LaunchConfig config;
  config.gridDimX = static_cast<unsigned>(params.grid[0]);
  config.gridDimY = static_cast<unsigned>(params.grid[1]);
  config.gridDimZ = static_cast<unsigned>(params.grid[2]);
  config.blockDimX = threads;
  config.blockDimY = config.blockDimZ = 1;
  config.sharedMemBytes = sharedBytes;
  config.hStream = stream;
  config.attrs = nullptr;
  config.numAttrs = 0;
  if (cluster != std::array<std::uint32_t, 3>{1, 1, 1}) {
    attribute.id = LaunchAttributeId::ClusterDimension;
    std::copy(cluster.begin(), cluster.end(), attribute.value.clusterDim);
    config.attrs = &attribute;
    config.numAttrs = 1;
  }
  device.health.noteLaunch(name);
  if (const Result code = device.api.cuLaunchKernelEx(&config, function, pointers, nullptr); code != Result::Success)
      [[unlikely]]
    device.fail(fmt::format("launching kernel `{}` with a grid of {} x {} x {}", name, params.grid[0], params.grid[1],
                            params.grid[2]),
                code);
}

} // namespace tessera::rt::cuda
