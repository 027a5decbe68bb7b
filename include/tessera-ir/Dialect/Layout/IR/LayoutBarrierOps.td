//===- LayoutBarrierOps.td - order between threads ---------*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What one thread did before, the others see after.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTBARRIEROPS_TD
#define TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTBARRIEROPS_TD

include "tessera-ir/Dialect/Layout/IR/LayoutEffects.td"
include "tessera-ir/Dialect/Layout/IR/LayoutTypes.td"

def Layout_BarrierOp : Layout_Op<"barrier", [Layout_OrdersMemory]> {
  let summary = "wait for all threads of the program";
  let description = [{
    Every thread of the program arrives before any goes on. Accesses to shared and global memory before it come before
    those after it; with `shared`, only those to shared memory do. Copies that are under way stay so. All threads reach
    it, or none.

    ```mlir
    layout.barrier shared
    ```
  }];
  let arguments = (ins UnitAttr:$shared);
  let assemblyFormat = "(`shared` $shared^)? attr-dict";
}

def Layout_WarpSyncOp : Layout_Op<"warp_sync", [Layout_OrdersMemory]> {
  let summary = "wait for the lanes of the warp";
  let description = [{
    The same for the lanes of each warp by itself.

    ```mlir
    layout.warp_sync
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTBARRIEROPS_TD
