//===- Codegen.h - from an LLVM module to an object file -------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_CPU_CODEGEN_H
#define TESSERA_TARGET_CPU_CODEGEN_H

#include "Target/CPU/HostTarget.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <string>

namespace tessera::ir::host {

/// Readies \p module for \p machine: its triple and layout, the attributes of its functions, and which symbols it shows
/// (\p entry alone).
void prepareModule(llvm::Module &module, const HostTarget &host, const llvm::TargetMachine &machine,
                   llvm::StringRef entry);

/// A short list of scalar clean-ups. Loops and vectors come as they should be: the default pipelines would make library
/// calls of them, which kernels cannot have.
void optimize(llvm::Module &module, llvm::TargetMachine &machine);

/// The assembly text of \p module, which it leaves as it is; a message instead if there is no such text.
std::string assemblyText(const llvm::Module &module, llvm::TargetMachine &machine);

/// The object file of \p module, which is used up.
llvm::Error emitObject(llvm::Module &module, llvm::TargetMachine &machine, llvm::SmallVectorImpl<char> &object);

/// Checks what is known of a linked kernel: it exports \p entry alone, needs no other library and has nothing to
/// relocate.
llvm::Error checkSharedObject(llvm::ArrayRef<char> bytes, llvm::StringRef entry);

/// Whether \p module calls nothing that lies outside it.
llvm::Error checkModule(const llvm::Module &module);

} // namespace tessera::ir::host

#endif // TESSERA_TARGET_CPU_CODEGEN_H
