// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS R5

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%s: f32, %c: i1) {
  // CHECK: tile.splat %{{.*}} : tensor<64xf32>
  %x = tile.splat %s : tensor<64xf32>
  // CHECK: tile.arange 0 to 64 : tensor<64xi32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // CHECK: tile.splat %{{.*}} : tensor<64xi1>
  %m = tile.splat %c : tensor<64xi1>
  // CHECK: tile.sort %{{.*}} axis 0 : tensor<64xf32>
  %a = tile.sort %x axis 0 : tensor<64xf32>
  // CHECK: tile.sort %{{.*}}, %{{.*}} axis 0 descending : tensor<64xf32>, tensor<64xi32>
  %b, %d = tile.sort %x, %i axis 0 descending : tensor<64xf32>, tensor<64xi32>
  // CHECK: tile.sort %{{.*}}, %{{.*}}, %{{.*}} axis 0 unsigned valid %{{.*}} : tensor<64xi32>, tensor<64xf32>, tensor<64xi1>
  %e, %f, %g = tile.sort %i, %x, %m axis 0 unsigned valid %m : tensor<64xi32>, tensor<64xf32>, tensor<64xi1>
  tile.return
}
