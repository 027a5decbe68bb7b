// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @load_c1(%p: !tile.ptr<f32>) {
  // expected-error @below {{`result` has the type that `ptr` points to}}
  %v = "tile.load"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!tile.ptr<f32>) -> i32
  tile.return
}

// -----

tile.kernel @load_c1_shape(%p: !tile.ptr<f32>) {
  // expected-error @below {{`result` has the type that `ptr` points to}}
  %v = "tile.load"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!tile.ptr<f32>) -> tensor<4xf32>
  tile.return
}

// -----

tile.kernel @load_c2(%p: !tile.ptr<f32>, %c: i1, %s: f32) {
  %q = tile.splat %p : tensor<64x!tile.ptr<f32>>
  %m = tile.splat %c : tensor<64xi1>
  %z = tile.splat %s : tensor<64xf32>
  // expected-error @below {{`mask` is i1 in the shape of `ptr`}}
  %v = "tile.load"(%q, %c) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<64x!tile.ptr<f32>>, i1) -> tensor<64xf32>
  tile.return
}

// -----

tile.kernel @load_c2_type(%p: !tile.ptr<f32>, %n: i32) {
  // expected-error @below {{operand #1 must be scalar or tile of 1-bit signless integer}}
  %v = "tile.load"(%p, %n) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (!tile.ptr<f32>, i32) -> f32
  tile.return
}

// -----

tile.kernel @load_c3(%p: !tile.ptr<f32>, %c: i1, %s: f32) {
  %q = tile.splat %p : tensor<64x!tile.ptr<f32>>
  %m = tile.splat %c : tensor<64xi1>
  %z = tile.splat %s : tensor<64xf32>
  // expected-error @below {{`other` has the type that `ptr` points to}}
  %v = "tile.load"(%q, %m, %s) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<64x!tile.ptr<f32>>, tensor<64xi1>, f32) -> tensor<64xf32>
  tile.return
}

// -----

tile.kernel @load_c4(%p: !tile.ptr<f32>, %c: i1, %s: f32) {
  // expected-error @below {{expected `other` only with `mask`, got it without}}
  %v = tile.load %p other %s : !tile.ptr<f32>
  tile.return
}

// -----

tile.kernel @load_c5(%p: !tile.ptr<f32>) {
  // expected-error @below {{expected a cache hint for loads, got wb}}
  %v = tile.load %p cache wb : !tile.ptr<f32>
  tile.return
}

// -----

tile.kernel @load_integer(%n: i64) {
  // expected-error @below {{'ptr' must be scalar or tile of pointer}}
  %v = tile.load %n : i64
  tile.return
}

// -----

tile.kernel @load_segments(%p: !tile.ptr<f32>) {
  // expected-error @below {{operand count (1) does not match with the total size (2) specified in attribute}}
  %v = "tile.load"(%p) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (!tile.ptr<f32>) -> f32
  tile.return
}
