// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s

// CHECK-LABEL: tile.kernel @same_type(
//       CHECK: %[[X:.*]] = tile.load
// CHECK-NOT: tile.broadcast
//       CHECK: tile.print "" %[[X]]
tile.kernel @same_type(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<4x8x!tile.ptr<f32>>
  %x = tile.load %q : tensor<4x8x!tile.ptr<f32>>
  %r = tile.broadcast %x : tensor<4x8xf32> -> tensor<4x8xf32>
  tile.print "" %r : tensor<4x8xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @twice(
//       CHECK: %[[X:.*]] = tile.load
//       CHECK: tile.broadcast %[[X]] : tensor<1x1xf32> -> tensor<4x8xf32>
// CHECK-NOT: tile.broadcast
tile.kernel @twice(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<1x1x!tile.ptr<f32>>
  %x = tile.load %q : tensor<1x1x!tile.ptr<f32>>
  %a = tile.broadcast %x : tensor<1x1xf32> -> tensor<4x1xf32>
  %r = tile.broadcast %a : tensor<4x1xf32> -> tensor<4x8xf32>
  tile.print "" %r : tensor<4x8xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @constant(
//       CHECK: arith.constant dense<3> : tensor<4x8xi32>
// CHECK-NOT: tile.broadcast
tile.kernel @constant() {
  %x = arith.constant dense<3> : tensor<1x8xi32>
  %r = tile.broadcast %x : tensor<1x8xi32> -> tensor<4x8xi32>
  tile.print "" %r : tensor<4x8xi32>
  tile.return
}

// -----

// A longer list of elements is no simpler.
// CHECK-LABEL: tile.kernel @negative_list(
//       CHECK: tile.broadcast
tile.kernel @negative_list() {
  %x = arith.constant dense<[[1, 2]]> : tensor<1x2xi32>
  %r = tile.broadcast %x : tensor<1x2xi32> -> tensor<4x2xi32>
  tile.print "" %r : tensor<4x2xi32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @splat(
//       CHECK: tile.splat %arg0 : tensor<4x8xf32>
// CHECK-NOT: tile.broadcast
tile.kernel @splat(%s: f32) {
  %x = tile.splat %s : tensor<1x8xf32>
  %r = tile.broadcast %x : tensor<1x8xf32> -> tensor<4x8xf32>
  tile.print "" %r : tensor<4x8xf32>
  tile.return
}
