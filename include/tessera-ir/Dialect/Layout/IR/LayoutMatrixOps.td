//===- LayoutMatrixOps.td - matrix products that go on beside the program --*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Products of operands in shared memory, or of one in registers. An accumulator goes through every op that works on it
// and through the wait, so that nothing uses it before it is there.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTMATRIXOPS_TD
#define TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTMATRIXOPS_TD

include "tessera-ir/Dialect/Layout/IR/LayoutEffects.td"
include "tessera-ir/Dialect/Layout/IR/LayoutTypes.td"

include "mlir/Interfaces/InferTypeOpInterface.td"

def Layout_AsyncDotOp : Layout_Op<"async_dot", [AllTypesMatch<["acc", "result"]>]> {
  let summary = "start to multiply two matrices and add to an accumulator";
  let description = [{
    `result[i, j] = acc[i, j] + sum_k a[i, k] * b[k, j]`; where `accumulate` is given and false, `acc` counts as 0. The
    result is there after a `layout.async_dot_wait` that carries it; until then only another `layout.async_dot` may take
    it, as its `acc`.

    - (async_dot_c1) `a` is a buffer or a tile, and `b` a buffer, of rank 2 and no rings; columns of `a` = rows of `b`.
    - (async_dot_c2) `acc` has the rows of `a` and the columns of `b`, and the type of the result.
    - (async_dot_c3) `a` and `b` have one element type, or are fp8 of one family.
    - (async_dot_c4) f16, bf16, f32 and fp8 are summed in f32, i8 in i32.

    ```mlir
    %r = layout.async_dot %a, %b, %acc accumulate %more
        : !layout.buffer<64x16xf16, #s>, !layout.buffer<16x128xf16, #t>, tensor<64x128xf32, #m>
    ```
  }];
  let arguments = (ins Arg<AnyTypeOf<[Layout_Buffer, Layout_AnyTile]>, "", [MemRead<Layout_SharedMemory>]>:$a,
                       Arg<Layout_Buffer, "", [MemRead<Layout_SharedMemory>]>:$b, Layout_AnyTile:$acc,
                       Optional<I1>:$accumulate);
  let results = (outs Layout_AnyTile:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $acc (`accumulate` $accumulate^)? attr-dict
    `:` qualified(type($a)) `,` qualified(type($b)) `,` type($acc)
  }];
  let hasVerifier = 1;
}

def Layout_AsyncDotCommitOp : Layout_Op<"async_dot_commit", [Layout_OrdersShared]> {
  let summary = "make a group of the products started since the last one";
  let description = [{
    ```mlir
    layout.async_dot_commit
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Layout_AsyncDotWaitOp : Layout_Op<"async_dot_wait", [
    Layout_OrdersShared, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "wait for all groups of products but the last ones";
  let description = [{
    All groups but the last `pending` ones are done. The results are `values`: the accumulators that are there now, and
    those that are still worked on, which must go through so that no use moves above.

    - (async_dot_wait_c1) `pending` is 0 to 7.
    - (async_dot_wait_c2) each result has the type of its value.

    ```mlir
    %r:2 = layout.async_dot_wait %x, %y pending 0 : tensor<64x128xf32, #m>, tensor<64x128xf32, #m>
    ```
  }];
  let arguments = (ins Variadic<Layout_AnyTile>:$values, I32Attr:$pending);
  let results = (outs Variadic<Layout_AnyTile>:$results);
  let assemblyFormat = "($values^)? `pending` $pending attr-dict (`:` type($values)^)?";
  let hasVerifier = 1;
}

#endif // TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTMATRIXOPS_TD
