// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @flip_c1(%s: f32) {
  %x = tile.splat %s : tensor<4xf32>
  // expected-error @below {{requires the same type for all operands and results}}
  %a = "tile.flip"(%x) <{axis = 0 : i32}> : (tensor<4xf32>) -> tensor<8xf32>
  tile.return
}

// -----

tile.kernel @flip_c2(%s: f32) {
  %x = tile.splat %s : tensor<4xf32>
  // expected-error @below {{expected `axis` to be 0 to 0, got 1}}
  %a = tile.flip %x axis 1 : tensor<4xf32>
  tile.return
}
