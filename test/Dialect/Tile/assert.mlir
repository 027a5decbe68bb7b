// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS L3

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%c: i1) {
  // CHECK: tile.splat %{{.*}} : tensor<64xi1>
  %m = tile.splat %c : tensor<64xi1>
  // CHECK: tile.assert %{{.*}}, "scalar" : i1
  tile.assert %c, "scalar" : i1
  // CHECK: tile.assert %{{.*}}, "every lane" : tensor<64xi1>
  tile.assert %m, "every lane" : tensor<64xi1>
  tile.return
}
