// RUN: tessera-opt %s -split-input-file -verify-diagnostics
// SEMANTICS R5

tile.kernel @sort_c1(%s: f32) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // expected-error @below {{expected `axis` to be 0 to 0, got 7}}
  %a = tile.sort %x axis 7 : tensor<64xf32>
  tile.return
}

// -----

tile.kernel @sort_c2(%s: f32) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  %y = tile.splat %s : tensor<32xf32>
  // expected-error @below {{expected payload 0 to have shape [64], got [32]}}
  %a, %b = tile.sort %x, %y axis 0 : tensor<64xf32>, tensor<32xf32>
  tile.return
}

// -----

tile.kernel @sort_c3(%s: f32) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // expected-error @below {{expected results of the types of the key and the payloads}}
  %a, %b = "tile.sort"(%x, %i) <{axis = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<64xf32>, tensor<64xi32>) -> (tensor<64xf32>, tensor<64xf32>)
  tile.return
}

// -----

tile.kernel @sort_c3_count(%s: f32) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // expected-error @below {{expected results of the types of the key and the payloads}}
  %a = "tile.sort"(%x, %i) <{axis = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<64xf32>, tensor<64xi32>) -> tensor<64xf32>
  tile.return
}

// -----

tile.kernel @sort_c4(%s: f32, %c: i1) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // expected-error @below {{`valid` is i1 in the shape of `key`}}
  %a = "tile.sort"(%x, %c) <{axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 1>}> : (tensor<64xf32>, i1) -> tensor<64xf32>
  tile.return
}

// -----

tile.kernel @sort_c5(%s: f32) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // expected-error @below {{expected integer keys with `unsigned`, got 'f32'}}
  %a = tile.sort %x axis 0 unsigned : tensor<64xf32>
  tile.return
}

// -----

tile.kernel @sort_pointers(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<4x!tile.ptr<f32>>
  // expected-error @below {{must be tile of integer or float}}
  %a = tile.sort %q axis 0 : tensor<4x!tile.ptr<f32>>
  tile.return
}
