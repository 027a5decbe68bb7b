// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s

// CHECK-LABEL: tile.kernel @of_join(
// CHECK-NOT: tile.split
//       CHECK: tile.print "" %arg1, %arg0
tile.kernel @of_join(%s: f32, %t: f32) {
  %x = tile.join %s, %t : f32 -> tensor<2xf32>
  %a, %b = tile.split %x : tensor<2xf32> -> f32
  tile.print "" %b, %a : f32, f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @constant(
//       CHECK: %[[C:.*]] = arith.constant dense<4> : tensor<2xi64>
//       CHECK: tile.print "" %[[C]], %[[C]]
tile.kernel @constant() {
  %x = arith.constant dense<4> : tensor<2x2xi64>
  %a, %b = tile.split %x : tensor<2x2xi64> -> tensor<2xi64>
  tile.print "" %a, %b : tensor<2xi64>, tensor<2xi64>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_list(
//       CHECK: tile.split
tile.kernel @negative_list() {
  %x = arith.constant dense<[[4, 5]]> : tensor<1x2xi64>
  %a, %b = tile.split %x : tensor<1x2xi64> -> tensor<1xi64>
  tile.print "" %a, %b : tensor<1xi64>, tensor<1xi64>
  tile.return
}
