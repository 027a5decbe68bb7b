//===- Emit.cpp - assembly text and object files --------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/CPU/Codegen.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace tessera::ir::host {

/// Runs the code generator; false if it cannot write files of this type.
static bool generate(llvm::Module &module, llvm::TargetMachine &machine, llvm::CodeGenFileType type,
                     llvm::SmallVectorImpl<char> &out) {
  llvm::raw_svector_ostream stream(out);
  llvm::legacy::PassManager passes;
  llvm::TargetLibraryInfoImpl library(machine.getTargetTriple());
  library.disableAllFunctions();
  passes.add(new llvm::TargetLibraryInfoWrapperPass(library));
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type, /*DisableVerify=*/true))
    return false;
  passes.run(module);
  return true;
}

std::string assemblyText(const llvm::Module &module, llvm::TargetMachine &machine) {
  const std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  llvm::SmallString<0> text;
  if (!generate(*copy, machine, llvm::CodeGenFileType::AssemblyFile, text))
    return "this processor's code has no form as text\n";
  return std::string(text);
}

llvm::Error emitObject(llvm::Module &module, llvm::TargetMachine &machine, llvm::SmallVectorImpl<char> &object) {
  if (!generate(module, machine, llvm::CodeGenFileType::ObjectFile, object))
    return llvm::createStringError("the code generator writes no object files");
  return llvm::Error::success();
}

} // namespace tessera::ir::host
