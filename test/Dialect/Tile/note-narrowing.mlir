// RUN: tessera-opt %s -split-input-file -tile-note-narrowing -verify-diagnostics | FileCheck %s
// SEMANTICS C1

// CHECK-LABEL: tile.kernel @plain(
//       CHECK:   tile.convert_float
tile.kernel @plain(%x: f32) {
  // expected-remark @below {{a conversion to e4m3 without a clamp before it: what is beyond 448 becomes NaN}}
  %q = tile.convert_float %x : f32 -> f8E4M3FN
  tile.print "" %q : f8E4M3FN
  tile.return
}

// -----

// One end is not enough, and a bound beyond 448 is none.
tile.kernel @half_clamps(%x: f32) {
  %hi = arith.constant 448.0 : f32
  %lo = arith.constant -449.0 : f32
  %a = tile.minnum %x, %hi : f32
  // expected-remark @below {{a conversion to e4m3 without a clamp}}
  %p = tile.convert_float %a : f32 -> f8E4M3FN
  %b = tile.maxnum %a, %lo : f32
  // expected-remark @below {{a conversion to e4m3 without a clamp}}
  %q = tile.convert_float %b : f32 -> f8E4M3FN
  tile.print "" %p, %q : f8E4M3FN, f8E4M3FN
  tile.return
}

// -----

tile.kernel @negative_clamped(%x: f32) {
  %hi = arith.constant dense<448.0> : tensor<4xf32>
  %lo = arith.constant dense<-448.0> : tensor<4xf32>
  %t = tile.splat %x : tensor<4xf32>
  %a = tile.maxnum %t, %lo : tensor<4xf32>
  %b = tile.minnum %a, %hi : tensor<4xf32>
  %h = tile.convert_float %b : tensor<4xf32> -> tensor<4xf16>
  %r = tile.reshape %h : tensor<4xf16> -> tensor<2x2xf16>
  %q = tile.convert_float %r : tensor<2x2xf16> -> tensor<2x2xf8E4M3FN>
  tile.print "" %q : tensor<2x2xf8E4M3FN>
  tile.return
}

// -----

tile.kernel @negative_bounded_otherwise(%x: f32, %i: i8) {
  %s = math.tanh %x : f32
  %a = tile.convert_float %s : f32 -> f8E4M3FN
  %f = arith.uitofp %i : i8 to f32
  %b = tile.convert_float %f : f32 -> f8E4M3FN
  tile.print "" %a, %b : f8E4M3FN, f8E4M3FN
  tile.return
}

// -----

// Who asks for saturation has it; other types have no such instruction or an infinity.
tile.kernel @negative_saturate_and_other_types(%x: f32) {
  %a = tile.convert_float %x saturate : f32 -> f8E4M3FN
  %b = tile.convert_float %x : f32 -> f8E5M2
  %c = tile.convert_float %x : f32 -> f8E4M3FNUZ
  tile.print "" %a, %b, %c : f8E4M3FN, f8E5M2, f8E4M3FNUZ
  tile.return
}
