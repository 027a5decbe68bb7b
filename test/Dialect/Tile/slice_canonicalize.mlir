// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s

// CHECK-LABEL: tile.kernel @whole(
// CHECK-NOT: tile.slice
//       CHECK: tile.return
tile.kernel @whole(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<4x4x!tile.ptr<f32>>
  %x = tile.load %q : tensor<4x4x!tile.ptr<f32>>
  %r = tile.slice %x [0, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  tile.print "" %r : tensor<4x4xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @twice(
//       CHECK: tile.slice %{{.*}} [6] : tensor<8xf32> -> tensor<2xf32>
// CHECK-NOT: tile.slice
tile.kernel @twice(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<8x!tile.ptr<f32>>
  %x = tile.load %q : tensor<8x!tile.ptr<f32>>
  %a = tile.slice %x [4] : tensor<8xf32> -> tensor<4xf32>
  %r = tile.slice %a [2] : tensor<4xf32> -> tensor<2xf32>
  tile.print "" %r : tensor<2xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @splat(
//       CHECK: tile.splat %arg0 : tensor<2xf32>
// CHECK-NOT: tile.slice
tile.kernel @splat(%s: f32) {
  %x = tile.splat %s : tensor<8xf32>
  %r = tile.slice %x [2] : tensor<8xf32> -> tensor<2xf32>
  tile.print "" %r : tensor<2xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @constant(
//       CHECK: arith.constant dense<9> : tensor<2xi8>
tile.kernel @constant() {
  %x = arith.constant dense<9> : tensor<8xi8>
  %r = tile.slice %x [2] : tensor<8xi8> -> tensor<2xi8>
  tile.print "" %r : tensor<2xi8>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_part(
//       CHECK: tile.slice
tile.kernel @negative_part(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<8x!tile.ptr<f32>>
  %x = tile.load %q : tensor<8x!tile.ptr<f32>>
  %r = tile.slice %x [4] : tensor<8xf32> -> tensor<4xf32>
  tile.print "" %r : tensor<4xf32>
  tile.return
}
