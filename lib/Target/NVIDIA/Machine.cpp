//===- Machine.cpp - LLVM's code generator for NVIDIA's chips -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/NVIDIA/Codegen.h"

#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetOptions.h"

#include <fmt/format.h>
#include <mutex>

namespace tessera::ir::nvidia {

/// Addresses of shared memory have 32 bits: half the registers, and arithmetic in one instruction. LLVM offers that as
/// an option of the process only; it is set once, before the first code generator is made, and never changed.
static bool shortenSharedPointers() {
  auto &options = llvm::cl::getRegisteredOptions();
  const auto found = options.find("nvptx-short-ptr");
  return found != options.end() && !found->second->addOccurrence(0, "nvptx-short-ptr", "true");
}

static bool initializeTarget() {
  static const bool worked = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return shortenSharedPointers();
  }();
  return worked;
}

std::unique_ptr<llvm::TargetMachine> makeTargetMachine(const arch::Chip &chip, std::string &problem) {
  if (!initializeTarget()) {
    problem = "LLVM's code generator for PTX has no short pointers";
    return nullptr;
  }
  const llvm::Triple triple("nvptx64-nvidia-cuda");
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, problem);
  if (!target)
    return nullptr;
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard; // only what carries the flag `contract`
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, std::string(chip.name), fmt::format("+ptx{}", chip.ptxVersion), options,
                                  llvm::Reloc::Static, std::nullopt, llvm::CodeGenOptLevel::Default));
  if (!machine)
    problem = fmt::format("LLVM has no code generator for {}", chip.name);
  return machine;
}

} // namespace tessera::ir::nvidia
