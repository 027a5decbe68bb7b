// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @float_to_int_c1(%s: f32) {
  // expected-error @below {{expected `source` and `result` to have one shape, got [] and [4]}}
  %a = tile.float_to_int %s : f32 -> tensor<4xi32>
  tile.return
}

// -----

tile.kernel @float_to_int_c2(%s: f32) {
  // expected-error @below {{expected a result of at least 8 bits, got i1; compare with zero instead}}
  %a = tile.float_to_int %s : f32 -> i1
  tile.return
}

// -----

tile.kernel @float_to_int_width(%s: f32) {
  // expected-error @below {{result #0 must be scalar or tile of integer}}
  %a = "tile.float_to_int"(%s) : (f32) -> i24
  tile.return
}
