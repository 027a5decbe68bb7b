// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS S3

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%s: f32, %i: i64) {
  // CHECK: tile.splat %{{.*}} : tensor<64x32xf32>
  %x = tile.splat %s : tensor<64x32xf32>
  // CHECK: tile.extract_at %{{.*}}[%{{.*}}] axis 0 : tensor<64x32xf32> -> tensor<32xf32>
  %a = tile.extract_at %x[%i] axis 0 : tensor<64x32xf32> -> tensor<32xf32>
  // CHECK: tile.extract_at %{{.*}}[%{{.*}}] axis 1 : tensor<64x32xf32> -> tensor<64xf32>
  %b = tile.extract_at %x[%i] axis 1 : tensor<64x32xf32> -> tensor<64xf32>
  // CHECK: tile.extract_at %{{.*}}[%{{.*}}] axis 0 : tensor<32xf32> -> f32
  %c = tile.extract_at %a[%i] axis 0 : tensor<32xf32> -> f32
  tile.return
}
