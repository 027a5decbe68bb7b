// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS P1

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms() {
  // CHECK: tile.program_id x
  %a = tile.program_id x
  // CHECK: tile.program_id y
  %b = tile.program_id y
  // CHECK: tile.program_id z
  %c = tile.program_id z
  // CHECK: tile.num_programs x
  %d = tile.num_programs x
  // CHECK: tile.num_programs y
  %e = tile.num_programs y
  // CHECK: tile.num_programs z
  %f = tile.num_programs z
  tile.return
}
