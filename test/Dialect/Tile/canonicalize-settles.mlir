// RUN: tessera-opt %s -tile-canonicalize > %t.once
// RUN: tessera-opt %t.once -tile-canonicalize | diff %t.once -
// RUN: FileCheck %s < %t.once
// Canonical form of canonical form is itself.

// CHECK-LABEL: tile.kernel @settles(
//       CHECK:   %[[PID:.*]] = tile.program_id x
//       CHECK:   tile.print "" %[[PID]], %[[PID]] : i64, i64
//  CHECK-NEXT:   tile.return
tile.kernel @settles(%n: i64) {
  %a = tile.program_id x
  %b = tile.program_id x
  %zero = arith.subi %a, %b : i64
  %c = arith.addi %a, %zero : i64
  %block = arith.constant 1 : i64
  %d = tile.idiv %c, %block rounding ceil : i64
  tile.print "" %d, %b : i64, i64
  tile.return
}
