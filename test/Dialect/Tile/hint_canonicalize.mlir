// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s
// SEMANTICS P2

// CHECK-LABEL: tile.kernel @says_nothing(
//       CHECK: tile.print "" %arg0
tile.kernel @says_nothing(%n: i64) {
  %a = tile.hint %n multiple_of [1] max_contiguous [1] : i64
  tile.print "" %a : i64
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @merged(
//       CHECK: tile.hint %{{.*}} multiple_of [12] max_contiguous [2]
// CHECK-NOT: tile.hint
tile.kernel @merged(%n: i64) {
  %x = tile.splat %n : tensor<8xi64>
  %a = tile.hint %x multiple_of [4] : tensor<8xi64>
  %b = tile.hint %a multiple_of [6] max_contiguous [2] : tensor<8xi64>
  tile.print "" %b : tensor<8xi64>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @merged_overflow(
//       CHECK: tile.hint %arg0 multiple_of [2]
// CHECK-NOT: tile.hint
tile.kernel @merged_overflow(%n: i64) {
  %a = tile.hint %n multiple_of [9223372036854775807] : i64
  %b = tile.hint %a multiple_of [2] : i64
  tile.print "" %b : i64
  tile.return
}

// -----

// Checked execution must see a hint that is false.
// CHECK-LABEL: tile.kernel @negative_constant(
//       CHECK: tile.hint
tile.kernel @negative_constant() {
  %n = arith.constant 5 : i64
  %a = tile.hint %n multiple_of [4] : i64
  tile.print "" %a : i64
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @assume_true(
// CHECK-NOT: tile.assume
//       CHECK: tile.return
tile.kernel @assume_true() {
  %c = arith.constant true
  tile.assume %c
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_assume(
//       CHECK: tile.assume %arg0
tile.kernel @negative_assume(%c: i1) {
  tile.assume %c
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_assume_false(
//       CHECK: tile.assume
tile.kernel @negative_assume_false() {
  %c = arith.constant false
  tile.assume %c
  tile.return
}
