//===- Passes.td - passes over the layout dialect ----------*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One entry a pass, in alphabetical order; each has a .cpp and a test of the same stem.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_LAYOUT_TRANSFORMS_PASSES_TD
#define TESSERA_IR_DIALECT_LAYOUT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def VerifyStagePass : Pass<"layout-verify-stage", "::mlir::ModuleOp"> {
  let summary = "check that a module is at the layout stage";
  let description = [{
    The border before code is emitted for threads:

    - (stage_c1) the module holds exactly one `tile.kernel`, which says its warps and their size;
    - (stage_c2) every tile has a layout;
    - (stage_c3) the layouts around each op follow its rule.
  }];
}

#endif // TESSERA_IR_DIALECT_LAYOUT_TRANSFORMS_PASSES_TD
