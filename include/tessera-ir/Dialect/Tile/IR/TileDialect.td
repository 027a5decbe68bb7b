//===- TileDialect.td - the tile dialect and the base of its ops --*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the dialect is, and the classes every family file builds on.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_TILE_IR_TILEDIALECT_TD
#define TESSERA_IR_DIALECT_TILE_IR_TILEDIALECT_TD

include "mlir/IR/OpBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::tessera::ir::tile";
  let summary = "kernels written one block of elements at a time";
  let description = [{
    A kernel in this dialect is a program over *tiles*: blocks of elements of one type, whose extents are powers of two
    fixed while tracing. It says what each program of the grid computes and says nothing about lanes, warps, shared
    memory or vendors; layouts come with the next dialect.

    **Values.** A tile of rank 1 to 5 is a `tensor`. At the tile stage it has no encoding; the ops compare shapes and
    element types, and leave encodings to the stages that have them. A tile of rank 0, called a scalar, is the plain
    element type: `i1 i8 i16 i32 i64 f16 bf16 f32 f64 f8E4M3FN f8E5M2 f8E4M3FNUZ f8E5M2FNUZ` or `!tile.ptr<T>`. Integers
    are signless; where signedness matters the op says so.

    **Borrowed ops.** `arith` and `math` carry elementwise maths and `scf` carries control flow, as far as they are free
    of undefined behaviour. An `f16` or `bf16` op computes in f32 and rounds once. fp8 values are only moved and
    converted. All operands of an elementwise op have one shape: broadcasting and conversion are explicit. `scf.for`
    runs its body for `lo`, `lo + step` and so on below `hi` even at the end of i64: its index does not wrap.

    **Attributes on foreign ops.** `scf.for` and `scf.while` may carry `tile.num_stages`, `tile.unroll` (integers of at
    least 1) and the unit `tile.warp_specialize`; they change speed only. `arith.addi`, `arith.subi`, `arith.muli` may
    carry the unit `tile.unsigned`, which says that their operands were written as unsigned; their results are the same,
    and checks tell by it what overflows. Kernel parameters may carry `tile.multiple_of`, `tile.may_alias`
    and `tile.zeroed` (see `tile.kernel`).
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Names of the attributes this dialect puts on kernel parameters.
    static constexpr ::llvm::StringLiteral kMultipleOf{"tile.multiple_of"};
    static constexpr ::llvm::StringLiteral kMayAlias{"tile.may_alias"};
    static constexpr ::llvm::StringLiteral kZeroed{"tile.zeroed"};
    /// Names of the attributes this dialect puts on loops of `scf`.
    static constexpr ::llvm::StringLiteral kNumStages{"tile.num_stages"};
    static constexpr ::llvm::StringLiteral kUnroll{"tile.unroll"};
    static constexpr ::llvm::StringLiteral kWarpSpecialize{"tile.warp_specialize"};
    /// Name of the attribute it puts on sums, differences and products of `arith` whose operands are unsigned.
    static constexpr ::llvm::StringLiteral kUnsigned{"tile.unsigned"};

    /// Called once by the constructor.
    void registerTypes();
    void registerAttributes();
    void registerOps();
  }];
}

/// Base of every op.
class Tile_Op<string mnemonic, list<Trait> traits = []> : Op<Tile_Dialect, mnemonic, traits>;

#endif // TESSERA_IR_DIALECT_TILE_IR_TILEDIALECT_TD
