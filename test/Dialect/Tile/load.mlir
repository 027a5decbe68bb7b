// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS M1, M7

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%p: !tile.ptr<f32>, %c: i1, %s: f32, %b: !tile.ptr<!tile.ptr<i1>>) {
  // CHECK: tile.splat %{{.*}} : tensor<64x!tile.ptr<f32>>
  %q = tile.splat %p : tensor<64x!tile.ptr<f32>>
  // CHECK: tile.splat %{{.*}} : tensor<64xi1>
  %m = tile.splat %c : tensor<64xi1>
  // CHECK: tile.splat %{{.*}} : tensor<64xf32>
  %z = tile.splat %s : tensor<64xf32>
  // CHECK: tile.load %{{.*}} : !tile.ptr<f32>
  %v0 = tile.load %p : !tile.ptr<f32>
  // CHECK: tile.load %{{.*}} : tensor<64x!tile.ptr<f32>>
  %v1 = tile.load %q : tensor<64x!tile.ptr<f32>>
  // CHECK: tile.load %{{.*}} mask %{{.*}} : tensor<64x!tile.ptr<f32>>
  %v2 = tile.load %q mask %m : tensor<64x!tile.ptr<f32>>
  // CHECK: tile.load %{{.*}} mask %{{.*}} other %{{.*}} : tensor<64x!tile.ptr<f32>>
  %v3 = tile.load %q mask %m other %z : tensor<64x!tile.ptr<f32>>
  // CHECK: tile.load %{{.*}} mask %{{.*}} other %{{.*}} : !tile.ptr<f32>
  %v4 = tile.load %p mask %c other %s : !tile.ptr<f32>
  // CHECK: tile.load %{{.*}} cache ca : tensor<64x!tile.ptr<f32>>
  %v5 = tile.load %q cache ca : tensor<64x!tile.ptr<f32>>
  // CHECK: tile.load %{{.*}} cache cg evict first : tensor<64x!tile.ptr<f32>>
  %v6 = tile.load %q cache cg evict first : tensor<64x!tile.ptr<f32>>
  // CHECK: tile.load %{{.*}} cache cs evict last reload : tensor<64x!tile.ptr<f32>>
  %v7 = tile.load %q cache cs evict last reload : tensor<64x!tile.ptr<f32>>
  // CHECK: tile.load %{{.*}} mask %{{.*}} cache cv reload : tensor<64x!tile.ptr<f32>>
  %v8 = tile.load %q mask %m cache cv reload : tensor<64x!tile.ptr<f32>>
  // CHECK: tile.load %{{.*}} : !tile.ptr<!tile.ptr<i1>>
  %v9 = tile.load %b : !tile.ptr<!tile.ptr<i1>>
  tile.return
}
