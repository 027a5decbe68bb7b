// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS S1

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%s: f32) {
  // CHECK: tile.splat %{{.*}} : tensor<64xf32>
  %x = tile.splat %s : tensor<64xf32>
  // CHECK: tile.join %{{.*}}, %{{.*}} : tensor<64xf32> -> tensor<64x2xf32>
  %a = tile.join %x, %x : tensor<64xf32> -> tensor<64x2xf32>
  // CHECK: tile.join %{{.*}}, %{{.*}} : f32 -> tensor<2xf32>
  %b = tile.join %s, %s : f32 -> tensor<2xf32>
  tile.return
}
