// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS M1, M7

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%p: !tile.ptr<f32>, %c: i1, %s: f32) {
  // CHECK: tile.splat %{{.*}} : tensor<64x!tile.ptr<f32>>
  %q = tile.splat %p : tensor<64x!tile.ptr<f32>>
  // CHECK: tile.splat %{{.*}} : tensor<64xi1>
  %m = tile.splat %c : tensor<64xi1>
  // CHECK: tile.splat %{{.*}} : tensor<64xf32>
  %z = tile.splat %s : tensor<64xf32>
  // CHECK: tile.store %{{.*}}, %{{.*}} : !tile.ptr<f32>
  tile.store %p, %s : !tile.ptr<f32>
  // CHECK: tile.store %{{.*}}, %{{.*}} : tensor<64x!tile.ptr<f32>>
  tile.store %q, %z : tensor<64x!tile.ptr<f32>>
  // CHECK: tile.store %{{.*}}, %{{.*}} mask %{{.*}} : tensor<64x!tile.ptr<f32>>
  tile.store %q, %z mask %m : tensor<64x!tile.ptr<f32>>
  // CHECK: tile.store %{{.*}}, %{{.*}} mask %{{.*}} cache wb evict first : !tile.ptr<f32>
  tile.store %p, %s mask %c cache wb evict first : !tile.ptr<f32>
  // CHECK: tile.store %{{.*}}, %{{.*}} cache cg evict last : !tile.ptr<f32>
  tile.store %p, %s cache cg evict last : !tile.ptr<f32>
  // CHECK: tile.store %{{.*}}, %{{.*}} cache cs : !tile.ptr<f32>
  tile.store %p, %s cache cs : !tile.ptr<f32>
  tile.return
}
