// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s

// CHECK-LABEL: tile.kernel @one_element(
//       CHECK: tile.reshape %{{.*}} : tensor<8x1xf32> -> tensor<8xf32>
// CHECK-NOT: tile.reduce
tile.kernel @one_element(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<8x1x!tile.ptr<f32>>
  %x = tile.load %q : tensor<8x1x!tile.ptr<f32>>
  %r = tile.reduce %x axis 1 : tensor<8x1xf32> -> tensor<8xf32> by arith.addf
  tile.print "" %r : tensor<8xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @one_element_to_scalar(
//       CHECK: tile.reshape %{{.*}} : tensor<1xf32> -> f32
// CHECK-NOT: tile.reduce
tile.kernel @one_element_to_scalar(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<1x!tile.ptr<f32>>
  %x = tile.load %q : tensor<1x!tile.ptr<f32>>
  %r = tile.reduce %x axis 0 : tensor<1xf32> -> f32 by arith.addf
  tile.print "" %r : f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_two_elements(
//       CHECK: tile.reduce
tile.kernel @negative_two_elements(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<8x2x!tile.ptr<f32>>
  %x = tile.load %q : tensor<8x2x!tile.ptr<f32>>
  %r = tile.reduce %x axis 1 : tensor<8x2xf32> -> tensor<8xf32> by arith.addf
  tile.print "" %r : tensor<8xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @merged(
//       CHECK: %[[A:.*]] = tile.reduce
// CHECK-NOT: tile.reduce
//       CHECK: tile.print "" %[[A]], %[[A]]
tile.kernel @merged(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<8x!tile.ptr<f32>>
  %x = tile.load %q : tensor<8x!tile.ptr<f32>>
  %a = tile.reduce %x axis 0 : tensor<8xf32> -> f32 by arith.addf
  %b = tile.reduce %x axis 0 : tensor<8xf32> -> f32 by arith.addf
  tile.print "" %a, %b : f32, f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_merged_other_op(
//       CHECK: tile.reduce %{{.*}} by arith.addf
//       CHECK: tile.reduce %{{.*}} by arith.mulf
tile.kernel @negative_merged_other_op(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<8x!tile.ptr<f32>>
  %x = tile.load %q : tensor<8x!tile.ptr<f32>>
  %a = tile.reduce %x axis 0 : tensor<8xf32> -> f32 by arith.addf
  %b = tile.reduce %x axis 0 : tensor<8xf32> -> f32 by arith.mulf
  tile.print "" %a, %b : f32, f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @unused(
// CHECK-NOT: tile.reduce
//       CHECK: tile.return
tile.kernel @unused(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<8x!tile.ptr<f32>>
  %x = tile.load %q : tensor<8x!tile.ptr<f32>>
  %a = tile.reduce %x axis 0 : tensor<8xf32> -> f32 by arith.addf
  tile.return
}

// -----

// A combine region stays readable alone.
// CHECK-LABEL: tile.kernel @constants_stay_inside(
//       CHECK: tile.reduce
// CHECK-NEXT: arith.constant 5.000000e-01 : f32
tile.kernel @constants_stay_inside(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<8x!tile.ptr<f32>>
  %x = tile.load %q : tensor<8x!tile.ptr<f32>>
  %a = tile.reduce %x axis 0 : tensor<8xf32> -> f32 by (%l: f32, %r: f32) {
    %h = arith.constant 0.5 : f32
    %t = math.fma %l, %h, %r : f32
    tile.yield %t : f32
  }
  tile.print "" %a : f32
  tile.return
}
