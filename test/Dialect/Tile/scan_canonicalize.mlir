// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s

// CHECK-LABEL: tile.kernel @one_element(
//       CHECK: %[[X:.*]] = tile.load
// CHECK-NOT: tile.scan
//       CHECK: tile.print "" %[[X]]
tile.kernel @one_element(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<8x1x!tile.ptr<f32>>
  %x = tile.load %q : tensor<8x1x!tile.ptr<f32>>
  %r = tile.scan %x axis 1 reverse : tensor<8x1xf32> by arith.addf
  tile.print "" %r : tensor<8x1xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @one_element_exclusive(
//       CHECK: arith.constant dense<1.000000e+00> : tensor<8x1xf32>
// CHECK-NOT: tile.scan
tile.kernel @one_element_exclusive(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<8x1x!tile.ptr<f32>>
  %x = tile.load %q : tensor<8x1x!tile.ptr<f32>>
  %r = tile.scan %x axis 1 exclusive identity [1.0 : f32] : tensor<8x1xf32> by arith.mulf
  tile.print "" %r : tensor<8x1xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_two_elements(
//       CHECK: tile.scan
tile.kernel @negative_two_elements(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<8x2x!tile.ptr<f32>>
  %x = tile.load %q : tensor<8x2x!tile.ptr<f32>>
  %r = tile.scan %x axis 1 : tensor<8x2xf32> by arith.addf
  tile.print "" %r : tensor<8x2xf32>
  tile.return
}
