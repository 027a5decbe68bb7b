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
    small that one warp holds them well gets one warp a program, and several programs a block.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"cuda:sm_90a\"", "the chip that layouts are for">,
    Option<"numWarps", "num-warps", "int64_t", "4", "warps of a program, a power of two">,
    Option<"numBlocks", "num-blocks", "int64_t", "1", "programs of a cluster, a power of two">,
    Option<"narrowElements", "narrow-elements", "int64_t", "512",
           "programs run on one warp each if no tile has more elements; 0 keeps them on all">,
  ];
  let dependentDialects = ["::tessera::ir::layout::LayoutDialect"];
}

#endif // TESSERA_IR_CONVERSION_TILETOLAYOUT_PASSES_TD
