// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @expand_dims_c1(%s: f32) {
  %x = tile.splat %s : tensor<4xf32>
  // expected-error @below {{expected `axis` to be 0 to 1, got 2}}
  %a = tile.expand_dims %x axis 2 : tensor<4xf32> -> tensor<4x1xf32>
  tile.return
}

// -----

tile.kernel @expand_dims_c1_negative(%s: f32) {
  %x = tile.splat %s : tensor<4xf32>
  // expected-error @below {{expected `axis` to be 0 to 1, got -1}}
  %a = tile.expand_dims %x axis -1 : tensor<4xf32> -> tensor<4x1xf32>
  tile.return
}

// -----

tile.kernel @expand_dims_c2(%s: f32) {
  %x = tile.splat %s : tensor<4xf32>
  // expected-error @below {{expected `result` to have shape [4, 1], got [1, 4]}}
  %a = tile.expand_dims %x axis 1 : tensor<4xf32> -> tensor<1x4xf32>
  tile.return
}

// -----

tile.kernel @expand_dims_c2_element(%s: f32) {
  %x = tile.splat %s : tensor<4xf32>
  // expected-error @below {{expected `source` and `result` to have one element type, got 'f32' and 'i32'}}
  %a = tile.expand_dims %x axis 1 : tensor<4xf32> -> tensor<4x1xi32>
  tile.return
}
