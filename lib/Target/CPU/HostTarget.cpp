//===- HostTarget.cpp - what code for a processor is made for -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/CPU/HostTarget.h"

#include "Arch/Chip.h"
#include "Runtime/CPU/HostFeatures.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Host.h"

#include <fmt/format.h>
#include <mutex>

namespace tessera::ir::host {

using llvm::StringRef;

bool HostTarget::has(StringRef name) const { return llvm::is_contained(instructionSets, name); }
std::string HostTarget::features() const { return llvm::join(instructionSets, ","); }

static llvm::SmallVector<StringRef> setsOf(const arch::Chip &chip) {
  llvm::SmallVector<StringRef> sets;
  StringRef(chip.instructionSets).split(sets, ',', -1, /*KeepEmpty=*/false);
  return sets;
}

/// The facts of \p chip, with instruction sets of its own.
static HostTarget describe(const arch::Chip &chip, llvm::ArrayRef<StringRef> sets, StringRef tuning) {
  HostTarget host;
  host.triple = chip.architecture == "x86-64" ? "x86_64-unknown-linux-gnu" : "aarch64-unknown-linux-gnu";
  host.tuning = tuning.str();
  host.instructionSets.assign(sets.begin(), sets.end());
  host.vectorBytes = static_cast<unsigned>(chip.vectorBytes);
  host.streamVectorBytes = static_cast<unsigned>(chip.streamVectorBytes);
  host.vectorRegisters = static_cast<unsigned>(chip.vectorRegisters);
  return host;
}

/// This machine: the best chip of the table that it can stand in for.
static HostTarget describeMachine() {
  const std::string_view architecture = rt::cpu::hostArchitecture();
  llvm::SmallVector<StringRef> sets;
  for (std::string_view name : rt::cpu::hostFeatures())
    sets.push_back(name);
  const arch::Chip *best = nullptr, *least = nullptr;
  for (const arch::Chip &chip : arch::chips()) {
    if (chip.family != "cpu" || chip.architecture != architecture)
      continue;
    if (!least)
      least = &chip;
    if (llvm::all_of(setsOf(chip), [&](StringRef set) { return llvm::is_contained(sets, set); }))
      best = &chip;
  }
  if (best)
    return describe(*best, sets, llvm::sys::getHostCPUName());
  HostTarget host;
  host.problem = least ? fmt::format("this processor lacks {}, which all kernels for it use",
                                     rt::cpu::missingFeatures(least->instructionSets))
                       : fmt::format("no code can be made for this machine's architecture; those known are x86-64 and "
                                     "aarch64");
  return host;
}

HostTarget hostTargetOf(const Target &target) {
  if (target.chip().empty())
    return describeMachine();
  const arch::Chip &chip = arch::chipOf(target);
  return describe(chip, setsOf(chip), "generic");
}

HostOptions hostOptionsOf(const HostTarget &host, const Target &target, const CompileOptions &options) {
  const bool isArm = StringRef(host.triple).starts_with("aarch64");
  HostOptions result;
  result.target = target.str();
  result.vectorBytes = host.vectorBytes;
  result.streamVectorBytes = host.streamVectorBytes;
  result.hasFma = isArm || host.has("fma");
  result.hasF16C = isArm || host.has("f16c");
  result.maskedNarrow = host.has("avx512bw") && host.has("avx512vl");
  result.fastGather = host.has("avx512f");
  result.mr = host.vectorRegisters >= 32 ? 8 : 4;
  result.nv = 2;
  result.fpContract = options.fp_contract;
  result.checks = options.checks;
  return result;
}

static void initializeTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser(); // for inline assembly
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
    LLVMInitializeAArch64AsmParser();
  });
}

std::unique_ptr<llvm::TargetMachine> makeTargetMachine(const HostTarget &host, std::string &problem) {
  initializeTargets();
  const llvm::Triple triple(host.triple);
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, problem);
  if (!target)
    return nullptr;
  std::string features;
  for (StringRef set : host.instructionSets)
    features += fmt::format("+{},", std::string_view(set));
  if (triple.isX86())
    features += "-prefer-256-bit"; // how wide vectors are is decided before LLVM sees them
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard; // only what carries the flag `contract`
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, triple.isX86() ? "x86-64" : "generic", features, options, llvm::Reloc::PIC_,
                                  std::nullopt, llvm::CodeGenOptLevel::Default));
  if (!machine)
    problem = fmt::format("LLVM has no code generator for {}", host.triple);
  return machine;
}

} // namespace tessera::ir::host
