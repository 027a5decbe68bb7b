//===- Passes.td - passes over the layout dialect ----------*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One entry a pass, in alphabetical order; each has a .cpp and a test of the same stem.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_LAYOUT_TRANSFORMS_PASSES_TD
#define TESSERA_IR_DIALECT_LAYOUT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AllocateSharedPass : Pass<"layout-allocate-shared", "::mlir::ModuleOp"> {
  let summary = "give buffers their places in shared memory";
  let description = [{
    Sets the `offset` of each `layout.shared_alloc` and the kernel's `layout.shared_bytes`. Buffers whose lives do not
    overlap share memory, so that little is used in all. Where as many blocks of threads run at once, neighbours in time
    do not, which saves barriers. Programs that share a block of threads have equal parts of its
    memory one after another, and the offsets count in each part. More than the chip has for a program is an error.
  }];
  let options = [Option<"target", "target", "std::string", "\"cuda:sm_80\"", "whose limit holds">];
}

def ExpandSharedPass : Pass<"layout-expand-shared", "::mlir::ModuleOp"> {
  let summary = "make shared memory explicit";
  let description = [{
    A `layout.convert` between warps, and ops that choose elements at run-time indices, become ops on buffers. Parts of
    tiles are cut out and put in where each thread holds them, after a conversion if need be, or go through a buffer:

    - `join`, `split`, and `bitcast` between widths: parts lie in registers of a thread that holds of the one side what
      it holds of the other;
    - `slice`, `insert`: each thread holds the box that it holds of the whole;
    - `flip`: registers and lanes of a warp hold mirror images;
    - `cat`, `extract_at`, `insert_at`, `gather`, `histogram`: none are left.
  }];
  let options = [Option<"target", "target", "std::string", "\"cuda:sm_80\"", "whose shared memory there is">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tessera::ir::layout::LayoutDialect"];
}

def HoistConversionsPass : Pass<"layout-hoist-conversions", "::mlir::ModuleOp"> {
  let summary = "carry tiles as loops compute them";
  let description = [{
    A tile that a loop converts to another layout at its start, and back at its end, is carried in that layout, with the
    conversions before and behind the loop.
  }];
}

def InsertBarriersPass : Pass<"layout-insert-barriers", "::mlir::ModuleOp"> {
  let summary = "order the accesses of threads";
  let description = [{
    Places `layout.barrier` between accesses of shared or global memory that may meet, one of them a write, unless each
    element is provably touched by one thread only; and `layout.warp_sync` where all that touch it are of one warp.
    A release comes after all earlier accesses of global memory by any thread, an acquire before all later ones. As few
    as possible are placed, outside of loops where that is enough.
  }];
  let dependentDialects = ["::tessera::ir::layout::LayoutDialect"];
}

def PipelineLoopsPass : Pass<"layout-pipeline-loops", "::mlir::ModuleOp"> {
  let summary = "copy what loops load beside them";
  let description = [{
    In an `scf.for` with products, what they multiply is loaded rounds ahead: `tile.num_stages` of the loop or else
    `num-stages` is how many slots the rings in shared memory have, one of which is read while the others are filled.
    Other loops are pipelines only where `tile.num_stages` asks for it. A load stays where it is unless what it reads is
    not written in the loop, no acquire stands in it, and what its address and mask are computed from may run ahead.

    Where a product reads a loaded tile from a buffer, the ring takes the buffer's place; other tiles are read back by
    threads. Loads that no copy can make are carried in registers, one round ahead, if they are small. Asynchronous
    products whose accumulators only go round the loop are waited for a round later.

    Where the chip has too little shared memory for so many slots, there are fewer, and a remark says so.
  }];
  let options = [Option<"target", "target", "std::string", "\"cuda:sm_80\"", "whose copies and memory there are">,
                 Option<"boxes", "boxes", "bool", "false", "whether the image may have what descriptors of views need">,
                 Option<"numStages", "num-stages", "int64_t", "3", "slots where the loop does not say; 1: none">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::tessera::ir::layout::LayoutDialect"];
}

def SplitReductionsPass : Pass<"layout-split-reductions", "::mlir::ModuleOp"> {
  let summary = "make reductions and scans work within warps";
  let description = [{
    A `tile.reduce` or `tile.scan` along an axis that spans warps becomes one along the part of the axis that each warp
    has, a `layout.convert` that brings what is left into every warp, and another along that. The layouts of results do
    not change.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tessera::ir::layout::LayoutDialect"];
}

def SplitSortsPass : Pass<"layout-split-sorts", "::mlir::ModuleOp"> {
  let summary = "sort by exchanges within warps";
  let description = [{
    A `tile.sort` becomes a bitonic network on words of key and place: flips of parts of the axis, comparisons and
    choices, with a `layout.convert` where elements of different warps meet. The places that are left then choose keys
    and payloads by `tile.gather`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tessera::ir::layout::LayoutDialect"];
}

def StoreTensorsPass : Pass<"layout-store-tensors", "::mlir::ModuleOp"> {
  let summary = "store boxes of views by the chip's copy unit";
  let description = [{
    A `tile.view_store` of a matrix that would go through shared memory, or be stored in pieces of less than 16 bytes,
    becomes a `layout.shared_store` into a buffer that the chip's copy unit reads, and a `layout.tensor_store`. Views
    without a descriptor, small tiles and those for which there is no room are left alone.
  }];
  let options = [Option<"target", "target", "std::string", "\"cuda:sm_90a\"", "the chip">];
  let dependentDialects = ["::tessera::ir::layout::LayoutDialect"];
}

def VerifyStagePass : Pass<"layout-verify-stage", "::mlir::ModuleOp"> {
  let summary = "check that a module is at the layout stage";
  let description = [{
    The border before code is emitted for threads:

    - (stage_c1) the module holds exactly one `tile.kernel` and nothing else, and it says its warps and their size;
    - (stage_c2) every op is of `tile`, `layout`, `arith`, `math` or `scf`;
    - (stage_c3) every tile has a layout;
    - (stage_c4) no layout has more lanes, warps or programs than the kernel;
    - (stage_c5) the layouts around each op follow its rule;
    - (stage_c6) conversions of layouts move elements within warps;
    - (stage_c7) reductions and scans go along axes that span no warps;
    - (stage_c8) the kernel says its `layout.shared_bytes`, and in them each buffer has a life and a place, apart from
      all that live at the same time;
    - (stage_c9) accesses of different threads that may meet have a barrier between.

    On the way there, once tiles have layouts, the first five hold already.
  }];
  let options = [Option<"onlyLayouts", "only-layouts", "bool", "false", "check stage_c1 to stage_c5 alone">];
}

#endif // TESSERA_IR_DIALECT_LAYOUT_TRANSFORMS_PASSES_TD
