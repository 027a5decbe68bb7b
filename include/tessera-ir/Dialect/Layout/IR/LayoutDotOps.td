//===- LayoutDotOps.td - products of matrices in buffers ---*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A `tile.dot` whose operands a matrix unit takes stays what it is, under the unit's layouts. Others read their
// operands from shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTDOTOPS_TD
#define TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTDOTOPS_TD

include "tessera-ir/Dialect/Layout/IR/LayoutEffects.td"
include "tessera-ir/Dialect/Layout/IR/LayoutTypes.td"

def Layout_SharedDotOp : Layout_Op<"shared_dot", [AllTypesMatch<["acc", "result"]>]> {
  let summary = "multiply matrices in buffers and add the product to a tile";
  let description = [{
    `result[i, j] = acc[i, j] + sum_k a[i, k] * b[k, j]`, each product and sum in the element type of `acc`, as in
    `tile.dot`; the order is free. Every thread computes the elements that it holds.

    - (shared_dot_c1) `a` and `b` are no rings, and in row-major order.
    - (shared_dot_c2) `a`, `b` and `acc` have one rank, 2 or 3, and with rank 3 one first extent.
    - (shared_dot_c3) columns of `a` are rows of `b`, and `acc` has the rows of `a` and the columns of `b`.
    - (shared_dot_c4) f64 accumulates in f64, other floats in f32, i8, which is signed, in i32.

    ```mlir
    %d = layout.shared_dot %a, %b, %c : !layout.buffer<64x32xf32, #layout.shared<64x32>>,
        !layout.buffer<32x64xf32, #layout.shared<32x64>>, tensor<64x64xf32, #l>
    ```
  }];
  let arguments = (ins Arg<Layout_Buffer, "", [MemRead<Layout_SharedMemory>]>:$a,
                       Arg<Layout_Buffer, "", [MemRead<Layout_SharedMemory>]>:$b, Layout_AnyTile:$acc);
  let results = (outs Layout_AnyTile:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $acc attr-dict `:` qualified(type($a)) `,` qualified(type($b)) `,` type($acc)
  }];
  let hasVerifier = 1;
}

#endif // TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTDOTOPS_TD
