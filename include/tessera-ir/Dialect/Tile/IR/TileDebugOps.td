//===- TileDebugOps.td - printing, checking and target assembly --*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What people use to look inside a kernel, and the door to a target's own instructions.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_TILE_IR_TILEDEBUGOPS_TD
#define TESSERA_IR_DIALECT_TILE_IR_TILEDEBUGOPS_TD

include "tessera-ir/Dialect/Tile/IR/TileTypes.td"

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_PrintOp : Tile_Op<"print", [MemoryEffects<[MemWrite]>, AttrSizedOperandSegments]> {
  let summary = "print values with program id and coordinates";
  let description = [{
    Prints, for each lane where `pred` is true or absent, one line with `prefix` and all values. Scalars are the same in
    every lane; without a tile among the values there is one line a program, printed where any lane of `pred` is true.
    `names` names the values and `is_unsigned` says which print as unsigned.

    - (print_c1) all tiles among the values have one shape; `pred` is a scalar or has it too.
    - (print_c2) `names`, where given, has one string for each value.
    - (print_c3) `is_unsigned`, where given, has one entry for each value.

    ```mlir
    tile.print "row" %i, %x names ["i", "x"] : i64, tensor<64xf32>
    ```
  }];
  let arguments = (ins StrAttr:$prefix, Variadic<Tile_Any>:$values, Optional<Tile_Bool>:$pred,
                       OptionalAttr<StrArrayAttr>:$names, OptionalAttr<DenseBoolArrayAttr>:$is_unsigned);
  let assemblyFormat = [{
    $prefix ($values^)? (`names` $names^)? (`unsigned` $is_unsigned^)? (`pred` $pred^ `is` type($pred))?
    attr-dict (`:` type($values)^)?
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_AssertOp : Tile_Op<"assert", [MemoryEffects<[MemWrite]>]> {
  let summary = "report lanes where a condition is false";
  let description = [{
    Is on when the kernel is compiled with checks; reports the message with the user's line, program and coordinates.

    ```mlir
    tile.assert %ok, "index in range" : tensor<64xi1>
    ```
  }];
  let arguments = (ins Tile_Bool:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
  let hasCanonicalizeMethod = 1;
}

def Tile_InlineAsmOp : Tile_Op<"inline_asm", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a target's own instructions on elements";
  let description = [{
    `bodies` maps the start of a target's name (`"cuda"`, `"hip:gfx9"`) to a dictionary of the strings `asm` and
    `constraints`; the longest start that fits is used, and a target that none fits refuses the kernel. Each run of
    `pack` elements of every operand is given to one evaluation of the text, four bytes or more to a register. Without
    `pure` it may touch memory.

    - (inline_asm_c1) `bodies` is not empty; each is a dictionary of exactly the strings `asm` and `constraints`.
    - (inline_asm_c2) `pack` is a power of two of at least 1.
    - (inline_asm_c3) all tiles among operands and results have one shape, and scalars stand only with scalars.
    - (inline_asm_c4) without results it is not `pure`.

    ```mlir
    %r = tile.inline_asm {cuda = {asm = "lg2.approx.f32 $0, $1;", constraints = "=f,f"}} pure (%x)
       : (tensor<64xf32>) -> tensor<64xf32>
    ```
  }];
  let arguments = (ins DictionaryAttr:$bodies, Variadic<Tile_Any>:$operands,
                       DefaultValuedAttr<I32Attr, "1">:$pack, UnitAttr:$pure);
  let results = (outs Variadic<Tile_Any>:$results);
  let assemblyFormat = [{
    $bodies (`pure` $pure^)? (`pack` $pack^)? ` ` `(` $operands `)` attr-dict `:` functional-type($operands, $results)
  }];
  let hasVerifier = 1;
}

#endif // TESSERA_IR_DIALECT_TILE_IR_TILEDEBUGOPS_TD
