//===- CpuBackend.cpp - compiles for the host's processor -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/CPU/CpuBackend.h"

#include "Conversion/TileToHost/TileToHost.h"
#include "IRSupport/LLVM.h"
#include "Target/CPU/HostTarget.h"
#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/MathExtras.h"

#include <fmt/format.h>
#include <vector>

namespace tessera::ir {

namespace {

void addHostPasses(mlir::OpPassManager &passes, const CompileRequest &request) {
  passes.addPass(host::createTileToHostPass(
      host::hostOptionsOf(host::hostTargetOf(request.target), request.target, request.options)));
}

/// Only loops, arithmetic and short vectors are left.
LogicalResult verifyHost(Compilation &compilation) {
  const mlir::WalkResult walk = compilation.module.walk([](Operation *op) {
    if (isa<ModuleOp>(op))
      return mlir::WalkResult::advance();
    if (!isa_and_present<mlir::scf::SCFDialect, mlir::arith::ArithDialect, mlir::math::MathDialect,
                         mlir::vector::VectorDialect, mlir::LLVM::LLVMDialect>(op->getDialect())) {
      op->emitOpError("is left at the border of the host stage");
      return mlir::WalkResult::interrupt();
    }
    for (Type type : op->getResultTypes()) {
      auto vector = dyn_cast<mlir::VectorType>(type);
      const bool isShort = !vector || (vector.getRank() == 1 && vector.getNumElements() <= 64 && !vector.isScalable() &&
                                       llvm::isPowerOf2_64(static_cast<uint64_t>(vector.getNumElements())));
      if (!isShort || isa<mlir::TensorType>(type)) {
        op->emitOpError("has a value of type ") << type << " at the border of the host stage";
        return mlir::WalkResult::interrupt();
      }
    }
    return mlir::WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// The module for people: what accesses may not touch is left out, which would take most of the page.
std::string printHost(Compilation &compilation) {
  OwningOpRef<ModuleOp> copy = compilation.module.clone();
  copy->walk([](Operation *op) {
    for (StringRef name : {"alias_scopes", "noalias_scopes"})
      op->removeAttr(name);
  });
  std::string text;
  llvm::raw_string_ostream stream(text);
  (*copy)->print(stream, mlir::OpPrintingFlags().printNameLocAsPrefix().useLocalScope());
  return text;
}

class CpuBackend final : public Backend {
public:
  llvm::StringRef family() const override { return "cpu"; }
  bool foldsGrids() const override { return false; }
  llvm::ArrayRef<Stage> stages() const override {
    static const std::vector<Stage> *const all = [] {
      auto *stages = new std::vector<Stage>{
          {.name = "host", .addPasses = addHostPasses, .verify = verifyHost, .print = printHost}};
      stages->insert(stages->end(), host::stagesAfterHost().begin(), host::stagesAfterHost().end());
      return stages;
    }();
    return *all;
  }
  void registerDialects(mlir::DialectRegistry &registry) const override {
    registry.insert<tile::TileDialect>();
    host::registerDialectsAfterHost(registry);
  }
  std::string toolchain(const Target &target) const override {
    const host::HostTarget host = host::hostTargetOf(target);
    return fmt::format("LLVM {} for {} {}", LLVM_VERSION_STRING, host.tuning, host.features());
  }
};

} // namespace

std::unique_ptr<Backend> createCpuBackend() { return std::make_unique<CpuBackend>(); }

} // namespace tessera::ir
