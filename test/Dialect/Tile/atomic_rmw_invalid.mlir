// RUN: tessera-opt %s -split-input-file -verify-diagnostics
// SEMANTICS M5

tile.kernel @atomic_rmw_c1(%p: !tile.ptr<f32>, %i: !tile.ptr<i32>, %s: f32, %n: i32, %c: i1) {
  // expected-error @below {{`value` has the type that `ptr` points to}}
  %a = "tile.atomic_rmw"(%p, %n) <{kind = #tile<atomic add>, order = #tile<order relaxed>, scope = #tile<scope device>}> : (!tile.ptr<f32>, i32) -> f32
  tile.return
}

// -----

tile.kernel @atomic_rmw_c1_result(%p: !tile.ptr<f32>, %i: !tile.ptr<i32>, %s: f32, %n: i32, %c: i1) {
  // expected-error @below {{`result` has the type that `ptr` points to}}
  %a = "tile.atomic_rmw"(%i, %n) <{kind = #tile<atomic add>, order = #tile<order relaxed>, scope = #tile<scope device>}> : (!tile.ptr<i32>, i32) -> i64
  tile.return
}

// -----

tile.kernel @atomic_rmw_c2(%p: !tile.ptr<f32>, %i: !tile.ptr<i32>, %s: f32, %n: i32, %c: i1) {
  %m = tile.splat %c : tensor<4xi1>
  // expected-error @below {{`mask` is i1 in the shape of `ptr`}}
  %a = "tile.atomic_rmw"(%i, %n, %m) <{kind = #tile<atomic add>, order = #tile<order relaxed>, scope = #tile<scope device>}> : (!tile.ptr<i32>, i32, tensor<4xi1>) -> i32
  tile.return
}

// -----

tile.kernel @atomic_rmw_c3_float(%p: !tile.ptr<f32>, %i: !tile.ptr<i32>, %s: f32, %n: i32, %c: i1) {
  // expected-error @below {{expected floats for `fadd`, got 'i32'}}
  %a = tile.atomic_rmw fadd relaxed device %i, %n : !tile.ptr<i32>
  tile.return
}

// -----

tile.kernel @atomic_rmw_c3_int(%p: !tile.ptr<f32>, %i: !tile.ptr<i32>, %s: f32, %n: i32, %c: i1) {
  // expected-error @below {{expected integers for `add`, got 'f32'}}
  %a = tile.atomic_rmw add relaxed device %p, %s : !tile.ptr<f32>
  tile.return
}

// -----

tile.kernel @atomic_rmw_c3_pointer(%p: !tile.ptr<!tile.ptr<f32>>, %q: !tile.ptr<f32>) {
  // expected-error @below {{expected integers for `max`, got '!tile.ptr<f32>'}}
  %a = tile.atomic_rmw max relaxed device %p, %q : !tile.ptr<!tile.ptr<f32>>
  tile.return
}

// -----

tile.kernel @atomic_rmw_c3_bool(%p: !tile.ptr<i1>, %q: i1) {
  // expected-error @below {{expected elements of at least 8 bits, got i1}}
  %a = tile.atomic_rmw or relaxed device %p, %q : !tile.ptr<i1>
  tile.return
}

// -----

tile.kernel @atomic_rmw_no_order(%p: !tile.ptr<f32>, %i: !tile.ptr<i32>, %s: f32, %n: i32, %c: i1) {
  // expected-error @below {{requires attribute 'order'}}
  %a = "tile.atomic_rmw"(%i, %n) <{kind = #tile<atomic add>, scope = #tile<scope device>}> : (!tile.ptr<i32>, i32) -> i32
  tile.return
}
