//===- EmitCode.h - run LLVM's optimiser and code generators ---*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_GPU_EMITCODE_H
#define TESSERA_TARGET_GPU_EMITCODE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace tessera::ir::gpu {

/// Runs the passes that \p pipeline names, as `opt -passes` spells them, on \p module.
void runPasses(llvm::Module &module, llvm::TargetMachine &machine, llvm::StringRef pipeline);

/// Calls \p ask with LLVM's analyses of functions for \p machine.
void analyse(llvm::TargetMachine &machine, llvm::function_ref<void(llvm::FunctionAnalysisManager &)> ask);

/// Writes the code of \p module, which is used up, as text or as an object. What the code generator refuses is an error
/// and not the end of the process.
llvm::Error emitCode(llvm::Module &module, llvm::TargetMachine &machine, llvm::CodeGenFileType type,
                     llvm::SmallVectorImpl<char> &out);

} // namespace tessera::ir::gpu

#endif // TESSERA_TARGET_GPU_EMITCODE_H
