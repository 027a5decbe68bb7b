// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS S3

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%s: f32) {
  // CHECK: tile.splat %{{.*}} : tensor<64x64xf32>
  %x = tile.splat %s : tensor<64x64xf32>
  // CHECK: tile.slice %{{.*}} [0, 32] : tensor<64x64xf32> -> tensor<64x32xf32>
  %a = tile.slice %x [0, 32] : tensor<64x64xf32> -> tensor<64x32xf32>
  // CHECK: tile.slice %{{.*}} [63, 63] : tensor<64x64xf32> -> tensor<1x1xf32>
  %b = tile.slice %x [63, 63] : tensor<64x64xf32> -> tensor<1x1xf32>
  tile.return
}
