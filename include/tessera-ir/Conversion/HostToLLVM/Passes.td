//===- Passes.td - from loops over short vectors to llvm ------*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_CONVERSION_HOSTTOLLVM_PASSES_TD
#define TESSERA_IR_CONVERSION_HOSTTOLLVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertHostToLLVMPass : Pass<"convert-host-to-llvm", "::mlir::ModuleOp"> {
  let summary = "turn structured loops over short vectors into the llvm dialect";
  let description = [{
    Takes `llvm.func`s whose bodies are of `scf`, `arith`, `math`, `vector` and `llvm` and leaves only `llvm`. Loops
    become blocks first, then every remaining op is converted in one go. An op without a translation is an error at that
    op.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect"];
}

#endif // TESSERA_IR_CONVERSION_HOSTTOLLVM_PASSES_TD
