// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @insert_c1(%s: f32, %t: f16) {
  %x = tile.splat %s : tensor<4xf32>
  %y = tile.splat %t : tensor<2xf16>
  // expected-error @below {{expected `source` and `destination` to have one element type, got 'f16' and 'f32'}}
  %a = tile.insert %y into %x [0] : tensor<2xf16> into tensor<4xf32>
  tile.return
}

// -----

tile.kernel @insert_c1_rank(%s: f32) {
  %x = tile.splat %s : tensor<4x4xf32>
  %y = tile.splat %s : tensor<2xf32>
  // expected-error @below {{expected `source` and `destination` to have one rank, got 1 and 2}}
  %a = tile.insert %y into %x [0, 0] : tensor<2xf32> into tensor<4x4xf32>
  tile.return
}

// -----

tile.kernel @insert_c2(%s: f32) {
  %x = tile.splat %s : tensor<4xf32>
  %y = tile.splat %s : tensor<2xf32>
  // expected-error @below {{expected one offset for each of 1 axes, got 2}}
  %a = tile.insert %y into %x [0, 0] : tensor<2xf32> into tensor<4xf32>
  tile.return
}

// -----

tile.kernel @insert_c3(%s: f32) {
  %x = tile.splat %s : tensor<4xf32>
  %y = tile.splat %s : tensor<8xf32>
  // expected-error @below {{expected `source` to lie inside `destination`, got offset 0 and size 8 on axis 0 of extent 4}}
  %a = tile.insert %y into %x [0] : tensor<8xf32> into tensor<4xf32>
  tile.return
}

// -----

tile.kernel @insert_c4(%s: f32) {
  %x = tile.splat %s : tensor<4xf32>
  // expected-error @below {{failed to verify that all of {destination, result} have same type}}
  %a = "tile.insert"(%x, %x) <{offsets = array<i64: 0>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  tile.return
}
