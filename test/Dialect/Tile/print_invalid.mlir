// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @print_c1(%n: i64, %c: i1) {
  %x = tile.splat %n : tensor<64xi64>
  %m = tile.splat %c : tensor<32xi1>
  // expected-error @below {{expected `pred` to have the shape of every tile, got [32] and [64]}}
  tile.print "" %x pred %m is tensor<32xi1> : tensor<64xi64>
  tile.return
}

// -----

tile.kernel @print_c1_tiles(%n: i64) {
  %x = tile.splat %n : tensor<64xi64>
  %y = tile.splat %n : tensor<32xi64>
  // expected-error @below {{expected all tiles to have one shape, got [64] and [32] for value 2}}
  tile.print "" %x, %n, %y : tensor<64xi64>, i64, tensor<32xi64>
  tile.return
}

// -----

tile.kernel @print_c2(%n: i64) {
  // expected-error @below {{expected one name for each of 1 values, got 2}}
  tile.print "" %n names ["a", "b"] : i64
  tile.return
}

// -----

tile.kernel @print_c3(%n: i64) {
  // expected-error @below {{expected one entry of `unsigned` for each of 1 values, got 0}}
  tile.print "" %n unsigned [] : i64
  tile.return
}

// -----

tile.kernel @print_view(%p: !tile.ptr<f32>, %n: i64) {
  %v = tile.make_view %p, [%n], [%n] : !tile.view<f32, 1>
  // expected-error @below {{operand #0 must be variadic of scalar or tile}}
  tile.print "" %v : !tile.view<f32, 1>
  tile.return
}
