// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @splat_c1(%s: f32) {
  // expected-error @below {{failed to verify that `source` is an element of `result`}}
  %t = "tile.splat"(%s) : (f32) -> tensor<4xf64>
  tile.return
}

// -----

tile.kernel @splat_of_tile(%f: f32) {
  %s = tile.splat %f : tensor<4xf32>
  // expected-error @below {{operand #0 must be integer, float or pointer, but got 'tensor<4xf32>'}}
  %t = "tile.splat"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  tile.return
}
