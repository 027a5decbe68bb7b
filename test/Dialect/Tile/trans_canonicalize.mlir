// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s

// CHECK-LABEL: tile.kernel @identity(
// CHECK-NOT: tile.trans
//       CHECK: tile.return
tile.kernel @identity(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<2x4x!tile.ptr<f32>>
  %x = tile.load %q : tensor<2x4x!tile.ptr<f32>>
  %r = tile.trans %x [0, 1] : tensor<2x4xf32> -> tensor<2x4xf32>
  tile.print "" %r : tensor<2x4xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @there_and_back(
// CHECK-NOT: tile.trans
//       CHECK: tile.return
tile.kernel @there_and_back(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<2x4x!tile.ptr<f32>>
  %x = tile.load %q : tensor<2x4x!tile.ptr<f32>>
  %a = tile.trans %x [1, 0] : tensor<2x4xf32> -> tensor<4x2xf32>
  %r = tile.trans %a [1, 0] : tensor<4x2xf32> -> tensor<2x4xf32>
  tile.print "" %r : tensor<2x4xf32>
  tile.return
}

// -----

// Axis i of the result is axis [1, 2, 0][[1, 0, 2][i]] of the source.
// CHECK-LABEL: tile.kernel @composed(
//       CHECK: tile.trans %{{.*}} [2, 1, 0] : tensor<2x4x8xf32> -> tensor<8x4x2xf32>
// CHECK-NOT: tile.trans
tile.kernel @composed(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<2x4x8x!tile.ptr<f32>>
  %x = tile.load %q : tensor<2x4x8x!tile.ptr<f32>>
  %a = tile.trans %x [1, 2, 0] : tensor<2x4x8xf32> -> tensor<4x8x2xf32>
  %r = tile.trans %a [1, 0, 2] : tensor<4x8x2xf32> -> tensor<8x4x2xf32>
  tile.print "" %r : tensor<8x4x2xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @constant(
//       CHECK: arith.constant dense<true> : tensor<4x2xi1>
tile.kernel @constant() {
  %x = arith.constant dense<1> : tensor<2x4xi1>
  %r = tile.trans %x [1, 0] : tensor<2x4xi1> -> tensor<4x2xi1>
  tile.print "" %r : tensor<4x2xi1>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @splat(
//       CHECK: tile.splat %arg0 : tensor<4x2xf32>
tile.kernel @splat(%s: f32) {
  %x = tile.splat %s : tensor<2x4xf32>
  %r = tile.trans %x [1, 0] : tensor<2x4xf32> -> tensor<4x2xf32>
  tile.print "" %r : tensor<4x2xf32>
  tile.return
}

// -----

// The type stays, the elements do not.
// CHECK-LABEL: tile.kernel @negative_square(
//       CHECK: tile.trans
tile.kernel @negative_square(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<4x4x!tile.ptr<f32>>
  %x = tile.load %q : tensor<4x4x!tile.ptr<f32>>
  %r = tile.trans %x [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  tile.print "" %r : tensor<4x4xf32>
  tile.return
}
