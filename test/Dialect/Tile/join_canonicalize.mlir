// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s

// CHECK-LABEL: tile.kernel @of_split(
//       CHECK: %[[X:.*]] = tile.load
// CHECK-NOT: tile.join
//       CHECK: tile.print "" %[[X]]
tile.kernel @of_split(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<8x2x!tile.ptr<f32>>
  %x = tile.load %q : tensor<8x2x!tile.ptr<f32>>
  %a, %b = tile.split %x : tensor<8x2xf32> -> tensor<8xf32>
  %r = tile.join %a, %b : tensor<8xf32> -> tensor<8x2xf32>
  tile.print "" %r : tensor<8x2xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_of_split_swapped(
//       CHECK: tile.split
//       CHECK: tile.join
tile.kernel @negative_of_split_swapped(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<8x2x!tile.ptr<f32>>
  %x = tile.load %q : tensor<8x2x!tile.ptr<f32>>
  %a, %b = tile.split %x : tensor<8x2xf32> -> tensor<8xf32>
  %r = tile.join %b, %a : tensor<8xf32> -> tensor<8x2xf32>
  tile.print "" %r : tensor<8x2xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @constants(
//       CHECK: arith.constant dense<1.000000e+00> : tensor<4x2xf16>
tile.kernel @constants() {
  %a = arith.constant dense<1.0> : tensor<4xf16>
  %r = tile.join %a, %a : tensor<4xf16> -> tensor<4x2xf16>
  tile.print "" %r : tensor<4x2xf16>
  tile.return
}

// -----

// 0 and -0 differ.
// CHECK-LABEL: tile.kernel @negative_constants(
//       CHECK: tile.join
tile.kernel @negative_constants() {
  %a = arith.constant 0.0 : f16
  %b = arith.constant -0.0 : f16
  %r = tile.join %a, %b : f16 -> tensor<2xf16>
  tile.print "" %r : tensor<2xf16>
  tile.return
}
