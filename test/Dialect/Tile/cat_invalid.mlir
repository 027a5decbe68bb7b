// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @cat_c1(%s: f32) {
  %x = tile.splat %s : tensor<4xf32>
  %y = tile.splat %s : tensor<8xf32>
  // expected-error @below {{failed to verify that all of {lhs, rhs} have same type}}
  %a = "tile.cat"(%x, %y) <{axis = 0 : i32}> : (tensor<4xf32>, tensor<8xf32>) -> tensor<8xf32>
  tile.return
}

// -----

tile.kernel @cat_c2(%s: f32) {
  %x = tile.splat %s : tensor<4xf32>
  // expected-error @below {{expected `axis` to be 0 to 0, got 1}}
  %a = tile.cat %x, %x axis 1 : tensor<4xf32> -> tensor<8xf32>
  tile.return
}

// -----

tile.kernel @cat_c3(%s: f32) {
  %x = tile.splat %s : tensor<4xf32>
  // expected-error @below {{expected `result` to have shape [8], got [4]}}
  %a = tile.cat %x, %x axis 0 : tensor<4xf32> -> tensor<4xf32>
  tile.return
}
