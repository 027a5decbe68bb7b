// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS S1

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%s: f32) {
  // CHECK: tile.splat %{{.*}} : tensor<64x2xf32>
  %x = tile.splat %s : tensor<64x2xf32>
  // CHECK: tile.split %{{.*}} : tensor<64x2xf32> -> tensor<64xf32>
  %a, %b = tile.split %x : tensor<64x2xf32> -> tensor<64xf32>
  // CHECK: tile.splat %{{.*}} : tensor<2xf32>
  %y = tile.splat %s : tensor<2xf32>
  // CHECK: tile.split %{{.*}} : tensor<2xf32> -> f32
  %c, %d = tile.split %y : tensor<2xf32> -> f32
  tile.return
}
