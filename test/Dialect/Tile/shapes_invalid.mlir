// RUN: tessera-opt %s -split-input-file -verify-diagnostics
// SEMANTICS T2

tile.kernel @extent_not_power_of_two(%s: f32) {
  // expected-error @below {{must be tile of integer, float or pointer (rank 1 to 5, extents powers of two, at most 1048576 elements), but got 'tensor<3xf32>'}}
  %t = tile.splat %s : tensor<3xf32>
  tile.return
}

// -----

tile.kernel @extent_zero(%s: f32) {
  // expected-error @below {{extents powers of two}}
  %t = tile.splat %s : tensor<0xf32>
  tile.return
}

// -----

tile.kernel @extent_unknown(%s: f32) {
  // expected-error @below {{extents powers of two}}
  %t = tile.splat %s : tensor<?xf32>
  tile.return
}

// -----

tile.kernel @rank_zero(%s: f32) {
  // expected-error @below {{rank 1 to 5}}
  %t = tile.splat %s : tensor<f32>
  tile.return
}

// -----

tile.kernel @rank_six(%s: f32) {
  // expected-error @below {{rank 1 to 5}}
  %t = tile.splat %s : tensor<1x1x1x1x1x1xf32>
  tile.return
}

// -----

tile.kernel @no_rank(%s: f32) {
  // expected-error @below {{result #0 must be tile of integer, float or pointer (rank 1 to 5}}
  %t = "tile.splat"(%s) : (f32) -> tensor<*xf32>
  tile.return
}

// -----

tile.kernel @too_many_elements(%s: f32) {
  // expected-error @below {{at most 1048576 elements}}
  %t = tile.splat %s : tensor<1024x2048xf32>
  tile.return
}

// -----

tile.kernel @product_overflows(%s: f32) {
  // expected-error @below {{at most 1048576 elements}}
  %t = tile.splat %s : tensor<4294967296x4294967296xf32>
  tile.return
}

// -----

tile.kernel @foreign_element(%s: index) {
  // expected-error @below {{of integer, float or pointer}}
  %t = tile.splat %s : tensor<4xindex>
  tile.return
}
