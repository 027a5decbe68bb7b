//===- TileMemoryOps.td - access through pointers ----------*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Address arithmetic, loads and stores through scalars and tiles of pointers.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_TILE_IR_TILEMEMORYOPS_TD
#define TESSERA_IR_DIALECT_TILE_IR_TILEMEMORYOPS_TD

include "tessera-ir/Dialect/Tile/IR/TileEffects.td"
include "tessera-ir/Dialect/Tile/IR/TileEnums.td"
include "tessera-ir/Dialect/Tile/IR/TileTypes.td"

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_AddPtrOp : Tile_Op<"addptr", [Pure, AllTypesMatch<["ptr", "result"]>]> {
  let summary = "an address some elements further";
  let description = [{
    `offset` is signed and counts elements of the pointee type. Addresses wrap modulo 2^64; checked execution reports an
    offset that leaves this range.

    - (addptr_c1) `ptr` and `offset` have one shape.
    - (addptr_c2) the result has the type of `ptr`.
    - (addptr_c3) `offset` is not i1.

    ```mlir
    %q = tile.addptr %p, %offs : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    ```
  }];
  let arguments = (ins Tile_Ptr:$ptr, Tile_Int:$offset);
  let results = (outs Tile_Ptr:$result);
  let assemblyFormat = "$ptr `,` $offset attr-dict `:` type($ptr) `,` type($offset)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Tile_LoadOp : Tile_Op<"load", [AttrSizedOperandSegments, Tile_PointeeOf<"ptr", "result">,
    Tile_MaskLike<"ptr", "mask">,
    Tile_OptionalPointeeOf<"ptr", "other">, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "read through pointers";
  let description = [{
    A lane whose mask is false reads nothing, whatever its address, and yields `other`, or 0 where `other` is not given.
    i1 in memory is one byte; any but zero reads as true. A load with `reload` is never merged with an earlier one.
    `cache` and `evict` change speed only.

    - (load_c1) the result has the type that `ptr` points to.
    - (load_c2) `mask` is i1 in the shape of `ptr`.
    - (load_c3) `other` has the type of the result.
    - (load_c4) `other` is given only with `mask`.
    - (load_c5) `cache` is not `wb`, which is for stores.

    ```mlir
    %v = tile.load %p mask %m other %z : tensor<64x!tile.ptr<f32>>
    %w = tile.load %q cache cg evict first reload : !tile.ptr<i32>
    ```
  }];
  let arguments = (ins Tile_Ptr:$ptr, Optional<Tile_Bool>:$mask, Optional<Tile_Any>:$other,
                       DefaultValuedAttr<Tile_CacheHintAttr, "CacheHint::None">:$cache,
                       DefaultValuedAttr<Tile_EvictHintAttr, "EvictHint::Normal">:$evict, UnitAttr:$reload);
  let results = (outs Tile_Any:$result);
  let assemblyFormat = [{
    $ptr (`mask` $mask^)? (`other` $other^)? (`cache` `` $cache^)? (`evict` `` $evict^)? (`reload` $reload^)?
    attr-dict `:` type($ptr)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$ptr, CArg<"::mlir::Value", "{}">:$mask,
                                 CArg<"::mlir::Value", "{}">:$other, CArg<"CacheHint", "CacheHint::None">:$cache,
                                 CArg<"EvictHint", "EvictHint::Normal">:$evict, CArg<"bool", "false">:$reload)>];
  let skipDefaultBuilders = 1;
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Tile_StoreOp : Tile_Op<"store", [Tile_PointeeOf<"ptr", "value">, Tile_MaskLike<"ptr", "mask">,
    MemoryEffects<[MemWrite<Tile_GlobalMemory>]>]> {
  let summary = "write through pointers";
  let description = [{
    A lane whose mask is false writes nothing. If several lanes write one address, one of them wins. i1 is written as a
    byte of 0 or 1. `cache` and `evict` change speed only.

    - (store_c1) `value` has the type that `ptr` points to.
    - (store_c2) `mask` is i1 in the shape of `ptr`.
    - (store_c3) `cache` is not `ca` or `cv`, which are for loads.

    ```mlir
    tile.store %p, %v mask %m : tensor<64x!tile.ptr<f32>>
    ```
  }];
  let arguments = (ins Tile_Ptr:$ptr, Tile_Any:$value, Optional<Tile_Bool>:$mask,
                       DefaultValuedAttr<Tile_CacheHintAttr, "CacheHint::None">:$cache,
                       DefaultValuedAttr<Tile_EvictHintAttr, "EvictHint::Normal">:$evict);
  let assemblyFormat = [{
    $ptr `,` $value (`mask` $mask^)? (`cache` `` $cache^)? (`evict` `` $evict^)? attr-dict `:` type($ptr)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$ptr, "::mlir::Value":$value, CArg<"::mlir::Value", "{}">:$mask,
                                 CArg<"CacheHint", "CacheHint::None">:$cache,
                                 CArg<"EvictHint", "EvictHint::Normal">:$evict)>];
  let skipDefaultBuilders = 1;
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

#endif // TESSERA_IR_DIALECT_TILE_IR_TILEMEMORYOPS_TD
