//===- LayoutToLLVM.cpp - kernels with layouts to the code of a thread ----===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  tile.kernel whose tiles have layouts, with shared memory, conversions and barriers as ops of `layout`.
// After:   llvm.func of scf, arith, math and llvm ops on scalars, which calls the functions of Border.h.
// Needs:   the layout stage.  Gives: nothing of tile and layout.
// Place:   between the layout stage and convert-host-to-llvm.
// Numerics: as SEMANTICS says; sums and products carry `contract` where allowed.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/LayoutToLLVM.h"

#include "Conversion/LayoutToLLVM/Emit/Emitter.h"
#include "Conversion/LayoutToLLVM/Emit/Families.h"

#include "tessera-ir/Conversion/LayoutToLLVM/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tessera::ir::gpu {

#define GEN_PASS_DEF_CONVERTLAYOUTTOLLVMPASS
#include "tessera-ir/Conversion/LayoutToLLVM/Passes.h.inc"

namespace {

struct ConvertLayoutToLLVM : impl::ConvertLayoutToLLVMPassBase<ConvertLayoutToLLVM> {
  using ConvertLayoutToLLVMPassBase::ConvertLayoutToLLVMPassBase;

  void runOnOperation() override {
    const arch::Chip *const chip = hooks ? &hooks->chip() : arch::findChip(target.getValue());
    if (!chip) {
      getOperation().emitError("there is no chip `") << target << "`";
      return signalPassFailure();
    }
    const GpuHooks portable(*chip);
    const EmitOptions options{target, fpContract, checks, foldGrid};
    for (tile::KernelOp kernel : llvm::make_early_inc_range(getOperation().getOps<tile::KernelOp>())) {
      if (failed(convert(kernel, options, hooks ? *hooks : portable)))
        return signalPassFailure();
      kernel->erase();
    }
  }

  static LogicalResult convert(tile::KernelOp kernel, const EmitOptions &options, const GpuHooks &hooks) {
    const std::optional<layout::KernelShape> shape = layout::kernelShapeOf(kernel);
    if (!shape)
      return kernel.emitError("does not say how many warps and lanes it has");
    return Emitter(kernel, *shape, options, hooks, opTable()).emitKernel();
  }

  const GpuHooks *hooks = nullptr; ///< null: those that every GPU has
};

} // namespace

std::unique_ptr<mlir::Pass> createLayoutToLLVMPass(const EmitOptions &options, const GpuHooks &hooks) {
  ConvertLayoutToLLVMPassOptions passOptions;
  passOptions.target = options.target;
  passOptions.fpContract = options.fpContract;
  passOptions.checks = options.checks;
  passOptions.foldGrid = options.foldGrid;
  auto pass = std::make_unique<ConvertLayoutToLLVM>(passOptions);
  pass->hooks = &hooks;
  return pass;
}

} // namespace tessera::ir::gpu
