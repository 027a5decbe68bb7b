// RUN: tessera-opt %s -mlir-use-nameloc-as-prefix | FileCheck %s
// RUN: tessera-opt %s -mlir-use-nameloc-as-prefix | tessera-opt | FileCheck %s --check-prefix=PLAIN
// Names that the user gave are shown on request, and two values of one name are told apart.

// CHECK-LABEL: tile.kernel @names(%rows: i64,
// CHECK-SAME:    %cols: i64)
//       CHECK:   %row = tile.program_id x
//       CHECK:   %row_0 = arith.addi %row, %rows : i64
//       CHECK:   tile.print "row" %row_0, %cols : i64, i64
// PLAIN-LABEL: tile.kernel @names(%arg0: i64, %arg1: i64)
tile.kernel @names(%a: i64 loc("rows"("k.cpp":1:1)), %b: i64 loc("cols"("k.cpp":1:9))) {
  %0 = tile.program_id x loc("row"("k.cpp":2:13))
  %1 = arith.addi %0, %a : i64 loc("row"("k.cpp":3:9))
  tile.print "row" %1, %b : i64, i64
  tile.return
}
