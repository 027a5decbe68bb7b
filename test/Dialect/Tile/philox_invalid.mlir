// RUN: tessera-opt %s -split-input-file -verify-diagnostics
// SEMANTICS N1

tile.kernel @philox_c1(%k: i32) {
  %x = tile.splat %k : tensor<4xi32>
  // expected-error @below {{failed to verify that all of {k0, k1, c0, c1, c2, c3, r0, r1, r2, r3} have same type}}
  %a:4 = "tile.philox"(%k, %k, %x, %k, %k, %k) : (i32, i32, tensor<4xi32>, i32, i32, i32) -> (i32, i32, i32, i32)
  tile.return
}

// -----

tile.kernel @philox_c1_width(%k: i64) {
  // expected-error @below {{must be scalar or tile of 32-bit signless integer}}
  %a:4 = tile.philox %k, %k, %k, %k, %k, %k : i64
  tile.return
}

// -----

tile.kernel @philox_c2(%k: i32) {
  // expected-error @below {{expected `rounds` to be 1 to 16, got 0}}
  %a:4 = tile.philox %k, %k, %k, %k, %k, %k rounds 0 : i32
  tile.return
}

// -----

tile.kernel @philox_c2_large(%k: i32) {
  // expected-error @below {{expected `rounds` to be 1 to 16, got 2147483647}}
  %a:4 = tile.philox %k, %k, %k, %k, %k, %k rounds 2147483647 : i32
  tile.return
}
