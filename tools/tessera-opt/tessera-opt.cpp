//===- tessera-opt.cpp - runs passes on the text of kernels ----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What mlir-opt is to MLIR, for our dialects and passes. `--mlir-use-nameloc-as-prefix` prints values by the user's
// names and `--mlir-print-debuginfo` prints locations.
//
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Tile/IR/Tile.h"
#include "tessera-ir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Debug.h"

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

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<tessera::ir::tile::TileDialect, mlir::arith::ArithDialect, mlir::math::MathDialect,
                  mlir::scf::SCFDialect>();
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  tessera::ir::tile::registerTilePasses();
  tessera::ir::tile::registerTilePipeline();

  const auto [input, output] =
      mlir::registerAndParseCLIOptions(argc, argv, "runs tessera's passes on the text of kernels\n", registry);
  applyDebugOnly();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, input, output, registry));
}
