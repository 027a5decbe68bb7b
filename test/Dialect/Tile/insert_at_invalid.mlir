// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @insert_at_c1(%s: f32, %i: i64) {
  %x = tile.splat %s : tensor<4xf32>
  // expected-error @below {{expected `axis` to be 0 to 0, got -2}}
  %a = tile.insert_at %s into %x[%i] axis -2 : f32 into tensor<4xf32>
  tile.return
}

// -----

tile.kernel @insert_at_c2(%s: f32, %i: i64) {
  %x = tile.splat %s : tensor<4x8xf32>
  %y = tile.splat %s : tensor<8xf32>
  // expected-error @below {{expected `source` to have shape [4], got [8]}}
  %a = tile.insert_at %y into %x[%i] axis 1 : tensor<8xf32> into tensor<4x8xf32>
  tile.return
}

// -----

tile.kernel @insert_at_c2_element(%s: f16, %t: f32, %i: i64) {
  %x = tile.splat %t : tensor<4xf32>
  // expected-error @below {{expected `source` and `destination` to have one element type, got 'f16' and 'f32'}}
  %a = tile.insert_at %s into %x[%i] axis 0 : f16 into tensor<4xf32>
  tile.return
}

// -----

tile.kernel @insert_at_c3(%s: f32, %i: i64) {
  %x = tile.splat %s : tensor<4xf32>
  // expected-error @below {{failed to verify that all of {destination, result} have same type}}
  %a = "tile.insert_at"(%x, %s, %i) <{axis = 0 : i32}> : (tensor<4xf32>, f32, i64) -> tensor<8xf32>
  tile.return
}
