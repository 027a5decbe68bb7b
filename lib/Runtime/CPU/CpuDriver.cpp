//===- CpuDriver.cpp - the host's processor as a device -------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/CPU/CpuDriver.h"

#include "Arch/Chip.h"
#include "Runtime/CPU/HostFeatures.h"
#include "Runtime/CPU/SharedObject.h"
#include "Runtime/CPU/ThreadPool.h"
#include "Runtime/Drivers.h"
#include "Runtime/HostMemory.h"
#include "Support/Environment.h"

#include "tessera/core/Error.h"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

namespace tessera::rt {

namespace {

/// Largest extent of a grid and largest number of programs.
constexpr std::int64_t kMaxPrograms = std::int64_t{1} << 40;
constexpr std::uint32_t kMaxArenaBytes = std::uint32_t{1} << 30;

struct CpuKernel final : LoadedKernel {
  explicit CpuKernel(const Image &image) : name(image.kernel), arenaBytes(image.sharedBytes), code(image.binary) {}

  std::string name;
  std::size_t arenaBytes;
  cpu::SharedObject code;
  cpu::Entry *entry = nullptr;
  bool inOrder = false;
  cpu::ProgramCost cost{0};
};

/// What kernels for this device are compiled for: TESSERA_CPU names a chip that others have, too.
Target chosenTarget() {
  const std::string chip = support::environment(support::Variable::Cpu);
  if (chip.empty() || chip == "native")
    return Target("cpu");
  try {
    return Target("cpu:" + chip);
  } catch (const UsageError &error) {
    throw UsageError(fmt::format("TESSERA_CPU is `{}`, which names no processor: {}", chip, error.what()));
  }
}

std::string instructionSetsOf(const Target &target) {
  const arch::Chip &chip = arch::chipOf(target);
  if (!target.chip().empty())
    return fmt::format("{},{}", chip.architecture, chip.instructionSets);
  return fmt::format("{},{}", cpu::hostArchitecture(), fmt::join(cpu::hostFeatures(), ","));
}

class CpuDriver final : public HostMemoryDriver {
public:
  std::string_view family() const override { return "cpu"; }
  int priority() const override { return 50; }
  int deviceCount() noexcept override { return 1; }

  DeviceProperties properties(int) override {
    const unsigned threads = cpu::ThreadPool::get().threads();
    DeviceProperties properties;
    properties.name = fmt::format("{}, {} thread{}", cpu::hostName(), threads, threads == 1 ? "" : "s");
    properties.target = chosenTarget();
    properties.instructionSets = instructionSetsOf(properties.target);
    properties.multiprocessors = static_cast<int>(threads);
    properties.maxGrid = {kMaxPrograms, kMaxPrograms, kMaxPrograms};
    properties.maxSharedBytes = kMaxArenaBytes;
    // Filling the last cache, which may be as large as memory once was, would take longer than what is timed.
    properties.cacheBytes = std::max(::sysconf(_SC_LEVEL2_CACHE_SIZE), 0L) * threads;
    return properties;
  }

  std::unique_ptr<LoadedKernel> load(int, const Image &image) override {
    const Target target(image.target);
    if (target.family() != "cpu" || image.format != cpu::kFormat)
      throw DeviceError(fmt::format("kernel `{}` was compiled for {} as {}, and device cpu runs {} for cpu",
                                    image.kernel, image.target, image.format, cpu::kFormat));
    const std::string *features = image.fact(cpu::kFeaturesFact);
    if (const std::string missing = cpu::missingFeatures(features ? *features : ""); !missing.empty())
      throw DeviceError(fmt::format("kernel `{}` was compiled for {} and uses {}, which this processor ({}) lacks; "
                                    "compile it for an older one, such as cpu:x86-64-v2",
                                    image.kernel, image.target, missing, cpu::hostName()));
    std::unique_ptr<CpuKernel> kernel;
    try {
      kernel = std::make_unique<CpuKernel>(image);
    } catch (const DeviceError &error) {
      throw DeviceError(fmt::format("device cpu cannot load kernel `{}`: {}", image.kernel, error.what()));
    }
    kernel->entry = reinterpret_cast<cpu::Entry *>(kernel->code.find(image.entry));
    if (!kernel->entry)
      throw DeviceError(
          fmt::format("device cpu cannot load kernel `{}`: its code has no symbol `{}`", image.kernel, image.entry));
    const std::string *inOrder = image.fact(cpu::kInOrderFact);
    kernel->inOrder = inOrder && *inOrder == "1";
    cpu::ThreadPool::get().reserve(kernel->arenaBytes);
    return kernel;
  }

  void launch(int, void *, LoadedKernel &loaded, const LaunchParams &params) override {
    auto &kernel = static_cast<CpuKernel &>(loaded);
    std::int64_t programs = 1;
    for (std::int64_t extent : params.grid)
      if (__builtin_mul_overflow(programs, extent, &programs) || programs > kMaxPrograms)
        throw DeviceError(
            fmt::format("kernel `{}` is launched with a grid of {} x {} x {} programs; device cpu runs at most 2^40; "
                        "launch several smaller grids",
                        kernel.name, params.grid[0], params.grid[1], params.grid[2]));
    cpu::ThreadPool::get().run({.entry = kernel.entry,
                                .packed = params.packed.data(),
                                .grid = params.grid,
                                .arenaBytes = kernel.arenaBytes,
                                .inOrder = kernel.inOrder,
                                .cost = &kernel.cost});
  }
};

} // namespace

std::unique_ptr<DeviceDriver> createCpuDriver() { return std::make_unique<CpuDriver>(); }

} // namespace tessera::rt
