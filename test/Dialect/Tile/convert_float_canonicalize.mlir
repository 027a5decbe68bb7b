// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s
// SEMANTICS C1, C3

// CHECK-LABEL: tile.kernel @same_type(
//       CHECK: tile.print "" %arg0
tile.kernel @same_type(%s: f32) {
  %a = tile.convert_float %s : f32 -> f32
  tile.print "" %a : f32
  tile.return
}

// -----

// An infinity may become finite.
// CHECK-LABEL: tile.kernel @negative_same_type_saturated(
//       CHECK: tile.convert_float
tile.kernel @negative_same_type_saturated(%s: f32) {
  %a = tile.convert_float %s saturate : f32 -> f32
  tile.print "" %a : f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @up_and_back(
//       CHECK: tile.print "" %arg0
tile.kernel @up_and_back(%s: f16) {
  %a = tile.convert_float %s : f16 -> f32
  %b = tile.convert_float %a : f32 -> f16
  tile.print "" %b : f16
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @up_and_further(
//       CHECK: tile.convert_float %arg0 : f8E5M2 -> f64
// CHECK-NOT: tile.convert_float
tile.kernel @up_and_further(%s: f8E5M2) {
  %a = tile.convert_float %s : f8E5M2 -> f16
  %b = tile.convert_float %a : f16 -> f64
  tile.print "" %b : f64
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @up_and_down(
//       CHECK: tile.convert_float %arg0 rounding toward_zero saturate : bf16 -> f8E4M3FN
// CHECK-NOT: tile.convert_float
tile.kernel @up_and_down(%s: bf16) {
  %a = tile.convert_float %s : bf16 -> f32
  %b = tile.convert_float %a rounding toward_zero saturate : f32 -> f8E4M3FN
  tile.print "" %b : f8E4M3FN
  tile.return
}

// -----

// The first conversion rounds.
// CHECK-LABEL: tile.kernel @negative_down_and_up(
// CHECK-COUNT-2: tile.convert_float
tile.kernel @negative_down_and_up(%s: f32) {
  %a = tile.convert_float %s : f32 -> f16
  %b = tile.convert_float %a : f16 -> f32
  tile.print "" %b : f32
  tile.return
}

// -----

// Rounding twice differs from rounding once.
// CHECK-LABEL: tile.kernel @negative_double_rounding(
// CHECK-COUNT-2: tile.convert_float
tile.kernel @negative_double_rounding(%s: f64) {
  %a = tile.convert_float %s : f64 -> f32
  %b = tile.convert_float %a : f32 -> f16
  tile.print "" %b : f16
  tile.return
}

// -----

// bf16 does not hold every f16.
// CHECK-LABEL: tile.kernel @negative_halves(
// CHECK-COUNT-2: tile.convert_float
tile.kernel @negative_halves(%s: f16) {
  %a = tile.convert_float %s : f16 -> bf16
  %b = tile.convert_float %a : bf16 -> f32
  tile.print "" %b : f32
  tile.return
}

// -----

// Which random bits are compared depends on the source type.
// CHECK-LABEL: tile.kernel @negative_stochastic(
// CHECK-COUNT-2: tile.convert_float
tile.kernel @negative_stochastic(%s: f16, %k: i32) {
  %a = tile.convert_float %s : f16 -> f32
  %b = tile.convert_float %a rounding stochastic random %k : f32 -> f8E5M2
  tile.print "" %b : f8E5M2
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @constants(
// CHECK-DAG: arith.constant dense<1.099610e+00> : tensor<2xf16>
// CHECK-DAG: arith.constant dense<1.093750e+00> : tensor<2xbf16>
// CHECK-NOT: tile.convert_float
tile.kernel @constants() {
  %c = arith.constant dense<1.1> : tensor<2xf32>
  %a = tile.convert_float %c : tensor<2xf32> -> tensor<2xf16>
  %b = tile.convert_float %c rounding toward_zero : tensor<2xf32> -> tensor<2xbf16>
  tile.print "" %a, %b : tensor<2xf16>, tensor<2xbf16>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @infinity(
//       CHECK: arith.constant 0xFC00 : f16
tile.kernel @infinity() {
  %c = arith.constant 0xFF800000 : f32
  %a = tile.convert_float %c : f32 -> f16
  tile.print "" %a : f16
  tile.return
}

// -----

// f8E4M3FN has no infinity.
// CHECK-LABEL: tile.kernel @negative_infinity_without(
//       CHECK: tile.convert_float
tile.kernel @negative_infinity_without() {
  %c = arith.constant 0xFF800000 : f32
  %a = tile.convert_float %c : f32 -> f8E4M3FN
  tile.print "" %a : f8E4M3FN
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_overflow(
//       CHECK: tile.convert_float
tile.kernel @negative_overflow() {
  %c = arith.constant 1.0e6 : f32
  %a = tile.convert_float %c : f32 -> f16
  tile.print "" %a : f16
  tile.return
}

// -----

// 464 lies half way between 448 and the first value that f8E4M3FN lacks.
// CHECK-LABEL: tile.kernel @tie_to_even(
//       CHECK: arith.constant 4.480000e+02 : f8E4M3FN
tile.kernel @tie_to_even() {
  %c = arith.constant 464.0 : f32
  %a = tile.convert_float %c : f32 -> f8E4M3FN
  tile.print "" %a : f8E4M3FN
  tile.return
}

// -----

// SEMANTICS A6: fnuz types have no -0.
// CHECK-LABEL: tile.kernel @zero_of_fnuz(
//       CHECK: arith.constant 0.000000e+00 : f8E4M3FNUZ
tile.kernel @zero_of_fnuz() {
  %c = arith.constant -0.0 : f32
  %a = tile.convert_float %c : f32 -> f8E4M3FNUZ
  tile.print "" %a : f8E4M3FNUZ
  tile.return
}
