//===- EmitCode.cpp - run LLVM's optimiser and code generators ------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Gpu/EmitCode.h"

#include "Target/Gpu/FatalErrors.h"

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"

namespace tessera::ir::gpu {

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

/// Analyses on every level, which know each other.
struct Analyses {
  explicit Analyses(llvm::TargetMachine &machine) : builder(&machine) {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
  }

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
};

} // namespace

void runPasses(llvm::Module &module, llvm::TargetMachine &machine, llvm::StringRef pipeline) {
  Analyses analyses(machine);
  llvm::ModulePassManager passes;
  llvm::cantFail(analyses.builder.parsePassPipeline(passes, pipeline));
  passes.run(module, analyses.modules);
}

void analyse(llvm::TargetMachine &machine, llvm::function_ref<void(llvm::FunctionAnalysisManager &)> ask) {
  Analyses analyses(machine);
  ask(analyses.functions);
}

llvm::Error emitCode(llvm::Module &module, llvm::TargetMachine &machine, llvm::CodeGenFileType type,
                     llvm::SmallVectorImpl<char> &out) {
  std::string words;
  llvm::LLVMContext &context = module.getContext();
  std::unique_ptr<llvm::DiagnosticHandler> before = context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<KeepErrors>(words));

  // Both are lost, not destroyed, if the code generator gives up.
  auto stream = std::make_unique<llvm::raw_svector_ostream>(out);
  auto passes = std::make_unique<llvm::legacy::PassManager>();
  const bool refused = machine.addPassesToEmitFile(*passes, *stream, nullptr, type, /*DisableVerify=*/true);
  std::string reason;
  const bool finished = refused || runGuarded([&] { passes->run(module); }, reason);
  context.setDiagnosticHandler(std::move(before));
  if (!finished) {
    (void)passes.release();
    (void)stream.release();
    return llvm::createStringError("the code generator gives up: " + reason);
  }
  if (refused)
    return llvm::createStringError("the code generator does not write such files");
  if (!words.empty())
    return llvm::createStringError(words);
  return llvm::Error::success();
}

} // namespace tessera::ir::gpu
