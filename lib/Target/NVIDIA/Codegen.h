//===- Codegen.h - from an LLVM module to PTX ------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_NVIDIA_CODEGEN_H
#define TESSERA_TARGET_NVIDIA_CODEGEN_H

#include "Arch/Chip.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <cstdint>
#include <memory>
#include <string>

namespace tessera::ir::nvidia {

/// How a kernel is launched, as far as the code depends on it.
struct LaunchShape {
  std::string entry = {};        ///< the kernel's function
  std::uint32_t threads = 0;     ///< of a program
  std::uint32_t cluster = 1;     ///< programs launched together
  std::uint32_t sharedBytes = 0; ///< dynamic shared memory
  int maxRegisters = 0;          ///< of a thread; 0 = the assembler's choice
};

/// LLVM's code generator for \p chip; null with the reason in \p problem. The first call in a process readies LLVM.
std::unique_ptr<llvm::TargetMachine> makeTargetMachine(const arch::Chip &chip, std::string &problem);

/// Readies \p module for \p machine: triple and layout, and what `shape.entry` must say of itself as a kernel.
llvm::Error prepareModule(llvm::Module &module, const llvm::TargetMachine &machine, const LaunchShape &shape);

/// Replaces the numbers of threads, warps, lanes and blocks, so that the optimiser knows how large they get.
llvm::Error lowerIds(llvm::Module &module, const arch::Chip &chip, std::uint32_t threads);

/// Scalar clean-ups while calls of the border are still calls, then constants of addresses where instructions take
/// them. Floating point is left as it is.
void optimize(llvm::Module &module, llvm::TargetMachine &machine, const arch::Chip &chip);

/// Lets what is computed of halves be computed again after threads have met, where its waiting as floats leaves no
/// second block of threads room on a multiprocessor. How many blocks may fit then; 0 if nothing was done.
std::int64_t computeAgain(llvm::Function &function, const arch::Chip &chip);

/// Lets halves that are used as floats before and after threads meet wait as halves, where that frees registers.
void widenAgain(llvm::Function &function);

/// Replaces all other calls of the border's functions by intrinsics and PTX. An error names the function that \p chip
/// has no instruction for. Nothing may be optimised on the level of LLVM's IR behind it.
llvm::Error lowerBorder(llvm::Module &module, const arch::Chip &chip);

/// The PTX of \p module, which is used up.
llvm::Expected<std::string> emitPtx(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace tessera::ir::nvidia

#endif // TESSERA_TARGET_NVIDIA_CODEGEN_H
