//===- TileTypes.td - types of the dialect and the sets ops draw from --*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `!tile.ptr` and `!tile.view`, then the type constraints: element sets, and for each the scalar, the tile and both.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_TILE_IR_TILETYPES_TD
#define TESSERA_IR_DIALECT_TILE_IR_TILETYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "tessera-ir/Dialect/Tile/IR/TileDialect.td"

class Tile_Type<string name, string typeMnemonic> : TypeDef<Tile_Dialect, name> { let mnemonic = typeMnemonic; }

def Tile_PtrType : Tile_Type<"Ptr", "ptr"> {
  let summary = "address of an element in global memory";
  let description = [{
    A 64-bit address of one element of type `pointee`. An i1 in memory is one byte.

    - (ptr_c1) `pointee` is an element type of the dialect: i1 i8 i16 i32 i64, f16 bf16 f32 f64, one of the four fp8
      types, or another `!tile.ptr`.
    - (ptr_c2) at most 8 levels of pointer.

    ```mlir
    !tile.ptr<f32>
    !tile.ptr<!tile.ptr<f16>>   // a table of addresses
    ```
  }];
  let parameters = (ins "::mlir::Type":$pointee);
  let assemblyFormat = "`<` $pointee `>`";
  let genVerifyDecl = 1;
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$pointee), [{
    return $_get(pointee.getContext(), pointee);
  }]>];
}

def Tile_ViewType : Tile_Type<"View", "view"> {
  let summary = "array in global memory with extents and strides";
  let description = [{
    A base address with `rank` run-time extents and strides. `contiguous` names the axis that is contiguous in memory
    when one is; it is the last axis unless printed, and only speed depends on it.

    - (view_c1) `element` is an element type of the dialect.
    - (view_c2) `rank` is 1 to 5.
    - (view_c3) `contiguous` is below `rank`.

    ```mlir
    !tile.view<f16, 2>
    !tile.view<f16, 2, contiguous = 0>
    ```
  }];
  let parameters = (ins "::mlir::Type":$element, "unsigned":$rank, "unsigned":$contiguous);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$element, "unsigned":$rank), [{
    return $_get(element.getContext(), element, rank, rank == 0 ? 0 : rank - 1);
  }]>];
}

//===----------------------------------------------------------------------===//
// Element sets
//===----------------------------------------------------------------------===//

def Tile_IntElement : AnyTypeOf<[I1, I8, I16, I32, I64], "integer">;
def Tile_FloatElement : AnyTypeOf<[F16, BF16, F32, F64, F8E4M3FN, F8E5M2, F8E4M3FNUZ, F8E5M2FNUZ], "float">;
/// Floats that arithmetic works on: fp8 is converted first.
def Tile_ArithFloatElement : AnyTypeOf<[F16, BF16, F32, F64], "float wider than 8 bits">;
def Tile_PointerElement : AnyTypeOf<[Tile_PtrType], "pointer">;
def Tile_NumberElement : AnyTypeOf<[Tile_IntElement, Tile_FloatElement], "integer or float">;
def Tile_IntOrPtrElement : AnyTypeOf<[Tile_IntElement, Tile_PtrType], "integer or pointer">;
def Tile_AnyElement : AnyTypeOf<[Tile_IntElement, Tile_FloatElement, Tile_PtrType], "integer, float or pointer">;

//===----------------------------------------------------------------------===//
// Scalars and tiles over a set
//===----------------------------------------------------------------------===//

/// A tile of rank 1 to 5 whose extents are powers of two and whose elements are in \p element (SEMANTICS T2).
class Tile_TileOf<Type element> : Type<And<[
    CPred<"::tessera::ir::tile::isTile($_self)">,
    Concat<"[](::mlir::Type elementType) { return ",
           SubstLeaves<"$_self", "elementType", element.predicate>,
           "; }(::tessera::ir::tile::elementOf($_self))">]>,
  "tile of " # element.summary # " (rank 1 to 5, extents powers of two, at most 1048576 elements)",
  "::mlir::RankedTensorType">;

/// A scalar in \p element or a tile of it.
class Tile_ScalarOrTileOf<Type element> : AnyTypeOf<[element, Tile_TileOf<element>],
  "scalar or tile of " # element.summary # " (rank 0 to 5, extents powers of two, at most 1048576 elements)">;

def Tile_Int : Tile_ScalarOrTileOf<Tile_IntElement>;
def Tile_Float : Tile_ScalarOrTileOf<Tile_FloatElement>;
def Tile_ArithFloat : Tile_ScalarOrTileOf<Tile_ArithFloatElement>;
def Tile_Number : Tile_ScalarOrTileOf<Tile_NumberElement>;
def Tile_Ptr : Tile_ScalarOrTileOf<Tile_PointerElement>;
def Tile_IntOrPtr : Tile_ScalarOrTileOf<Tile_IntOrPtrElement>;
def Tile_Any : Tile_ScalarOrTileOf<Tile_AnyElement>;
def Tile_Bool : Tile_ScalarOrTileOf<I1>;
def Tile_Int32 : Tile_ScalarOrTileOf<I32>;
def Tile_Int64 : Tile_ScalarOrTileOf<I64>;

def Tile_AnyTile : Tile_TileOf<Tile_AnyElement>;
def Tile_IntTile : Tile_TileOf<Tile_IntElement>;
def Tile_Int32Tile : Tile_TileOf<I32>;
def Tile_NumberTile : Tile_TileOf<Tile_NumberElement>;

//===----------------------------------------------------------------------===//
// Relations between operands
//===----------------------------------------------------------------------===//

/// \p arg has the shape of \p like and elements of C++ type expression \p element (of `$_self`, the type of \p like).
class Tile_ShapedLike<string like, string arg, string element, string words> : TypesMatchWith<
    "`" # arg # "` is " # words # " in the shape of `" # like # "`", like, arg,
    "::tessera::ir::tile::withElement($_self, " # element # ")">;
class Tile_OptionalShapedLike<string like, string arg, string element, string words> : OptionalTypesMatchWith<
    "`" # arg # "` is " # words # " in the shape of `" # like # "`", like, arg,
    "::tessera::ir::tile::withElement($_self, " # element # ")">;

/// \p mask, where given, is i1 in the shape of \p like.
class Tile_MaskLike<string like, string mask> : Tile_OptionalShapedLike<like, mask,
    "::mlir::IntegerType::get($_self.getContext(), 1)", "i1">;

/// \p arg holds what the pointers \p ptr point to.
class Tile_PointeeOf<string ptr, string arg> : TypesMatchWith<
    "`" # arg # "` has the type that `" # ptr # "` points to", ptr, arg, "::tessera::ir::tile::pointeeOf($_self)">;
class Tile_OptionalPointeeOf<string ptr, string arg> : OptionalTypesMatchWith<
    "`" # arg # "` has the type that `" # ptr # "` points to", ptr, arg, "::tessera::ir::tile::pointeeOf($_self)">;

#endif // TESSERA_IR_DIALECT_TILE_IR_TILETYPES_TD
