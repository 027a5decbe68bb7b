// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS S1

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%s: f32) {
  // CHECK: tile.splat %{{.*}} : tensor<4x8xf32>
  %x = tile.splat %s : tensor<4x8xf32>
  // CHECK: tile.flip %{{.*}} axis 0 : tensor<4x8xf32>
  %a = tile.flip %x axis 0 : tensor<4x8xf32>
  // CHECK: tile.flip %{{.*}} axis 1 : tensor<4x8xf32>
  %b = tile.flip %x axis 1 : tensor<4x8xf32>
  tile.return
}
