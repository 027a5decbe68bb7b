//===- LayoutTensorOps.td - copies of boxes of views -------*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A unit of the chip copies boxes between a view and a buffer; one thread of the program starts it. Loads are waited
// for at barriers that count bytes, stores by groups of the thread that started them.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTTENSOROPS_TD
#define TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTTENSOROPS_TD

include "tessera-ir/Dialect/Layout/IR/LayoutEffects.td"
include "tessera-ir/Dialect/Layout/IR/LayoutTypes.td"
include "tessera-ir/Dialect/Tile/IR/TileEnums.td"

def Layout_TensorLoadOp : Layout_Op<"tensor_load", [AttrSizedOperandSegments]> {
  let summary = "start to copy a box of a view into a buffer";
  let description = [{
    The box has the extents of the buffer and begins at `coords`, which may lie anywhere; what lies outside of the view
    becomes 0. All bytes of the buffer are counted at `barrier`, at `slot` of a ring of them. With `multicast`, the
    buffers and barriers at the same place in the blocks of the cluster whose bits are set receive it. `evict` changes
    speed only. Which views and buffers can be copied says Analysis/TensorMaps.h.

    - (tensor_load_c1) `buffer` is no ring.
    - (tensor_load_c2) there is one coordinate for each axis of `view`, which has the rank of `buffer`.
    - (tensor_load_c3) `view` and `buffer` have one element type: a float or an integer of at least 8 bits.
    - (tensor_load_c4) `slot` is given exactly where `barrier` has several.

    ```mlir
    layout.tensor_load %v[%i, %j] into %b signals %full[%k]
        : !tile.view<f16, 2>, !layout.buffer<64x32xf16, #s>, !layout.mbarrier<4>
    ```
  }];
  let arguments = (ins Arg<Layout_ViewType, "", [MemRead<Tile_GlobalMemory>]>:$view, Variadic<I64>:$coords,
                       Arg<Layout_Buffer, "", [MemWrite<Layout_SharedMemory>]>:$buffer,
                       Arg<Layout_MBarrier, "", [MemRead<Layout_SharedMemory>, MemWrite<Layout_SharedMemory>]>:$barrier,
                       Optional<I32>:$slot, Optional<I32>:$multicast,
                       DefaultValuedAttr<Tile_EvictHintAttr, "::tessera::ir::tile::EvictHint::Normal">:$evict);
  let assemblyFormat = [{
    $view `[` $coords `]` `into` $buffer `signals` $barrier (`[` $slot^ `]`)? (`multicast` $multicast^)?
    (`evict` `` $evict^)? attr-dict
    `:` qualified(type($view)) `,` qualified(type($buffer)) `,` qualified(type($barrier))
  }];
  let hasVerifier = 1;
}

def Layout_TensorStoreOp : Layout_Op<"tensor_store"> {
  let summary = "start to copy a buffer into a box of a view";
  let description = [{
    The box has the extents of the buffer and begins at `coords`, which may lie anywhere; what lies outside of the view
    is not written. What threads wrote into the buffer is seen after a `layout.proxy_fence` of theirs and a barrier.
    `evict` changes speed only. Which views and buffers can be copied says Analysis/TensorMaps.h.

    - (tensor_store_c1) `buffer` is no ring.
    - (tensor_store_c2) there is one coordinate for each axis of `view`, which has the rank of `buffer`.
    - (tensor_store_c3) `view` and `buffer` have one element type: a float or an integer of at least 8 bits.

    ```mlir
    layout.tensor_store %b into %v[%i, %j] : !layout.buffer<64x32xf16, #s>, !tile.view<f16, 2>
    ```
  }];
  let arguments = (ins Arg<Layout_Buffer, "", [MemRead<Layout_SharedMemory>]>:$buffer,
                       Arg<Layout_ViewType, "", [MemWrite<Tile_GlobalMemory>]>:$view, Variadic<I64>:$coords,
                       DefaultValuedAttr<Tile_EvictHintAttr, "::tessera::ir::tile::EvictHint::Normal">:$evict);
  let assemblyFormat = [{
    $buffer `into` $view `[` $coords `]` (`evict` `` $evict^)? attr-dict
    `:` qualified(type($buffer)) `,` qualified(type($view))
  }];
  let hasVerifier = 1;
}

def Layout_TensorCommitOp : Layout_Op<"tensor_commit", [Layout_OrdersShared]> {
  let summary = "make a group of the stores of boxes started since the last one";
  let description = [{
    ```mlir
    %g = layout.tensor_commit
    ```
  }];
  let results = (outs Layout_Token:$group);
  let assemblyFormat = "attr-dict";
}

def Layout_TensorWaitOp : Layout_Op<"tensor_wait", [Layout_OrdersMemory]> {
  let summary = "wait for all groups of stores of boxes but the last ones";
  let description = [{
    All groups but the last `pending` ones are done; with `read`, they have at least read their buffers, which may be
    written again.

    - (tensor_wait_c1) `pending` is not negative.

    ```mlir
    layout.tensor_wait pending 1 read of %g
    ```
  }];
  let arguments = (ins I32Attr:$pending, UnitAttr:$read, Variadic<Layout_Token>:$groups);
  let assemblyFormat = "`pending` $pending (`read` $read^)? (`of` $groups^)? attr-dict";
  let hasVerifier = 1;
}

def Layout_ProxyFenceOp : Layout_Op<"proxy_fence", [Layout_OrdersMemory]> {
  let summary = "order accesses of this thread before later ones of the chip's units";
  let description = [{
    Loads and stores of this thread come before copies of boxes and matrix products that read or write the same memory
    and are started later.

    ```mlir
    layout.proxy_fence shared
    ```
  }];
  let arguments = (ins Layout_FenceSpaceAttr:$space);
  let assemblyFormat = "`` $space attr-dict";
}

#endif // TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTTENSOROPS_TD
