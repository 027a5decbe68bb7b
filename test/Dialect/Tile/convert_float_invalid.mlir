// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @convert_float_c1(%s: f32) {
  %x = tile.splat %s : tensor<4xf32>
  // expected-error @below {{expected `source` and `result` to have one shape, got [4] and [8]}}
  %a = tile.convert_float %x : tensor<4xf32> -> tensor<8xf16>
  tile.return
}

// -----

tile.kernel @convert_float_c1_scalar(%s: f32) {
  // expected-error @below {{expected `source` and `result` to have one shape, got [] and [8]}}
  %a = tile.convert_float %s : f32 -> tensor<8xf16>
  tile.return
}

// -----

tile.kernel @convert_float_c2_without(%s: f32) {
  // expected-error @below {{expected random bits with rounding `stochastic`, got none}}
  %a = tile.convert_float %s rounding stochastic : f32 -> f16
  tile.return
}

// -----

tile.kernel @convert_float_c2_with(%s: f32, %k: i32) {
  // expected-error @below {{expected no random bits with rounding `nearest`}}
  %a = tile.convert_float %s random %k : f32 -> f16
  tile.return
}

// -----

tile.kernel @convert_float_c3(%s: f32, %k: i64) {
  // expected-error @below {{operand #1 must be scalar or tile of 32-bit signless integer}}
  %a = "tile.convert_float"(%s, %k) <{rounding = #tile<float_rounding stochastic>}> : (f32, i64) -> f16
  tile.return
}

// -----

tile.kernel @convert_float_c3_shape(%s: f32, %k: i32) {
  %x = tile.splat %s : tensor<4xf32>
  // expected-error @below {{`random_bits` is i32 in the shape of `source`}}
  %a = "tile.convert_float"(%x, %k) <{rounding = #tile<float_rounding stochastic>}> : (tensor<4xf32>, i32) -> tensor<4xf16>
  tile.return
}

// -----

tile.kernel @convert_float_int(%s: i32) {
  // expected-error @below {{operand #0 must be scalar or tile of float}}
  %a = "tile.convert_float"(%s) : (i32) -> f16
  tile.return
}
