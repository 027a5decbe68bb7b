//===- tessera-opt.cpp - runs passes on the text of kernels ----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What mlir-opt is to MLIR, for our dialects and passes. `--mlir-use-nameloc-as-prefix` prints values by the user's
// names and `--mlir-print-debuginfo` prints locations.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/LayoutToLLVM.h"
#include "Conversion/TileToLayout/TileToLayout.h"
#include "IRSupport/TextGuard.h"
#include "Target/Gpu/Stages.h"

#include "tessera-ir/Conversion/Common/Passes.h"
#include "tessera-ir/Conversion/HostToLLVM/Passes.h"
#include "tessera-ir/Conversion/TileToHost/Passes.h"
#include "tessera-ir/Dialect/Layout/IR/Layout.h"
#include "tessera-ir/Dialect/Layout/Transforms/Passes.h"
#include "tessera-ir/Dialect/Tile/IR/Tile.h"
#include "tessera-ir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Debug.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

/// The distribution's LLVM has no such option, since it is built without assertions; our own code may still have some.
static llvm::cl::list<std::string> debugOnly("debug-only", llvm::cl::CommaSeparated,
                                             llvm::cl::desc("Print the debug output of these DEBUG_TYPEs (dev builds)"),
                                             llvm::cl::value_desc("types"),
                                             llvm::cl::callback([](const std::string &) { llvm::DebugFlag = true; }));

/// Hands the types that were asked for to LLVM; in a build without debug output this does nothing.
static void applyDebugOnly() {
  std::vector<const char *> types;
  for (const std::string &type : debugOnly)
    types.push_back(type.c_str());
#ifndef NDEBUG // in other builds LLVM has this name for a macro
  if (!types.empty())
    llvm::setCurrentDebugTypes(types.data(), static_cast<unsigned>(types.size()));
#endif
}

/// Prints \p message as a diagnostic without a place.
static int fail(const std::string &message) {
  llvm::errs() << "error: " << message << "\n";
  return EXIT_FAILURE;
}

/// Runs the passes of \p config on the file \p input.
static int run(llvm::StringRef input, llvm::StringRef output, mlir::DialectRegistry &registry,
               const mlir::MlirOptMainConfig &config) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = mlir::openInputFile(input, &message);
  if (!buffer)
    return fail(message);
  const auto hazard =
      mlir::isBytecode(buffer->getMemBufferRef()) ? std::nullopt : tessera::ir::findTextHazard(buffer->getBuffer());
  if (hazard) {
    llvm::errs() << input << ":" << hazard->line << ":" << hazard->column << ": error: " << hazard->message << "\n";
    return EXIT_FAILURE;
  }
  std::unique_ptr<llvm::ToolOutputFile> file = mlir::openOutputFile(output, &message);
  if (!file)
    return fail(message);
  const llvm::LogicalResult result = mlir::MlirOptMain(file->os(), std::move(buffer), registry, config);
  if (succeeded(result))
    file->keep();
  return mlir::asMainReturnCode(result);
}

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry
      .insert<tessera::ir::tile::TileDialect, tessera::ir::layout::LayoutDialect, mlir::arith::ArithDialect,
              mlir::math::MathDialect, mlir::scf::SCFDialect, mlir::vector::VectorDialect, mlir::LLVM::LLVMDialect>();
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  tessera::ir::registerConversionCommonPasses();
  tessera::ir::gpu::registerLayoutToLLVM(tessera::ir::gpu::matrixUnitsOf);
  tessera::ir::host::registerHostToLLVMPasses();
  tessera::ir::host::registerTileToHostPasses();
  tessera::ir::layout::registerLayoutPasses();
  tessera::ir::layout::registerTileToLayout(tessera::ir::gpu::matrixUnitsOf);
  tessera::ir::tile::registerTilePasses();
  tessera::ir::tile::registerTilePipeline();

  const auto [input, output] =
      mlir::registerAndParseCLIOptions(argc, argv, "runs tessera's passes on the text of kernels\n", registry);
  applyDebugOnly();
  const mlir::MlirOptMainConfig config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, input, output, registry));
  return run(input, output, registry, config);
}
