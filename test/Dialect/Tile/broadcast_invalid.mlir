// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @broadcast_c1(%s: f32) {
  %x = tile.splat %s : tensor<4x1xf32>
  // expected-error @below {{expected `source` and `result` to have one element type, got 'f32' and 'f16'}}
  %r = tile.broadcast %x : tensor<4x1xf32> -> tensor<4x8xf16>
  tile.return
}

// -----

tile.kernel @broadcast_c1_rank(%s: f32) {
  %x = tile.splat %s : tensor<1xf32>
  // expected-error @below {{expected `source` and `result` to have one rank, got 1 and 2}}
  %r = tile.broadcast %x : tensor<1xf32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.kernel @broadcast_c2(%s: f32) {
  %x = tile.splat %s : tensor<4x2xf32>
  // expected-error @below {{expected extent 1 or 8 on axis 1 of `source`, got 2}}
  %r = tile.broadcast %x : tensor<4x2xf32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.kernel @broadcast_c2_shrinks(%s: f32) {
  %x = tile.splat %s : tensor<4x8xf32>
  // expected-error @below {{expected extent 1 or 1 on axis 1 of `source`, got 8}}
  %r = tile.broadcast %x : tensor<4x8xf32> -> tensor<4x1xf32>
  tile.return
}
