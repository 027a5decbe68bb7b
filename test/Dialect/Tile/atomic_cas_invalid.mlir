// RUN: tessera-opt %s -split-input-file -verify-diagnostics
// SEMANTICS M5

tile.kernel @atomic_cas_c1(%p: !tile.ptr<f32>, %i: !tile.ptr<i32>, %s: f32, %n: i32, %c: i1) {
  // expected-error @below {{`expected` has the type that `ptr` points to}}
  %a = "tile.atomic_cas"(%i, %s, %n) <{order = #tile<order relaxed>, scope = #tile<scope device>}> : (!tile.ptr<i32>, f32, i32) -> i32
  tile.return
}

// -----

tile.kernel @atomic_cas_c1_desired(%p: !tile.ptr<f32>, %i: !tile.ptr<i32>, %s: f32, %n: i32, %c: i1) {
  // expected-error @below {{`desired` has the type that `ptr` points to}}
  %a = "tile.atomic_cas"(%i, %n, %s) <{order = #tile<order relaxed>, scope = #tile<scope device>}> : (!tile.ptr<i32>, i32, f32) -> i32
  tile.return
}

// -----

tile.kernel @atomic_cas_c2(%p: !tile.ptr<f32>, %i: !tile.ptr<i32>, %s: f32, %n: i32, %c: i1) {
  %m = tile.splat %c : tensor<4xi1>
  // expected-error @below {{`mask` is i1 in the shape of `ptr`}}
  %a = "tile.atomic_cas"(%i, %n, %n, %m) <{order = #tile<order relaxed>, scope = #tile<scope device>}> : (!tile.ptr<i32>, i32, i32, tensor<4xi1>) -> i32
  tile.return
}

// -----

tile.kernel @atomic_cas_c3(%p: !tile.ptr<i1>, %q: i1) {
  // expected-error @below {{expected elements of at least 8 bits, got i1}}
  %a = tile.atomic_cas relaxed device %p, %q, %q : !tile.ptr<i1>
  tile.return
}
