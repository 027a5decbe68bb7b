//===- LayoutMBarrierOps.td - barriers that count arrivals and bytes --*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A barrier in shared memory ends a phase when all arrivals and all expected bytes have come, and begins the next. The
// parity of its phases tells a waiting thread which one is meant.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTMBARRIEROPS_TD
#define TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTMBARRIEROPS_TD

include "tessera-ir/Dialect/Layout/IR/LayoutEffects.td"
include "tessera-ir/Dialect/Layout/IR/LayoutTypes.td"

def Layout_MBarrierAllocOp : Layout_Op<"mbarrier_alloc"> {
  let summary = "room for barriers";
  let description = [{
    They live until the end of the kernel. Allocation gives them their `offset` in bytes.

    - (mbarrier_alloc_c1) `offset` is not negative, and a multiple of 8.
    - (mbarrier_alloc_c2) it stands in the body of the kernel itself.

    ```mlir
    %full = layout.mbarrier_alloc : !layout.mbarrier<4>
    ```
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$offset);
  let results = (outs Res<Layout_MBarrier, "", [MemAlloc<Layout_SharedMemory>]>:$result);
  let assemblyFormat = "(`offset` $offset^)? attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def Layout_MBarrierInitOp : Layout_Op<"mbarrier_init"> {
  let summary = "begin the first phase of every barrier of a ring";
  let description = [{
    One thread does it. Each phase ends after `count` arrivals.

    - (mbarrier_init_c1) `count` is 1 to 1048575.

    ```mlir
    layout.mbarrier_init %full count 1 : !layout.mbarrier<4>
    ```
  }];
  let arguments = (ins Arg<Layout_MBarrier, "", [MemWrite<Layout_SharedMemory>]>:$barrier, I32Attr:$count);
  let assemblyFormat = "$barrier `count` $count attr-dict `:` qualified(type($barrier))";
  let hasVerifier = 1;
}

/// What ops on one barrier share: `slot` says which of a ring.
defvar Layout_OneMBarrier =
    (ins Arg<Layout_MBarrier, "", [MemRead<Layout_SharedMemory>, MemWrite<Layout_SharedMemory>]>:$barrier,
         Optional<I32>:$slot);

def Layout_MBarrierArriveOp : Layout_Op<"mbarrier_arrive", [AttrSizedOperandSegments]> {
  let summary = "arrive at a barrier";
  let description = [{
    One arrival, by one thread of those that run it. What it did before comes before what those do that wait for the
    phase. With `peer`, the barrier is that at the same place in a block of the cluster.

    - (mbarrier_arrive_c1) `slot` is given exactly where `barrier` has several.

    ```mlir
    layout.mbarrier_arrive %empty[%k] : !layout.mbarrier<4>
    ```
  }];
  let arguments = !con(Layout_OneMBarrier, (ins Optional<I32>:$peer));
  let assemblyFormat = "$barrier (`[` $slot^ `]`)? (`peer` $peer^)? attr-dict `:` qualified(type($barrier))";
  let hasVerifier = 1;
}

def Layout_MBarrierExpectOp : Layout_Op<"mbarrier_expect"> {
  let summary = "arrive at a barrier and announce bytes";
  let description = [{
    One arrival, by one thread of those that run it; the phase ends after `bytes` more have come, too.

    - (mbarrier_expect_c1) `slot` is given exactly where `barrier` has several.
    - (mbarrier_expect_c2) `bytes` is 0 to 1048575.

    ```mlir
    layout.mbarrier_expect %full[%k] bytes 4096 : !layout.mbarrier<4>
    ```
  }];
  let arguments = !con(Layout_OneMBarrier, (ins I32Attr:$bytes));
  let assemblyFormat = "$barrier (`[` $slot^ `]`)? `bytes` $bytes attr-dict `:` qualified(type($barrier))";
  let hasVerifier = 1;
}

def Layout_MBarrierWaitOp : Layout_Op<"mbarrier_wait"> {
  let summary = "wait for the end of a barrier's phase";
  let description = [{
    Every thread that runs it goes on when the phase of this parity has ended; the first phase has parity 0.

    - (mbarrier_wait_c1) `slot` is given exactly where `barrier` has several.

    ```mlir
    layout.mbarrier_wait %full[%k] parity %p : !layout.mbarrier<4>
    ```
  }];
  let arguments = !con(Layout_OneMBarrier, (ins I1:$parity));
  let assemblyFormat = "$barrier (`[` $slot^ `]`)? `parity` $parity attr-dict `:` qualified(type($barrier))";
  let hasVerifier = 1;
}

#endif // TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTMBARRIEROPS_TD
