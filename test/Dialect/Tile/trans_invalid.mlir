// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @trans_c1_twice(%s: f32) {
  %x = tile.splat %s : tensor<2x4xf32>
  // expected-error @below {{expected `permutation` to hold each of 0 to 1 once, got [1, 1]}}
  %a = tile.trans %x [1, 1] : tensor<2x4xf32> -> tensor<4x4xf32>
  tile.return
}

// -----

tile.kernel @trans_c1_range(%s: f32) {
  %x = tile.splat %s : tensor<2x4xf32>
  // expected-error @below {{expected `permutation` to hold each of 0 to 1 once, got [-1, 0]}}
  %a = tile.trans %x [-1, 0] : tensor<2x4xf32> -> tensor<4x2xf32>
  tile.return
}

// -----

tile.kernel @trans_c1_length(%s: f32) {
  %x = tile.splat %s : tensor<2x4xf32>
  // expected-error @below {{expected `permutation` to hold each of 0 to 1 once, got [0]}}
  %a = tile.trans %x [0] : tensor<2x4xf32> -> tensor<4x2xf32>
  tile.return
}

// -----

tile.kernel @trans_c2(%s: f32) {
  %x = tile.splat %s : tensor<2x4xf32>
  // expected-error @below {{expected `result` to have shape [4, 2], got [2, 4]}}
  %a = tile.trans %x [1, 0] : tensor<2x4xf32> -> tensor<2x4xf32>
  tile.return
}
