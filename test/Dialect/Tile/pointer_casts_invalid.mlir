// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @ptr_to_int_c1(%p: !tile.ptr<f32>) {
  // expected-error @below {{result #0 must be scalar or tile of 64-bit signless integer}}
  %a = "tile.ptr_to_int"(%p) : (!tile.ptr<f32>) -> i32
  tile.return
}

// -----

tile.kernel @ptr_to_int_c1_shape(%p: !tile.ptr<f32>) {
  // expected-error @below {{`result` is i64 in the shape of `source`}}
  %a = "tile.ptr_to_int"(%p) : (!tile.ptr<f32>) -> tensor<1xi64>
  tile.return
}

// -----

tile.kernel @int_to_ptr_c1(%n: i32) {
  // expected-error @below {{operand #0 must be scalar or tile of 64-bit signless integer}}
  %a = "tile.int_to_ptr"(%n) : (i32) -> !tile.ptr<f32>
  tile.return
}

// -----

tile.kernel @int_to_ptr_c1_shape(%n: i64) {
  // expected-error @below {{`source` is i64 in the shape of `result`}}
  %a = "tile.int_to_ptr"(%n) : (i64) -> tensor<2x!tile.ptr<f32>>
  tile.return
}

// -----

tile.kernel @ptr_cast_c1(%p: !tile.ptr<f32>) {
  // expected-error @below {{expected `source` and `result` to have one shape, got [] and [2]}}
  %a = tile.ptr_cast %p : !tile.ptr<f32> -> tensor<2x!tile.ptr<f16>>
  tile.return
}

// -----

tile.kernel @ptr_cast_int(%n: i64) {
  // expected-error @below {{operand #0 must be scalar or tile of pointer}}
  %a = "tile.ptr_cast"(%n) : (i64) -> !tile.ptr<f16>
  tile.return
}
