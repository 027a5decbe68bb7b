//===- LayoutConvertOps.td - a tile under another layout --*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The one op that moves elements between threads and keeps the tile what it is.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTCONVERTOPS_TD
#define TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTCONVERTOPS_TD

include "tessera-ir/Dialect/Layout/IR/LayoutTypes.td"

include "mlir/Interfaces/SideEffectInterfaces.td"

def Layout_ConvertOp : Layout_Op<"convert", [Pure]> {
  let summary = "the same tile under another layout";
  let description = [{
    - (convert_c1) `source` and result have one shape.
    - (convert_c2) `source` and result have one element type.

    ```mlir
    %r = layout.convert %x : tensor<4x128xf32, #a> -> tensor<4x128xf32, #b>
    ```
  }];
  let arguments = (ins Layout_AnyTile:$source);
  let results = (outs Layout_AnyTile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

#endif // TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTCONVERTOPS_TD
