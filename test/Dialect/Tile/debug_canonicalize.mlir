// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s

// CHECK-LABEL: tile.kernel @assert_true(
// CHECK-NOT: tile.assert
//       CHECK: tile.return
tile.kernel @assert_true() {
  %c = arith.constant dense<true> : tensor<4xi1>
  tile.assert %c, "" : tensor<4xi1>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_assert_false(
//       CHECK: tile.assert
tile.kernel @negative_assert_false() {
  %c = arith.constant false
  tile.assert %c, "never" : i1
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @print_always(
//       CHECK: tile.print "a" %arg0 : i64
tile.kernel @print_always(%n: i64) {
  %c = arith.constant true
  tile.print "a" %n pred %c is i1 : i64
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @print_never(
// CHECK-NOT: tile.print
//       CHECK: tile.return
tile.kernel @print_never(%n: i64) {
  %c = arith.constant false
  tile.print "a" %n pred %c is i1 : i64
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_print_twice(
// CHECK-COUNT-2: tile.print
tile.kernel @negative_print_twice(%n: i64) {
  tile.print "a" %n : i64
  tile.print "a" %n : i64
  tile.return
}
