//===- TileCastOps.td - conversions between element types --*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Conversions that `arith` cannot express without undefined behaviour or double rounding. The others are
// `arith.sitofp uitofp trunci extsi extui`.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_TILE_IR_TILECASTOPS_TD
#define TESSERA_IR_DIALECT_TILE_IR_TILECASTOPS_TD

include "tessera-ir/Dialect/Tile/IR/TileEnums.td"
include "tessera-ir/Dialect/Tile/IR/TileTypes.td"

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_ConvertFloatOp : Tile_Op<"convert_float", [Pure,
    OptionalTypesMatchWith<"`random_bits` is i32 in the shape of `source`", "source", "random_bits",
      "::tessera::ir::tile::withElement($_self, ::mlir::IntegerType::get($_self.getContext(), 32))">]> {
  let summary = "float to float";
  let description = [{
    Rounds once, directly from the source type: to nearest with ties to even, toward zero, or stochastically, where the
    part that does not fit is compared with `random_bits`. What is too large becomes infinity, or NaN in the types that
    have none (f8E4M3FN and the fnuz pair); with `saturate` it becomes the largest finite value. NaN stays NaN.

    - (convert_float_c1) `source` and result have one shape.
    - (convert_float_c2) `random_bits` is given exactly with rounding `stochastic`.
    - (convert_float_c3) `random_bits` is i32 in the shape of `source`.

    ```mlir
    %h = tile.convert_float %x : tensor<64xf32> -> tensor<64xf16>
    %q = tile.convert_float %x rounding stochastic saturate random %bits : tensor<64xf32> -> tensor<64xf8E4M3FN>
    ```
  }];
  let arguments = (ins Tile_Float:$source, Optional<Tile_Int32>:$random_bits,
                       DefaultValuedAttr<Tile_FloatRoundingAttr, "FloatRounding::Nearest">:$rounding,
                       UnitAttr:$saturate);
  let results = (outs Tile_Float:$result);
  let assemblyFormat = [{
    $source (`rounding` `` $rounding^)? (`saturate` $saturate^)? (`random` $random_bits^)? attr-dict
    `:` type($source) `->` type($result)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "::mlir::Type":$elementType,
                                 CArg<"FloatRounding", "FloatRounding::Nearest">:$rounding,
                                 CArg<"bool", "false">:$saturate, CArg<"::mlir::Value", "{}">:$randomBits)>];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Tile_FloatToIntOp : Tile_Op<"float_to_int", [Pure]> {
  let summary = "float to integer, saturating";
  let description = [{
    Truncates toward zero. NaN gives 0; what is out of range gives the nearest integer of the range, which is that of an
    unsigned integer with `unsigned`.

    - (float_to_int_c1) `source` and result have one shape.
    - (float_to_int_c2) the result is not i1: that conversion is a comparison with zero.

    ```mlir
    %i = tile.float_to_int %x : tensor<64xf32> -> tensor<64xi32>
    %u = tile.float_to_int %x unsigned : f32 -> i8
    ```
  }];
  let arguments = (ins Tile_Float:$source, UnitAttr:$is_unsigned);
  let results = (outs Tile_Int:$result);
  let assemblyFormat = "$source (`unsigned` $is_unsigned^)? attr-dict `:` type($source) `->` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "::mlir::Type":$elementType,
                                 CArg<"bool", "false">:$isUnsigned)>];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_BitcastOp : Tile_Op<"bitcast", [Pure]> {
  let summary = "the same bits as another type";
  let description = [{
    Between element types of one width elementwise. From a wide to a narrow type it adds a last axis over the parts, and
    from a narrow to a wide type it removes one; part 0 holds the lowest bits.

    - (bitcast_c1) widths are equal and so are shapes; or the narrower side has one axis more, whose extent is the ratio
      of the widths.
    - (bitcast_c2) an i1 is cast only to i1.

    ```mlir
    %i = tile.bitcast %x : tensor<64xf32> -> tensor<64xi32>
    %h = tile.bitcast %i : tensor<64xi32> -> tensor<64x2xf16>
    ```
  }];
  let arguments = (ins Tile_Number:$source);
  let results = (outs Tile_Number:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_PtrToIntOp : Tile_Op<"ptr_to_int", [Pure,
    Tile_ShapedLike<"source", "result", "::mlir::IntegerType::get($_self.getContext(), 64)", "i64">]> {
  let summary = "address as an integer";
  let description = [{
    - (ptr_to_int_c1) the result is i64 in the shape of `source`.

    ```mlir
    %a = tile.ptr_to_int %p : tensor<64x!tile.ptr<f32>>
    ```
  }];
  let arguments = (ins Tile_Ptr:$source);
  let results = (outs Tile_Int64:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
  let hasFolder = 1;
}

def Tile_IntToPtrOp : Tile_Op<"int_to_ptr", [Pure,
    Tile_ShapedLike<"result", "source", "::mlir::IntegerType::get($_self.getContext(), 64)", "i64">]> {
  let summary = "integer as an address";
  let description = [{
    - (int_to_ptr_c1) `source` is i64 in the shape of the result.

    ```mlir
    %p = tile.int_to_ptr %a : tensor<64x!tile.ptr<f32>>
    ```
  }];
  let arguments = (ins Tile_Int64:$source);
  let results = (outs Tile_Ptr:$result);
  let assemblyFormat = "$source attr-dict `:` type($result)";
  let hasFolder = 1;
}

def Tile_PtrCastOp : Tile_Op<"ptr_cast", [Pure]> {
  let summary = "the same address with another element type";
  let description = [{
    The memory stays in its alias class. The address must suit the alignment of the new element.

    - (ptr_cast_c1) `source` and result have one shape.

    ```mlir
    %q = tile.ptr_cast %p : !tile.ptr<i32> -> !tile.ptr<f16>
    ```
  }];
  let arguments = (ins Tile_Ptr:$source);
  let results = (outs Tile_Ptr:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "PtrType":$pointer)>];
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif // TESSERA_IR_DIALECT_TILE_IR_TILECASTOPS_TD
