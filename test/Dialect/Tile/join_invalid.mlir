// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @join_c1(%s: f32, %t: f16) {
  // expected-error @below {{failed to verify that all of {lhs, rhs} have same type}}
  %a = "tile.join"(%s, %t) : (f32, f16) -> tensor<2xf32>
  tile.return
}

// -----

tile.kernel @join_c2(%s: f32) {
  %x = tile.splat %s : tensor<4xf32>
  // expected-error @below {{expected `result` to have shape [4, 2], got [2, 4]}}
  %a = tile.join %x, %x : tensor<4xf32> -> tensor<2x4xf32>
  tile.return
}

// -----

tile.kernel @join_c2_element(%s: f32) {
  // expected-error @below {{expected `lhs` and `result` to have one element type, got 'f32' and 'f16'}}
  %a = tile.join %s, %s : f32 -> tensor<2xf16>
  tile.return
}

// -----

tile.kernel @join_rank(%s: f32) {
  %x = tile.splat %s : tensor<1x1x1x1x1xf32>
  // expected-error @below {{rank 1 to 5}}
  %a = tile.join %x, %x : tensor<1x1x1x1x1xf32> -> tensor<1x1x1x1x1x2xf32>
  tile.return
}
