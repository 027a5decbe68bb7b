//===- Stages.cpp - the stages that all GPUs share ------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Gpu/Stages.h"

#include "Conversion/LayoutToLLVM/LayoutToLLVM.h"
#include "Conversion/TileToLayout/TileToLayout.h"
#include "IRSupport/DiagnosticLog.h"
#include "IRSupport/LLVM.h"
#include "Target/Gpu/ImageFacts.h"

#include "tessera-ir/Conversion/HostToLLVM/Passes.h"
#include "tessera-ir/Dialect/Layout/IR/Layout.h"
#include "tessera-ir/Dialect/Layout/Transforms/Passes.h"
#include "tessera-ir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

#include <fmt/format.h>

namespace tessera::ir::gpu {

using mlir::LLVM::LLVMFuncOp;

GpuState::~GpuState() = default;

GpuState &stateOf(Compilation &compilation) { return static_cast<GpuState &>(*compilation.state); }

llvm::Function &kernelOf(GpuState &state, const rt::Image &image) { return *state.module->getFunction(image.entry); }

bool keep(GpuState &state, llvm::Error error) {
  if (error)
    state.defect = llvm::toString(std::move(error));
  return state.defect.empty();
}

LogicalResult reportDefect(Compilation &compilation) {
  const std::string &defect = stateOf(compilation).defect;
  return defect.empty() ? success() : LogicalResult(compilation.module.emitError(defect));
}

Location placeOf(Compilation &compilation) {
  for (auto function : compilation.module.getOps<LLVMFuncOp>())
    if (function.getSymName() == compilation.image.entry)
      return function.getLoc();
  return compilation.module.getLoc();
}

InFlightDiagnostic refuse(Compilation &compilation, const Twine &why) {
  return mlir::emitError(placeOf(compilation), why);
}

std::string printBinary(Compilation &compilation) {
  const rt::Image &image = compilation.image;
  std::string text =
      fmt::format("{} for {}: `{}`, {} bytes, {} threads, {} bytes of arguments\n", image.format, image.target,
                  image.entry, image.binary.size(), image.threadsPerProgram, image.packedBytes);
  for (const auto &[name, value] : image.metadata)
    text += fmt::format("  {} = {}\n", name, value);
  return text;
}

namespace {

//===----------------------------------------------------------------------===//
// layout
//===----------------------------------------------------------------------===//

void addLayoutPasses(mlir::OpPassManager &passes, const CompileRequest &request) {
  const std::string target = request.target.str();
  if (request.options.deterministic)
    passes.addPass(tile::createFixOrderPass());
  layout::addTileToLayoutPasses(passes, {target, request.options.num_warps, request.options.cluster, request.aligned},
                                matrixUnitsOf);
  passes.addPass(createExpandDotsPass(arch::chipOf(request.target), hooksOf(arch::chipOf(request.target))));
  passes.addPass(layout::createHoistConversionsPass());
  passes.addPass(layout::createPipelineLoopsPass(
      {.target = target, .boxes = request.aligned, .numStages = request.options.num_stages}));
  if (request.aligned) // descriptors require something of a launch
    passes.addPass(layout::createStoreTensorsPass({target}));
  passes.addPass(layout::createSplitSortsPass());
  passes.addPass(layout::createSplitReductionsPass());
  passes.addPass(layout::createExpandSharedPass({target}));
  passes.addPass(layout::createAllocateSharedPass({target}));
  passes.addPass(layout::createInsertBarriersPass());
  passes.addPass(layout::createVerifyStagePass());
}

//===----------------------------------------------------------------------===//
// llvm
//===----------------------------------------------------------------------===//

/// Whether code is to tell the source lines of its instructions: where the user asks for it, and to the simulator,
/// which names them in what it finds.
bool hasLines(const CompileRequest &request) { return request.options.line_info || request.target.family() == "sim"; }

void addLLVMPasses(mlir::OpPassManager &passes, const CompileRequest &request) {
  EmitOptions options;
  options.target = request.target.str();
  options.fpContract = request.options.fp_contract;
  options.checks = request.options.checks;
  options.foldGrid = request.foldGrid;
  passes.addPass(createLayoutToLLVMPass(options, hooksOf(arch::chipOf(request.target))));
  passes.addPass(host::createConvertHostToLLVMPass());
  if (hasLines(request)) {
    // Lines and nothing else: code with more is not optimised by all assemblers.
    mlir::LLVM::DIScopeForLLVMFuncOpPassOptions lines;
    lines.emissionKind = mlir::LLVM::DIEmissionKind::DebugDirectivesOnly;
    passes.addPass(mlir::LLVM::createDIScopeForLLVMFuncOpPass(lines));
  }
}

void translate(Compilation &compilation, GpuState &state) {
  DiagnosticLog log(*compilation.module.getContext());
  state.module = mlir::translateModuleToLLVMIR(compilation.module, state.context, compilation.image.kernel);
  if (!state.module)
    state.defect = log.hasErrors() ? log.text() : "the module could not be translated";
}

LogicalResult makeLLVM(Compilation &compilation) {
  if (!compilation.state)
    compilation.state = std::make_unique<GpuState>();
  GpuState &state = stateOf(compilation);
  auto functions = compilation.module.getOps<LLVMFuncOp>();
  const auto entry = llvm::find_if(functions, [&](LLVMFuncOp function) {
    return function.getSymName() == compilation.image.entry && !function.isExternal();
  });
  if (entry == functions.end()) {
    state.defect = fmt::format("no function `{}` is left", compilation.image.entry);
    return success();
  }
  state.defect = takeFacts(*entry, compilation.image);
  if (state.defect.empty())
    translate(compilation, state);
  return success();
}

std::string printLLVM(Compilation &compilation) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (stateOf(compilation).module)
    stateOf(compilation).module->print(stream, nullptr);
  return text;
}

const Stage kStages[] = {
    {.name = "layout", .addPasses = addLayoutPasses},
    {.name = "llvm", .addPasses = addLLVMPasses, .run = makeLLVM, .verify = reportDefect, .print = printLLVM},
};

} // namespace

llvm::ArrayRef<Stage> sharedStages() { return kStages; }

void registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<tile::TileDialect, layout::LayoutDialect, mlir::arith::ArithDialect, mlir::math::MathDialect,
                  mlir::scf::SCFDialect, mlir::vector::VectorDialect, mlir::LLVM::LLVMDialect>();
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
}

} // namespace tessera::ir::gpu
