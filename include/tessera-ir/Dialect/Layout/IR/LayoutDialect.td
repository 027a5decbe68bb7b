//===- LayoutDialect.td - the layout dialect and the base of its ops --*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the dialect is, and the class every family file builds on.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTDIALECT_TD
#define TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTDIALECT_TD

include "mlir/IR/OpBase.td"

def Layout_Dialect : Dialect {
  let name = "layout";
  let cppNamespace = "::tessera::ir::layout";
  let summary = "tiles with a distribution over threads, and the memory and barriers between threads";
  let description = [{
    The ops of `tile`, `arith`, `math` and `scf` are used on tensors whose encoding is a `#layout.tile`, and mean the
    same as without it. The layout says which register of which lane of which warp of which program of a cluster holds
    which element. This dialect adds what such programs need besides: conversions between layouts, buffers in shared
    memory, barriers, asynchronous copies, matrix units and roles of warps.

    **Attributes on the kernel.** All are i64 of at least 1, on `tile.kernel`:

    - `layout.num_warps`: warps that share one program's tiles, a power of two;
    - `layout.warp_size`: lanes of a warp, a power of two of at most 64;
    - `layout.num_blocks`: blocks of a cluster that compute one program, a power of two; 1 when absent;
    - `layout.programs_per_block`: narrow programs that share one block of threads, each with `num_warps` warps of its
      own; 1 when absent;
    - `layout.shared_bytes`: shared memory of a block of threads, after allocation; may be 0.

    **Attributes on loads, stores, and copies by threads.**

    - `layout.vector`, an i64 that is a power of two: so many neighbouring registers, from each multiple of it on, hold
      neighbours in memory, aligned to all their bytes, under one mask; 1 when absent;
    - `layout.in_bounds`, a unit on accesses of views: nothing lies outside the extents.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tessera::ir::tile::TileDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Names of the attributes this dialect puts on kernels.
    static constexpr ::llvm::StringLiteral kNumWarps{"layout.num_warps"};
    static constexpr ::llvm::StringLiteral kWarpSize{"layout.warp_size"};
    static constexpr ::llvm::StringLiteral kNumBlocks{"layout.num_blocks"};
    static constexpr ::llvm::StringLiteral kProgramsPerBlock{"layout.programs_per_block"};
    static constexpr ::llvm::StringLiteral kSharedBytes{"layout.shared_bytes"};
    /// Names of the attributes it puts on loads, stores and copies.
    static constexpr ::llvm::StringLiteral kVector{"layout.vector"};
    static constexpr ::llvm::StringLiteral kInBounds{"layout.in_bounds"};

    /// Called once by the constructor.
    void registerTypes();
    void registerAttributes();
    void registerOps();
  }];
}

/// Base of every op.
class Layout_Op<string mnemonic, list<Trait> traits = []> : Op<Layout_Dialect, mnemonic, traits>;

#endif // TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTDIALECT_TD
