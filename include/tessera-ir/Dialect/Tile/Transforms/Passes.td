//===- Passes.td - passes over the tile dialect ------------*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One entry a pass, in alphabetical order; each has a .cpp and a test of the same stem.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_TILE_TRANSFORMS_PASSES_TD
#define TESSERA_IR_DIALECT_TILE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def CanonicalizePass : Pass<"tile-canonicalize", "::mlir::ModuleOp"> {
  let summary = "bring a kernel into its canonical form";
  let description = [{
    Applies the canonical forms of `tile`, `arith`, `math` and `scf` and merges equal ops until nothing changes. The
    result depends on the input alone: not on other dialects that happen to be loaded, nor on addresses. Running it
    twice is running it once.
  }];
  let dependentDialects = ["::tessera::ir::tile::TileDialect"];
}

def FixOrderPass : Pass<"tile-fix-order", "::mlir::ModuleOp"> {
  let summary = "let every reduction and scan keep its order";
  let description = [{
    Marks each `tile.reduce` and `tile.scan` as `deterministic`: what the compile option of that name asks for.
  }];
}

def NoteNarrowingPass : Pass<"tile-note-narrowing", "::mlir::ModuleOp"> {
  let summary = "note conversions to e4m3 that no clamp precedes";
  let description = [{
    Emits a remark on each `tile.convert_float` to `f8E4M3FN` without `saturate` whose source is not seen to be within
    the type's range. Overflow gives NaN there, while the instruction of some vendors saturates. Changes nothing.
  }];
}

def VerifyStagePass : Pass<"tile-verify-stage", "::mlir::ModuleOp"> {
  let summary = "check that a module is at the tile stage";
  let description = [{
    The border that the tracer and every pass before layouts must respect:

    - (stage_c1) the module holds exactly one `tile.kernel` and nothing else;
    - (stage_c2) every op is of `tile`, or one of those of `arith`, `math` and `scf` that the dialect borrows;
    - (stage_c3) no op carries overflow flags, nor fast-math flags other than `afn`, `arcp` and `contract`;
    - (stage_c4) every value is a scalar, tile or view of the dialect;
    - (stage_c5) no tile has a layout;
    - (stage_c6) `arith` and `math` compute on no fp8 type;
    - (stage_c7) loops count in i64;
    - (stage_c8) constants hold their elements.
  }];
}

#endif // TESSERA_IR_DIALECT_TILE_TRANSFORMS_PASSES_TD
