//===- Stages.cpp - from code at the border to a cubin --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What the chip or its assembler refuses is told at the kernel's line. Everything else that goes wrong here is a defect
// of ours, which steps keep as words for the check of the stage's border.
//
//===---------------------------------------------------------------------===//

#include "Target/Gpu/Stages.h"
#include "IRSupport/LLVM.h"
#include "Target/NVIDIA/Assembler.h"
#include "Target/NVIDIA/Codegen.h"
#include "Target/NVIDIA/Crowding.h"
#include "Target/NVIDIA/Cubin.h"
#include "Target/NVIDIA/Disassemble.h"
#include "Target/NVIDIA/Limits.h"
#include "Target/NVIDIA/NvidiaBackend.h"

#include "llvm/Config/llvm-config.h"

#include <algorithm>
#include <fmt/format.h>

namespace tessera::ir::nvidia {

namespace {

/// What stage "asm" hands on, in the place of the module, which it has used up.
struct PtxState final : gpu::GpuState {
  std::string ptx;
};

PtxState &stateOf(Compilation &compilation) { return static_cast<PtxState &>(*compilation.state); }

//===----------------------------------------------------------------------===//
// asm
//===----------------------------------------------------------------------===//

llvm::Expected<std::string> makePtx(Compilation &compilation, llvm::Module &module) {
  const arch::Chip &chip = arch::chipOf(compilation.request.target);
  const rt::Image &image = compilation.image;
  std::string problem;
  const std::unique_ptr<llvm::TargetMachine> machine = makeTargetMachine(chip, problem);
  if (!machine)
    return llvm::createStringError(problem);
  LaunchShape shape;
  shape.entry = image.entry;
  shape.threads = image.threadsPerProgram;
  shape.cluster = image.cluster[0];
  shape.maxRegisters = std::min(compilation.request.options.max_registers, chip.maxRegistersOfThread);
  if (llvm::Error error = prepareModule(module, *machine, shape))
    return error;
  if (llvm::Error error = lowerIds(module, chip, shape.threads))
    return error;
  optimize(module, *machine, chip);
  if (llvm::Error error = lowerBorder(module, chip))
    return error;
  return emitPtx(module, *machine);
}

LogicalResult makeAssembly(Compilation &compilation) {
  if (const std::string limit = brokenLimit(compilation.image, arch::chipOf(compilation.request.target));
      !limit.empty())
    return gpu::refuse(compilation, limit);
  llvm::Expected<std::string> ptx = makePtx(compilation, *gpu::stateOf(compilation).module);
  auto state = std::make_unique<PtxState>();
  if (ptx)
    state->ptx = std::move(*ptx);
  else
    gpu::keep(*state, ptx.takeError());
  compilation.state = std::move(state);
  return success();
}

std::string printAssembly(Compilation &compilation) { return stateOf(compilation).ptx; }

//===----------------------------------------------------------------------===//
// binary, sass
//===----------------------------------------------------------------------===//

/// Assembles the kernel again so that \p blocks fit a multiprocessor, and takes what comes of it if it spills no more
/// than \p facts do.
bool takesBlocks(std::uint32_t blocks, rt::Image &image, CubinFacts &facts, const std::string &ptx,
                 const arch::Chip &chip, bool lineInfo) {
  const std::string text = withBlocks(ptx, blocks);
  if (text.empty())
    return false;
  llvm::Expected<Assembled> assembled = assemble(chooseAssembler(), text, chip, lineInfo);
  if (!assembled) {
    llvm::consumeError(assembled.takeError());
    return false;
  }
  llvm::Expected<CubinFacts> asked = readCubin(assembled->code, image.entry);
  if (!asked) {
    llvm::consumeError(asked.takeError());
    return false;
  }
  if (!spillsNoMore(*asked, facts))
    return false;
  image.binary = std::move(assembled->code);
  facts = std::move(*asked);
  return true;
}

/// Has the kernel assembled again so that more blocks fit a multiprocessor, where that is likely to help, or fewer,
/// where it spills because of those that were asked for; keeps \p image and \p facts if it did not.
void crowd(rt::Image &image, CubinFacts &facts, const std::string &ptx, const arch::Chip &chip, bool lineInfo) {
  if (blocksAskedFor(ptx) > 1) {
    if (facts.stackBytes == 0)
      return;
    takesBlocks(1, image, facts, ptx, chip, lineInfo);
  }
  for (const std::uint32_t blocks : blocksToAskFor(image, facts, chip))
    if (takesBlocks(blocks, image, facts, ptx, chip, lineInfo))
      return;
}

LogicalResult makeBinary(Compilation &compilation) {
  PtxState &state = stateOf(compilation);
  rt::Image &image = compilation.image;
  const arch::Chip &chip = arch::chipOf(compilation.request.target);
  const bool lineInfo = compilation.request.options.line_info;
  llvm::Expected<Assembled> assembled = assemble(chooseAssembler(), state.ptx, chip, lineInfo);
  if (!assembled && blocksAskedFor(state.ptx) > 1) {
    // An instruction of a matrix unit may have more operands than so many blocks leave registers.
    llvm::consumeError(assembled.takeError());
    state.ptx = withBlocks(state.ptx, 1);
    assembled = assemble(chooseAssembler(), state.ptx, chip, lineInfo);
  }
  if (!assembled)
    return gpu::refuse(compilation, llvm::toString(assembled.takeError()));
  image.format = assembled->format;
  image.binary = std::move(assembled->code);
  for (const std::string &warning : assembled->warnings)
    mlir::emitWarning(gpu::placeOf(compilation), warning);
  if (!assembled->warnings.empty())
    image.setFact("assembler_warnings", fmt::format("{}", fmt::join(assembled->warnings, "; ")));
  if (image.format != "cubin") {
    image.setFact("toolchain", "LLVM " LLVM_VERSION_STRING);
    return success();
  }

  llvm::Expected<CubinFacts> facts = readCubin(image.binary, image.entry);
  if (!facts) {
    gpu::keep(state, facts.takeError());
    return success();
  }
  crowd(image, *facts, state.ptx, chip, lineInfo);
  if (const std::string limit = brokenLimit(image, *facts, chip); !limit.empty())
    return gpu::refuse(compilation, limit);
  state.defect = parameterMismatch(image, *facts);
  setFacts(image, *facts, chip);
  image.setFact("toolchain", fmt::format("LLVM {}, {}", LLVM_VERSION_STRING, facts->assembler));
  return success();
}

std::string printInstructions(Compilation &compilation) {
  const rt::Image &image = compilation.image;
  if (image.format != "cubin")
    return "no code is shown: the driver assembles it when the kernel is loaded\n";
  return disassemble(image.binary);
}

const Stage kStages[] = {
    {.name = "asm", .run = makeAssembly, .verify = gpu::reportDefect, .print = printAssembly},
    {.name = "binary", .run = makeBinary, .verify = gpu::reportDefect, .print = gpu::printBinary},
    {.name = "sass", .print = printInstructions},
};

} // namespace

llvm::ArrayRef<Stage> stagesAfterLLVM() { return kStages; }

} // namespace tessera::ir::nvidia
