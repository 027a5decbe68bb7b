//===- HostToLLVM.cpp - loops over short vectors to the llvm dialect ------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  llvm.func of scf, arith, math and vector ops on scalars, pointers and 1-D vectors.
// After:   the same function of llvm ops only.
// Needs:   no tile op and no tensor is left.  Gives: what LLVM's translation takes.
// Place:   last of the host's passes on MLIR.
// Numerics: none; flags of operations are kept.
//
//===---------------------------------------------------------------------===//

#include "tessera-ir/Conversion/HostToLLVM/Passes.h"

#include "Conversion/HostToLLVM/DirectOps.h"

#include "IRSupport/LLVM.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Transforms/DialectConversion.h"

namespace tessera::ir::host {

#define GEN_PASS_DEF_CONVERTHOSTTOLLVMPASS
#include "tessera-ir/Conversion/HostToLLVM/Passes.h.inc"

namespace {

struct ConvertHostToLLVM : impl::ConvertHostToLLVMPassBase<ConvertHostToLLVM> {
  void runOnOperation() override {
    if (failed(loopsToBlocks()))
      return signalPassFailure();
    convertDirectOps(getOperation());
    if (failed(toLLVM()))
      signalPassFailure();
  }

private:
  LogicalResult loopsToBlocks() {
    RewritePatternSet patterns(&getContext());
    mlir::populateSCFToControlFlowConversionPatterns(patterns);
    mlir::ConversionTarget target(getContext());
    target.addIllegalDialect<mlir::scf::SCFDialect>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    return mlir::applyPartialConversion(getOperation(), target, std::move(patterns));
  }

  LogicalResult toLLVM() {
    mlir::LowerToLLVMOptions options(&getContext());
    options.overrideIndexBitwidth(64);
    const mlir::LLVMTypeConverter types(&getContext(), options);
    RewritePatternSet patterns(&getContext());
    mlir::vector::populateVectorStepLoweringPatterns(patterns);
    mlir::vector::populateVectorInterleaveToShufflePatterns(patterns);
    mlir::populateVectorToLLVMConversionPatterns(types, patterns);
    mlir::arith::populateArithToLLVMConversionPatterns(types, patterns);
    mlir::populateMathToLLVMConversionPatterns(types, patterns);
    mlir::cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
    mlir::LLVMConversionTarget target(getContext());
    target.addLegalOp<ModuleOp>();
    return mlir::applyFullConversion(getOperation(), target, std::move(patterns));
  }
};

} // namespace

} // namespace tessera::ir::host
