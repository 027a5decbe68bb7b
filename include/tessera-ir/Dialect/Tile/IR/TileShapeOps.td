//===- TileShapeOps.td - moving elements without computing on them --*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reshaping, joining and cutting tiles, and access to parts of a tile by index.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_TILE_IR_TILESHAPEOPS_TD
#define TESSERA_IR_DIALECT_TILE_IR_TILESHAPEOPS_TD

include "tessera-ir/Dialect/Tile/IR/TileTypes.td"

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_BroadcastOp : Tile_Op<"broadcast", [Pure]> {
  let summary = "repeat a tile along its axes of extent 1";
  let description = [{
    - (broadcast_c1) `source` and result have one element type and one rank.
    - (broadcast_c2) each extent of `source` is 1 or the extent of the result.

    ```mlir
    %t = tile.broadcast %col : tensor<128x1xf32> -> tensor<128x64xf32>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$source);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "::mlir::ArrayRef<int64_t>":$shape)>];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Tile_ExpandDimsOp : Tile_Op<"expand_dims", [Pure]> {
  let summary = "insert an axis of extent 1";
  let description = [{
    - (expand_dims_c1) `axis` is 0 to the rank of `source`, inclusive.
    - (expand_dims_c2) the result is `source` with an axis of extent 1 inserted before `axis`.

    ```mlir
    %col = tile.expand_dims %x axis 1 : tensor<128xf32> -> tensor<128x1xf32>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$source, I32Attr:$axis);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$source `axis` $axis attr-dict `:` type($source) `->` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "int32_t":$axis)>];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Tile_ReshapeOp : Tile_Op<"reshape", [Pure]> {
  let summary = "the same elements in row-major order under another shape";
  let description = [{
    Also between a scalar and a tile of one element.

    - (reshape_c1) `source` and result have one element type.
    - (reshape_c2) `source` and result have equally many elements.

    ```mlir
    %t = tile.reshape %x : tensor<128xf32> -> tensor<8x16xf32>
    ```
  }];
  let arguments = (ins Tile_Any:$source);
  let results = (outs Tile_Any:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "::mlir::ArrayRef<int64_t>":$shape)>];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Tile_TransOp : Tile_Op<"trans", [Pure]> {
  let summary = "permute the axes";
  let description = [{
    Axis `i` of the result is axis `permutation[i]` of `source`.

    - (trans_c1) `permutation` holds each axis of `source` once.
    - (trans_c2) the result is `source` with its extents so permuted.

    ```mlir
    %t = tile.trans %x [1, 0] : tensor<128x64xf32> -> tensor<64x128xf32>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$source, DenseI32ArrayAttr:$permutation);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$source $permutation attr-dict `:` type($source) `->` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "::mlir::ArrayRef<int32_t>":$permutation)>];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Tile_JoinOp : Tile_Op<"join", [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = "two tiles side by side on a new last axis";
  let description = [{
    `result[..., 0] = lhs[...]` and `result[..., 1] = rhs[...]`. Two scalars give a tile of two elements.

    - (join_c1) `lhs` and `rhs` have one type.
    - (join_c2) the result has their shape with a last axis of extent 2 added.

    ```mlir
    %pairs = tile.join %a, %b : tensor<64xf32> -> tensor<64x2xf32>
    ```
  }];
  let arguments = (ins Tile_Any:$lhs, Tile_Any:$rhs);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs)>];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_SplitOp : Tile_Op<"split", [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = "the two halves of a last axis of extent 2";
  let description = [{
    `lhs[...] = source[..., 0]` and `rhs[...] = source[..., 1]`.

    - (split_c1) the last extent of `source` is 2.
    - (split_c2) `lhs` and `rhs` are both `source` without its last axis; a tile of two elements gives scalars.

    ```mlir
    %even, %odd = tile.split %pairs : tensor<64x2xf32> -> tensor<64xf32>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$source);
  let results = (outs Tile_Any:$lhs, Tile_Any:$rhs);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($lhs)";
  let builders = [OpBuilder<(ins "::mlir::Value":$source)>];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_CatOp : Tile_Op<"cat", [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = "one tile after another along an axis";
  let description = [{
    - (cat_c1) `lhs` and `rhs` have one type.
    - (cat_c2) `axis` is below their rank.
    - (cat_c3) the result has their type with the extent of `axis` doubled.

    ```mlir
    %t = tile.cat %a, %b axis 0 : tensor<64x8xf32> -> tensor<128x8xf32>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$lhs, Tile_AnyTile:$rhs, I32Attr:$axis);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$lhs `,` $rhs `axis` $axis attr-dict `:` type($lhs) `->` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs, "int32_t":$axis)>];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_FlipOp : Tile_Op<"flip", [Pure, SameOperandsAndResultType]> {
  let summary = "reverse the order of elements along an axis";
  let description = [{
    - (flip_c1) `source` and result have one type.
    - (flip_c2) `axis` is below the rank.

    ```mlir
    %t = tile.flip %x axis 0 : tensor<64xf32>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$source, I32Attr:$axis);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$source `axis` $axis attr-dict `:` type($source)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Tile_SliceOp : Tile_Op<"slice", [Pure]> {
  let summary = "a box of a tile, at offsets known while tracing";
  let description = [{
    `result[i, ...] = source[offsets[0] + i, ...]`; the extents of the box are those of the result.

    - (slice_c1) `source` and result have one element type and one rank.
    - (slice_c2) there is one offset for each axis.
    - (slice_c3) the box lies inside `source`.

    ```mlir
    %t = tile.slice %x [0, 32] : tensor<64x64xf32> -> tensor<64x32xf32>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$source, DenseI64ArrayAttr:$offsets);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$source $offsets attr-dict `:` type($source) `->` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "::mlir::ArrayRef<int64_t>":$offsets,
                                 "::mlir::ArrayRef<int64_t>":$sizes)>];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Tile_InsertOp : Tile_Op<"insert", [Pure, AllTypesMatch<["destination", "result"]>]> {
  let summary = "a tile with a box of it replaced, at offsets known while tracing";
  let description = [{
    The result is `destination` but for `result[offsets[0] + i, ...] = source[i, ...]`.

    - (insert_c1) `source` and `destination` have one element type and one rank.
    - (insert_c2) there is one offset for each axis.
    - (insert_c3) the box lies inside `destination`.
    - (insert_c4) the result has the type of `destination`.

    ```mlir
    %t = tile.insert %half into %x [0, 32] : tensor<64x32xf32> into tensor<64x64xf32>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$destination, Tile_AnyTile:$source, DenseI64ArrayAttr:$offsets);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat =
      "$source `into` $destination $offsets attr-dict `:` type($source) `into` type($destination)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_ExtractAtOp : Tile_Op<"extract_at", [Pure]> {
  let summary = "the part of a tile at a run-time index";
  let description = [{
    `result[...] = source[..., index, ...]` with `index` on `axis`. An index outside the extent is reported by checked
    execution and otherwise gives unspecified values.

    - (extract_at_c1) `axis` is below the rank of `source`.
    - (extract_at_c2) the result is `source` without `axis`; of a rank-1 tile it is a scalar.

    ```mlir
    %row = tile.extract_at %x[%i] axis 0 : tensor<64x32xf32> -> tensor<32xf32>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$source, I64:$index, I32Attr:$axis);
  let results = (outs Tile_Any:$result);
  let assemblyFormat = "$source `[` $index `]` `axis` $axis attr-dict `:` type($source) `->` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "::mlir::Value":$index, "int32_t":$axis)>];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_InsertAtOp : Tile_Op<"insert_at", [Pure, AllTypesMatch<["destination", "result"]>]> {
  let summary = "a tile with the part at a run-time index replaced";
  let description = [{
    The result is `destination` but for `result[..., index, ...] = source[...]` with `index` on `axis`. An index outside
    the extent is reported by checked execution and otherwise gives unspecified values.

    - (insert_at_c1) `axis` is below the rank of `destination`.
    - (insert_at_c2) `source` is `destination` without `axis`; for a rank-1 tile it is a scalar.
    - (insert_at_c3) the result has the type of `destination`.

    ```mlir
    %t = tile.insert_at %row into %x[%i] axis 0 : tensor<32xf32> into tensor<64x32xf32>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$destination, Tile_Any:$source, I64:$index, I32Attr:$axis);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = [{
    $source `into` $destination `[` $index `]` `axis` $axis attr-dict `:` type($source) `into` type($destination)
  }];
  let hasVerifier = 1;
}

def Tile_GatherOp : Tile_Op<"gather", [Pure]> {
  let summary = "elements of a tile at run-time indices along an axis";
  let description = [{
    `result[i, j] = source[index[i, j], j]` for `axis` 0 of a rank-2 tile, and so on for other axes and ranks. Indices
    are signed. One outside the extent is reported by checked execution and otherwise gives an unspecified element.

    - (gather_c1) `axis` is below the rank of `source`.
    - (gather_c2) `index` has the rank of `source`, and its extents on every axis but `axis`.
    - (gather_c3) the result has the shape of `index` and the element type of `source`.

    ```mlir
    %t = tile.gather %x[%index] axis 0 : tensor<64x32xf32>, tensor<8x32xi32> -> tensor<8x32xf32>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$source, Tile_IntTile:$index, I32Attr:$axis);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = [{
    $source `[` $index `]` `axis` $axis attr-dict `:` type($source) `,` type($index) `->` type($result)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "::mlir::Value":$index, "int32_t":$axis)>];
  let hasVerifier = 1;
}

#endif // TESSERA_IR_DIALECT_TILE_IR_TILESHAPEOPS_TD
