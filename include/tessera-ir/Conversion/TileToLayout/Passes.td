//===- Passes.td - from tiles to tiles with layouts ------------*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_CONVERSION_TILETOLAYOUT_PASSES_TD
#define TESSERA_IR_CONVERSION_TILETOLAYOUT_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertTileToLayoutPass : Pass<"convert-tile-to-layout", "::mlir::ModuleOp"> {
  let summary = "give every tile a layout";
  let description = [{
    Chooses which thread holds which element of every tile of a kernel: accesses of memory so that the lanes of a warp
    touch neighbouring bytes, as many at once as alignment is proven for, and everything else so that little has to move
    between threads. Where it must, there is a `layout.convert`. Indices, bounds and other tiles that cost little are
    computed in every layout that is asked for.

    The kernel gets `layout.num_warps` and its like; loads and stores get `layout.vector`. A kernel whose tiles are so
    small that one warp holds them well gets one warp a program, and several programs a block: as many as the option has
    warps, or more if it takes more to fill a multiprocessor.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"cuda:sm_90a\"", "the chip that layouts are for">,
    Option<"numWarps", "num-warps", "int64_t", "4", "warps of a program, a power of two">,
    Option<"numBlocks", "num-blocks", "int64_t", "1", "blocks of a cluster that compute a program, a power of two">,
    Option<"narrowElements", "narrow-elements", "int64_t", "512",
           "programs run on one warp each if no tile has more elements; 0 keeps them on all">,
  ];
  let dependentDialects = ["::tessera::ir::layout::LayoutDialect"];
}

def VersionFullBlocksPass : Pass<"tile-version-full-blocks", "::mlir::ModuleOp"> {
  let summary = "give interior programs a version with wide accesses";
  let description = [{
    Where accesses would be wider if some arguments were multiples of small powers of two, or if masks that are bounds
    were true in all lanes, the kernel tests for just that where it starts and runs one of two versions. The first has
    hints on those arguments and no such bounds. A bound is tested only if it asks for the program's place in the grid,
    so that most programs pass; others stay, and wide accesses then need bounds that are multiples. A kernel stays as it
    is where no access becomes wider, and where it has more ops than the code is worth.

    Where only multiples are asked for and the launcher has another variant of the kernel (`may-require`), there is no
    test and one version: the kernel gets `layout.required_multiples`.
  }];
  let options = [
    Option<"accessBytes", "access-bytes", "int64_t", "16", "bytes that a thread can access at once">,
    Option<"numWarps", "num-warps", "int64_t", "4",
           "warps of a program: accesses are no wider than what falls to a thread">,
    Option<"warpSize", "warp-size", "int64_t", "32", "lanes of a warp">,
    Option<"narrowElements", "narrow-elements", "int64_t", "512",
           "programs run on one warp each if no tile has more elements">,
    Option<"mostOps", "most-ops", "unsigned", "2000", "kernels with more ops stay as they are">,
    Option<"mayRequire", "may-require", "bool", "false",
           "the kernel may ask for multiples instead of testing for them">,
  ];
  let dependentDialects = ["::tessera::ir::layout::LayoutDialect", "::mlir::scf::SCFDialect"];
}

#endif // TESSERA_IR_CONVERSION_TILETOLAYOUT_PASSES_TD
