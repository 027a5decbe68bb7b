// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS S3

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%s: f32, %i: i64) {
  // CHECK: tile.splat %{{.*}} : tensor<64x32xf32>
  %x = tile.splat %s : tensor<64x32xf32>
  // CHECK: tile.splat %{{.*}} : tensor<32xf32>
  %y = tile.splat %s : tensor<32xf32>
  // CHECK: tile.insert_at %{{.*}} into %{{.*}}[%{{.*}}] axis 0 : tensor<32xf32> into tensor<64x32xf32>
  %a = tile.insert_at %y into %x[%i] axis 0 : tensor<32xf32> into tensor<64x32xf32>
  // CHECK: tile.insert_at %{{.*}} into %{{.*}}[%{{.*}}] axis 0 : f32 into tensor<32xf32>
  %b = tile.insert_at %s into %y[%i] axis 0 : f32 into tensor<32xf32>
  tile.return
}
