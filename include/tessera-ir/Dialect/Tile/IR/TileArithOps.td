//===- TileArithOps.td - elementwise maths and hints -------*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Elementwise maths that `arith` and `math` lack or define differently, and facts about values.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_TILE_IR_TILEARITHOPS_TD
#define TESSERA_IR_DIALECT_TILE_IR_TILEARITHOPS_TD

include "tessera-ir/Dialect/Tile/IR/TileEnums.td"
include "tessera-ir/Dialect/Tile/IR/TileTypes.td"

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_Elementwise<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, [Pure, SameOperandsAndResultType] # traits>;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

def Tile_IDivOp : Tile_Elementwise<"idiv"> {
  let summary = "integer quotient";
  let description = [{
    Rounded toward zero, down or up. Division by zero and the signed overflow of INT_MIN / -1 give an unspecified value,
    fault nothing and are reported by checked execution.

    - (idiv_c1) operands and result have one integer type.

    ```mlir
    %q = tile.idiv %n, %block rounding ceil : i64
    %u = tile.idiv %a, %b unsigned : tensor<64xi32>
    ```
  }];
  let arguments = (ins Tile_Int:$lhs, Tile_Int:$rhs,
                       DefaultValuedAttr<Tile_DivRoundingAttr, "DivRounding::Trunc">:$rounding, UnitAttr:$is_unsigned);
  let results = (outs Tile_Int:$result);
  let assemblyFormat =
      "$lhs `,` $rhs (`rounding` `` $rounding^)? (`unsigned` $is_unsigned^)? attr-dict `:` type($result)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Tile_IRemOp : Tile_Elementwise<"irem"> {
  let summary = "integer remainder";
  let description = [{
    What is left by `tile.idiv` of the same rounding: with `trunc` it has the sign of `lhs`, with `floor` that of `rhs`.
    Division by zero gives an unspecified value; INT_MIN by -1 gives 0 or an unspecified value. Both are reported by
    checked execution.

    - (irem_c1) operands and result have one integer type.
    - (irem_c2) `rounding` is `trunc` or `floor`.

    ```mlir
    %r = tile.irem %a, %b rounding floor : tensor<64xi32>
    ```
  }];
  let arguments = (ins Tile_Int:$lhs, Tile_Int:$rhs,
                       DefaultValuedAttr<Tile_DivRoundingAttr, "DivRounding::Trunc">:$rounding, UnitAttr:$is_unsigned);
  let results = (outs Tile_Int:$result);
  let assemblyFormat =
      "$lhs `,` $rhs (`rounding` `` $rounding^)? (`unsigned` $is_unsigned^)? attr-dict `:` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Tile_ShlOp : Tile_Elementwise<"shl"> {
  let summary = "shift left";
  let description = [{
    `rhs` is unsigned. A shift by the width or more gives an unspecified value.

    - (shl_c1) operands and result have one integer type.

    ```mlir
    %r = tile.shl %a, %b : tensor<64xi32>
    ```
  }];
  let arguments = (ins Tile_Int:$lhs, Tile_Int:$rhs);
  let results = (outs Tile_Int:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
  let hasFolder = 1;
}

def Tile_ShrOp : Tile_Elementwise<"shr"> {
  let summary = "shift right";
  let description = [{
    Copies the sign in, or zeros with `unsigned`. `rhs` is unsigned; a shift by the width or more gives an unspecified
    value.

    - (shr_c1) operands and result have one integer type.

    ```mlir
    %r = tile.shr %a, %b unsigned : tensor<64xi32>
    ```
  }];
  let arguments = (ins Tile_Int:$lhs, Tile_Int:$rhs, UnitAttr:$is_unsigned);
  let results = (outs Tile_Int:$result);
  let assemblyFormat = "$lhs `,` $rhs (`unsigned` $is_unsigned^)? attr-dict `:` type($result)";
  let hasFolder = 1;
}

def Tile_UMulHiOp : Tile_Elementwise<"umulhi", [Commutative]> {
  let summary = "upper half of an unsigned product";
  let description = [{
    - (umulhi_c1) operands and result have one integer type.

    ```mlir
    %r = tile.umulhi %a, %b : tensor<64xi32>
    ```
  }];
  let arguments = (ins Tile_Int:$lhs, Tile_Int:$rhs);
  let results = (outs Tile_Int:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

class Tile_FloatBinary<string mnemonic, list<Trait> traits = []> : Tile_Elementwise<mnemonic, traits> {
  let arguments = (ins Tile_ArithFloat:$lhs, Tile_ArithFloat:$rhs);
  let results = (outs Tile_ArithFloat:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
  let hasFolder = 1;
}

def Tile_MaxNumOp : Tile_FloatBinary<"maxnum", [Commutative]> {
  let summary = "larger of two numbers, dropping NaN";
  let description = [{
    IEEE maximumNumber: of a number and NaN the number, of two NaN NaN, and -0 is less than +0. The form that propagates
    NaN is `arith.maximumf`.

    - (maxnum_c1) operands and result have one float type wider than 8 bits.

    ```mlir
    %r = tile.maxnum %a, %b : tensor<64xf32>
    ```
  }];
}

def Tile_MinNumOp : Tile_FloatBinary<"minnum", [Commutative]> {
  let summary = "smaller of two numbers, dropping NaN";
  let description = [{
    IEEE minimumNumber: of a number and NaN the number, of two NaN NaN, and -0 is less than +0. The form that propagates
    NaN is `arith.minimumf`.

    - (minnum_c1) operands and result have one float type wider than 8 bits.

    ```mlir
    %r = tile.minnum %a, %b : tensor<64xf32>
    ```
  }];
}

class Tile_FloatUnary<string mnemonic> : Tile_Elementwise<mnemonic> {
  let arguments = (ins Tile_ArithFloat:$source);
  let results = (outs Tile_ArithFloat:$result);
  let assemblyFormat = "$source attr-dict `:` type($result)";
}

def Tile_SigmoidOp : Tile_FloatUnary<"sigmoid"> {
  let summary = "1 / (1 + exp(-x))";
  let description = [{
    0 at -inf, 1 at +inf.

    - (sigmoid_c1) operand and result have one float type wider than 8 bits.

    ```mlir
    %r = tile.sigmoid %x : tensor<64xf32>
    ```
  }];
}

def Tile_SoftplusOp : Tile_FloatUnary<"softplus"> {
  let summary = "log(1 + exp(x))";
  let description = [{
    Neither overflows for large `x` nor loses small results: 0 at -inf, +inf at +inf.

    - (softplus_c1) operand and result have one float type wider than 8 bits.

    ```mlir
    %r = tile.softplus %x : tensor<64xf32>
    ```
  }];
}

def Tile_LdexpOp : Tile_Op<"ldexp", [Pure, AllTypesMatch<["source", "result"]>,
    Tile_ShapedLike<"source", "exponent", "::mlir::IntegerType::get($_self.getContext(), 32)", "i32">]> {
  let summary = "multiply by a power of two";
  let description = [{
    `source * 2^exponent`, rounded once.

    - (ldexp_c1) `source` and result have one float type wider than 8 bits.
    - (ldexp_c2) `exponent` is i32 in the shape of `source`.

    ```mlir
    %r = tile.ldexp %x, %e : tensor<64xf32>
    ```
  }];
  let arguments = (ins Tile_ArithFloat:$source, Tile_Int32:$exponent);
  let results = (outs Tile_ArithFloat:$result);
  let assemblyFormat = "$source `,` $exponent attr-dict `:` type($source)";
  let hasFolder = 1;
}

def Tile_ILogBOp : Tile_Op<"ilogb", [Pure,
    Tile_ShapedLike<"source", "result", "::mlir::IntegerType::get($_self.getContext(), 32)", "i32">]> {
  let summary = "exponent as an integer";
  let description = [{
    The `e` with `1 <= |x| / 2^e < 2`, denormals included. 0 gives -2147483648; infinities and NaN give 2147483647.

    - (ilogb_c1) the result is i32 in the shape of `source`.

    ```mlir
    %e = tile.ilogb %x : tensor<64xf32>
    ```
  }];
  let arguments = (ins Tile_ArithFloat:$source);
  let results = (outs Tile_Int32:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Facts about values
//===----------------------------------------------------------------------===//

def Tile_HintOp : Tile_Elementwise<"hint"> {
  let summary = "a value with facts that the user vouches for";
  let description = [{
    The value of `source`. For each axis, `multiple_of` divides the first element of every aligned run along it (every
    element, for a scalar), and `max_contiguous` is the length of those runs, in which elements count up by one. For
    pointers both count elements. A hint that is false is reported by checked execution and otherwise makes the result
    unspecified.

    - (hint_c1) `source` holds integers or pointers.
    - (hint_c2) a given list has one entry for each axis, or one for a scalar.
    - (hint_c3) entries are at least 1.
    - (hint_c4) at least one list is given.

    ```mlir
    %o = tile.hint %x multiple_of [16] max_contiguous [16] : tensor<64xi32>
    ```
  }];
  let arguments = (ins Tile_IntOrPtr:$source, OptionalAttr<DenseI64ArrayAttr>:$multiple_of,
                       OptionalAttr<DenseI64ArrayAttr>:$max_contiguous);
  let results = (outs Tile_IntOrPtr:$result);
  let assemblyFormat = [{
    $source (`multiple_of` $multiple_of^)? (`max_contiguous` $max_contiguous^)? attr-dict `:` type($result)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "::mlir::ArrayRef<int64_t>":$multipleOf,
                                 "::mlir::ArrayRef<int64_t>":$maxContiguous)>];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Tile_AssumeOp : Tile_Op<"assume", [MemoryEffects<[MemWrite]>]> {
  let summary = "a condition that the user vouches for";
  let description = [{
    A condition that is false is reported by checked execution and otherwise makes the results of the program
    unspecified.

    ```mlir
    tile.assume %positive
    ```
  }];
  let arguments = (ins I1:$condition);
  let assemblyFormat = "$condition attr-dict";
  let hasCanonicalizeMethod = 1;
}

#endif // TESSERA_IR_DIALECT_TILE_IR_TILEARITHOPS_TD
