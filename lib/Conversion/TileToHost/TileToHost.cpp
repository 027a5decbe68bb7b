//===- TileToHost.cpp - tile IR to loops over short vectors ------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/TileToHost.h"

#include "Conversion/TileToHost/Emit/Emitter.h"
#include "Conversion/TileToHost/Emit/Families.h"
#include "Conversion/TileToHost/Plan/Plan.h"

#include "tessera-ir/Conversion/TileToHost/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tessera::ir::host {

#define GEN_PASS_DEF_CONVERTTILETOHOSTPASS
#include "tessera-ir/Conversion/TileToHost/Passes.h.inc"

namespace {

struct ConvertTileToHost : impl::ConvertTileToHostPassBase<ConvertTileToHost> {
  using ConvertTileToHostPassBase::ConvertTileToHostPassBase;

  /// Everything but a dot's micro-kernel has an option of the pass.
  HostOptions optionsOfPass() const {
    HostOptions options = base;
    options.vectorBytes = vectorBytes;
    options.streamVectorBytes = streamVectorBytes;
    options.hasFma = hasFma;
    options.hasF16C = hasF16C;
    options.maskedNarrow = maskedNarrow;
    options.fastGather = fastGather;
    options.fuse = fuse;
    options.fpContract = fpContract;
    options.checks = checks;
    return options;
  }

  void runOnOperation() override {
    const HostOptions options = optionsOfPass();
    for (tile::KernelOp kernel : llvm::make_early_inc_range(getOperation().getOps<tile::KernelOp>())) {
      if (failed(convert(kernel, options)))
        return signalPassFailure();
      kernel->erase();
    }
  }

  static LogicalResult convert(tile::KernelOp kernel, const HostOptions &options) {
    const Plan plan = makePlan(kernel, options);
    return Emitter(kernel, plan, options, opTable()).emitKernel();
  }

  HostOptions base;
};

} // namespace

std::unique_ptr<mlir::Pass> createTileToHostPass(const HostOptions &options) {
  ConvertTileToHostPassOptions passOptions;
  passOptions.vectorBytes = options.vectorBytes;
  passOptions.streamVectorBytes = options.streamVectorBytes;
  passOptions.hasFma = options.hasFma;
  passOptions.hasF16C = options.hasF16C;
  passOptions.maskedNarrow = options.maskedNarrow;
  passOptions.fastGather = options.fastGather;
  passOptions.fuse = options.fuse;
  passOptions.fpContract = options.fpContract;
  passOptions.checks = options.checks;
  auto pass = std::make_unique<ConvertTileToHost>(passOptions);
  pass->base = options;
  return pass;
}

} // namespace tessera::ir::host
