// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @reshape_c1(%s: f32) {
  %x = tile.splat %s : tensor<4xf32>
  // expected-error @below {{expected `source` and `result` to have one element type, got 'f32' and 'f16'}}
  %a = tile.reshape %x : tensor<4xf32> -> tensor<2x2xf16>
  tile.return
}

// -----

tile.kernel @reshape_c2(%s: f32) {
  %x = tile.splat %s : tensor<4xf32>
  // expected-error @below {{expected `source` and `result` to have equally many elements, got 4 and 8}}
  %a = tile.reshape %x : tensor<4xf32> -> tensor<2x4xf32>
  tile.return
}

// -----

tile.kernel @reshape_c2_scalar(%s: f32) {
  // expected-error @below {{expected `source` and `result` to have equally many elements, got 1 and 2}}
  %a = tile.reshape %s : f32 -> tensor<2xf32>
  tile.return
}
