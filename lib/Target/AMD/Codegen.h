//===- Codegen.h - from an LLVM module to a code object --------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_AMD_CODEGEN_H
#define TESSERA_TARGET_AMD_CODEGEN_H

#include "Arch/Chip.h"
#include "Target/AMD/CodeObject.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <cstdint>
#include <memory>
#include <string>

namespace tessera::ir::amd {

/// How a kernel is launched, as far as the code depends on it.
struct LaunchShape {
  std::string entry = {};        ///< the kernel's function
  std::uint32_t threads = 0;     ///< of a program
  std::uint32_t sharedBytes = 0; ///< of a program
  int maxRegisters = 0;          ///< vector registers of a thread; 0 = the code generator's choice
  int wavesPerUnit = 0;          ///< waves that share an execution unit, to aim for; 0 = the code generator's choice
};

/// LLVM's code generator for \p chip; null with the reason in \p problem. The first call in a process readies LLVM.
std::unique_ptr<llvm::TargetMachine> makeTargetMachine(const arch::Chip &chip, std::string &problem);

/// Readies \p module for \p machine: triple and layout, what `shape.entry` must say of itself as a kernel, and its
/// shared memory.
llvm::Error prepareModule(llvm::Module &module, const llvm::TargetMachine &machine, const LaunchShape &shape);

/// Replaces the numbers of threads, warps, lanes and blocks, so that the optimiser knows how large they get.
llvm::Error lowerIds(llvm::Module &module, const arch::Chip &chip, std::uint32_t threads);

/// Scalar clean-ups while calls of the border are still calls. Floating point is left as it is.
void optimize(llvm::Module &module, llvm::TargetMachine &machine);

/// Lets loops carry the sums of matrix instructions as vectors.
void carryVectors(llvm::Function &function);

/// Replaces all other calls of the border's functions by intrinsics, instructions and branches. An error names the
/// function that \p chip has no instruction for.
llvm::Error lowerBorder(llvm::Module &module, const arch::Chip &chip, llvm::TargetMachine &machine);

/// Lets loops compute what is cheaper to compute than to keep in scalar registers.
void computeLate(llvm::Function &function, llvm::TargetMachine &machine);

/// Whether several waves of a program of \p threads threads share an execution unit of \p chip.
bool sharesUnits(const arch::Chip &chip, std::uint32_t threads);
/// Raises the priority of a wave for the time in which it executes the matrix instructions of a loop. Comes before
/// interleaveReads().
void raisePriorities(llvm::Function &function, llvm::TargetMachine &machine);

/// Asks the code generator to read operands of later matrix instructions beside earlier ones.
void interleaveReads(llvm::Function &function);
/// Takes back what it was told of orders: those of reads, and priorities, which it schedules nothing across.
void forgetOrder(llvm::Function &function);

/// Tells the code generator what the kernel does not ask for at its start: numbers of blocks, sizes, queues.
void dropUnusedInputs(llvm::Function &kernel);

/// The instructions of \p module, which stays as it is, as text.
llvm::Expected<std::string> assemblyText(const llvm::Module &module, llvm::TargetMachine &machine);

/// The code object of \p module, which is used up.
llvm::Error makeCodeObject(llvm::Module &module, llvm::TargetMachine &machine, llvm::SmallVectorImpl<char> &code);

/// The code object of \p module with kernel \p entry, its instructions in the order that fits into registers, if there
/// is one. The module has code of that order from then on.
llvm::Expected<CodeObject> makeFittingCode(llvm::Module &module, llvm::TargetMachine &machine, llvm::StringRef entry);

} // namespace tessera::ir::amd

#endif // TESSERA_TARGET_AMD_CODEGEN_H
