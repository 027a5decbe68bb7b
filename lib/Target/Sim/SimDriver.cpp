//===- SimDriver.cpp - the simulated GPUs as devices ----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Sim/SimDriver.h"

#include "Arch/Chip.h"
#include "Support/Environment.h"
#include "Target/Interp/TrackedMemory.h"
#include "Target/Sim/Decode/Decode.h"
#include "Target/Sim/Launch.h"
#include "Target/Sim/Memory/TensorMap.h"

#include "tessera/core/Error.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <cstring>
#include <fmt/format.h>
#include <mutex>

namespace tessera::ir {

namespace {

std::mutex sabotageLock;
sim::Sabotage sabotage;

struct SimKernel final : rt::LoadedKernel {
  std::string name;
  std::unique_ptr<sim::Program> program;
  std::vector<rt::Argument> arguments;
  unsigned threads = 0, cluster = 1;
  std::uint32_t sharedBytes = 0;
};

std::span<const arch::Chip> simulatedChips() {
  static const std::vector<arch::Chip> all = [] {
    std::vector<arch::Chip> found;
    for (const arch::Chip &chip : arch::chips())
      if (chip.family == "sim")
        found.push_back(chip);
    return found;
  }();
  return all;
}

/// Decodes the code of \p image; null with the reason in \p error.
std::unique_ptr<sim::Program> decodeFrom(const rt::Image &image, const sim::Machine &machine, std::string &error) {
  llvm::LLVMContext context;
  const llvm::StringRef bytes(reinterpret_cast<const char *>(image.binary.data()), image.binary.size());
  llvm::Expected<std::unique_ptr<llvm::Module>> module =
      llvm::parseBitcodeFile(llvm::MemoryBufferRef(bytes, image.kernel), context);
  if (!module) {
    error = llvm::toString(module.takeError());
    return nullptr;
  }
  sim::DecodeError why;
  auto program = sim::decode(**module, image.entry, machine, why);
  error = why.message();
  return program;
}

class SimDriver final : public interp::TrackedMemoryDriver {
public:
  std::string_view family() const override { return "sim"; }
  std::string label(int device) const override { return std::string(chipOf(device).name); }
  int priority() const override { return -1; }
  int deviceCount() noexcept override { return static_cast<int>(simulatedChips().size()); }

  rt::DeviceProperties properties(int device) override {
    const arch::Chip &chip = chipOf(device);
    rt::DeviceProperties p;
    p.name = fmt::format("simulated {}", chip.name);
    p.target = targetOf(device);
    p.warpSize = chip.warpSize;
    p.maxGrid = {0x7fffffff, 0xffff, 0xffff};
    p.maxThreadsPerProgram = static_cast<std::uint32_t>(chip.maxThreadsOfProgram);
    p.maxSharedBytes = static_cast<std::uint32_t>(chip.sharedBytesOfProgram);
    return p;
  }

  void *allocateHost(int device, std::size_t bytes) override {
    void *memory = TrackedMemoryDriver::allocateHost(device, bytes);
    live.add(memory, bytes);
    live.noteWritten(memory, bytes); // the host writes there as it likes
    return memory;
  }
  void freeHost(int device, void *memory) noexcept override {
    if (memory)
      live.remove(memory);
    TrackedMemoryDriver::freeHost(device, memory);
  }

  std::unique_ptr<rt::LoadedKernel> load(int device, const rt::Image &image) override {
    const Target target = targetOf(device);
    if (image.target != target.str() || image.format != sim::kFormat)
      throw DeviceError(fmt::format("kernel `{}` was compiled for {} as {}, and device {} runs {} for {}", image.kernel,
                                    image.target, image.format, target.str(), sim::kFormat, target.str()));
    auto kernel = std::make_unique<SimKernel>();
    std::string error;
    kernel->program = decodeFrom(image, sim::machineOf(chipOf(device)), error);
    if (!kernel->program)
      throw DeviceError(fmt::format("device {} cannot load kernel `{}`: {}", target.str(), image.kernel, error));
    kernel->name = image.kernel;
    kernel->arguments = image.arguments;
    kernel->threads = image.threadsPerProgram;
    kernel->cluster = image.cluster[0];
    kernel->sharedBytes = image.sharedBytes + image.staticSharedBytes;
    if (kernel->program->parameters.size() != image.arguments.size())
      throw DeviceError(fmt::format("device {} cannot load kernel `{}`: its argument table does not fit its code",
                                    target.str(), image.kernel));
    return kernel;
  }

  void launch(int, void *, rt::LoadedKernel &loaded, const rt::LaunchParams &params) override {
    auto &kernel = static_cast<SimKernel &>(loaded);
    std::vector<const void *> arguments;
    std::vector<std::pair<std::uint64_t, std::string>> names;
    std::vector<interp::Lent> lent;
    for (std::size_t i = 0; i != kernel.arguments.size(); ++i) {
      const rt::Argument &argument = kernel.arguments[i];
      arguments.push_back(params.packed.data() + argument.offset);
      if (argument.kind == rt::ArgumentKind::Workspace || argument.kind == rt::ArgumentKind::Counters)
        lent.push_back({params.extents[i].address, params.extents[i].bytes,
                        argument.zeroed || argument.kind == rt::ArgumentKind::Counters});
      if (params.extents[i].address && !argument.name.empty())
        names.push_back({reinterpret_cast<std::uint64_t>(params.extents[i].address), '`' + argument.name + '`'});
    }
    const std::vector<interp::LiveBuffer> buffers = live.forLaunch(params.extents, lent);
    sim::LaunchRequest request;
    request.grid = params.grid;
    request.threads = kernel.threads;
    request.cluster = kernel.cluster;
    request.sharedBytes = kernel.sharedBytes;
    request.arguments = arguments;
    request.buffers = buffers;
    request.names = names;
    using support::Variable;
    request.seed = static_cast<std::uint64_t>(support::environmentNumber(Variable::SimSeed, 0, 0, INT64_MAX));
    request.maxFaults = static_cast<unsigned>(support::environmentNumber(Variable::Faults, 20, 1, 1'000'000));
    {
      const std::lock_guard guard(sabotageLock);
      request.sabotage = sabotage;
    }
    const interp::Faults faults = sim::run(*kernel.program, request);
    if (!faults.none())
      throw DeviceError(fmt::format("kernel `{}`: the simulated GPU found {} fault{}\n{}", kernel.name, faults.total,
                                    faults.total == 1 ? "" : "s", faults.text()));
  }

  void encodeTensorMap(int device, const rt::TensorMapValues &values, std::byte *out) override {
    if (!chipOf(device).has(arch::Feature::TensorMemoryAccess))
      return TrackedMemoryDriver::encodeTensorMap(device, values, out);
    sim::encodeTensorMap(values, out);
  }

private:
  static const arch::Chip &chipOf(int device) { return simulatedChips()[static_cast<std::size_t>(device)]; }
  static Target targetOf(int device) { return Target(fmt::format("sim:{}", chipOf(device).name)); }
};

} // namespace

void sim::setSabotage(const Sabotage &wanted) {
  const std::lock_guard guard(sabotageLock);
  sabotage = wanted;
}

std::unique_ptr<rt::DeviceDriver> createSimDriver() { return std::make_unique<SimDriver>(); }

} // namespace tessera::ir
