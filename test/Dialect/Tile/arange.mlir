// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS S2

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms() {
  // CHECK: tile.arange 0 to 1024 : tensor<1024xi32>
  %a = tile.arange 0 to 1024 : tensor<1024xi32>
  // CHECK: tile.arange -8 to 8 : tensor<16xi32>
  %b = tile.arange -8 to 8 : tensor<16xi32>
  // CHECK: tile.arange 2147483646 to 2147483647 : tensor<1xi32>
  %c = tile.arange 2147483646 to 2147483647 : tensor<1xi32>
  tile.return
}
