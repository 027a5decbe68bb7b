// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @idiv_c1(%a: i64, %b: i32) {
  // expected-error @below {{requires the same type for all operands and results}}
  %c = "tile.idiv"(%a, %b) : (i64, i32) -> i64
  tile.return
}

// -----

tile.kernel @idiv_c1_float(%a: f32) {
  // expected-error @below {{must be scalar or tile of integer (rank 0 to 5, extents powers of two, at most 1048576 elements), but got 'f32'}}
  %c = tile.idiv %a, %a : f32
  tile.return
}

// -----

tile.kernel @irem_c1(%a: i64, %b: i32) {
  // expected-error @below {{requires the same type for all operands and results}}
  %c = "tile.irem"(%a, %b) : (i64, i32) -> i64
  tile.return
}

// -----

tile.kernel @irem_c2(%a: i64) {
  // expected-error @below {{expected `rounding` to be `trunc` or `floor`, got `ceil`}}
  %c = tile.irem %a, %a rounding ceil : i64
  tile.return
}

// -----

tile.kernel @shl_c1(%a: i64, %b: i32) {
  // expected-error @below {{requires the same type for all operands and results}}
  %c = "tile.shl"(%a, %b) : (i64, i32) -> i64
  tile.return
}

// -----

tile.kernel @shr_c1(%a: i64, %b: i32) {
  // expected-error @below {{requires the same type for all operands and results}}
  %c = "tile.shr"(%a, %b) : (i64, i32) -> i32
  tile.return
}

// -----

tile.kernel @umulhi_c1(%a: i64) {
  // expected-error @below {{requires the same type for all operands and results}}
  %c = "tile.umulhi"(%a, %a) : (i64, i64) -> tensor<1xi64>
  tile.return
}
