// RUN: tessera-opt %s -split-input-file -verify-diagnostics
// SEMANTICS M5

tile.kernel @atomic_load_c1(%p: !tile.ptr<f32>, %i: !tile.ptr<i32>, %s: f32, %n: i32, %c: i1) {
  // expected-error @below {{`result` has the type that `ptr` points to}}
  %a = "tile.atomic_load"(%i) <{order = #tile<order relaxed>, scope = #tile<scope device>}> : (!tile.ptr<i32>) -> f32
  tile.return
}

// -----

tile.kernel @atomic_load_c2(%p: !tile.ptr<f32>, %i: !tile.ptr<i32>, %s: f32, %n: i32, %c: i1) {
  %m = tile.splat %c : tensor<4xi1>
  // expected-error @below {{`mask` is i1 in the shape of `ptr`}}
  %a = "tile.atomic_load"(%i, %m) <{order = #tile<order relaxed>, scope = #tile<scope device>}> : (!tile.ptr<i32>, tensor<4xi1>) -> i32
  tile.return
}

// -----

tile.kernel @atomic_load_c3(%p: !tile.ptr<f32>, %i: !tile.ptr<i32>, %s: f32, %n: i32, %c: i1) {
  // expected-error @below {{expected order `relaxed` or `acquire`, got `acq_rel`}}
  %a = tile.atomic_load acq_rel device %i : !tile.ptr<i32>
  tile.return
}

// -----

tile.kernel @atomic_load_c4(%p: !tile.ptr<i1>) {
  // expected-error @below {{expected elements of at least 8 bits, got i1}}
  %a = tile.atomic_load relaxed device %p : !tile.ptr<i1>
  tile.return
}

// -----

tile.kernel @atomic_store_c1(%p: !tile.ptr<f32>, %i: !tile.ptr<i32>, %s: f32, %n: i32, %c: i1) {
  // expected-error @below {{`value` has the type that `ptr` points to}}
  "tile.atomic_store"(%i, %s) <{order = #tile<order relaxed>, scope = #tile<scope device>}> : (!tile.ptr<i32>, f32) -> ()
  tile.return
}

// -----

tile.kernel @atomic_store_c2(%p: !tile.ptr<f32>, %i: !tile.ptr<i32>, %s: f32, %n: i32, %c: i1) {
  %m = tile.splat %c : tensor<4xi1>
  // expected-error @below {{`mask` is i1 in the shape of `ptr`}}
  "tile.atomic_store"(%i, %n, %m) <{order = #tile<order relaxed>, scope = #tile<scope device>}> : (!tile.ptr<i32>, i32, tensor<4xi1>) -> ()
  tile.return
}

// -----

tile.kernel @atomic_store_c3(%p: !tile.ptr<f32>, %i: !tile.ptr<i32>, %s: f32, %n: i32, %c: i1) {
  // expected-error @below {{expected order `relaxed` or `release`, got `acquire`}}
  tile.atomic_store acquire device %i, %n : !tile.ptr<i32>
  tile.return
}

// -----

tile.kernel @atomic_store_c4(%p: !tile.ptr<i1>, %v: i1) {
  // expected-error @below {{expected elements of at least 8 bits, got i1}}
  tile.atomic_store relaxed device %p, %v : !tile.ptr<i1>
  tile.return
}
