// RUN: tessera-opt %s -tile-canonicalize | FileCheck %s
// The canonical form of a commutative op has its constant on the right.

// CHECK-LABEL: tile.kernel @order(
//       CHECK:   %[[C:.*]] = arith.constant 4 : i64
//       CHECK:   arith.addi %arg0, %[[C]] : i64
//       CHECK:   tile.umulhi %arg0, %[[C]] : i64
tile.kernel @order(%n: i64) {
  %four = arith.constant 4 : i64
  %a = arith.addi %four, %n : i64
  %b = tile.umulhi %four, %n : i64
  tile.print "" %a, %b : i64, i64
  tile.return
}
