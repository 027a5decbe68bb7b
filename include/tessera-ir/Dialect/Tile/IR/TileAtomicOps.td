//===- TileAtomicOps.td - atomic access through pointers ---*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The only way for programs of a launch to communicate.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_TILE_IR_TILEATOMICOPS_TD
#define TESSERA_IR_DIALECT_TILE_IR_TILEATOMICOPS_TD

include "tessera-ir/Dialect/Tile/IR/TileEffects.td"
include "tessera-ir/Dialect/Tile/IR/TileEnums.td"
include "tessera-ir/Dialect/Tile/IR/TileTypes.td"

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_AtomicOp<string mnemonic, list<Trait> traits>
    : Tile_Op<mnemonic, [Tile_MaskLike<"ptr", "mask">] # traits>;

/// Both effects, so that an atomic is neither removed, merged nor moved over another access.
def Tile_AtomicEffects : MemoryEffects<[MemRead<Tile_GlobalMemory>, MemWrite<Tile_GlobalMemory>]>;

def Tile_AtomicRMWOp : Tile_AtomicOp<"atomic_rmw",
    [Tile_PointeeOf<"ptr", "value">, Tile_PointeeOf<"ptr", "result">, Tile_AtomicEffects]> {
  let summary = "read, modify and write an element in one step";
  let description = [{
    Yields the old value. A lane whose mask is false does nothing and yields 0. Lanes of one address each take effect
    once, in any order. `fmin` and `fmax` drop NaN and order -0 below +0.

    - (atomic_rmw_c1) `value` and result have the type that `ptr` points to.
    - (atomic_rmw_c2) `mask` is i1 in the shape of `ptr`.
    - (atomic_rmw_c3) `fadd fsub fmin fmax` work on floats; `add sub and or xor min max umin umax` on integers of at
      least 8 bits; `xchg` on all types but i1.

    ```mlir
    %old = tile.atomic_rmw fadd relaxed device %p, %v mask %m : tensor<64x!tile.ptr<f32>>
    ```
  }];
  let arguments = (ins Tile_AtomicKindAttr:$kind, Tile_MemoryOrderAttr:$order, Tile_MemoryScopeAttr:$scope,
                       Tile_Ptr:$ptr,
                       Tile_Any:$value, Optional<Tile_Bool>:$mask);
  let results = (outs Tile_Any:$result);
  let assemblyFormat = "`` $kind `` $order `` $scope $ptr `,` $value (`mask` $mask^)? attr-dict `:` type($ptr)";
  let builders = [OpBuilder<(ins "AtomicKind":$kind, "MemoryOrder":$order, "MemoryScope":$scope, "::mlir::Value":$ptr,
                                 "::mlir::Value":$value, CArg<"::mlir::Value", "{}">:$mask)>];
  let skipDefaultBuilders = 1;
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Tile_AtomicCASOp : Tile_AtomicOp<"atomic_cas", [Tile_PointeeOf<"ptr", "expected">,
    Tile_PointeeOf<"ptr", "desired">, Tile_PointeeOf<"ptr", "result">, Tile_AtomicEffects]> {
  let summary = "replace an element if it holds what is expected";
  let description = [{
    Yields the old value; the store took place where that equals `expected`, bit by bit. A lane whose mask is false does
    nothing and yields 0.

    - (atomic_cas_c1) `expected`, `desired` and result have the type that `ptr` points to.
    - (atomic_cas_c2) `mask` is i1 in the shape of `ptr`.
    - (atomic_cas_c3) `ptr` does not point to i1.

    ```mlir
    %old = tile.atomic_cas acq_rel device %p, %expected, %desired : !tile.ptr<i32>
    ```
  }];
  let arguments = (ins Tile_MemoryOrderAttr:$order, Tile_MemoryScopeAttr:$scope, Tile_Ptr:$ptr, Tile_Any:$expected,
                       Tile_Any:$desired, Optional<Tile_Bool>:$mask);
  let results = (outs Tile_Any:$result);
  let assemblyFormat = "`` $order `` $scope $ptr `,` $expected `,` $desired (`mask` $mask^)? attr-dict `:` type($ptr)";
  let builders = [OpBuilder<(ins "MemoryOrder":$order, "MemoryScope":$scope, "::mlir::Value":$ptr,
                                 "::mlir::Value":$expected, "::mlir::Value":$desired,
                                 CArg<"::mlir::Value", "{}">:$mask)>];
  let skipDefaultBuilders = 1;
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Tile_AtomicLoadOp : Tile_AtomicOp<"atomic_load", [Tile_PointeeOf<"ptr", "result">, Tile_AtomicEffects]> {
  let summary = "read an element atomically";
  let description = [{
    A lane whose mask is false reads nothing and yields 0.

    - (atomic_load_c1) the result has the type that `ptr` points to.
    - (atomic_load_c2) `mask` is i1 in the shape of `ptr`.
    - (atomic_load_c3) `order` is `relaxed` or `acquire`.
    - (atomic_load_c4) `ptr` does not point to i1.

    ```mlir
    %v = tile.atomic_load acquire device %p : !tile.ptr<i32>
    ```
  }];
  let arguments = (ins Tile_MemoryOrderAttr:$order, Tile_MemoryScopeAttr:$scope, Tile_Ptr:$ptr,
                       Optional<Tile_Bool>:$mask);
  let results = (outs Tile_Any:$result);
  let assemblyFormat = "`` $order `` $scope $ptr (`mask` $mask^)? attr-dict `:` type($ptr)";
  let builders = [OpBuilder<(ins "MemoryOrder":$order, "MemoryScope":$scope, "::mlir::Value":$ptr,
                                 CArg<"::mlir::Value", "{}">:$mask)>];
  let skipDefaultBuilders = 1;
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Tile_AtomicStoreOp : Tile_AtomicOp<"atomic_store", [Tile_PointeeOf<"ptr", "value">, Tile_AtomicEffects]> {
  let summary = "write an element atomically";
  let description = [{
    A lane whose mask is false writes nothing.

    - (atomic_store_c1) `value` has the type that `ptr` points to.
    - (atomic_store_c2) `mask` is i1 in the shape of `ptr`.
    - (atomic_store_c3) `order` is `relaxed` or `release`.
    - (atomic_store_c4) `ptr` does not point to i1.

    ```mlir
    tile.atomic_store release device %p, %v : !tile.ptr<i32>
    ```
  }];
  let arguments = (ins Tile_MemoryOrderAttr:$order, Tile_MemoryScopeAttr:$scope, Tile_Ptr:$ptr, Tile_Any:$value,
                       Optional<Tile_Bool>:$mask);
  let assemblyFormat = "`` $order `` $scope $ptr `,` $value (`mask` $mask^)? attr-dict `:` type($ptr)";
  let builders = [OpBuilder<(ins "MemoryOrder":$order, "MemoryScope":$scope, "::mlir::Value":$ptr,
                                 "::mlir::Value":$value, CArg<"::mlir::Value", "{}">:$mask)>];
  let skipDefaultBuilders = 1;
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

#endif // TESSERA_IR_DIALECT_TILE_IR_TILEATOMICOPS_TD
