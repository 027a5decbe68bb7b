// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s

// CHECK-LABEL: tile.kernel @same_type(
//       CHECK: tile.print "" %arg0
tile.kernel @same_type(%s: f32) {
  %a = tile.bitcast %s : f32 -> f32
  tile.print "" %a : f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @there_and_back(
//       CHECK: tile.print "" %arg0
tile.kernel @there_and_back(%s: i32) {
  %a = tile.bitcast %s : i32 -> tensor<2xf16>
  %b = tile.bitcast %a : tensor<2xf16> -> i32
  tile.print "" %b : i32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @constant(
//       CHECK: arith.constant dense<1065353216> : tensor<4xi32>
tile.kernel @constant() {
  %c = arith.constant dense<1.0> : tensor<4xf32>
  %a = tile.bitcast %c : tensor<4xf32> -> tensor<4xi32>
  tile.print "" %a : tensor<4xi32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @constant_to_float(
//       CHECK: arith.constant 4.480000e+02 : f8E4M3FN
tile.kernel @constant_to_float() {
  %c = arith.constant 126 : i8
  %a = tile.bitcast %c : i8 -> f8E4M3FN
  tile.print "" %a : f8E4M3FN
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_parts(
//       CHECK: tile.bitcast
tile.kernel @negative_parts() {
  %c = arith.constant 1 : i32
  %a = tile.bitcast %c : i32 -> tensor<2xi16>
  tile.print "" %a : tensor<2xi16>
  tile.return
}
