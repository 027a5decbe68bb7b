// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @maxnum_c1(%a: f32, %b: f16) {
  // expected-error @below {{requires the same type for all operands and results}}
  %c = "tile.maxnum"(%a, %b) : (f32, f16) -> f32
  tile.return
}

// -----

tile.kernel @maxnum_c1_fp8(%a: f8E4M3FN) {
  // expected-error @below {{but got 'f8E4M3FN'}}
  %c = tile.maxnum %a, %a : f8E4M3FN
  tile.return
}

// -----

tile.kernel @minnum_c1(%a: f32) {
  // expected-error @below {{requires the same type for all operands and results}}
  %c = "tile.minnum"(%a, %a) : (f32, f32) -> f64
  tile.return
}

// -----

tile.kernel @minnum_c1_fp8(%a: f8E4M3FN) {
  // expected-error @below {{but got 'f8E4M3FN'}}
  %c = tile.minnum %a, %a : f8E4M3FN
  tile.return
}

// -----

tile.kernel @sigmoid_c1(%a: f8E4M3FN) {
  // expected-error @below {{but got 'f8E4M3FN'}}
  %c = tile.sigmoid %a : f8E4M3FN
  tile.return
}

// -----

tile.kernel @softplus_c1(%a: i32) {
  // expected-error @below {{but got 'i32'}}
  %c = tile.softplus %a : i32
  tile.return
}

// -----

tile.kernel @ldexp_c1(%a: f32, %e: i32) {
  // expected-error @below {{failed to verify that all of {source, result} have same type}}
  %c = "tile.ldexp"(%a, %e) : (f32, i32) -> f64
  tile.return
}

// -----

tile.kernel @ldexp_c2(%a: f32, %e: i64) {
  // expected-error @below {{operand #1 must be scalar or tile of 32-bit signless integer}}
  %c = "tile.ldexp"(%a, %e) : (f32, i64) -> f32
  tile.return
}

// -----

tile.kernel @ldexp_c2_shape(%a: f32, %e: i32) {
  %x = tile.splat %a : tensor<4xf32>
  // expected-error @below {{`exponent` is i32 in the shape of `source`}}
  %c = "tile.ldexp"(%x, %e) : (tensor<4xf32>, i32) -> tensor<4xf32>
  tile.return
}

// -----

tile.kernel @ilogb_c1(%a: f32) {
  // expected-error @below {{`result` is i32 in the shape of `source`}}
  %c = "tile.ilogb"(%a) : (f32) -> tensor<1xi32>
  tile.return
}
