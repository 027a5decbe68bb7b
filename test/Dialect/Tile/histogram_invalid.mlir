// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @histogram_c1(%s: i8, %c: i1) {
  %x = tile.splat %s : tensor<64xi8>
  // expected-error @below {{`mask` is i1 in the shape of `source`}}
  %a = "tile.histogram"(%x, %c) : (tensor<64xi8>, i1) -> tensor<16xi32>
  tile.return
}

// -----

tile.kernel @histogram_c2(%s: i8) {
  %x = tile.splat %s : tensor<64xi8>
  // expected-error @below {{expected a result of rank 1, got rank 2}}
  %a = tile.histogram %x : tensor<64xi8> -> tensor<4x4xi32>
  tile.return
}

// -----

tile.kernel @histogram_float(%s: f32) {
  %x = tile.splat %s : tensor<64xf32>
  // expected-error @below {{must be tile of integer}}
  %a = tile.histogram %x : tensor<64xf32> -> tensor<4xi32>
  tile.return
}
