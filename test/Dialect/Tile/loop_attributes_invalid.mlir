// RUN: tessera-opt %s -split-input-file -verify-diagnostics
// SEMANTICS L2

tile.kernel @num_stages_zero(%n: i64) {
  // expected-error @below {{expected `tile.num_stages` to be an i64 of at least 1, got 0 : i64}}
  scf.for %i = %n to %n step %n : i64 {
    tile.print "" %i : i64
  } {tile.num_stages = 0 : i64}
  tile.return
}

// -----

tile.kernel @num_stages_kind(%n: i64) {
  // expected-error @below {{expected `tile.num_stages` to be an i64 of at least 1, got "many"}}
  scf.for %i = %n to %n step %n : i64 {
    tile.print "" %i : i64
  } {tile.num_stages = "many"}
  tile.return
}

// -----

tile.kernel @unroll_width(%n: i64) {
  // expected-error @below {{expected `tile.unroll` to be an i64 of at least 1, got 2 : i32}}
  scf.for %i = %n to %n step %n : i64 {
    tile.print "" %i : i64
  } {tile.unroll = 2 : i32}
  tile.return
}

// -----

tile.kernel @warp_specialize_value(%n: i64) {
  // expected-error @below {{expected `tile.warp_specialize` to have no value, got true}}
  scf.for %i = %n to %n step %n : i64 {
    tile.print "" %i : i64
  } {tile.warp_specialize = true}
  tile.return
}

// -----

tile.kernel @unknown(%n: i64) {
  // expected-error @below {{has the attribute `tile.stages`, which the tile dialect does not put on ops}}
  scf.for %i = %n to %n step %n : i64 {
    tile.print "" %i : i64
  } {tile.stages = 2 : i64}
  tile.return
}

// -----

tile.kernel @not_a_loop(%n: i64) {
  // expected-error @below {{has the attribute `tile.unroll`, which stands only on `scf.for` and `scf.while`}}
  %a = arith.addi %n, %n {tile.unroll = 2 : i64} : i64
  tile.return
}
