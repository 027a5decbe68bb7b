// RUN: tessera-opt %s -split-input-file -layout-insert-barriers | FileCheck %s
// SEMANTICS M3, M5: the order of the text holds for global memory, between warps too.

#a = #layout.tile<256, register = [(1), (2)], lane = [(4), (8), (16), (32), (64)], warp = [(128)]>

// In place, each element is one thread's.
// CHECK-LABEL: tile.kernel @negative_in_place(
//   CHECK-NOT:   layout.barrier
//   CHECK-NOT:   layout.warp_sync
tile.kernel @negative_in_place(%p: !tile.ptr<f32>, %row: i64) attributes {layout.num_warps = 2, layout.warp_size = 32} {
  %base = tile.addptr %p, %row : !tile.ptr<f32>, i64
  %i = tile.arange 0 to 256 : tensor<256xi32, #a>
  %b = tile.splat %base : tensor<256x!tile.ptr<f32>, #a>
  %q = tile.addptr %b, %i : tensor<256x!tile.ptr<f32>, #a>, tensor<256xi32, #a>
  %x = tile.load %q : tensor<256x!tile.ptr<f32>, #a>
  %y = arith.addf %x, %x : tensor<256xf32, #a>
  %r = tile.addptr %b, %i : tensor<256x!tile.ptr<f32>, #a>, tensor<256xi32, #a>
  tile.store %r, %y : tensor<256x!tile.ptr<f32>, #a>
  tile.return
}

// -----

#a = #layout.tile<256, register = [(1), (2)], lane = [(4), (8), (16), (32), (64)], warp = [(128)]>
#b = #layout.tile<256, register = [(1), (2)], lane = [(4), (8), (16), (32), (128)], warp = [(64)]>

// The same addresses, held by others.
// CHECK-LABEL: tile.kernel @other_layout(
//       CHECK:   tile.load
//       CHECK:   layout.barrier
//  CHECK-NEXT:   tile.store
tile.kernel @other_layout(%p: !tile.ptr<f32>) attributes {layout.num_warps = 2, layout.warp_size = 32} {
  %i = tile.arange 0 to 256 : tensor<256xi32, #a>
  %b = tile.splat %p : tensor<256x!tile.ptr<f32>, #a>
  %q = tile.addptr %b, %i : tensor<256x!tile.ptr<f32>, #a>, tensor<256xi32, #a>
  %x = tile.load %q : tensor<256x!tile.ptr<f32>, #a>
  %r = layout.convert %q : tensor<256x!tile.ptr<f32>, #a> -> tensor<256x!tile.ptr<f32>, #b>
  %y = layout.convert %x : tensor<256xf32, #a> -> tensor<256xf32, #b>
  tile.store %r, %y : tensor<256x!tile.ptr<f32>, #b>
  tile.return
}

// -----

#a = #layout.tile<256, register = [(1), (2)], lane = [(4), (8), (16), (32), (64)], warp = [(128)]>

// Shifted by one: the neighbour's element.
// CHECK-LABEL: tile.kernel @shifted(
//       CHECK:   tile.store
//       CHECK:   layout.barrier
//  CHECK-NEXT:   tile.load
tile.kernel @shifted(%p: !tile.ptr<f32>, %x: f32) attributes {layout.num_warps = 2, layout.warp_size = 32} {
  %i = tile.arange 0 to 256 : tensor<256xi32, #a>
  %j = tile.arange 1 to 257 : tensor<256xi32, #a>
  %b = tile.splat %p : tensor<256x!tile.ptr<f32>, #a>
  %v = tile.splat %x : tensor<256xf32, #a>
  %q = tile.addptr %b, %i : tensor<256x!tile.ptr<f32>, #a>, tensor<256xi32, #a>
  tile.store %q, %v : tensor<256x!tile.ptr<f32>, #a>
  %r = tile.addptr %b, %j : tensor<256x!tile.ptr<f32>, #a>, tensor<256xi32, #a>
  %y = tile.load %r : tensor<256x!tile.ptr<f32>, #a>
  tile.return
}

// -----

#a = #layout.tile<256, register = [(1), (2)], lane = [(4), (8), (16), (32), (64)], warp = [(128)]>

// Different arguments are apart; two loads need nothing.
// CHECK-LABEL: tile.kernel @negative_arguments(
//   CHECK-NOT:   layout.barrier
tile.kernel @negative_arguments(%p: !tile.ptr<f32>, %o: !tile.ptr<f32>, %n: i32) attributes {layout.num_warps = 2, layout.warp_size = 32} {
  %i = tile.splat %n : tensor<256xi32, #a>
  %b = tile.splat %p : tensor<256x!tile.ptr<f32>, #a>
  %c = tile.splat %o : tensor<256x!tile.ptr<f32>, #a>
  %q = tile.addptr %b, %i : tensor<256x!tile.ptr<f32>, #a>, tensor<256xi32, #a>
  %x = tile.load %b : tensor<256x!tile.ptr<f32>, #a>
  %y = tile.load %q : tensor<256x!tile.ptr<f32>, #a>
  tile.store %c, %y : tensor<256x!tile.ptr<f32>, #a>
  tile.return
}

// -----

#a = #layout.tile<256, register = [(1), (2)], lane = [(4), (8), (16), (32), (64)], warp = [(128)]>

// CHECK-LABEL: tile.kernel @may_alias(
//       CHECK:   layout.barrier
//  CHECK-NEXT:   tile.store
tile.kernel @may_alias(%p: !tile.ptr<f32>, %o: !tile.ptr<f32> {tile.may_alias}) attributes {layout.num_warps = 2, layout.warp_size = 32} {
  %b = tile.splat %p : tensor<256x!tile.ptr<f32>, #a>
  %c = tile.splat %o : tensor<256x!tile.ptr<f32>, #a>
  %x = tile.load %b : tensor<256x!tile.ptr<f32>, #a>
  tile.store %c, %x : tensor<256x!tile.ptr<f32>, #a>
  tile.return
}

// -----

#a = #layout.tile<256, register = [(1), (2)], lane = [(4), (8), (16), (32), (64)], warp = [(128)]>

// Elements that share an address are not one thread's, although the addresses are the same.
// CHECK-LABEL: tile.kernel @shared_address(
//       CHECK:   layout.barrier
//  CHECK-NEXT:   tile.store
tile.kernel @shared_address(%p: !tile.ptr<f32>) attributes {layout.num_warps = 2, layout.warp_size = 32} {
  %b = tile.splat %p : tensor<256x!tile.ptr<f32>, #a>
  %x = tile.load %b : tensor<256x!tile.ptr<f32>, #a>
  tile.store %b, %x : tensor<256x!tile.ptr<f32>, #a>
  tile.return
}

// -----

#a = #layout.tile<64, register = [(1)], lane = [(2), (4), (8), (16), (32)], warp = [(0)]>

// Two warps hold the same elements: one of them could store before the other loads.
// CHECK-LABEL: tile.kernel @copies(
//       CHECK:   layout.barrier
//  CHECK-NEXT:   tile.store
tile.kernel @copies(%p: !tile.ptr<f32>) attributes {layout.num_warps = 2, layout.warp_size = 32} {
  %i = tile.arange 0 to 64 : tensor<64xi32, #a>
  %b = tile.splat %p : tensor<64x!tile.ptr<f32>, #a>
  %q = tile.addptr %b, %i : tensor<64x!tile.ptr<f32>, #a>, tensor<64xi32, #a>
  %x = tile.load %q : tensor<64x!tile.ptr<f32>, #a>
  tile.store %q, %x : tensor<64x!tile.ptr<f32>, #a>
  tile.return
}

// -----

#a = #layout.tile<256, register = [(1), (2)], lane = [(4), (8), (16), (32), (64)], warp = [(128)]>

// The same place in every round, or another one in each.
// CHECK-LABEL: tile.kernel @rounds(
//       CHECK:   scf.for
//   CHECK-NOT:     layout.barrier
//       CHECK:   scf.for
//       CHECK:     layout.barrier
//  CHECK-NEXT:     tile.load
//   CHECK-NOT:     layout.barrier
//       CHECK:     tile.store
tile.kernel @rounds(%p: !tile.ptr<f32>, %o: !tile.ptr<f32>, %n: i64, %one: i64) attributes {layout.num_warps = 2, layout.warp_size = 32} {
  %i = tile.arange 0 to 256 : tensor<256xi32, #a>
  %b = tile.splat %p : tensor<256x!tile.ptr<f32>, #a>
  %q = tile.addptr %b, %i : tensor<256x!tile.ptr<f32>, #a>, tensor<256xi32, #a>
  scf.for %k = %n to %n step %one : i64 {
    %x = tile.load %q : tensor<256x!tile.ptr<f32>, #a>
    %y = arith.addf %x, %x : tensor<256xf32, #a>
    tile.store %q, %y : tensor<256x!tile.ptr<f32>, #a>
  }
  scf.for %k = %n to %n step %one : i64 {
    %at = tile.addptr %o, %k : !tile.ptr<f32>, i64
    %c = tile.splat %at : tensor<256x!tile.ptr<f32>, #a>
    %r = tile.addptr %c, %i : tensor<256x!tile.ptr<f32>, #a>, tensor<256xi32, #a>
    %x = tile.load %r : tensor<256x!tile.ptr<f32>, #a>
    %y = arith.addf %x, %x : tensor<256xf32, #a>
    tile.store %r, %y : tensor<256x!tile.ptr<f32>, #a>
  }
  tile.return
}

// -----

#a = #layout.tile<2x128, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (0, 16), (0, 32), (0, 64)], warp = [(1, 0)]>

// A view of rows whose distance is known, and one of any.
// CHECK-LABEL: tile.kernel @views(
//       CHECK:   tile.view_load
//   CHECK-NOT:   layout.barrier
//       CHECK:   tile.view_store
//       CHECK:   tile.view_load
//       CHECK:   layout.barrier
//  CHECK-NEXT:   tile.view_store
tile.kernel @views(%p: !tile.ptr<f32>, %o: !tile.ptr<f32>, %n: i64, %ld: i64) attributes {layout.num_warps = 2, layout.warp_size = 32} {
  %one = arith.constant 1 : i64
  %wide = arith.constant 4096 : i64
  %v = tile.make_view %p, [%n, %n], [%wide, %one] : !tile.view<f32, 2>
  %x = tile.view_load %v[%n, %n] : !tile.view<f32, 2> -> tensor<2x128xf32, #a>
  tile.view_store %v[%n, %n], %x : !tile.view<f32, 2>, tensor<2x128xf32, #a>
  %w = tile.make_view %o, [%n, %n], [%ld, %one] : !tile.view<f32, 2>
  %y = tile.view_load %w[%n, %n] : !tile.view<f32, 2> -> tensor<2x128xf32, #a>
  tile.view_store %w[%n, %n], %y : !tile.view<f32, 2>, tensor<2x128xf32, #a>
  tile.return
}

// -----

#a = #layout.tile<256, register = [(1), (2)], lane = [(4), (8), (16), (32), (64)], warp = [(128)]>

// SEMANTICS M5: all earlier accesses before a release, all later ones after an acquire; a relaxed atomic orders nothing
// of other arguments.
// CHECK-LABEL: tile.kernel @orders(
//       CHECK:   tile.store
//   CHECK-NOT:   layout.barrier
//       CHECK:   tile.atomic_rmw add relaxed
//       CHECK:   layout.barrier
//  CHECK-NEXT:   tile.atomic_rmw add release
//   CHECK-NOT:   layout.barrier
//       CHECK:   tile.atomic_load acquire
//       CHECK:   layout.barrier
//  CHECK-NEXT:   tile.load
tile.kernel @orders(%p: !tile.ptr<f32>, %o: !tile.ptr<f32>, %flag: !tile.ptr<i32>, %other: !tile.ptr<i32>, %more: !tile.ptr<i32>, %one: i32, %x: f32) attributes {layout.num_warps = 2, layout.warp_size = 32} {
  %i = tile.arange 0 to 256 : tensor<256xi32, #a>
  %b = tile.splat %p : tensor<256x!tile.ptr<f32>, #a>
  %q = tile.addptr %b, %i : tensor<256x!tile.ptr<f32>, #a>, tensor<256xi32, #a>
  %v = tile.splat %x : tensor<256xf32, #a>
  tile.store %q, %v : tensor<256x!tile.ptr<f32>, #a>
  %z = tile.atomic_rmw add relaxed device %more, %one : !tile.ptr<i32>
  %old = tile.atomic_rmw add release device %flag, %one : !tile.ptr<i32>
  %seen = tile.atomic_load acquire device %other : !tile.ptr<i32>
  %c = tile.splat %o : tensor<256x!tile.ptr<f32>, #a>
  %y = tile.load %c : tensor<256x!tile.ptr<f32>, #a>
  tile.return
}

// -----

// One thread stores a scalar, all of them load it.
// CHECK-LABEL: tile.kernel @scalars(
//       CHECK:   tile.store
//  CHECK-NEXT:   layout.barrier
//  CHECK-NEXT:   tile.load
tile.kernel @scalars(%p: !tile.ptr<f32>, %x: f32) attributes {layout.num_warps = 2, layout.warp_size = 32} {
  tile.store %p, %x : !tile.ptr<f32>
  %y = tile.load %p : !tile.ptr<f32>
  tile.return
}

// -----

#a = #layout.tile<256, register = [(1), (2)], lane = [(4), (8), (16), (32), (64)], warp = [(128)]>

// Sums come in any order, as long as nobody looks between.
// CHECK-LABEL: tile.kernel @sums(
//       CHECK:   scf.for
//  CHECK-NEXT:     tile.atomic_rmw add
//  CHECK-NEXT:   }
//       CHECK:   layout.barrier
//  CHECK-NEXT:   tile.atomic_rmw add
//  CHECK-NEXT:   layout.barrier
//  CHECK-NEXT:   tile.atomic_rmw max
tile.kernel @sums(%p: !tile.ptr<i32>, %n: i64, %one: i64, %x: i32, %seen: !tile.ptr<i32>) attributes {layout.num_warps = 2, layout.warp_size = 32} {
  %q = tile.splat %p : tensor<256x!tile.ptr<i32>, #a>
  %s = tile.splat %seen : tensor<256x!tile.ptr<i32>, #a>
  %v = tile.splat %x : tensor<256xi32, #a>
  scf.for %k = %n to %n step %one : i64 {
    %old = tile.atomic_rmw add relaxed device %q, %v : tensor<256x!tile.ptr<i32>, #a>
  }
  %looked = tile.atomic_rmw add relaxed device %q, %v : tensor<256x!tile.ptr<i32>, #a>
  %more = tile.atomic_rmw max relaxed device %q, %v : tensor<256x!tile.ptr<i32>, #a>
  tile.store %s, %looked : tensor<256x!tile.ptr<i32>, #a>
  tile.return
}

// -----

#a = #layout.tile<256, register = [(1), (2)], lane = [(4), (8), (16), (32), (64)], warp = [(128)]>
#b = #layout.tile<256, register = [(1), (2)], lane = [(4), (8), (16), (32), (128)], warp = [(64)]>

// Tiles a known distance apart do not meet, whoever holds them; one element closer, they do.
// CHECK-LABEL: tile.kernel @apart(
//       CHECK:   tile.store
//   CHECK-NOT:   layout.barrier
//       CHECK:   tile.store
//       CHECK:   layout.barrier
//  CHECK-NEXT:   tile.store
tile.kernel @apart(%p: !tile.ptr<f32>, %row: i64, %x: f32) attributes {layout.num_warps = 2, layout.warp_size = 32} {
  %half = arith.constant 256 : i64
  %less = arith.constant 511 : i64
  %v = tile.splat %x : tensor<256xf32, #a>
  %w = tile.splat %x : tensor<256xf32, #b>
  %i = tile.arange 0 to 256 : tensor<256xi32, #a>
  %j = tile.arange 0 to 256 : tensor<256xi32, #b>
  %t0 = tile.splat %row : tensor<256xi64, #a>
  %k0 = arith.extsi %i : tensor<256xi32, #a> to tensor<256xi64, #a>
  %o0 = arith.addi %t0, %k0 : tensor<256xi64, #a>
  %b = tile.splat %p : tensor<256x!tile.ptr<f32>, #a>
  %q = tile.addptr %b, %o0 : tensor<256x!tile.ptr<f32>, #a>, tensor<256xi64, #a>
  tile.store %q, %v : tensor<256x!tile.ptr<f32>, #a>
  %at = arith.addi %row, %half : i64
  %t = tile.splat %at : tensor<256xi64, #b>
  %k = arith.extsi %j : tensor<256xi32, #b> to tensor<256xi64, #b>
  %o = arith.addi %t, %k : tensor<256xi64, #b>
  %c = tile.splat %p : tensor<256x!tile.ptr<f32>, #b>
  %r = tile.addptr %c, %o : tensor<256x!tile.ptr<f32>, #b>, tensor<256xi64, #b>
  tile.store %r, %w : tensor<256x!tile.ptr<f32>, #b>
  %start = tile.addptr %p, %row : !tile.ptr<f32>, i64
  %next = tile.addptr %start, %less : !tile.ptr<f32>, i64
  %c2 = tile.splat %next : tensor<256x!tile.ptr<f32>, #a>
  %r2 = tile.addptr %c2, %i : tensor<256x!tile.ptr<f32>, #a>, tensor<256xi32, #a>
  tile.store %r2, %v : tensor<256x!tile.ptr<f32>, #a>
  tile.return
}
