//===- LayoutDotOps.td - products of matrices in buffers ---*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A `tile.dot` whose operands are in the registers that a matrix unit takes them from stays what it is. Others read
// their operands from shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTDOTOPS_TD
#define TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTDOTOPS_TD

include "tessera-ir/Dialect/Layout/IR/LayoutEffects.td"
include "tessera-ir/Dialect/Layout/IR/LayoutTypes.td"
include "tessera-ir/Dialect/Tile/IR/TileEnums.td"

def Layout_SharedDotOp : Layout_Op<"shared_dot", [AllTypesMatch<["acc", "result"]>]> {
  let summary = "multiply matrices in buffers and add the product to a tile";
  let description = [{
    `result[i, j] = acc[i, j] + sum_k a[i, k] * b[k, j]`, as in `tile.dot`; the order is free. The layout of `acc` says
    who multiplies: it is that of a matrix unit of warps, or every thread computes the elements that it holds. A unit
    takes `a` from registers, too, in its layout of the left operand.

    - (shared_dot_c1) `a` is a buffer or a tile, and `b` a buffer; they are no rings.
    - (shared_dot_c2) `a`, `b` and `acc` have one rank, 2 or 3, and with rank 3 one first extent.
    - (shared_dot_c3) columns of `a` are rows of `b`, and `acc` has the rows of `a` and the columns of `b`.
    - (shared_dot_c4) f64 accumulates in f64, other floats in f32, i8, which is signed, in i32.
    - (shared_dot_c5) `precision` other than `ieee` is given only with f32 operands.
    - (shared_dot_c6) `max_imprecise_k` is at least 1 and given only with fp8 operands.

    ```mlir
    %d = layout.shared_dot %a, %b, %c : !layout.buffer<64x32xf32, #layout.shared<64x32>>,
        !layout.buffer<32x64xf32, #layout.shared<32x64>>, tensor<64x64xf32, #l>
    ```
  }];
  let arguments = (ins Arg<AnyTypeOf<[Layout_Buffer, Layout_AnyTile]>, "", [MemRead<Layout_SharedMemory>]>:$a,
                       Arg<Layout_Buffer, "", [MemRead<Layout_SharedMemory>]>:$b, Layout_AnyTile:$acc,
                       DefaultValuedAttr<Tile_DotPrecisionAttr, "::tessera::ir::tile::DotPrecision::IEEE">:$precision,
                       OptionalAttr<I32Attr>:$max_imprecise_k);
  let results = (outs Layout_AnyTile:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $acc (`precision` `` $precision^)? (`max_imprecise_k` $max_imprecise_k^)? attr-dict
    `:` qualified(type($a)) `,` qualified(type($b)) `,` type($acc)
  }];
  let builders = [
    /// The product of \p dot, whose operands are \p a and \p b.
    OpBuilder<(ins "::mlir::Value":$a, "::mlir::Value":$b, "::mlir::Value":$acc, "::tessera::ir::tile::DotOp":$dot)>,
    /// An exact one.
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$a, "::mlir::Value":$b, "::mlir::Value":$acc), [{
      build($_builder, $_state, result, a, b, acc, ::tessera::ir::tile::DotPrecision::IEEE, ::mlir::IntegerAttr());
    }]>];
  let hasVerifier = 1;
}

#endif // TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTDOTOPS_TD
