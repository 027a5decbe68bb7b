// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS S3

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%s: f32, %i: i32) {
  // CHECK: tile.splat %{{.*}} : tensor<64x32xf32>
  %x = tile.splat %s : tensor<64x32xf32>
  // CHECK: tile.splat %{{.*}} : tensor<8x32xi32>
  %j = tile.splat %i : tensor<8x32xi32>
  // CHECK: tile.gather %{{.*}}[%{{.*}}] axis 0 : tensor<64x32xf32>, tensor<8x32xi32> -> tensor<8x32xf32>
  %a = tile.gather %x[%j] axis 0 : tensor<64x32xf32>, tensor<8x32xi32> -> tensor<8x32xf32>
  tile.return
}
