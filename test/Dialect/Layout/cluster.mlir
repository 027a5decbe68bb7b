// RUN: tessera-opt %s -split-input-file -layout-expand-shared | FileCheck %s
// RUN: tessera-opt %s -split-input-file -layout-expand-shared -layout-allocate-shared -layout-insert-barriers \
// RUN:   -layout-verify-stage | FileCheck %s --check-prefix=ORDER

// Blocks hold different elements before, and all of them hold all behind: each element goes to every block.

#apart = #layout.tile<64, register = [], lane = [(1), (2), (4), (8), (16)], block = [(32)]>
#all = #layout.tile<64, register = [(32)], lane = [(1), (2), (4), (8), (16)], block = [(0)]>

// CHECK-LABEL: tile.kernel @to_all(
// ORDER-LABEL: tile.kernel @to_all(
tile.kernel @to_all(%from: !tile.ptr<f32>, %to: !tile.ptr<f32>)
    attributes {layout.num_warps = 1, layout.warp_size = 32, layout.num_blocks = 2} {
  %f = tile.splat %from : tensor<64x!tile.ptr<f32>, #apart>
  %y = tile.load %f : tensor<64x!tile.ptr<f32>, #apart>
  // CHECK: %[[BUFFER:.*]] = layout.shared_alloc
  // CHECK-NEXT: layout.shared_store cluster %[[BUFFER]]
  // CHECK: layout.shared_load %[[BUFFER]]
  // The first barrier is there for all blocks to run.
  // ORDER: layout.cluster_barrier
  // ORDER-NEXT: layout.shared_store cluster
  // ORDER-NEXT: layout.cluster_barrier
  // ORDER-NEXT: layout.shared_load
  // ORDER-NOT: barrier
  %z = layout.convert %y : tensor<64xf32, #apart> -> tensor<64xf32, #all>
  %q = tile.splat %to : tensor<64x!tile.ptr<f32>, #all>
  tile.store %q, %z : tensor<64x!tile.ptr<f32>, #all>
  tile.return
}

// -----

// Other warps of the same block: nothing goes to other blocks.

#before = #layout.tile<128, lane = [(1), (2), (4), (8), (16)], warp = [(32)], block = [(64)]>
#behind = #layout.tile<128, lane = [(2), (4), (8), (16), (32)], warp = [(1)], block = [(64)]>

// CHECK-LABEL: tile.kernel @within(
// ORDER-LABEL: tile.kernel @within(
tile.kernel @within(%from: !tile.ptr<f32>, %to: !tile.ptr<f32>)
    attributes {layout.num_warps = 2, layout.warp_size = 32, layout.num_blocks = 2} {
  %f = tile.splat %from : tensor<128x!tile.ptr<f32>, #before>
  %y = tile.load %f : tensor<128x!tile.ptr<f32>, #before>
  // CHECK: layout.shared_store %
  // ORDER-NOT: cluster_barrier
  // ORDER: layout.shared_store
  // ORDER-NEXT: layout.barrier
  // ORDER-NEXT: layout.shared_load
  %z = layout.convert %y : tensor<128xf32, #before> -> tensor<128xf32, #behind>
  %q = tile.splat %to : tensor<128x!tile.ptr<f32>, #behind>
  tile.store %q, %z : tensor<128x!tile.ptr<f32>, #behind>
  tile.return
}

// -----

// In a loop the buffers of a round must have been read by all blocks before the next one writes to them.

#apart = #layout.tile<64, register = [], lane = [(1), (2), (4), (8), (16)], block = [(32)]>
#all = #layout.tile<64, register = [(32)], lane = [(1), (2), (4), (8), (16)], block = [(0)]>

// ORDER-LABEL: tile.kernel @loop(
tile.kernel @loop(%from: !tile.ptr<f32>, %to: !tile.ptr<f32>)
    attributes {layout.num_warps = 1, layout.warp_size = 32, layout.num_blocks = 2} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %f = tile.splat %from : tensor<64x!tile.ptr<f32>, #apart>
  %q = tile.splat %to : tensor<64x!tile.ptr<f32>, #all>
  // ORDER: layout.cluster_barrier
  // ORDER: scf.for
  scf.for %i = %c0 to %c8 step %c1 : i64 {
    // ORDER: layout.cluster_barrier
    // ORDER: layout.cluster_barrier
    // ORDER: layout.shared_load
    %y = tile.load %f : tensor<64x!tile.ptr<f32>, #apart>
    %z = layout.convert %y : tensor<64xf32, #apart> -> tensor<64xf32, #all>
    tile.store %q, %z : tensor<64x!tile.ptr<f32>, #all>
    scf.yield
  }
  tile.return
}

// -----

// Global memory that another block of the program has written takes a barrier of the cluster; what a thread of the own
// block has written, that of the block.

#halves = #layout.tile<128, lane = [(1), (2), (4), (8), (16)], warp = [(32)], block = [(64)]>
#turned = #layout.tile<128, lane = [(1), (2), (4), (8), (16)], warp = [(64)], block = [(32)]>
#warps = #layout.tile<128, lane = [(2), (4), (8), (16), (32)], warp = [(1)], block = [(64)]>

// ORDER-LABEL: tile.kernel @global(
tile.kernel @global(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>)
    attributes {layout.num_warps = 2, layout.warp_size = 32, layout.num_blocks = 2} {
  %a = tile.arange 0 to 128 : tensor<128xi32, #halves>
  %xs = tile.splat %x : tensor<128x!tile.ptr<f32>, #halves>
  %p = tile.addptr %xs, %a : tensor<128x!tile.ptr<f32>, #halves>, tensor<128xi32, #halves>
  %one = arith.constant dense<1.0> : tensor<128xf32, #halves>
  // ORDER: tile.store
  tile.store %p, %one : tensor<128x!tile.ptr<f32>, #halves>
  %b = tile.arange 0 to 128 : tensor<128xi32, #turned>
  %ys = tile.splat %x : tensor<128x!tile.ptr<f32>, #turned>
  %q = tile.addptr %ys, %b : tensor<128x!tile.ptr<f32>, #turned>, tensor<128xi32, #turned>
  // ORDER: layout.cluster_barrier
  // ORDER-NEXT: tile.load
  %v = tile.load %q : tensor<128x!tile.ptr<f32>, #turned>
  // ORDER: layout.cluster_barrier
  // ORDER-NEXT: tile.store
  tile.store %p, %one : tensor<128x!tile.ptr<f32>, #halves>
  %c = tile.arange 0 to 128 : tensor<128xi32, #warps>
  %zs = tile.splat %x : tensor<128x!tile.ptr<f32>, #warps>
  %r = tile.addptr %zs, %c : tensor<128x!tile.ptr<f32>, #warps>, tensor<128xi32, #warps>
  // ORDER: layout.barrier
  // ORDER-NEXT: tile.load
  %w = tile.load %r : tensor<128x!tile.ptr<f32>, #warps>
  %ts = tile.splat %y : tensor<128x!tile.ptr<f32>, #turned>
  tile.store %ts, %v : tensor<128x!tile.ptr<f32>, #turned>
  %us = tile.splat %y : tensor<128x!tile.ptr<f32>, #warps>
  tile.store %us, %w : tensor<128x!tile.ptr<f32>, #warps>
  tile.return
}
