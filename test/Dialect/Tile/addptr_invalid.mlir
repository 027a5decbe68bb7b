// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @addptr_c1(%p: !tile.ptr<f32>, %n: i64) {
  %j = tile.splat %n : tensor<4xi64>
  // expected-error @below {{expected `ptr` and `offset` to have one shape, got [] and [4]}}
  %a = tile.addptr %p, %j : !tile.ptr<f32>, tensor<4xi64>
  tile.return
}

// -----

tile.kernel @addptr_c2(%p: !tile.ptr<f32>, %n: i64) {
  // expected-error @below {{failed to verify that all of {ptr, result} have same type}}
  %a = "tile.addptr"(%p, %n) : (!tile.ptr<f32>, i64) -> !tile.ptr<i8>
  tile.return
}

// -----

tile.kernel @addptr_c3(%p: !tile.ptr<f32>, %n: i1) {
  // expected-error @below {{expected an offset of at least 8 bits, got i1}}
  %a = tile.addptr %p, %n : !tile.ptr<f32>, i1
  tile.return
}

// -----

tile.kernel @addptr_float(%p: !tile.ptr<f32>, %n: f32) {
  // expected-error @below {{operand #1 must be scalar or tile of integer}}
  %a = "tile.addptr"(%p, %n) : (!tile.ptr<f32>, f32) -> !tile.ptr<f32>
  tile.return
}
