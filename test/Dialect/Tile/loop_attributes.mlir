// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS L2

// CHECK-LABEL: tile.kernel @loops(
tile.kernel @loops(%n: i64, %c: i1) {
  // CHECK: scf.for
  scf.for %i = %n to %n step %n : i64 {
    tile.print "" %i : i64
  // CHECK: } {tile.num_stages = 3 : i64, tile.unroll = 2 : i64, tile.warp_specialize}
  } {tile.num_stages = 3 : i64, tile.unroll = 2 : i64, tile.warp_specialize}
  // CHECK: scf.while
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  // CHECK: } attributes {tile.num_stages = 1 : i64}
  } attributes {tile.num_stages = 1 : i64}
  tile.return
}
