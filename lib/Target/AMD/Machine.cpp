//===- Machine.cpp - LLVM's code generator for AMD's chips ----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/AMD/Codegen.h"
#include "Target/Gpu/EmitCode.h"
#include "Target/Lld.h"

#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <fmt/format.h>

namespace tessera::ir::amd {

/// What loops carry as vectors, the code generator would take apart again. LLVM offers to leave them as an option of
/// the process only.
static constexpr const char *kBreaksVectors = "amdgpu-codegenprepare-break-large-phis";

static void keepVectorsOfLoops() {
  llvm::cl::getRegisteredOptions().find(kBreaksVectors)->second->addOccurrence(0, kBreaksVectors, "false");
}

/// Lanes that are switched off hold rows of a product's operands. LLVM knows that of most matrix instructions, not of
/// gfx11's, which its pass that moves instructions to their users would take into branches.
static void keepProductsOutOfBranches(const llvm::TargetMachine &machine, llvm::TargetPassConfig &passes) {
  if (machine.getTargetTriple().isAMDGCN() && machine.getTargetCPU().starts_with("gfx11"))
    passes.disablePass(&llvm::MachineSinkingLegacyID);
}

static bool initializeTarget() {
  static const bool worked = [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    LLVMInitializeAMDGPUAsmParser(); // for inline assembly
    const auto &options = llvm::cl::getRegisteredOptions();
    if (options.find(kBreaksVectors) == options.end())
      return false;
    setBehindLinks(keepVectorsOfLoops);
    static const llvm::RegisterTargetPassConfigCallback whenPassesAreChosen(
        [](llvm::TargetMachine &machine, llvm::PassManagerBase &, llvm::TargetPassConfig *passes) {
          keepProductsOutOfBranches(machine, *passes);
        });
    return true;
  }();
  return worked;
}

std::unique_ptr<llvm::TargetMachine> makeTargetMachine(const arch::Chip &chip, std::string &problem) {
  if (!initializeTarget()) {
    problem = "LLVM's code generator for AMD's chips has no choice to leave vectors as they are";
    return nullptr;
  }
  const llvm::Triple triple("amdgcn-amd-amdhsa");
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, problem);
  if (!target)
    return nullptr;
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard; // only what carries the flag `contract`
  // Where two compute units can share a program, one has it all: its waves then meet in one cache.
  const char *const features = chip.warpSize == 32 ? "+wavefrontsize32,+cumode" : "";
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(triple, std::string(chip.name), features,
                                                                           options, llvm::Reloc::PIC_, std::nullopt,
                                                                           llvm::CodeGenOptLevel::Default));
  if (!machine)
    problem = fmt::format("LLVM has no code generator for {}", chip.name);
  return machine;
}

llvm::Expected<std::string> assemblyText(const llvm::Module &module, llvm::TargetMachine &machine) {
  const std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  llvm::SmallString<0> text;
  const auto options = keepOptions();
  if (llvm::Error error = gpu::emitCode(*copy, machine, llvm::CodeGenFileType::AssemblyFile, text))
    return error;
  return std::string(text);
}

llvm::Error makeCodeObject(llvm::Module &module, llvm::TargetMachine &machine, llvm::SmallVectorImpl<char> &code) {
  llvm::SmallString<0> object;
  {
    const auto options = keepOptions();
    if (llvm::Error error = gpu::emitCode(module, machine, llvm::CodeGenFileType::ObjectFile, object))
      return error;
  }
  std::string words;
  if (failed(linkSharedObject(object, code, words, {.keepSymbols = true})))
    return llvm::createStringError("the linker refuses the kernel: " + words);
  return llvm::Error::success();
}

} // namespace tessera::ir::amd
