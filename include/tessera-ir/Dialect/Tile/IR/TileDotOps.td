//===- TileDotOps.td - products of tiles and random bits ---*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Multiplication of tiles, and the counter-based generator.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_TILE_IR_TILEDOTOPS_TD
#define TESSERA_IR_DIALECT_TILE_IR_TILEDOTOPS_TD

include "tessera-ir/Dialect/Tile/IR/TileEnums.td"
include "tessera-ir/Dialect/Tile/IR/TileTypes.td"

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_DotOp : Tile_Op<"dot", [Pure, AllTypesMatch<["acc", "result"]>]> {
  let summary = "multiply two tiles and add the product to an accumulator";
  let description = [{
    `result[i, j] = acc[i, j] + sum_k a[i, k] * b[k, j]`, summed in the element type of `acc`; the order is free. With
    rank 3 the first axis counts independent products. f32 operands multiply exactly as f32 unless `precision` allows
    less. With `max_imprecise_k = n`, partial sums that a unit keeps with less than f32's precision are moved to f32 at
    least every `n` steps of k.

    - (dot_c1) columns of `a` are rows of `b`.
    - (dot_c2) `acc` has the rows of `a` and the columns of `b`.
    - (dot_c3) `a`, `b` and `acc` have one rank, 2 or 3, and with rank 3 one first extent.
    - (dot_c4) `a` and `b` have one element type, or are the two fp8 types of one family (OCP or fnuz).
    - (dot_c5) f16, bf16, fp8 and f32 accumulate in f32, f64 in f64, i8, which is signed, in i32.
    - (dot_c6) `precision` other than `ieee` is given only with f32 operands.
    - (dot_c7) `max_imprecise_k` is at least 1 and given only with fp8 operands.
    - (dot_c8) the result has the type of `acc`.

    ```mlir
    %d = tile.dot %a, %b, %c precision tf32 : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
    ```
  }];
  let arguments = (ins Tile_NumberTile:$a, Tile_NumberTile:$b, Tile_NumberTile:$acc,
                       DefaultValuedAttr<Tile_DotPrecisionAttr, "DotPrecision::IEEE">:$precision,
                       OptionalAttr<I32Attr>:$max_imprecise_k);
  let results = (outs Tile_NumberTile:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $acc (`precision` `` $precision^)? (`max_imprecise_k` $max_imprecise_k^)? attr-dict
    `:` type($a) `,` type($b) `->` type($result)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$a, "::mlir::Value":$b, "::mlir::Value":$acc,
                                 CArg<"DotPrecision", "DotPrecision::IEEE">:$precision,
                                 CArg<"int32_t", "0">:$maxImpreciseK)>];
  let hasVerifier = 1;
}

def Tile_PhiloxOp : Tile_Op<"philox", [Pure,
    AllTypesMatch<["k0", "k1", "c0", "c1", "c2", "c3", "r0", "r1", "r2", "r3"]>]> {
  let summary = "four random words from a key and a counter";
  let description = [{
    Philox-4x32 with key `k0, k1` and counter `c0 c1 c2 c3`.

    - (philox_c1) operands and results have one i32 type.
    - (philox_c2) `rounds` is 1 to 16.

    ```mlir
    %w:4 = tile.philox %k0, %k1, %c0, %c1, %c2, %c3 : tensor<64xi32>
    ```
  }];
  let arguments = (ins Tile_Int32:$k0, Tile_Int32:$k1, Tile_Int32:$c0, Tile_Int32:$c1, Tile_Int32:$c2, Tile_Int32:$c3,
                       DefaultValuedAttr<I32Attr, "10">:$rounds);
  let results = (outs Tile_Int32:$r0, Tile_Int32:$r1, Tile_Int32:$r2, Tile_Int32:$r3);
  let assemblyFormat = [{
    $k0 `,` $k1 `,` $c0 `,` $c1 `,` $c2 `,` $c3 (`rounds` $rounds^)? attr-dict `:` type($k0)
  }];
  let hasVerifier = 1;
}

#endif // TESSERA_IR_DIALECT_TILE_IR_TILEDOTOPS_TD
