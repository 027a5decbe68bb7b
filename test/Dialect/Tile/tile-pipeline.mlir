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

// -----

// Conversions are noted in canonical form: the second is to a constant.
tile.kernel @notes_narrowing(%x: f32) {
  // expected-remark @below {{a conversion to e4m3 without a clamp before it}}
  %q = tile.convert_float %x : f32 -> f8E4M3FN
  %one = arith.constant 1.0 : f32
  %c = tile.convert_float %one : f32 -> f8E4M3FN
  tile.print "" %q, %c : f8E4M3FN, f8E4M3FN
  tile.return
}
