// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @slice_c1(%s: f32) {
  %x = tile.splat %s : tensor<4x4xf32>
  // expected-error @below {{expected `source` and `result` to have one element type, got 'f32' and 'i8'}}
  %a = tile.slice %x [0, 0] : tensor<4x4xf32> -> tensor<2x2xi8>
  tile.return
}

// -----

tile.kernel @slice_c1_rank(%s: f32) {
  %x = tile.splat %s : tensor<4x4xf32>
  // expected-error @below {{expected `source` and `result` to have one rank, got 2 and 1}}
  %a = tile.slice %x [0, 0] : tensor<4x4xf32> -> tensor<2xf32>
  tile.return
}

// -----

tile.kernel @slice_c2(%s: f32) {
  %x = tile.splat %s : tensor<4x4xf32>
  // expected-error @below {{expected one offset for each of 2 axes, got 1}}
  %a = tile.slice %x [0] : tensor<4x4xf32> -> tensor<2x2xf32>
  tile.return
}

// -----

tile.kernel @slice_c3(%s: f32) {
  %x = tile.splat %s : tensor<4x4xf32>
  // expected-error @below {{expected `result` to lie inside `source`, got offset 3 and size 2 on axis 1 of extent 4}}
  %a = tile.slice %x [0, 3] : tensor<4x4xf32> -> tensor<2x2xf32>
  tile.return
}

// -----

tile.kernel @slice_c3_negative(%s: f32) {
  %x = tile.splat %s : tensor<4x4xf32>
  // expected-error @below {{expected `result` to lie inside `source`, got offset -1 and size 2 on axis 0 of extent 4}}
  %a = tile.slice %x [-1, 0] : tensor<4x4xf32> -> tensor<2x2xf32>
  tile.return
}

// -----

tile.kernel @slice_c3_overflow(%s: f32) {
  %x = tile.splat %s : tensor<4xf32>
  // expected-error @below {{got offset 9223372036854775807 and size 2 on axis 0 of extent 4}}
  %a = tile.slice %x [9223372036854775807] : tensor<4xf32> -> tensor<2xf32>
  tile.return
}
