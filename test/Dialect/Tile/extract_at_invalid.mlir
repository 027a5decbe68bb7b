// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @extract_at_c1(%s: f32, %i: i64) {
  %x = tile.splat %s : tensor<4xf32>
  // expected-error @below {{expected `axis` to be 0 to 0, got 1}}
  %a = tile.extract_at %x[%i] axis 1 : tensor<4xf32> -> f32
  tile.return
}

// -----

tile.kernel @extract_at_c2(%s: f32, %i: i64) {
  %x = tile.splat %s : tensor<4x8xf32>
  // expected-error @below {{expected `result` to have shape [4], got [8]}}
  %a = tile.extract_at %x[%i] axis 1 : tensor<4x8xf32> -> tensor<8xf32>
  tile.return
}

// -----

tile.kernel @extract_at_c2_element(%s: f32, %i: i64) {
  %x = tile.splat %s : tensor<4xf32>
  // expected-error @below {{expected `source` and `result` to have one element type, got 'f32' and 'f64'}}
  %a = tile.extract_at %x[%i] axis 0 : tensor<4xf32> -> f64
  tile.return
}

// -----

tile.kernel @extract_at_index(%s: f32, %i: i32) {
  %x = tile.splat %s : tensor<4xf32>
  // expected-error @below {{operand #1 must be 64-bit signless integer, but got 'i32'}}
  %a = "tile.extract_at"(%x, %i) <{axis = 0 : i32}> : (tensor<4xf32>, i32) -> f32
  tile.return
}
