// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s

// CHECK-LABEL: tile.kernel @twice(
// CHECK-NOT: tile.flip
//       CHECK: tile.return
tile.kernel @twice(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<4x4x!tile.ptr<f32>>
  %x = tile.load %q : tensor<4x4x!tile.ptr<f32>>
  %a = tile.flip %x axis 1 : tensor<4x4xf32>
  %r = tile.flip %a axis 1 : tensor<4x4xf32>
  tile.print "" %r : tensor<4x4xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_two_axes(
// CHECK-COUNT-2: tile.flip
tile.kernel @negative_two_axes(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<4x4x!tile.ptr<f32>>
  %x = tile.load %q : tensor<4x4x!tile.ptr<f32>>
  %a = tile.flip %x axis 0 : tensor<4x4xf32>
  %r = tile.flip %a axis 1 : tensor<4x4xf32>
  tile.print "" %r : tensor<4x4xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @one_element(
// CHECK-NOT: tile.flip
//       CHECK: tile.return
tile.kernel @one_element(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<4x1x!tile.ptr<f32>>
  %x = tile.load %q : tensor<4x1x!tile.ptr<f32>>
  %r = tile.flip %x axis 1 : tensor<4x1xf32>
  tile.print "" %r : tensor<4x1xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @splat(
// CHECK-NOT: tile.flip
//       CHECK: tile.return
tile.kernel @splat(%s: f32) {
  %x = tile.splat %s : tensor<4xf32>
  %r = tile.flip %x axis 0 : tensor<4xf32>
  tile.print "" %r : tensor<4xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_list(
//       CHECK: tile.flip
tile.kernel @negative_list() {
  %x = arith.constant dense<[1, 2]> : tensor<2xi32>
  %r = tile.flip %x axis 0 : tensor<2xi32>
  tile.print "" %r : tensor<2xi32>
  tile.return
}
