// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS S3

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%s: f32) {
  // CHECK: tile.splat %{{.*}} : tensor<64x64xf32>
  %x = tile.splat %s : tensor<64x64xf32>
  // CHECK: tile.splat %{{.*}} : tensor<64x32xf32>
  %y = tile.splat %s : tensor<64x32xf32>
  // CHECK: tile.insert %{{.*}} into %{{.*}} [0, 32] : tensor<64x32xf32> into tensor<64x64xf32>
  %a = tile.insert %y into %x [0, 32] : tensor<64x32xf32> into tensor<64x64xf32>
  tile.return
}
