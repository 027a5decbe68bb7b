//===- EmitPtx.cpp - PTX text ---------------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Gpu/EmitCode.h"
#include "Target/NVIDIA/Codegen.h"

namespace tessera::ir::nvidia {

llvm::Expected<std::string> emitPtx(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::SmallString<0> text;
  if (llvm::Error error = gpu::emitCode(module, machine, llvm::CodeGenFileType::AssemblyFile, text))
    return error;
  return std::string(text);
}

} // namespace tessera::ir::nvidia
