// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s

// CHECK-LABEL: tile.kernel @constant(
//       CHECK: arith.constant dense<2.000000e+00> : tensor<4x4xf8E4M3FN>
tile.kernel @constant() {
  %c = arith.constant 2.0 : f8E4M3FN
  %t = tile.splat %c : tensor<4x4xf8E4M3FN>
  tile.print "" %t : tensor<4x4xf8E4M3FN>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_argument(
//       CHECK: tile.splat %arg0
tile.kernel @negative_argument(%s: f32) {
  %t = tile.splat %s : tensor<4xf32>
  tile.print "" %t : tensor<4xf32>
  tile.return
}
