// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%p: !tile.ptr<f32>, %n: i64, %i: i32) {
  // CHECK: tile.splat %{{.*}} : tensor<64x!tile.ptr<f32>>
  %q = tile.splat %p : tensor<64x!tile.ptr<f32>>
  // CHECK: tile.splat %{{.*}} : tensor<64xi32>
  %j = tile.splat %i : tensor<64xi32>
  // CHECK: tile.addptr %{{.*}}, %{{.*}} : !tile.ptr<f32>, i64
  %a = tile.addptr %p, %n : !tile.ptr<f32>, i64
  // CHECK: tile.addptr %{{.*}}, %{{.*}} : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %b = tile.addptr %q, %j : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.return
}
