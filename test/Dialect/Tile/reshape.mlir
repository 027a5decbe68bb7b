// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS S1

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%s: f32) {
  // CHECK: tile.splat %{{.*}} : tensor<128xf32>
  %x = tile.splat %s : tensor<128xf32>
  // CHECK: tile.reshape %{{.*}} : tensor<128xf32> -> tensor<8x16xf32>
  %a = tile.reshape %x : tensor<128xf32> -> tensor<8x16xf32>
  // CHECK: tile.reshape %{{.*}} : f32 -> tensor<1x1xf32>
  %b = tile.reshape %s : f32 -> tensor<1x1xf32>
  // CHECK: tile.reshape %{{.*}} : tensor<1x1xf32> -> f32
  %c = tile.reshape %b : tensor<1x1xf32> -> f32
  tile.return
}
