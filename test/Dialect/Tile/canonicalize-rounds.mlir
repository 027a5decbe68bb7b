// RUN: tessera-opt %s -tile-canonicalize | FileCheck %s
// Merging equal ops gives rewriting new work, and the other way round.

// CHECK-LABEL: tile.kernel @rounds(
//   CHECK-NOT:   scf.if
//   CHECK-NOT:   tile.load
//       CHECK:   tile.return
tile.kernel @rounds(%p: !tile.ptr<i64>, %q: !tile.ptr<i64>) {
  %a = tile.load %p : !tile.ptr<i64>
  %b = tile.load %p : !tile.ptr<i64>
  %differ = arith.cmpi ne, %a, %b : i64
  scf.if %differ {
    tile.store %q, %a : !tile.ptr<i64>
  }
  tile.return
}
