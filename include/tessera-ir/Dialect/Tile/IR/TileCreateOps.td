//===- TileCreateOps.td - tiles from nothing and from scalars --*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Sources of tiles. Constants are `arith.constant`.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_TILE_IR_TILECREATEOPS_TD
#define TESSERA_IR_DIALECT_TILE_IR_TILECREATEOPS_TD

include "tessera-ir/Dialect/Tile/IR/TileTypes.td"

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_ArangeOp : Tile_Op<"arange", [Pure]> {
  let summary = "consecutive integers";
  let description = [{
    `result[i] = start + i` for `start + i < end`.

    - (arange_c1) `end - start` is the extent of the result.

    ```mlir
    %lane = tile.arange 0 to 1024 : tensor<1024xi32>
    ```
  }];
  let arguments = (ins I32Attr:$start, I32Attr:$end);
  let results = (outs Tile_Int32Tile:$result);
  let assemblyFormat = "$start `to` $end attr-dict `:` type($result)";
  let builders = [OpBuilder<(ins "int32_t":$start, "int32_t":$end)>];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_SplatOp : Tile_Op<"splat", [Pure,
    TypesMatchWith<"`source` is an element of `result`", "result", "source",
                   "::tessera::ir::tile::elementOf($_self)">]> {
  let summary = "a tile whose elements are all one scalar";
  let description = [{
    - (splat_c1) `source` has the element type of the result.

    ```mlir
    %t = tile.splat %s : tensor<128x64xf32>
    ```
  }];
  let arguments = (ins Tile_AnyElement:$source);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$source attr-dict `:` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "::mlir::ArrayRef<int64_t>":$shape)>];
  let hasFolder = 1;
}

#endif // TESSERA_IR_DIALECT_TILE_IR_TILECREATEOPS_TD
