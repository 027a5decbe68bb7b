// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s

// CHECK-LABEL: tile.kernel @same_type(
// CHECK-NOT: tile.reshape
//       CHECK: tile.return
tile.kernel @same_type(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<8x!tile.ptr<f32>>
  %x = tile.load %q : tensor<8x!tile.ptr<f32>>
  %r = tile.reshape %x : tensor<8xf32> -> tensor<8xf32>
  tile.print "" %r : tensor<8xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @twice(
//       CHECK: tile.reshape %{{.*}} : tensor<8xf32> -> tensor<4x2xf32>
// CHECK-NOT: tile.reshape
tile.kernel @twice(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<8x!tile.ptr<f32>>
  %x = tile.load %q : tensor<8x!tile.ptr<f32>>
  %a = tile.reshape %x : tensor<8xf32> -> tensor<2x4xf32>
  %r = tile.reshape %a : tensor<2x4xf32> -> tensor<4x2xf32>
  tile.print "" %r : tensor<4x2xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @there_and_back(
// CHECK-NOT: tile.reshape
//       CHECK: tile.return
tile.kernel @there_and_back(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<8x!tile.ptr<f32>>
  %x = tile.load %q : tensor<8x!tile.ptr<f32>>
  %a = tile.reshape %x : tensor<8xf32> -> tensor<2x4xf32>
  %r = tile.reshape %a : tensor<2x4xf32> -> tensor<8xf32>
  tile.print "" %r : tensor<8xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @scalar_is_splat(
//       CHECK: tile.splat %arg0 : tensor<1xf32>
tile.kernel @scalar_is_splat(%s: f32) {
  %r = tile.reshape %s : f32 -> tensor<1xf32>
  tile.print "" %r : tensor<1xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @splat_to_scalar(
//       CHECK: tile.print "" %arg0 : f32
tile.kernel @splat_to_scalar(%s: f32) {
  %x = tile.splat %s : tensor<1xf32>
  %r = tile.reshape %x : tensor<1xf32> -> f32
  tile.print "" %r : f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @constant_list(
//       CHECK: arith.constant dense<{{\[\[}}1, 2], [3, 4]]> : tensor<2x2xi8>
tile.kernel @constant_list() {
  %x = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi8>
  %r = tile.reshape %x : tensor<4xi8> -> tensor<2x2xi8>
  tile.print "" %r : tensor<2x2xi8>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @constant_to_scalar(
//       CHECK: arith.constant 7 : i8
// CHECK-NOT: tile.reshape
tile.kernel @constant_to_scalar() {
  %x = arith.constant dense<7> : tensor<1xi8>
  %r = tile.reshape %x : tensor<1xi8> -> i8
  tile.print "" %r : i8
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @of_expand_dims(
// CHECK-NOT: tile.expand_dims
//       CHECK: tile.reshape %{{.*}} : tensor<8xf32> -> tensor<2x4xf32>
tile.kernel @of_expand_dims(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<8x!tile.ptr<f32>>
  %x = tile.load %q : tensor<8x!tile.ptr<f32>>
  %a = tile.expand_dims %x axis 0 : tensor<8xf32> -> tensor<1x8xf32>
  %r = tile.reshape %a : tensor<1x8xf32> -> tensor<2x4xf32>
  tile.print "" %r : tensor<2x4xf32>
  tile.return
}

// -----

// A transposition changes the order of elements, a reshape does not.
// CHECK-LABEL: tile.kernel @negative_of_trans(
//       CHECK: tile.trans
//       CHECK: tile.reshape
tile.kernel @negative_of_trans(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<2x4x!tile.ptr<f32>>
  %x = tile.load %q : tensor<2x4x!tile.ptr<f32>>
  %a = tile.trans %x [1, 0] : tensor<2x4xf32> -> tensor<4x2xf32>
  %r = tile.reshape %a : tensor<4x2xf32> -> tensor<8xf32>
  tile.print "" %r : tensor<8xf32>
  tile.return
}
