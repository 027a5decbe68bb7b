// RUN: tessera-opt %s -split-input-file -verify-diagnostics -layout-pipeline-loops="target=cuda:sm_86" | FileCheck %s
// Rings have as many slots as the chip has room for.

#l = #layout.tile<64x64, register = [(0, 1), (0, 2), (8, 0), (16, 0), (32, 0)], lane = [(0, 4), (0, 8), (0, 16), (0, 32), (1, 0)], warp = [(2, 0), (4, 0)]>
#s = #layout.shared<64x64>

// CHECK-LABEL: tile.kernel @fewer(
//       CHECK:   layout.shared_alloc : !layout.buffer<3x64x64xf32
//       CHECK:   layout.shared_alloc : !layout.buffer<3x64x64xf32
//       CHECK:   layout.async_wait pending 1
tile.kernel @fewer(%p: !tile.ptr<f32>, %n: i64) attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %x = tile.make_view %p, [%n, %n], [%n, %c1] : !tile.view<f32, 2>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #l>
  // expected-remark @below {{copies 2 rounds ahead instead of 4: a stage takes 32768 bytes of shared memory, and sm_86 has 100352 for all}}
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #l>) : i64 {
    %u = tile.view_load %x[%c0, %i] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<64x64xf32, #l>
    %v = tile.view_load %x[%i, %c0] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<64x64xf32, #l>
    %a = layout.shared_alloc : !layout.buffer<64x64xf32, #s>
    layout.shared_store %a, %u : !layout.buffer<64x64xf32, #s>, tensor<64x64xf32, #l>
    %b = layout.shared_alloc : !layout.buffer<64x64xf32, #s>
    layout.shared_store %b, %v : !layout.buffer<64x64xf32, #s>, tensor<64x64xf32, #l>
    %s = layout.shared_dot %a, %b, %acc : !layout.buffer<64x64xf32, #s>, !layout.buffer<64x64xf32, #s>, tensor<64x64xf32, #l>
    layout.shared_free %a : !layout.buffer<64x64xf32, #s>
    layout.shared_free %b : !layout.buffer<64x64xf32, #s>
    scf.yield %s : tensor<64x64xf32, #l>
  } {tile.num_stages = 5 : i64}
  tile.return
}

// -----

#l = #layout.tile<64x64, register = [(0, 1), (0, 2), (8, 0), (16, 0), (32, 0)], lane = [(0, 4), (0, 8), (0, 16), (0, 32), (1, 0)], warp = [(2, 0), (4, 0)]>
#s = #layout.shared<64x64>

// Another buffer, that lives through the loop, and the loop's own leave too little for two.
// CHECK-LABEL: tile.kernel @negative_none(
//   CHECK-NOT:   async
//       CHECK:   tile.return
tile.kernel @negative_none(%p: !tile.ptr<f32>, %n: i64) attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %x = tile.make_view %p, [%n, %n], [%n, %c1] : !tile.view<f32, 2>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #l>
  %a = layout.shared_alloc : !layout.buffer<4x64x64xf32, #s>
  %first = layout.shared_slot %a[%c0] : !layout.buffer<4x64x64xf32, #s>, i64
  layout.shared_store %first, %zero : !layout.buffer<64x64xf32, #s>, tensor<64x64xf32, #l>
  // expected-remark @below {{copies nothing ahead instead of 2: a stage takes 16384 bytes of shared memory, and sm_86 has 18432 for all}}
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #l>) : i64 {
    %v = tile.view_load %x[%i, %c0] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<64x64xf32, #l>
    %w = arith.addf %v, %v : tensor<64x64xf32, #l>
    %b = layout.shared_alloc : !layout.buffer<64x64xf32, #s>
    layout.shared_store %b, %w : !layout.buffer<64x64xf32, #s>, tensor<64x64xf32, #l>
    %s = layout.shared_dot %first, %b, %acc : !layout.buffer<64x64xf32, #s>, !layout.buffer<64x64xf32, #s>, tensor<64x64xf32, #l>
    layout.shared_free %b : !layout.buffer<64x64xf32, #s>
    scf.yield %s : tensor<64x64xf32, #l>
  }
  layout.shared_free %a : !layout.buffer<4x64x64xf32, #s>
  tile.return
}
