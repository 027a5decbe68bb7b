//===- Stages.cpp - from loops over short vectors to a shared object --------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Whatever goes wrong behind the host stage is a defect of ours, not of the kernel: steps keep it as words, which the
// check of the stage's border reports.
//
//===---------------------------------------------------------------------===//

#include "Target/CPU/CpuBackend.h"

#include "IRSupport/DiagnosticLog.h"
#include "Runtime/CPU/CpuDriver.h"
#include "Runtime/CPU/HostFeatures.h"
#include "Target/CPU/Codegen.h"
#include "Target/CPU/HostTarget.h"
#include "Target/CPU/ImageFacts.h"
#include "Target/Lld.h"
#include "tessera-ir/Conversion/HostToLLVM/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <fmt/format.h>

namespace tessera::ir {

using mlir::LLVM::LLVMFuncOp;

namespace {

/// What the stages behind "host" hand on.
struct HostState final : BackendState {
  host::HostTarget host;
  llvm::LLVMContext context; ///< outlives the module
  std::unique_ptr<llvm::Module> module;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::string defect; ///< what is wrong with our own work; empty if nothing is
};

HostState &stateOf(Compilation &compilation) { return static_cast<HostState &>(*compilation.state); }

/// Keeps an error; true if there was none.
bool keep(HostState &state, llvm::Error error) {
  if (error)
    state.defect = llvm::toString(std::move(error));
  return state.defect.empty();
}

//===----------------------------------------------------------------------===//
// llvm
//===----------------------------------------------------------------------===//

void addLLVMPasses(mlir::OpPassManager &passes, const CompileRequest &) {
  passes.addPass(host::createConvertHostToLLVMPass());
}

void translate(Compilation &compilation, HostState &state) {
  DiagnosticLog log(*compilation.module.getContext());
  state.module = mlir::translateModuleToLLVMIR(compilation.module, state.context, compilation.image.kernel);
  if (!state.module)
    state.defect = log.hasErrors() ? log.text() : "the module could not be translated";
}

LogicalResult makeLLVM(Compilation &compilation) {
  if (compilation.request.foldGrid)
    return compilation.module.emitError("device cpu does not fold grids; launch several smaller ones");
  auto owned = std::make_unique<HostState>();
  HostState &state = *owned;
  compilation.state = std::move(owned);
  state.host = host::hostTargetOf(compilation.request.target);
  if (!state.host.problem.empty())
    return compilation.module.emitError(state.host.problem);

  auto functions = compilation.module.getOps<LLVMFuncOp>();
  const auto entry = llvm::find_if(functions, [&](LLVMFuncOp function) {
    return function.getSymName() == compilation.image.entry && !function.isExternal();
  });
  if (entry == functions.end()) {
    state.defect = fmt::format("no function `{}` is left", compilation.image.entry);
    return success();
  }
  state.defect = host::takeFacts(*entry, compilation.image);
  if (state.defect.empty() && !(state.machine = host::makeTargetMachine(state.host, state.defect)))
    return success();
  if (state.defect.empty())
    translate(compilation, state);
  if (!state.defect.empty())
    return success();
  host::prepareModule(*state.module, state.host, *state.machine, compilation.image.entry);
  host::optimize(*state.module, *state.machine);
  keep(state, host::checkModule(*state.module));
  return success();
}

LogicalResult reportDefect(Compilation &compilation) {
  const std::string &defect = stateOf(compilation).defect;
  return defect.empty() ? success() : LogicalResult(compilation.module.emitError(defect));
}

std::string printLLVM(Compilation &compilation) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stateOf(compilation).module->print(stream, nullptr);
  return text;
}

//===----------------------------------------------------------------------===//
// asm, binary
//===----------------------------------------------------------------------===//

std::string printAssembly(Compilation &compilation) {
  HostState &state = stateOf(compilation);
  return host::assemblyText(*state.module, *state.machine);
}

LogicalResult makeBinary(Compilation &compilation) {
  HostState &state = stateOf(compilation);
  SmallVector<char, 0> object, linked;
  if (!keep(state, host::emitObject(*state.module, *state.machine, object)))
    return success();
  if (std::string words; failed(linkSharedObject(object, linked, words))) {
    state.defect = fmt::format("the code does not link: {}", words);
    return success();
  }
  if (!keep(state, host::checkSharedObject(linked, compilation.image.entry)))
    return success();
  rt::Image &image = compilation.image;
  image.format = rt::cpu::kFormat;
  const auto *bytes = reinterpret_cast<const std::byte *>(linked.data());
  image.binary.assign(bytes, bytes + linked.size());
  image.setFact(std::string(rt::cpu::kFeaturesFact), state.host.features());
  image.setFact("code_bytes", fmt::format("{}", linked.size()));
  image.setFact("toolchain", "LLVM " LLVM_VERSION_STRING);
  image.layOut();
  return success();
}

/// The facts of a binary; its code is what stage "asm" prints.
std::string printBinary(Compilation &compilation) {
  const rt::Image &image = compilation.image;
  std::string text = fmt::format("{} for {}: `{}`, {} bytes of arguments, {} bytes of arena\n", image.format,
                                 image.target, image.entry, image.packedBytes, image.sharedBytes);
  for (const auto &[name, value] : image.metadata)
    text += fmt::format("  {} = {}\n", name, value);
  return text;
}

const Stage kStages[] = {
    {.name = "llvm", .addPasses = addLLVMPasses, .run = makeLLVM, .verify = reportDefect, .print = printLLVM},
    {.name = "asm", .print = printAssembly},
    {.name = "binary", .run = makeBinary, .verify = reportDefect, .print = printBinary},
};

} // namespace

llvm::ArrayRef<Stage> host::stagesAfterHost() { return kStages; }

void host::registerDialectsAfterHost(mlir::DialectRegistry &registry) {
  registry.insert<mlir::arith::ArithDialect, mlir::math::MathDialect, mlir::scf::SCFDialect,
                  mlir::vector::VectorDialect, mlir::LLVM::LLVMDialect>();
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
}

} // namespace tessera::ir
