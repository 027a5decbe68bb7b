//===- Passes.td - passes that serve several targets -------*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_CONVERSION_COMMON_PASSES_TD
#define TESSERA_IR_CONVERSION_COMMON_PASSES_TD

include "mlir/Pass/PassBase.td"

def ExpandMathPass : Pass<"tile-expand-math", "::mlir::ModuleOp"> {
  let summary = "replace elementary functions by their definitions";
  let description = [{
    Turns `exp`, `log`, `sin` and the other elementary functions of SEMANTICS A4 into the arithmetic that compiled
    kernels use for them. f16 and bf16 are computed in f32 and rounded once. f64 functions without a definition stay.

    The host's code does not need this pass: it expands functions while it emits vectors. Interpreting a kernel after
    this pass executes the same definitions, and gives the same bits as compiled code does.
  }];
  let dependentDialects = ["::tessera::ir::tile::TileDialect"];
}

#endif // TESSERA_IR_CONVERSION_COMMON_PASSES_TD
