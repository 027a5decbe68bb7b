// RUN: tessera-opt %s -split-input-file -layout-expand-dots=target=cuda:sm_86 | FileCheck %s

#acc = #layout.tile<128x128, register = [(0, 1), (0, 2), (1, 0), (2, 0), (0, 16), (32, 0)], lane = [(0, 4), (4, 0), (8, 0), (16, 0), (0, 8)], warp = [(0, 32), (64, 0), (0, 64)]>
#op = #layout.tile<128x128, register = [(0, 1), (0, 2), (8, 0), (16, 0), (32, 0), (64, 0)], lane = [(0, 4), (0, 8), (0, 16), (0, 32), (0, 64)], warp = [(1, 0), (2, 0), (4, 0)]>

// 128 KiB of operands, of which the chip holds 99: a thread brings both halves along k to its registers
// CHECK-LABEL: tile.kernel @halves(
//       CHECK:   %[[A:.*]] = tile.load
//       CHECK:   %[[C:.*]] = tile.load
//       CHECK:   %[[HELD:.*]] = layout.convert %[[A]]
//   CHECK-NOT:   layout.convert
//       CHECK:   tile.slice %[[HELD]] [0, 0]
//       CHECK:   tile.slice %[[A]] [0, 0]
//       CHECK:   %[[SUM:.*]] = layout.shared_dot %{{.*}}, %{{.*}}, %[[C]]
// CHECK-COUNT-2: layout.shared_free
//       CHECK:   tile.slice %[[HELD]] [0, 64]
//       CHECK:   tile.slice %[[A]] [64, 0]
//       CHECK:   layout.shared_dot %{{.*}}, %{{.*}}, %[[SUM]]
tile.kernel @halves(%p: !tile.ptr<f32>) attributes {layout.num_warps = 8, layout.warp_size = 32} {
  %q = tile.splat %p : tensor<128x128x!tile.ptr<f32>, #op>
  %a = tile.load %q : tensor<128x128x!tile.ptr<f32>, #op>
  %r = tile.splat %p : tensor<128x128x!tile.ptr<f32>, #acc>
  %c = tile.load %r : tensor<128x128x!tile.ptr<f32>, #acc>
  %d = tile.dot %a, %a, %c : tensor<128x128xf32, #op>, tensor<128x128xf32, #op> -> tensor<128x128xf32, #acc>
  tile.store %r, %d : tensor<128x128x!tile.ptr<f32>, #acc>
  tile.return
}

// -----

#acc = #layout.tile<8x8, register = [(0, 1), (4, 0)], lane = [(0, 2), (0, 4), (1, 0), (2, 0)]>
#op = #layout.tile<8x8, register = [(0, 1), (0, 2)], lane = [(0, 4), (1, 0), (2, 0), (4, 0)]>

// both operands fit; the transposed one is stored as it was loaded
// CHECK-LABEL: tile.kernel @negative_fits(
//       CHECK:   %[[A:.*]] = tile.load
//   CHECK-NOT:   tile.slice
//       CHECK:   layout.shared_store %[[X:.*]], %[[A]]
//       CHECK:   layout.shared_store %[[Y:.*]], %[[A]]
//       CHECK:   %[[T:.*]] = layout.shared_trans %[[Y]] [1, 0]
//       CHECK:   layout.shared_dot %[[X]], %[[T]]
//   CHECK-NOT:   layout.shared_dot
tile.kernel @negative_fits(%p: !tile.ptr<f32>) attributes {layout.num_warps = 1, layout.warp_size = 16} {
  %q = tile.splat %p : tensor<8x8x!tile.ptr<f32>, #op>
  %a = tile.load %q : tensor<8x8x!tile.ptr<f32>, #op>
  %t = tile.trans %a [1, 0] : tensor<8x8xf32, #op> -> tensor<8x8xf32, #layout.tile<8x8, register = [(1, 0), (2, 0)], lane = [(4, 0), (0, 1), (0, 2), (0, 4)]>>
  %r = tile.splat %p : tensor<8x8x!tile.ptr<f32>, #acc>
  %c = tile.load %r : tensor<8x8x!tile.ptr<f32>, #acc>
  %d = tile.dot %a, %t, %c : tensor<8x8xf32, #op>, tensor<8x8xf32, #layout.tile<8x8, register = [(1, 0), (2, 0)], lane = [(4, 0), (0, 1), (0, 2), (0, 4)]>> -> tensor<8x8xf32, #acc>
  tile.store %r, %d : tensor<8x8x!tile.ptr<f32>, #acc>
  tile.return
}
