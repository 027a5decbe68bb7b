// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @split_c1(%s: f32) {
  %x = tile.splat %s : tensor<2x4xf32>
  // expected-error @below {{expected the last extent of `source` to be 2, got 4}}
  %a, %b = tile.split %x : tensor<2x4xf32> -> tensor<2xf32>
  tile.return
}

// -----

tile.kernel @split_c2(%s: f32) {
  %x = tile.splat %s : tensor<4x2xf32>
  // expected-error @below {{expected `lhs` to have shape [4], got [8]}}
  %a, %b = tile.split %x : tensor<4x2xf32> -> tensor<8xf32>
  tile.return
}

// -----

tile.kernel @split_c2_differ(%s: f32) {
  %x = tile.splat %s : tensor<4x2xf32>
  // expected-error @below {{failed to verify that all of {lhs, rhs} have same type}}
  %a, %b = "tile.split"(%x) : (tensor<4x2xf32>) -> (tensor<4xf32>, tensor<8xf32>)
  tile.return
}
