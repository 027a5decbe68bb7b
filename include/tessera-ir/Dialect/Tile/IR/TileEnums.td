//===- TileEnums.td - enumerations of the tile dialect -----*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each enumeration and the attribute that holds it, printed as a bare word in the pretty form.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_TILE_IR_TILEENUMS_TD
#define TESSERA_IR_DIALECT_TILE_IR_TILEENUMS_TD

include "mlir/IR/EnumAttr.td"
include "tessera-ir/Dialect/Tile/IR/TileDialect.td"

def Tile_Axis : I32EnumAttr<"Axis", "axis of the grid of programs", [
  I32EnumAttrCase<"X", 0, "x">,
  I32EnumAttrCase<"Y", 1, "y">,
  I32EnumAttrCase<"Z", 2, "z">
]> {
  let cppNamespace = "::tessera::ir::tile";
  let genSpecializedAttr = 0;
}
def Tile_AxisAttr : EnumAttr<Tile_Dialect, Tile_Axis, "axis">;

def Tile_FloatRounding : I32EnumAttr<"FloatRounding", "how a float conversion rounds", [
  I32EnumAttrCase<"Nearest", 0, "nearest">,
  I32EnumAttrCase<"TowardZero", 1, "toward_zero">,
  I32EnumAttrCase<"Stochastic", 2, "stochastic">
]> {
  let cppNamespace = "::tessera::ir::tile";
  let genSpecializedAttr = 0;
}
def Tile_FloatRoundingAttr : EnumAttr<Tile_Dialect, Tile_FloatRounding, "float_rounding">;

def Tile_DivRounding : I32EnumAttr<"DivRounding", "how an integer quotient rounds", [
  I32EnumAttrCase<"Trunc", 0, "trunc">,
  I32EnumAttrCase<"Floor", 1, "floor">,
  I32EnumAttrCase<"Ceil", 2, "ceil">
]> {
  let cppNamespace = "::tessera::ir::tile";
  let genSpecializedAttr = 0;
}
def Tile_DivRoundingAttr : EnumAttr<Tile_Dialect, Tile_DivRounding, "div_rounding">;

def Tile_CacheHint : I32EnumAttr<"CacheHint", "which caches an access should use; changes speed only", [
  I32EnumAttrCase<"None", 0, "none">,
  I32EnumAttrCase<"All", 1, "ca">,
  I32EnumAttrCase<"Global", 2, "cg">,
  I32EnumAttrCase<"Streaming", 3, "cs">,
  I32EnumAttrCase<"Volatile", 4, "cv">,
  I32EnumAttrCase<"WriteBack", 5, "wb">
]> {
  let cppNamespace = "::tessera::ir::tile";
  let genSpecializedAttr = 0;
}
def Tile_CacheHintAttr : EnumAttr<Tile_Dialect, Tile_CacheHint, "cache">;

def Tile_EvictHint : I32EnumAttr<"EvictHint", "how soon a cached line may be evicted; changes speed only", [
  I32EnumAttrCase<"Normal", 0, "normal">,
  I32EnumAttrCase<"First", 1, "first">,
  I32EnumAttrCase<"Last", 2, "last">
]> {
  let cppNamespace = "::tessera::ir::tile";
  let genSpecializedAttr = 0;
}
def Tile_EvictHintAttr : EnumAttr<Tile_Dialect, Tile_EvictHint, "evict">;

def Tile_AtomicKind : I32EnumAttr<"AtomicKind", "what an atomic read-modify-write does", [
  I32EnumAttrCase<"Add", 0, "add">,
  I32EnumAttrCase<"Sub", 1, "sub">,
  I32EnumAttrCase<"And", 2, "and">,
  I32EnumAttrCase<"Or", 3, "or">,
  I32EnumAttrCase<"Xor", 4, "xor">,
  I32EnumAttrCase<"Xchg", 5, "xchg">,
  I32EnumAttrCase<"Min", 6, "min">,
  I32EnumAttrCase<"Max", 7, "max">,
  I32EnumAttrCase<"UMin", 8, "umin">,
  I32EnumAttrCase<"UMax", 9, "umax">,
  I32EnumAttrCase<"FAdd", 10, "fadd">,
  I32EnumAttrCase<"FSub", 11, "fsub">,
  I32EnumAttrCase<"FMin", 12, "fmin">,
  I32EnumAttrCase<"FMax", 13, "fmax">
]> {
  let cppNamespace = "::tessera::ir::tile";
  let genSpecializedAttr = 0;
}
def Tile_AtomicKindAttr : EnumAttr<Tile_Dialect, Tile_AtomicKind, "atomic">;

def Tile_MemoryOrder : I32EnumAttr<"MemoryOrder", "what an atomic access orders", [
  I32EnumAttrCase<"Relaxed", 0, "relaxed">,
  I32EnumAttrCase<"Acquire", 1, "acquire">,
  I32EnumAttrCase<"Release", 2, "release">,
  I32EnumAttrCase<"AcqRel", 3, "acq_rel">
]> {
  let cppNamespace = "::tessera::ir::tile";
  let genSpecializedAttr = 0;
}
def Tile_MemoryOrderAttr : EnumAttr<Tile_Dialect, Tile_MemoryOrder, "order">;

def Tile_MemoryScope : I32EnumAttr<"MemoryScope", "who sees an atomic access in order", [
  I32EnumAttrCase<"Block", 0, "block">,
  I32EnumAttrCase<"Device", 1, "device">,
  I32EnumAttrCase<"System", 2, "system">
]> {
  let cppNamespace = "::tessera::ir::tile";
  let genSpecializedAttr = 0;
}
def Tile_MemoryScopeAttr : EnumAttr<Tile_Dialect, Tile_MemoryScope, "scope">;

def Tile_DotPrecision : I32EnumAttr<"DotPrecision", "how products of f32 are formed", [
  I32EnumAttrCase<"IEEE", 0, "ieee">,
  I32EnumAttrCase<"TF32", 1, "tf32">,
  I32EnumAttrCase<"TF32x3", 2, "tf32x3">,
  I32EnumAttrCase<"BF16x3", 3, "bf16x3">
]> {
  let cppNamespace = "::tessera::ir::tile";
  let genSpecializedAttr = 0;
}
def Tile_DotPrecisionAttr : EnumAttr<Tile_Dialect, Tile_DotPrecision, "precision">;

#endif // TESSERA_IR_DIALECT_TILE_IR_TILEENUMS_TD
