// RUN: tessera-opt %s -split-input-file -convert-layout-to-llvm | FileCheck %s

#line = #layout.tile<8, register = [(1)], lane = [(2), (4)]>

// the last element of each lower half is fetched from its lane, on the left
// CHECK-LABEL: llvm.func @forward(
//       CHECK:   %[[PAIR:.*]] = arith.addi %[[X:.*]], %[[X]]
//       CHECK:   %[[ONE:.*]] = llvm.call @tessera.gpu.shuffle.idx(%[[PAIR]],
//       CHECK:   arith.addi %[[ONE]], %[[X]]
//       CHECK:   arith.select
//       CHECK:   %[[UPPER:.*]] = arith.addi %[[ONE]], %[[PAIR]]
//       CHECK:   %[[TWO:.*]] = arith.select %{{.*}}, %[[UPPER]], %[[PAIR]]
//       CHECK:   shuffle.idx(%[[TWO]],
//   CHECK-NOT:   call @tessera.gpu.shuffle
tile.kernel @forward(%p: !tile.ptr<i32>, %s: i32) attributes {layout.num_warps = 1, layout.warp_size = 4} {
  %x = tile.splat %s : tensor<8xi32, #line>
  %y = tile.scan %x axis 0 : tensor<8xi32, #line> by arith.addi
  %q = tile.splat %p : tensor<8x!tile.ptr<i32>, #line>
  tile.store %q, %y : tensor<8x!tile.ptr<i32>, #line>
  tile.return
}

// -----

#line = #layout.tile<4, register = [(1), (2)]>

// nothing is combined with the identity
// CHECK-LABEL: llvm.func @exclusive(
//  CHECK-SAME:   %{{[^:]*}}: {{[^,]*}}, %[[S:[^:]*]]: f32
//       CHECK:   %[[PAIR:.*]] = arith.mulf %[[S]], %[[S]]
//       CHECK:   %[[THREE:.*]] = arith.mulf %[[PAIR]], %[[S]]
//   CHECK-NOT:   arith.mulf %cst
tile.kernel @exclusive(%p: !tile.ptr<f32>, %s: f32) attributes {layout.num_warps = 1, layout.warp_size = 4} {
  %x = tile.splat %s : tensor<4xf32, #line>
  %y = tile.scan %x axis 0 exclusive identity [1.0 : f32] : tensor<4xf32, #line> by arith.mulf
  %q = tile.splat %p : tensor<4x!tile.ptr<f32>, #line>
  tile.store %q, %y : tensor<4x!tile.ptr<f32>, #line>
  tile.return
}
