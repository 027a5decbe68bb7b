//===- TileReduceOps.td - working along an axis ------------*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reductions, scans, sorting and histograms.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_TILE_IR_TILEREDUCEOPS_TD
#define TESSERA_IR_DIALECT_TILE_IR_TILEREDUCEOPS_TD

include "tessera-ir/Dialect/Tile/IR/TileEnums.td"
include "tessera-ir/Dialect/Tile/IR/TileTypes.td"

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// What reductions and scans share: a combine region over scalars.
class Tile_CombineOp<string mnemonic, list<Trait> traits = []> : Tile_Op<mnemonic,
    [RecursiveMemoryEffects, RecursivelySpeculatable, SingleBlock] # traits> {
  let regions = (region SizedRegion<1>:$combine);
}

def Tile_ReduceOp : Tile_CombineOp<"reduce"> {
  let summary = "combine all elements along an axis";
  let description = [{
    The combine region takes scalars: the left values of all inputs, then the right values of all inputs. It yields one
    value for each input and must be associative and commutative; the order of combining is free unless `deterministic`
    is given, which fixes it for the block's shape. Reducing a tile of rank 1 gives scalars.

    A region of one op on both arguments is printed as the name of that op.

    - (reduce_c1) there is at least one input, and all inputs have one shape.
    - (reduce_c2) `axis` is below the rank of the inputs.
    - (reduce_c3) there is one result for each input: its type without `axis`.
    - (reduce_c4) the combine region takes two scalars of each input's element type, first all left values, then all
      right ones.
    - (reduce_c5) the combine region yields one scalar of each input's element type.
    - (reduce_c6) the combine region touches no memory and uses only scalars from outside.

    ```mlir
    %sum = tile.reduce %x axis 0 : tensor<1024xf32> -> f32 by arith.addf
    %most, %at = tile.reduce %x, %i axis 0 : tensor<64xf32>, tensor<64xi32> -> f32, i32 by
      (%lv: f32, %li: i32, %rv: f32, %ri: i32) {
        %left = arith.cmpf oge, %lv, %rv : f32
        %v = arith.select %left, %lv, %rv : f32
        %j = arith.select %left, %li, %ri : i32
        tile.yield %v, %j : f32, i32
      }
    ```
  }];
  let arguments = (ins Variadic<Tile_AnyTile>:$inputs, I32Attr:$axis, UnitAttr:$deterministic);
  let results = (outs Variadic<Tile_Any>:$results);
  let assemblyFormat = [{
    $inputs `axis` $axis (`deterministic` $deterministic^)? attr-dict `:` type($inputs) `->` type($results)
    `by` custom<Combine>($combine, ref(type($inputs)))
  }];
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$inputs, "int32_t":$axis,
                                 CArg<"bool", "false">:$deterministic)>];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_ScanOp : Tile_CombineOp<"scan"> {
  let summary = "combine all elements up to each one along an axis";
  let description = [{
    Element `i` along `axis` is the combination of elements 0 to `i` in this order, or with `reverse` of the last
    element down to `i`. With `exclusive` element `i` itself is left out: every element is the one before it of the scan
    without `exclusive`, and the first is `identity`, which is combined with nothing. The combine region is that of
    `tile.reduce` and must be associative; the order of operands is kept. How they are grouped is free unless
    `deterministic` is given, which fixes it for the block's shape.

    - (scan_c1) there is at least one input, and all inputs have one shape.
    - (scan_c2) `axis` is below the rank of the inputs.
    - (scan_c3) there is one result for each input, of its type.
    - (scan_c4) the combine region takes two scalars of each input's element type, first all left values, then all right
      ones.
    - (scan_c5) the combine region yields one scalar of each input's element type.
    - (scan_c6) the combine region touches no memory and uses only scalars from outside.
    - (scan_c7) `identity` is given exactly with `exclusive`: one constant of each input's element type.

    ```mlir
    %sums = tile.scan %x axis 0 reverse exclusive identity [0.0 : f32] : tensor<1024xf32> by arith.addf
    ```
  }];
  let arguments = (ins Variadic<Tile_AnyTile>:$inputs, I32Attr:$axis, UnitAttr:$reverse, UnitAttr:$exclusive,
                       OptionalAttr<ArrayAttr>:$identity, UnitAttr:$deterministic);
  let results = (outs Variadic<Tile_AnyTile>:$results);
  let assemblyFormat = [{
    $inputs `axis` $axis (`reverse` $reverse^)? (`exclusive` $exclusive^)? (`identity` $identity^)?
    (`deterministic` $deterministic^)? attr-dict
    `:` custom<SameTypes>(type($inputs), type($results)) `by` custom<Combine>($combine, ref(type($inputs)))
  }];
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$inputs, "int32_t":$axis, CArg<"bool", "false">:$reverse,
                                 CArg<"::mlir::ArrayRef<::mlir::Attribute>", "{}">:$exclusiveIdentity,
                                 CArg<"bool", "false">:$deterministic)>];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_YieldOp : Tile_Op<"yield", [Pure, ReturnLike, Terminator, ParentOneOf<["ReduceOp", "ScanOp"]>]> {
  let summary = "result of a combine region";
  let description = [{
    - (yield_c1) the parent is a `tile.reduce` or a `tile.scan`.
  }];
  let arguments = (ins Variadic<Tile_AnyElement>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

def Tile_SortOp : Tile_Op<"sort", [Pure,
    OptionalTypesMatchWith<"`valid` is i1 in the shape of `key`", "key", "valid",
      "::tessera::ir::tile::withElement($_self, ::mlir::IntegerType::get($_self.getContext(), 1))">,
    AttrSizedOperandSegments]> {
  let summary = "sort along an axis";
  let description = [{
    Results are the sorted keys and the payloads moved along with them. The sort is stable in both directions. NaN
    counts as larger than every number; -0 equals +0. Lanes whose `valid` is false go last in both directions, in their
    order. Integers compare as signed unless `unsigned` is given.

    - (sort_c1) `axis` is below the rank of `key`.
    - (sort_c2) payloads have the shape of `key`.
    - (sort_c3) results have the types of `key` and the payloads.
    - (sort_c4) `valid` is i1 in the shape of `key`.
    - (sort_c5) `unsigned` is given only with integer keys.

    ```mlir
    %keys, %order = tile.sort %x, %lane axis 0 descending valid %m : tensor<64xf32>, tensor<64xi32>
    ```
  }];
  let arguments = (ins Tile_NumberTile:$key, Variadic<Tile_AnyTile>:$payload, Optional<Tile_Bool>:$valid,
                       I32Attr:$axis, UnitAttr:$descending, UnitAttr:$is_unsigned);
  let results = (outs Tile_NumberTile:$sorted, Variadic<Tile_AnyTile>:$moved);
  let assemblyFormat = [{
    $key (`,` $payload^)? `axis` $axis (`descending` $descending^)? (`unsigned` $is_unsigned^)? (`valid` $valid^)?
    attr-dict `:` custom<SortTypes>(type($key), type($payload), type($sorted), type($moved))
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$key, "::mlir::ValueRange":$payload, "int32_t":$axis,
                                 CArg<"bool", "false">:$descending, CArg<"bool", "false">:$isUnsigned,
                                 CArg<"::mlir::Value", "{}">:$valid)>];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_HistogramOp : Tile_Op<"histogram", [Pure, Tile_MaskLike<"source", "mask">]> {
  let summary = "count how often each small integer occurs";
  let description = [{
    `result[b]` is the number of elements equal to `b`. Values outside the bins are dropped, and so are lanes whose mask
    is false. Integers are signed unless `unsigned` is given.

    - (histogram_c1) `mask` is i1 in the shape of `source`.
    - (histogram_c2) the result has rank 1.

    ```mlir
    %counts = tile.histogram %x mask %m : tensor<1024xi32> -> tensor<256xi32>
    ```
  }];
  let arguments = (ins Tile_IntTile:$source, Optional<Tile_Bool>:$mask, UnitAttr:$is_unsigned);
  let results = (outs Tile_Int32Tile:$result);
  let assemblyFormat = [{
    $source (`mask` $mask^)? (`unsigned` $is_unsigned^)? attr-dict `:` type($source) `->` type($result)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "int64_t":$bins, CArg<"::mlir::Value", "{}">:$mask,
                                 CArg<"bool", "false">:$isUnsigned)>];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

#endif // TESSERA_IR_DIALECT_TILE_IR_TILEREDUCEOPS_TD
