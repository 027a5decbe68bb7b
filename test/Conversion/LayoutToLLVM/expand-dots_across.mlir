// RUN: tessera-opt %s -split-input-file "-layout-expand-dots=target=cuda:sm_90a" | FileCheck %s

#a = #layout.tile<64x32, register = [(0, 1), (0, 2), (16, 0), (32, 0)], lane = [(0, 4), (0, 8), (0, 16), (1, 0), (2, 0)], warp = [(4, 0), (8, 0)]>
#b = #layout.tile<32x64, register = [(0, 1), (0, 2), (8, 0), (16, 0)], lane = [(0, 4), (0, 8), (0, 16), (0, 32), (1, 0)], warp = [(2, 0), (4, 0)]>
#rows = #layout.tile<64x64, register = [(0, 1), (0, 2), (8, 0), (16, 0), (32, 0)], lane = [(0, 4), (0, 8), (0, 16), (0, 32), (1, 0)], warp = [(2, 0), (4, 0)]>

// The right operand lies across k: it is the left one of the transposed product, in a buffer as it is in memory, and
// the accumulator has pairs of columns in pairs of registers.
// CHECK-DAG: #[[B:.*]] = #layout.shared<32x64, offsets = [1, 2, 4, 8, 16, 1024, 36, 72, 144, 256, 512]>
// CHECK-DAG: #[[ACC:.*]] = #layout.tile<64x64, register = [(0, 1), (1, 0), (0, 8), (0, 16), (0, 32)], lane = [(0, 2), (0, 4), (2, 0), (16, 0), (4, 0)], warp = [(8, 0), (32, 0)]>
// CHECK-LABEL: tile.kernel @right(
//       CHECK:   %[[X:.*]] = tile.view_load
//       CHECK:   %[[Y:.*]] = tile.view_load
//   CHECK-NOT:   tile.trans %[[X]]
//   CHECK-NOT:   tile.trans %[[Y]]
//       CHECK:   %[[Z:.*]] = tile.trans %{{.*}} [1, 0] : {{.*}} -> tensor<64x64xf32, #[[ACC]]>
//       CHECK:   %[[BUFFER:.*]] = layout.shared_alloc : !layout.buffer<32x64xf32, #[[B]]>
//       CHECK:   layout.shared_store %[[BUFFER]], %[[Y]]
//       CHECK:   %[[LEFT:.*]] = layout.shared_trans %[[BUFFER]] [1, 0]
//       CHECK:   %[[OTHER:.*]] = layout.shared_alloc
//       CHECK:   layout.shared_store %[[OTHER]], %[[X]]
//       CHECK:   %[[RIGHT:.*]] = layout.shared_trans %[[OTHER]] [1, 0]
//       CHECK:   layout.async_dot %[[LEFT]], %[[RIGHT]], %[[Z]]
//       CHECK:   %[[R:.*]] = layout.async_dot_wait
//       CHECK:   tile.trans %[[R]] [1, 0]
tile.kernel @right(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %z: f32, %p: !tile.ptr<f32>)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %c64 = arith.constant 64 : i64
  %u = tile.make_view %x, [%c64, %c32], [%c32, %c1] : !tile.view<f32, 2>
  %v = tile.make_view %y, [%c32, %c64], [%c64, %c1] : !tile.view<f32, 2>
  %a = tile.view_load %u[%c0, %c0] : !tile.view<f32, 2> -> tensor<64x32xf32, #a>
  %b = tile.view_load %v[%c0, %c0] : !tile.view<f32, 2> -> tensor<32x64xf32, #b>
  %acc = tile.splat %z : tensor<64x64xf32, #rows>
  %d = tile.dot %a, %b, %acc precision tf32 : tensor<64x32xf32, #a>, tensor<32x64xf32, #b> -> tensor<64x64xf32, #rows>
  %q = tile.splat %p : tensor<64x64x!tile.ptr<f32>, #rows>
  tile.store %q, %d : tensor<64x64x!tile.ptr<f32>, #rows>
  tile.return
}

// -----

#a = #layout.tile<64x32, register = [(1, 0), (2, 0), (0, 8), (0, 16)], lane = [(4, 0), (8, 0), (16, 0), (32, 0), (0, 1)], warp = [(0, 2), (0, 4)]>
#b = #layout.tile<32x64, register = [(1, 0), (2, 0), (0, 16), (0, 32)], lane = [(4, 0), (8, 0), (16, 0), (0, 1), (0, 2)], warp = [(0, 4), (0, 8)]>
#rows = #layout.tile<64x64, register = [(0, 1), (0, 2), (8, 0), (16, 0), (32, 0)], lane = [(0, 4), (0, 8), (0, 16), (0, 32), (1, 0)], warp = [(2, 0), (4, 0)]>

// The left operand may lie across k: the product is multiplied as it is.
// CHECK-DAG: #[[A:.*]] = #layout.shared<64x32, offsets = [36, 72, 144, 256, 512, 1, 2, 4, 8, 16, 1024]>
// CHECK-LABEL: tile.kernel @left(
//   CHECK-NOT:   tile.trans
//       CHECK:   %[[LEFT:.*]] = layout.shared_alloc : !layout.buffer<64x32xf32, #[[A]]>
//       CHECK:   layout.async_dot %[[LEFT]],
tile.kernel @left(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %z: f32, %p: !tile.ptr<f32>)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %c64 = arith.constant 64 : i64
  %u = tile.make_view %x, [%c64, %c32], [%c1, %c64] : !tile.view<f32, 2>
  %v = tile.make_view %y, [%c32, %c64], [%c1, %c32] : !tile.view<f32, 2>
  %a = tile.view_load %u[%c0, %c0] : !tile.view<f32, 2> -> tensor<64x32xf32, #a>
  %b = tile.view_load %v[%c0, %c0] : !tile.view<f32, 2> -> tensor<32x64xf32, #b>
  %acc = tile.splat %z : tensor<64x64xf32, #rows>
  %d = tile.dot %a, %b, %acc precision tf32 : tensor<64x32xf32, #a>, tensor<32x64xf32, #b> -> tensor<64x64xf32, #rows>
  %q = tile.splat %p : tensor<64x64x!tile.ptr<f32>, #rows>
  tile.store %q, %d : tensor<64x64x!tile.ptr<f32>, #rows>
  tile.return
}

// -----

#a = #layout.tile<64x32, register = [(0, 1), (0, 2), (16, 0), (32, 0)], lane = [(0, 4), (0, 8), (0, 16), (1, 0), (2, 0)], warp = [(4, 0), (8, 0)]>
#b = #layout.tile<32x64, register = [(1, 0), (2, 0), (0, 16), (0, 32)], lane = [(4, 0), (8, 0), (16, 0), (0, 1), (0, 2)], warp = [(0, 4), (0, 8)]>
#rows = #layout.tile<64x64, register = [(0, 1), (0, 2), (8, 0), (16, 0), (32, 0)], lane = [(0, 4), (0, 8), (0, 16), (0, 32), (1, 0)], warp = [(2, 0), (4, 0)]>

// the unit reads both from their buffers
// CHECK-DAG: #[[A:.*]] = #layout.shared<64x32, offsets = [1, 2, 4, 8, 16, 36, 72, 144, 256, 512, 1024]>
// CHECK-DAG: #[[ACC:.*]] = #layout.tile<64x64, register = [(0, 1), (8, 0), (0, 8), (0, 16), (0, 32)], lane = [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)], warp = [(16, 0), (32, 0)]>
// CHECK-LABEL: tile.kernel @negative_along(
//   CHECK-NOT:   tile.trans
//       CHECK:   %[[LEFT:.*]] = layout.shared_alloc : !layout.buffer<64x32xf32, #[[A]]>
//       CHECK:   layout.async_dot %[[LEFT]], {{.*}} tensor<64x64xf32, #[[ACC]]>
tile.kernel @negative_along(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %z: f32, %p: !tile.ptr<f32>)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %c64 = arith.constant 64 : i64
  %u = tile.make_view %x, [%c64, %c32], [%c32, %c1] : !tile.view<f32, 2>
  %v = tile.make_view %y, [%c32, %c64], [%c1, %c32] : !tile.view<f32, 2>
  %a = tile.view_load %u[%c0, %c0] : !tile.view<f32, 2> -> tensor<64x32xf32, #a>
  %b = tile.view_load %v[%c0, %c0] : !tile.view<f32, 2> -> tensor<32x64xf32, #b>
  %acc = tile.splat %z : tensor<64x64xf32, #rows>
  %d = tile.dot %a, %b, %acc precision tf32 : tensor<64x32xf32, #a>, tensor<32x64xf32, #b> -> tensor<64x64xf32, #rows>
  %q = tile.splat %p : tensor<64x64x!tile.ptr<f32>, #rows>
  tile.store %q, %d : tensor<64x64x!tile.ptr<f32>, #rows>
  tile.return
}
