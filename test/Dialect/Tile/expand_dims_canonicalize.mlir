// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s

// CHECK-LABEL: tile.kernel @constant_list(
//       CHECK: arith.constant dense<{{\[\[}}1, 2]]> : tensor<1x2xi32>
tile.kernel @constant_list() {
  %x = arith.constant dense<[1, 2]> : tensor<2xi32>
  %r = tile.expand_dims %x axis 0 : tensor<2xi32> -> tensor<1x2xi32>
  tile.print "" %r : tensor<1x2xi32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @splat(
//       CHECK: tile.splat %arg0 : tensor<8x1xf32>
// CHECK-NOT: tile.expand_dims
tile.kernel @splat(%s: f32) {
  %x = tile.splat %s : tensor<8xf32>
  %r = tile.expand_dims %x axis 1 : tensor<8xf32> -> tensor<8x1xf32>
  tile.print "" %r : tensor<8x1xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @of_reshape(
//       CHECK: tile.reshape %{{.*}} : tensor<4x4xf32> -> tensor<16x1xf32>
// CHECK-NOT: tile.expand_dims
tile.kernel @of_reshape(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<4x4x!tile.ptr<f32>>
  %x = tile.load %q : tensor<4x4x!tile.ptr<f32>>
  %y = tile.reshape %x : tensor<4x4xf32> -> tensor<16xf32>
  %r = tile.expand_dims %y axis 1 : tensor<16xf32> -> tensor<16x1xf32>
  tile.print "" %r : tensor<16x1xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_load(
//       CHECK: tile.expand_dims
tile.kernel @negative_load(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<8x!tile.ptr<f32>>
  %x = tile.load %q : tensor<8x!tile.ptr<f32>>
  %r = tile.expand_dims %x axis 1 : tensor<8xf32> -> tensor<8x1xf32>
  tile.print "" %r : tensor<8x1xf32>
  tile.return
}
