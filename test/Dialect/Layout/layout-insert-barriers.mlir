// RUN: tessera-opt %s -split-input-file -layout-insert-barriers | FileCheck %s
// Barriers for shared memory.

#a = #layout.tile<128, register = [(1)], lane = [(2), (4), (8), (16), (32)], warp = [(64)]>
#b = #layout.tile<128, register = [(64)], lane = [(1), (2), (4), (8), (16)], warp = [(32)]>
#s = #layout.shared<128>

// Written by some threads, read by others.
// CHECK-LABEL: tile.kernel @between_warps(
//       CHECK:   layout.shared_store
//  CHECK-NEXT:   layout.barrier
//  CHECK-NEXT:   layout.shared_load
//   CHECK-NOT:   layout.barrier
//   CHECK-NOT:   layout.warp_sync
tile.kernel @between_warps(%x: f32) attributes {layout.num_warps = 2, layout.warp_size = 32} {
  %v = tile.splat %x : tensor<128xf32, #a>
  %m = layout.shared_alloc offset 0 : !layout.buffer<128xf32, #s>
  layout.shared_store %m, %v : !layout.buffer<128xf32, #s>, tensor<128xf32, #a>
  %w = layout.shared_load %m : !layout.buffer<128xf32, #s> -> tensor<128xf32, #b>
  layout.shared_free %m : !layout.buffer<128xf32, #s>
  tile.return
}

// -----

#a = #layout.tile<128, register = [(1)], lane = [(2), (4), (8), (16), (32)], warp = [(64)]>
#b = #layout.tile<128, register = [(32)], lane = [(1), (2), (4), (8), (16)], warp = [(64)]>
#s = #layout.shared<128>

// CHECK-LABEL: tile.kernel @within_warps(
//   CHECK-NOT:   layout.barrier
//       CHECK:   layout.shared_store
//  CHECK-NEXT:   layout.warp_sync
//  CHECK-NEXT:   layout.shared_load
//   CHECK-NOT:   layout.barrier
tile.kernel @within_warps(%x: f32) attributes {layout.num_warps = 2, layout.warp_size = 32} {
  %v = tile.splat %x : tensor<128xf32, #a>
  %m = layout.shared_alloc offset 0 : !layout.buffer<128xf32, #s>
  layout.shared_store %m, %v : !layout.buffer<128xf32, #s>, tensor<128xf32, #a>
  %w = layout.shared_load %m : !layout.buffer<128xf32, #s> -> tensor<128xf32, #b>
  layout.shared_free %m : !layout.buffer<128xf32, #s>
  tile.return
}

// -----

#a = #layout.tile<128, register = [(1)], lane = [(2), (4), (8), (16), (32)], warp = [(64)]>
#c = #layout.tile<128, lane = [(2), (4), (8), (16), (32)], warp = [(64)], register = [(1)]>
#s = #layout.shared<128>

// CHECK-LABEL: tile.kernel @negative_own_elements(
//   CHECK-NOT:   layout.barrier
//   CHECK-NOT:   layout.warp_sync
tile.kernel @negative_own_elements(%x: f32) attributes {layout.num_warps = 2, layout.warp_size = 32} {
  %v = tile.splat %x : tensor<128xf32, #a>
  %m = layout.shared_alloc offset 0 : !layout.buffer<128xf32, #s>
  layout.shared_store %m, %v : !layout.buffer<128xf32, #s>, tensor<128xf32, #a>
  %w = layout.shared_load %m : !layout.buffer<128xf32, #s> -> tensor<128xf32, #c>
  layout.shared_free %m : !layout.buffer<128xf32, #s>
  tile.return
}

// -----

#a = #layout.tile<128, register = [(1), (2)], lane = [(4), (8), (16), (32), (64)]>
#b = #layout.tile<128, register = [(32), (64)], lane = [(1), (2), (4), (8), (16)]>
#s = #layout.shared<128>

// A kernel of one warp has no barrier; an atomic sum is made by any lane.
// CHECK-LABEL: tile.kernel @one_warp(
//   CHECK-NOT:   layout.barrier
//       CHECK:   layout.shared_fill
//  CHECK-NEXT:   layout.warp_sync
//  CHECK-NEXT:   layout.shared_atomic_add
//  CHECK-NEXT:   layout.warp_sync
//  CHECK-NEXT:   layout.shared_load
tile.kernel @one_warp(%x: i32) attributes {layout.num_warps = 1, layout.warp_size = 32} {
  %v = tile.splat %x : tensor<128xi32, #a>
  %m = layout.shared_alloc offset 0 : !layout.buffer<128xi32, #s>
  layout.shared_fill %m, %x : !layout.buffer<128xi32, #s>, i32
  layout.shared_atomic_add %m[%v], %v : !layout.buffer<128xi32, #s>, tensor<128xi32, #a>, tensor<128xi32, #a>
  %w = layout.shared_load %m : !layout.buffer<128xi32, #s> -> tensor<128xi32, #b>
  layout.shared_free %m : !layout.buffer<128xi32, #s>
  tile.return
}

// -----

#a = #layout.tile<128, register = [(1)], lane = [(2), (4), (8), (16), (32)], warp = [(64)]>
#s = #layout.shared<128>

// Another buffer in the same place: what was read there is read before it is written over.
// CHECK-LABEL: tile.kernel @place_used_again(
//       CHECK:   layout.shared_load
//       CHECK:   layout.barrier
//  CHECK-NEXT:   layout.shared_store
//   CHECK-NOT:   layout.barrier
tile.kernel @place_used_again(%x: f32) attributes {layout.num_warps = 2, layout.warp_size = 32} {
  %v = tile.splat %x : tensor<128xf32, #a>
  %m = layout.shared_alloc offset 0 : !layout.buffer<128xf32, #s>
  %w = layout.shared_load %m : !layout.buffer<128xf32, #s> -> tensor<128xf32, #a>
  layout.shared_free %m : !layout.buffer<128xf32, #s>
  %n = layout.shared_alloc offset 256 : !layout.buffer<128xf32, #s>
  layout.shared_store %n, %v : !layout.buffer<128xf32, #s>, tensor<128xf32, #a>
  layout.shared_free %n : !layout.buffer<128xf32, #s>
  tile.return
}

// -----

#a = #layout.tile<128, register = [(1)], lane = [(2), (4), (8), (16), (32)], warp = [(64)]>
#s = #layout.shared<128>

// CHECK-LABEL: tile.kernel @negative_place_apart(
//   CHECK-NOT:   layout.barrier
tile.kernel @negative_place_apart(%x: f32) attributes {layout.num_warps = 2, layout.warp_size = 32} {
  %v = tile.splat %x : tensor<128xf32, #a>
  %m = layout.shared_alloc offset 0 : !layout.buffer<128xf32, #s>
  %w = layout.shared_load %m : !layout.buffer<128xf32, #s> -> tensor<128xf32, #a>
  layout.shared_free %m : !layout.buffer<128xf32, #s>
  %n = layout.shared_alloc offset 512 : !layout.buffer<128xf32, #s>
  layout.shared_store %n, %v : !layout.buffer<128xf32, #s>, tensor<128xf32, #a>
  layout.shared_free %n : !layout.buffer<128xf32, #s>
  tile.return
}

// -----

#a = #layout.tile<128, register = [(1)], lane = [(2), (4), (8), (16), (32)], warp = [(64)]>
#b = #layout.tile<128, register = [(64)], lane = [(1), (2), (4), (8), (16)], warp = [(32)]>
#s = #layout.shared<128>

// Round a loop, the next round's store waits for this one's load.
// CHECK-LABEL: tile.kernel @loop(
//       CHECK:   scf.for
//  CHECK-NEXT:     layout.barrier
//  CHECK-NEXT:     layout.shared_store
//  CHECK-NEXT:     layout.barrier
//  CHECK-NEXT:     layout.shared_load
//  CHECK-NEXT:   }
tile.kernel @loop(%x: f32, %n: i64, %one: i64) attributes {layout.num_warps = 2, layout.warp_size = 32} {
  %v = tile.splat %x : tensor<128xf32, #a>
  %m = layout.shared_alloc offset 0 : !layout.buffer<128xf32, #s>
  scf.for %i = %n to %n step %one : i64 {
    layout.shared_store %m, %v : !layout.buffer<128xf32, #s>, tensor<128xf32, #a>
    %w = layout.shared_load %m : !layout.buffer<128xf32, #s> -> tensor<128xf32, #b>
  }
  layout.shared_free %m : !layout.buffer<128xf32, #s>
  tile.return
}

// -----

#a = #layout.tile<128, register = [(1)], lane = [(2), (4), (8), (16), (32)], warp = [(64)]>
#b = #layout.tile<128, register = [(64)], lane = [(1), (2), (4), (8), (16)], warp = [(32)]>
#s = #layout.shared<128>

// What a loop only reads is waited for once.
// CHECK-LABEL: tile.kernel @before_loop(
//       CHECK:   layout.shared_store
//       CHECK:   layout.barrier
//  CHECK-NEXT:   scf.for
//   CHECK-NOT:   layout.barrier
tile.kernel @before_loop(%x: f32, %n: i64, %one: i64) attributes {layout.num_warps = 2, layout.warp_size = 32} {
  %v = tile.splat %x : tensor<128xf32, #a>
  %m = layout.shared_alloc offset 0 : !layout.buffer<128xf32, #s>
  layout.shared_store %m, %v : !layout.buffer<128xf32, #s>, tensor<128xf32, #a>
  scf.for %i = %n to %n step %one : i64 {
    %w = layout.shared_load %m : !layout.buffer<128xf32, #s> -> tensor<128xf32, #b>
  }
  layout.shared_free %m : !layout.buffer<128xf32, #s>
  tile.return
}

// -----

#a = #layout.tile<128, register = [(1)], lane = [(2), (4), (8), (16), (32)], warp = [(64)]>
#b = #layout.tile<128, register = [(64)], lane = [(1), (2), (4), (8), (16)], warp = [(32)]>
#s = #layout.shared<128>

// A while loop is left after its condition.
// CHECK-LABEL: tile.kernel @while_loop(
//       CHECK:   scf.while
//       CHECK:     layout.barrier
//  CHECK-NEXT:     layout.shared_load
//       CHECK:   } do {
//       CHECK:     layout.barrier
//  CHECK-NEXT:     layout.shared_store
tile.kernel @while_loop(%x: f32, %c: i1) attributes {layout.num_warps = 2, layout.warp_size = 32} {
  %v = tile.splat %x : tensor<128xf32, #a>
  %m = layout.shared_alloc offset 0 : !layout.buffer<128xf32, #s>
  scf.while : () -> () {
    %w = layout.shared_load %m : !layout.buffer<128xf32, #s> -> tensor<128xf32, #b>
    scf.condition(%c)
  } do {
    layout.shared_store %m, %v : !layout.buffer<128xf32, #s>, tensor<128xf32, #a>
    scf.yield
  }
  layout.shared_free %m : !layout.buffer<128xf32, #s>
  tile.return
}

// -----

#a = #layout.tile<128, register = [(1)], lane = [(2), (4), (8), (16), (32)], warp = [(64)]>
#b = #layout.tile<128, register = [(64)], lane = [(1), (2), (4), (8), (16)], warp = [(32)]>
#s = #layout.shared<64>
#t = #layout.shared<128>

// Slots of a ring are not told apart by their numbers; a part and the rest of a buffer are.
// CHECK-LABEL: tile.kernel @slots(
//       CHECK:   layout.shared_store
//       CHECK:   layout.barrier
//  CHECK-NEXT:   layout.shared_load
//   CHECK-NOT:   layout.barrier
//       CHECK:   layout.shared_fill
//   CHECK-NOT:   layout.barrier
//       CHECK:   layout.shared_fill
tile.kernel @slots(%x: f32, %i: i32, %j: i32) attributes {layout.num_warps = 2, layout.warp_size = 32} {
  %v = tile.splat %x : tensor<128xf32, #a>
  %r = layout.shared_alloc offset 0 : !layout.buffer<2x128xf32, #t>
  %p = layout.shared_slot %r[%i] : !layout.buffer<2x128xf32, #t>, i32
  layout.shared_store %p, %v : !layout.buffer<128xf32, #t>, tensor<128xf32, #a>
  %q = layout.shared_slot %r[%j] : !layout.buffer<2x128xf32, #t>, i32
  %w = layout.shared_load %q : !layout.buffer<128xf32, #t> -> tensor<128xf32, #b>
  %m = layout.shared_alloc offset 1024 : !layout.buffer<128xf32, #t>
  %low = layout.shared_subview %m [0] : !layout.buffer<128xf32, #t> -> !layout.buffer<64xf32, #s>
  layout.shared_fill %low, %x : !layout.buffer<64xf32, #s>, f32
  %high = layout.shared_subview %m [64] : !layout.buffer<128xf32, #t> -> !layout.buffer<64xf32, #s>
  layout.shared_fill %high, %x : !layout.buffer<64xf32, #s>, f32
  layout.shared_free %m : !layout.buffer<128xf32, #t>
  layout.shared_free %r : !layout.buffer<2x128xf32, #t>
  tile.return
}

// -----

#a = #layout.tile<4x32, register = [(1, 0), (2, 0)], lane = [(0, 1), (0, 2), (0, 4), (0, 8), (0, 16)], warp = [(0, 0)]>
#s = #layout.shared<4x32>

// Copies go on beside the program: they begin after what they would write over is read, and are there after the wait and
// a barrier. One barrier a round does both.
// CHECK-LABEL: tile.kernel @async_copies(
//       CHECK:   scf.for
//       CHECK:     layout.async_wait
//       CHECK:     layout.barrier
//       CHECK:     layout.async_copy
//   CHECK-NOT:     layout.barrier
//       CHECK:     layout.shared_load
//   CHECK-NOT:     layout.barrier
//       CHECK:   }
tile.kernel @async_copies(%p: !tile.ptr<f32>, %n: i64, %one: i64, %i: i32, %j: i32) attributes {layout.num_warps = 2, layout.warp_size = 32} {
  %q = tile.splat %p : tensor<4x32x!tile.ptr<f32>, #a>
  %r = layout.shared_alloc offset 0 : !layout.buffer<3x4x32xf32, #s>
  scf.for %k = %n to %n step %one : i64 {
    layout.async_wait pending 1
    %next = layout.shared_slot %r[%i] : !layout.buffer<3x4x32xf32, #s>, i32
    %t = layout.async_copy %q into %next : tensor<4x32x!tile.ptr<f32>, #a>, !layout.buffer<4x32xf32, #s>
    %g = layout.async_commit %t
    %now = layout.shared_slot %r[%j] : !layout.buffer<3x4x32xf32, #s>, i32
    %x = layout.shared_load %now : !layout.buffer<4x32xf32, #s> -> tensor<4x32xf32, #a>
  }
  layout.shared_free %r : !layout.buffer<3x4x32xf32, #s>
  tile.return
}

// -----

// Barriers that count are there for all before they are used, and order themselves; roles begin together.
// CHECK-LABEL: tile.kernel @mbarriers(
//       CHECK:   layout.mbarrier_init
//       CHECK:   layout.barrier
//  CHECK-NEXT:   layout.mbarrier_arrive
//   CHECK-NOT:   layout.barrier
//       CHECK:   layout.mbarrier_wait
//   CHECK-NOT:   layout.barrier
//       CHECK:   layout.warp_roles
tile.kernel @mbarriers(%c: i1) attributes {layout.num_warps = 2, layout.warp_size = 32} {
  %f = layout.mbarrier_alloc offset 0 : !layout.mbarrier
  layout.mbarrier_init %f count 1 : !layout.mbarrier
  layout.mbarrier_arrive %f : !layout.mbarrier
  layout.mbarrier_wait %f parity %c : !layout.mbarrier
  layout.warp_roles warps [1] {
    layout.mbarrier_wait %f parity %c : !layout.mbarrier
  } roles {
    layout.mbarrier_arrive %f : !layout.mbarrier
  }
  tile.return
}

// -----

#h = #layout.tile<64, register = [(1)], lane = [(2), (4), (8), (16), (32)], warp = [(0)]>
#s = #layout.shared<64>

// Sums into one buffer come in any order.
// CHECK-LABEL: tile.kernel @sums(
//       CHECK:   layout.shared_fill
//       CHECK:   layout.barrier
//  CHECK-NEXT:   layout.shared_atomic_add
//  CHECK-NEXT:   layout.shared_atomic_add
//  CHECK-NEXT:   layout.barrier
//  CHECK-NEXT:   layout.shared_load
tile.kernel @sums(%x: i32) attributes {layout.num_warps = 2, layout.warp_size = 32} {
  %v = tile.splat %x : tensor<64xi32, #h>
  %m = layout.shared_alloc offset 0 : !layout.buffer<64xi32, #s>
  layout.shared_fill %m, %x : !layout.buffer<64xi32, #s>, i32
  layout.shared_atomic_add %m[%v], %v : !layout.buffer<64xi32, #s>, tensor<64xi32, #h>, tensor<64xi32, #h>
  layout.shared_atomic_add %m[%v], %v : !layout.buffer<64xi32, #s>, tensor<64xi32, #h>, tensor<64xi32, #h>
  %y = layout.shared_load %m : !layout.buffer<64xi32, #s> -> tensor<64xi32, #h>
  layout.shared_free %m : !layout.buffer<64xi32, #s>
  tile.return
}

// -----

// RUN: tessera-opt %s -split-input-file -layout-insert-barriers > %t.once
// RUN: tessera-opt %t.once -split-input-file -layout-insert-barriers | diff %t.once -
// Running it on its own result adds nothing.
tile.kernel @nothing() {
  tile.return
}

// -----

#a = #layout.tile<128, register = [(1)], lane = [(2), (4), (8), (16), (32)], warp = [(64)]>
#s = #layout.shared<128>

// A thread's own copies are there after its wait.
// CHECK-LABEL: tile.kernel @negative_own_copies(
//       CHECK:   layout.async_wait
//   CHECK-NOT:   layout.barrier
//   CHECK-NOT:   layout.warp_sync
//       CHECK:   layout.shared_load
tile.kernel @negative_own_copies(%p: !tile.ptr<f32>) attributes {layout.num_warps = 2, layout.warp_size = 32} {
  %m = layout.shared_alloc offset 0 : !layout.buffer<128xf32, #s>
  %q = tile.splat %p : tensor<128x!tile.ptr<f32>, #a>
  layout.async_copy %q into %m : tensor<128x!tile.ptr<f32>, #a>, !layout.buffer<128xf32, #s>
  layout.async_commit
  layout.async_wait pending 0
  %w = layout.shared_load %m : !layout.buffer<128xf32, #s> -> tensor<128xf32, #a>
  layout.shared_free %m : !layout.buffer<128xf32, #s>
  tile.return
}

// -----

#a = #layout.tile<128, register = [(1)], lane = [(2), (4), (8), (16), (32)], warp = [(64)]>
#b = #layout.tile<128, register = [(64)], lane = [(1), (2), (4), (8), (16)], warp = [(32)]>
#s = #layout.shared<128>

// Those of others are after a barrier.
// CHECK-LABEL: tile.kernel @copies_of_others(
//       CHECK:   layout.async_wait
//  CHECK-NEXT:   layout.barrier shared
//  CHECK-NEXT:   layout.shared_load
tile.kernel @copies_of_others(%p: !tile.ptr<f32>) attributes {layout.num_warps = 2, layout.warp_size = 32} {
  %m = layout.shared_alloc offset 0 : !layout.buffer<128xf32, #s>
  %q = tile.splat %p : tensor<128x!tile.ptr<f32>, #a>
  layout.async_copy %q into %m : tensor<128x!tile.ptr<f32>, #a>, !layout.buffer<128xf32, #s>
  layout.async_commit
  layout.async_wait pending 0
  %w = layout.shared_load %m : !layout.buffer<128xf32, #s> -> tensor<128xf32, #b>
  layout.shared_free %m : !layout.buffer<128xf32, #s>
  tile.return
}

// -----

#a = #layout.tile<128, register = [(1)], lane = [(2), (4), (8), (16), (32)], warp = [(64)]>
#b = #layout.tile<128, register = [(64)], lane = [(1), (2), (4), (8), (16)], warp = [(32)]>
#s = #layout.shared<128>

// One barrier is for both memories, another for shared memory alone.
// CHECK-LABEL: tile.kernel @both_memories(
//       CHECK:   layout.shared_store
//       CHECK:   tile.store
//       CHECK:   layout.barrier{{$}}
//       CHECK:   layout.shared_load
//       CHECK:   tile.load
//       CHECK:   layout.barrier shared
//       CHECK:   layout.shared_store
//   CHECK-NOT:   layout.barrier
//       CHECK:   tile.return
tile.kernel @both_memories(%p: !tile.ptr<f32>) attributes {layout.num_warps = 2, layout.warp_size = 32} {
  %m = layout.shared_alloc offset 0 : !layout.buffer<128xf32, #s>
  %x = arith.constant dense<1.0> : tensor<128xf32, #a>
  %q = tile.splat %p : tensor<128x!tile.ptr<f32>, #a>
  %r = tile.splat %p : tensor<128x!tile.ptr<f32>, #b>
  layout.shared_store %m, %x : !layout.buffer<128xf32, #s>, tensor<128xf32, #a>
  tile.store %q, %x : tensor<128x!tile.ptr<f32>, #a>
  %v = layout.shared_load %m : !layout.buffer<128xf32, #s> -> tensor<128xf32, #b>
  %w = tile.load %r : tensor<128x!tile.ptr<f32>, #b>
  layout.shared_store %m, %x : !layout.buffer<128xf32, #s>, tensor<128xf32, #a>
  layout.shared_free %m : !layout.buffer<128xf32, #s>
  tile.return
}

// -----

#a = #layout.tile<128, register = [(1)], lane = [(2), (4), (8), (16), (32)], warp = [(64)]>
#b = #layout.tile<128, register = [(64)], lane = [(1), (2), (4), (8), (16)], warp = [(32)]>

// A barrier of shared memory alone, which stands there already, does not order global memory.
// CHECK-LABEL: tile.kernel @too_weak(
//       CHECK:   tile.store
//       CHECK:   layout.barrier shared
//       CHECK:   layout.barrier{{$}}
//  CHECK-NEXT:   tile.load
tile.kernel @too_weak(%p: !tile.ptr<f32>) attributes {layout.num_warps = 2, layout.warp_size = 32} {
  %x = arith.constant dense<1.0> : tensor<128xf32, #a>
  %q = tile.splat %p : tensor<128x!tile.ptr<f32>, #a>
  %r = tile.splat %p : tensor<128x!tile.ptr<f32>, #b>
  tile.store %q, %x : tensor<128x!tile.ptr<f32>, #a>
  layout.barrier shared
  %w = tile.load %r : tensor<128x!tile.ptr<f32>, #b>
  tile.store %r, %w : tensor<128x!tile.ptr<f32>, #b>
  tile.return
}
