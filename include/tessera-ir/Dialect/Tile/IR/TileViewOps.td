//===- TileViewOps.td - access through views ---------------*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Views and the accesses that carry their own bounds.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_TILE_IR_TILEVIEWOPS_TD
#define TESSERA_IR_DIALECT_TILE_IR_TILEVIEWOPS_TD

include "tessera-ir/Dialect/Tile/IR/TileEffects.td"
include "tessera-ir/Dialect/Tile/IR/TileEnums.td"
include "tessera-ir/Dialect/Tile/IR/TileTypes.td"

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_MakeViewOp : Tile_Op<"make_view", [Pure, AttrSizedOperandSegments,
    TypesMatchWith<"`base` points to the element type of the view", "result", "base",
                   "::tessera::ir::tile::pointerToElementOf($_self)">]> {
  let summary = "an array in memory from its base, extents and strides";
  let description = [{
    Strides count elements and may be anything, zero and negative included.

    - (make_view_c1) `base` points to the element type of the view.
    - (make_view_c2) there are as many extents as the view has axes.
    - (make_view_c3) there are as many strides as the view has axes.

    ```mlir
    %v = tile.make_view %p, [%m, %n], [%ld, %one] : !tile.view<f32, 2>
    ```
  }];
  let arguments = (ins Tile_PtrType:$base, Variadic<I64>:$extents, Variadic<I64>:$strides);
  let results = (outs Tile_ViewType:$result);
  let assemblyFormat = "$base `,` `[` $extents `]` `,` `[` $strides `]` attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def Tile_ViewLoadOp : Tile_Op<"view_load", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    OptionalTypesMatchWith<"`pad` has the element type of the view", "view", "pad",
                           "::llvm::cast<::tessera::ir::tile::ViewType>($_self).getElement()">]> {
  let summary = "read a tile of a view";
  let description = [{
    The element at `i` of the result is that of the view at `coords + i`; where this is outside the extents nothing is
    read and the element is `pad`, or 0 where `pad` is not given. Coordinates may be negative. A load with `reload` is
    never merged with an earlier one. `cache` and `evict` change speed only.

    - (view_load_c1) there are as many coordinates as the view has axes.
    - (view_load_c2) the result has the rank and the element type of the view.
    - (view_load_c3) `pad` has the element type of the view.
    - (view_load_c4) `cache` is not `wb`, which is for stores.

    ```mlir
    %t = tile.view_load %v[%i, %j] pad %minus_inf : !tile.view<f32, 2> -> tensor<128x64xf32>
    ```
  }];
  let arguments = (ins Tile_ViewType:$view, Variadic<I64>:$coords, Optional<Tile_AnyElement>:$pad,
                       DefaultValuedAttr<Tile_CacheHintAttr, "CacheHint::None">:$cache,
                       DefaultValuedAttr<Tile_EvictHintAttr, "EvictHint::Normal">:$evict, UnitAttr:$reload);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = [{
    $view `[` $coords `]` (`pad` $pad^)? (`cache` `` $cache^)? (`evict` `` $evict^)? (`reload` $reload^)?
    attr-dict `:` qualified(type($view)) `->` type($result)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$view, "::mlir::ValueRange":$coords,
                                 "::mlir::ArrayRef<int64_t>":$shape,
                                 CArg<"::mlir::Value", "{}">:$pad, CArg<"CacheHint", "CacheHint::None">:$cache,
                                 CArg<"EvictHint", "EvictHint::Normal">:$evict, CArg<"bool", "false">:$reload)>];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Tile_ViewStoreOp : Tile_Op<"view_store", [MemoryEffects<[MemWrite<Tile_GlobalMemory>]>]> {
  let summary = "write a tile of a view";
  let description = [{
    The element of the view at `coords + i` becomes the element at `i` of `value`; what is outside the extents is
    dropped. Coordinates may be negative. `cache` and `evict` change speed only.

    - (view_store_c1) there are as many coordinates as the view has axes.
    - (view_store_c2) `value` has the rank and the element type of the view.
    - (view_store_c3) `cache` is not `ca` or `cv`, which are for loads.

    ```mlir
    tile.view_store %v[%i, %j], %t : !tile.view<f32, 2>, tensor<128x64xf32>
    ```
  }];
  let arguments = (ins Tile_ViewType:$view, Variadic<I64>:$coords, Tile_AnyTile:$value,
                       DefaultValuedAttr<Tile_CacheHintAttr, "CacheHint::None">:$cache,
                       DefaultValuedAttr<Tile_EvictHintAttr, "EvictHint::Normal">:$evict);
  let assemblyFormat = [{
    $view `[` $coords `]` `,` $value (`cache` `` $cache^)? (`evict` `` $evict^)? attr-dict
    `:` qualified(type($view)) `,` type($value)
  }];
  let hasVerifier = 1;
}

def Tile_ViewLoadRowsOp : Tile_Op<"view_load_rows", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    OptionalTypesMatchWith<"`pad` has the element type of the view", "view", "pad",
                           "::llvm::cast<::tessera::ir::tile::ViewType>($_self).getElement()">]> {
  let summary = "read a tile whose rows lie anywhere in a view";
  let description = [{
    `result[i, j]` is the view at `rows[i], col + j`; where this is outside the extents nothing is read and the element
    is `pad`, or 0 where `pad` is not given. Row indices are signed. A load with `reload` is never merged with an
    earlier one.

    - (view_load_rows_c1) the view has rank 2.
    - (view_load_rows_c2) `rows` has rank 1.
    - (view_load_rows_c3) the result has rank 2, a row for each of `rows`, and the element type of the view.
    - (view_load_rows_c4) `pad` has the element type of the view.
    - (view_load_rows_c5) `cache` is not `wb`, which is for stores.

    ```mlir
    %t = tile.view_load_rows %v[%rows, %j] : !tile.view<f32, 2>, tensor<32xi32> -> tensor<32x64xf32>
    ```
  }];
  let arguments = (ins Tile_ViewType:$view, Tile_IntTile:$rows, I64:$col, Optional<Tile_AnyElement>:$pad,
                       DefaultValuedAttr<Tile_CacheHintAttr, "CacheHint::None">:$cache,
                       DefaultValuedAttr<Tile_EvictHintAttr, "EvictHint::Normal">:$evict, UnitAttr:$reload);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = [{
    $view `[` $rows `,` $col `]` (`pad` $pad^)? (`cache` `` $cache^)? (`evict` `` $evict^)? (`reload` $reload^)?
    attr-dict `:` qualified(type($view)) `,` type($rows) `->` type($result)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$view, "::mlir::Value":$rows, "::mlir::Value":$col, "int64_t":$columns,
                                 CArg<"::mlir::Value", "{}">:$pad, CArg<"CacheHint", "CacheHint::None">:$cache,
                                 CArg<"EvictHint", "EvictHint::Normal">:$evict, CArg<"bool", "false">:$reload)>];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Tile_ViewStoreRowsOp : Tile_Op<"view_store_rows", [MemoryEffects<[MemWrite<Tile_GlobalMemory>]>]> {
  let summary = "write a tile whose rows lie anywhere in a view";
  let description = [{
    The view at `rows[i], col + j` becomes `value[i, j]`; what is outside the extents is dropped. Row indices are
    signed. If several rows are one, one of them wins.

    - (view_store_rows_c1) the view has rank 2.
    - (view_store_rows_c2) `rows` has rank 1.
    - (view_store_rows_c3) `value` has rank 2, a row for each of `rows`, and the element type of the view.
    - (view_store_rows_c4) `cache` is not `ca` or `cv`, which are for loads.

    ```mlir
    tile.view_store_rows %v[%rows, %j], %t : !tile.view<f32, 2>, tensor<32xi32>, tensor<32x64xf32>
    ```
  }];
  let arguments = (ins Tile_ViewType:$view, Tile_IntTile:$rows, I64:$col, Tile_AnyTile:$value,
                       DefaultValuedAttr<Tile_CacheHintAttr, "CacheHint::None">:$cache,
                       DefaultValuedAttr<Tile_EvictHintAttr, "EvictHint::Normal">:$evict);
  let assemblyFormat = [{
    $view `[` $rows `,` $col `]` `,` $value (`cache` `` $cache^)? (`evict` `` $evict^)?
    attr-dict `:` qualified(type($view)) `,` type($rows) `,` type($value)
  }];
  let hasVerifier = 1;
}

#endif // TESSERA_IR_DIALECT_TILE_IR_TILEVIEWOPS_TD
