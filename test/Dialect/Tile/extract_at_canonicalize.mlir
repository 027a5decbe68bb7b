// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s

// CHECK-LABEL: tile.kernel @constant(
//       CHECK: arith.constant 3 : i32
// CHECK-NOT: tile.extract_at
tile.kernel @constant() {
  %x = arith.constant dense<3> : tensor<4xi32>
  %i = arith.constant 3 : i64
  %r = tile.extract_at %x[%i] axis 0 : tensor<4xi32> -> i32
  tile.print "" %r : i32
  tile.return
}

// -----

// Checked execution must see an index outside.
// CHECK-LABEL: tile.kernel @negative_outside(
//       CHECK: tile.extract_at
tile.kernel @negative_outside() {
  %x = arith.constant dense<3> : tensor<4xi32>
  %i = arith.constant 4 : i64
  %r = tile.extract_at %x[%i] axis 0 : tensor<4xi32> -> i32
  tile.print "" %r : i32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_unknown_index(
//       CHECK: tile.extract_at
tile.kernel @negative_unknown_index(%i: i64) {
  %x = arith.constant dense<3> : tensor<4xi32>
  %r = tile.extract_at %x[%i] axis 0 : tensor<4xi32> -> i32
  tile.print "" %r : i32
  tile.return
}
