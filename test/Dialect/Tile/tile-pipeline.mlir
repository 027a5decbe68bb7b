// RUN: tessera-opt %s -split-input-file -tile-pipeline -verify-diagnostics | FileCheck %s

// CHECK-LABEL: tile.kernel @good(
//  CHECK-NEXT:   tile.return
tile.kernel @good(%n: i64) {
  %dead = arith.addi %n, %n : i64
  tile.return
}

// -----

tile.kernel @negative_foreign(%n: i64) {
  // expected-error @below {{`arith.divui` does not belong to the tile stage; use `tile.idiv`}}
  %q = arith.divui %n, %n : i64
  tile.return
}
