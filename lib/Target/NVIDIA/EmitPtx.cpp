//===- EmitPtx.cpp - PTX text ---------------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/NVIDIA/Codegen.h"

#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/raw_ostream.h"

namespace tessera::ir::nvidia {

namespace {

/// Collects what the code generator refuses, which LLVM would print and then end the process for.
class KeepErrors final : public llvm::DiagnosticHandler {
public:
  explicit KeepErrors(std::string &words) : words(words) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() == llvm::DS_Error) {
      llvm::raw_string_ostream stream(words);
      if (!words.empty())
        stream << "; ";
      llvm::DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
    }
    return true;
  }

private:
  std::string &words;
};

} // namespace

llvm::Expected<std::string> emitPtx(llvm::Module &module, llvm::TargetMachine &machine) {
  std::string words;
  llvm::LLVMContext &context = module.getContext();
  std::unique_ptr<llvm::DiagnosticHandler> before = context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<KeepErrors>(words));

  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  const bool refused = machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile,
                                                   /*DisableVerify=*/true);
  if (!refused)
    passes.run(module);
  context.setDiagnosticHandler(std::move(before));
  if (refused)
    return llvm::createStringError("the code generator writes no PTX");
  if (!words.empty())
    return llvm::createStringError(words);
  return std::string(text);
}

} // namespace tessera::ir::nvidia
