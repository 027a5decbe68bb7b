//===- Stages.cpp - from code at the border to a code object --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What the chip or the code generator refuses is told at the kernel's line. Everything else that goes wrong here is a
// defect of ours, which steps keep as words for the check of the stage's border.
//
//===---------------------------------------------------------------------===//

#include "Target/Gpu/Stages.h"

#include "IRSupport/LLVM.h"
#include "Target/AMD/AmdBackend.h"
#include "Target/AMD/Codegen.h"
#include "Target/AMD/Limits.h"

#include "llvm/Config/llvm-config.h"

#include <algorithm>
#include <memory>

namespace tessera::ir::amd {

namespace {

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machineFor(Compilation &compilation) {
  std::string problem;
  std::unique_ptr<llvm::TargetMachine> machine = makeTargetMachine(arch::chipOf(compilation.request.target), problem);
  if (!machine)
    return llvm::createStringError(problem);
  return machine;
}

//===----------------------------------------------------------------------===//
// asm
//===----------------------------------------------------------------------===//

llvm::Error prepareCode(Compilation &compilation, gpu::GpuState &state) {
  auto machine = machineFor(compilation);
  if (!machine)
    return machine.takeError();
  const arch::Chip &chip = arch::chipOf(compilation.request.target);
  const CompileOptions &options = compilation.request.options;
  const rt::Image &image = compilation.image;
  LaunchShape shape;
  shape.entry = image.entry;
  shape.threads = image.threadsPerProgram;
  shape.sharedBytes = image.sharedBytes;
  shape.maxRegisters = std::min(options.max_registers, chip.maxRegistersOfThread);
  shape.wavesPerUnit = options.waves_per_eu;
  if (llvm::Error error = prepareModule(*state.module, **machine, shape))
    return error;
  if (llvm::Error error = lowerIds(*state.module, chip, shape.threads))
    return error;
  optimize(*state.module, **machine);
  carryVectors(gpu::kernelOf(state, image));
  if (llvm::Error error = lowerBorder(*state.module, chip, **machine))
    return error;
  computeLate(gpu::kernelOf(state, image), **machine);
  if (sharesUnits(chip, shape.threads))
    raisePriorities(gpu::kernelOf(state, image), **machine);
  interleaveReads(gpu::kernelOf(state, image));
  dropUnusedInputs(gpu::kernelOf(state, image));
  return llvm::Error::success();
}

LogicalResult makeAssembly(Compilation &compilation) {
  if (const std::string limit = gpu::brokenLimit(compilation.image, arch::chipOf(compilation.request.target));
      !limit.empty())
    return gpu::refuse(compilation, limit);
  gpu::GpuState &state = gpu::stateOf(compilation);
  gpu::keep(state, prepareCode(compilation, state));
  return success();
}

std::string printAssembly(Compilation &compilation) {
  auto machine = machineFor(compilation);
  if (!machine)
    return llvm::toString(machine.takeError()) + "\n";
  llvm::Module &module = *gpu::stateOf(compilation).module;
  if (auto object = makeFittingCode(module, **machine, compilation.image.entry); !object)
    llvm::consumeError(object.takeError()); // the text says it, too
  llvm::Expected<std::string> text = assemblyText(module, **machine);
  return text ? *text : llvm::toString(text.takeError()) + "\n";
}

//===----------------------------------------------------------------------===//
// binary
//===----------------------------------------------------------------------===//

LogicalResult makeBinary(Compilation &compilation) {
  gpu::GpuState &state = gpu::stateOf(compilation);
  rt::Image &image = compilation.image;
  const arch::Chip &chip = arch::chipOf(compilation.request.target);
  auto machine = machineFor(compilation);
  if (!machine) {
    gpu::keep(state, machine.takeError());
    return success();
  }
  llvm::Expected<CodeObject> object = makeFittingCode(*state.module, **machine, image.entry);
  if (!object)
    return gpu::refuse(compilation, llvm::toString(object.takeError()));
  image.format = "hsaco";
  image.binary.assign(object->bytes().begin(), object->bytes().end());
  image.setFact("toolchain", "LLVM " LLVM_VERSION_STRING);
  if (!object->defect.empty()) {
    state.defect = object->defect;
    return success();
  }
  if (const std::string limit = brokenLimit(image, object->facts, chip); !limit.empty())
    return gpu::refuse(compilation, limit);
  state.defect = mismatch(image, object->facts, chip);
  setFacts(image, object->facts, chip);
  return success();
}

const Stage kStages[] = {
    {.name = "asm", .run = makeAssembly, .verify = gpu::reportDefect, .print = printAssembly},
    {.name = "binary", .run = makeBinary, .verify = gpu::reportDefect, .print = gpu::printBinary},
};

} // namespace

llvm::ArrayRef<Stage> stagesAfterLLVM() { return kStages; }

} // namespace tessera::ir::amd
