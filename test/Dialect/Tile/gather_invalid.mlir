// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @gather_c1(%s: f32, %i: i32) {
  %x = tile.splat %s : tensor<4xf32>
  %j = tile.splat %i : tensor<8xi32>
  // expected-error @below {{expected `axis` to be 0 to 0, got 1}}
  %a = tile.gather %x[%j] axis 1 : tensor<4xf32>, tensor<8xi32> -> tensor<8xf32>
  tile.return
}

// -----

tile.kernel @gather_c2_rank(%s: f32, %i: i32) {
  %x = tile.splat %s : tensor<4x4xf32>
  %j = tile.splat %i : tensor<8xi32>
  // expected-error @below {{expected `source` and `index` to have one rank, got 2 and 1}}
  %a = tile.gather %x[%j] axis 0 : tensor<4x4xf32>, tensor<8xi32> -> tensor<8xf32>
  tile.return
}

// -----

tile.kernel @gather_c2(%s: f32, %i: i32) {
  %x = tile.splat %s : tensor<4x4xf32>
  %j = tile.splat %i : tensor<8x8xi32>
  // expected-error @below {{expected `index` to have shape [8, 4], got [8, 8]}}
  %a = tile.gather %x[%j] axis 0 : tensor<4x4xf32>, tensor<8x8xi32> -> tensor<8x8xf32>
  tile.return
}

// -----

tile.kernel @gather_c3(%s: f32, %i: i32) {
  %x = tile.splat %s : tensor<4xf32>
  %j = tile.splat %i : tensor<8xi32>
  // expected-error @below {{expected `result` to have shape [8], got [4]}}
  %a = tile.gather %x[%j] axis 0 : tensor<4xf32>, tensor<8xi32> -> tensor<4xf32>
  tile.return
}

// -----

tile.kernel @gather_c3_element(%s: f32, %i: i32) {
  %x = tile.splat %s : tensor<4xf32>
  %j = tile.splat %i : tensor<8xi32>
  // expected-error @below {{expected `source` and `result` to have one element type, got 'f32' and 'i32'}}
  %a = tile.gather %x[%j] axis 0 : tensor<4xf32>, tensor<8xi32> -> tensor<8xi32>
  tile.return
}

// -----

tile.kernel @gather_float_index(%s: f32) {
  %x = tile.splat %s : tensor<4xf32>
  // expected-error @below {{operand #1 must be tile of integer}}
  %a = tile.gather %x[%x] axis 0 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  tile.return
}
