//===- InterpBackend.cpp - the interpreter as a back end ----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Interp/InterpBackend.h"

#include "Target/Interp/Program.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/raw_ostream.h"

namespace tessera::ir {

namespace {

/// Builds the program once to see that it can run, then keeps the module.
mlir::LogicalResult writeBinary(Compilation &compilation) {
  if (compilation.request.foldGrid)
    return compilation.module.emitError(
        "the interpreter does not fold grids; its grids have no limit that asks for it");
  interp::BuildError error;
  if (!interp::Program::build(compilation.module, error))
    return mlir::emitError(error.at.value_or(compilation.module.getLoc())) << error.text;
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  if (mlir::failed(mlir::writeBytecodeToFile(compilation.module, stream)))
    return compilation.module.emitError("the module could not be written as bytecode");
  const auto *data = reinterpret_cast<const std::byte *>(bytes.data());
  compilation.image.binary.assign(data, data + bytes.size());
  compilation.image.format = "mlir-bytecode";
  return mlir::success();
}

class InterpBackend final : public Backend {
public:
  llvm::StringRef family() const override { return "interp"; }
  bool takesTraced() const override { return true; }
  bool keepsImages() const override { return false; } // made in no time
  bool shipsImages() const override { return false; }
  bool foldsGrids() const override { return false; }
  llvm::ArrayRef<Stage> stages() const override {
    static const Stage stages[] = {{.name = "binary", .run = writeBinary}};
    return stages;
  }
  void registerDialects(mlir::DialectRegistry &registry) const override {
    registry.insert<tile::TileDialect, mlir::arith::ArithDialect, mlir::math::MathDialect, mlir::scf::SCFDialect>();
  }
};

} // namespace

std::unique_ptr<Backend> createInterpBackend() { return std::make_unique<InterpBackend>(); }

} // namespace tessera::ir
