//===- LayoutAsyncOps.td - copies that go on beside the program --*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Copies from global into shared memory that each thread starts, counts in groups and waits for. A thread's wait is
// about its own copies: the others see what they brought after a barrier.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTASYNCOPS_TD
#define TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTASYNCOPS_TD

include "tessera-ir/Dialect/Layout/IR/LayoutEffects.td"
include "tessera-ir/Dialect/Layout/IR/LayoutTypes.td"

def Layout_AsyncCopyOp : Layout_Op<"async_copy", [Tile_MaskLike<"ptr", "mask">]> {
  let summary = "start to copy elements into a buffer";
  let description = [{
    What `ptr` points to is copied to the same places of `buffer`, each element by a thread that holds its pointer;
    where `mask` is false nothing is read and the element becomes 0. `layout.vector` says how many neighbouring
    registers may be one copy, of at least 4 bytes. The token stands for the copy until a `layout.async_commit`.

    - (async_copy_c1) `buffer` is no ring.
    - (async_copy_c2) `ptr` has its shape and points to its elements.
    - (async_copy_c3) `mask` is i1 in the shape and layout of `ptr`.

    ```mlir
    %t = layout.async_copy %p mask %m into %b : tensor<64x32x!tile.ptr<f16>, #a>, !layout.buffer<64x32xf16, #s>
    ```
  }];
  let arguments = (ins Arg<Layout_PtrTile, "", [MemRead<Tile_GlobalMemory>]>:$ptr, Optional<Tile_Bool>:$mask,
                       Arg<Layout_Buffer, "", [MemWrite<Layout_SharedMemory>]>:$buffer);
  let results = (outs Layout_Token:$token);
  let assemblyFormat = [{
    $ptr (`mask` $mask^)? `into` $buffer attr-dict `:` type($ptr) `,` qualified(type($buffer))
  }];
  let hasVerifier = 1;
}

def Layout_ViewAsyncCopyOp : Layout_Op<"view_async_copy", [AttrSizedOperandSegments]> {
  let summary = "start to copy a box of a view into a buffer, thread by thread";
  let description = [{
    The element of the view at `coords + i` is copied to `i` of `buffer`, by a thread that holds `i` under `access`;
    outside of the extents, and everywhere if `when` is false, nothing is read and the element becomes 0. Otherwise this
    is `layout.async_copy`.

    - (view_async_copy_c1) `buffer` is no ring.
    - (view_async_copy_c2) there is one coordinate for each axis of `view`, which has the rank of `buffer`.
    - (view_async_copy_c3) `view` and `buffer` have one element type.
    - (view_async_copy_c4) `access` has the shape of `buffer`.

    ```mlir
    %t = layout.view_async_copy %v[%i, %j] by #a when %c into %b : !tile.view<f16, 2>, !layout.buffer<64x32xf16, #s>
    ```
  }];
  let arguments = (ins Arg<Layout_ViewType, "", [MemRead<Tile_GlobalMemory>]>:$view, Variadic<I64>:$coords,
                       Optional<I1>:$when, Arg<Layout_Buffer, "", [MemWrite<Layout_SharedMemory>]>:$buffer,
                       Layout_TileLayoutAttr:$access);
  let results = (outs Layout_Token:$token);
  let assemblyFormat = [{
    $view `[` $coords `]` `by` $access (`when` $when^)? `into` $buffer attr-dict `:` qualified(type($view)) `,`
    qualified(type($buffer))
  }];
  let hasVerifier = 1;
}

def Layout_AsyncCommitOp : Layout_Op<"async_commit", [Layout_OrdersShared]> {
  let summary = "make a group of the copies started since the last one";
  let description = [{
    The token stands for the group. `copies` are those that it is known to hold; none are needed.

    ```mlir
    %g = layout.async_commit %t, %u
    ```
  }];
  let arguments = (ins Variadic<Layout_Token>:$copies);
  let results = (outs Layout_Token:$group);
  let assemblyFormat = "($copies^)? attr-dict";
}

def Layout_AsyncWaitOp : Layout_Op<"async_wait", [Layout_OrdersShared]> {
  let summary = "wait for all groups of copies but the last ones";
  let description = [{
    All groups but the last `pending` ones are done. `groups` are those that are waited for; none are needed. Some chips
    count not groups but accesses of a warp: where `accesses` says how many the last `pending` groups have for certain,
    no more than these are left under way there, and where it does not, none.

    - (async_wait_c1) `pending` is not negative.
    - (async_wait_c2) `accesses` is not negative.

    ```mlir
    layout.async_wait pending 1 accesses 8 of %g
    ```
  }];
  let arguments = (ins I32Attr:$pending, OptionalAttr<I32Attr>:$accesses, Variadic<Layout_Token>:$groups);
  let assemblyFormat = "`pending` $pending (`accesses` $accesses^)? (`of` $groups^)? attr-dict";
  let hasVerifier = 1;
}

#endif // TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTASYNCOPS_TD
