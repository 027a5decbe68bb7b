// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS S1

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%s: f32) {
  // CHECK: tile.splat %{{.*}} : tensor<2x4x8xf32>
  %x = tile.splat %s : tensor<2x4x8xf32>
  // CHECK: tile.trans %{{.*}} [2, 0, 1] : tensor<2x4x8xf32> -> tensor<8x2x4xf32>
  %a = tile.trans %x [2, 0, 1] : tensor<2x4x8xf32> -> tensor<8x2x4xf32>
  // CHECK: tile.splat %{{.*}} : tensor<8xf32>
  %y = tile.splat %s : tensor<8xf32>
  // CHECK: tile.trans %{{.*}} [0] : tensor<8xf32> -> tensor<8xf32>
  %b = tile.trans %y [0] : tensor<8xf32> -> tensor<8xf32>
  tile.return
}
