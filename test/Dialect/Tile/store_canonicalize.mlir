// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s

// CHECK-LABEL: tile.kernel @all_lanes(
//       CHECK: tile.store %{{.*}}, %{{[0-9]+}} : tensor
tile.kernel @all_lanes(%p: !tile.ptr<f32>, %c: i1, %s: f32) {
  %q = tile.splat %p : tensor<64x!tile.ptr<f32>>
  %m = arith.constant dense<true> : tensor<64xi1>
  %z = tile.splat %s : tensor<64xf32>
  tile.store %q, %z mask %m : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @no_lane(
// CHECK-NOT: tile.store
//       CHECK: tile.return
tile.kernel @no_lane(%p: !tile.ptr<f32>, %c: i1, %s: f32) {
  %q = tile.splat %p : tensor<64x!tile.ptr<f32>>
  %m = arith.constant dense<false> : tensor<64xi1>
  %z = tile.splat %s : tensor<64xf32>
  tile.store %q, %z mask %m : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_some_lanes(
//       CHECK: tile.store %{{.*}} mask
tile.kernel @negative_some_lanes(%p: !tile.ptr<f32>, %c: i1, %s: f32) {
  %q = tile.splat %p : tensor<64x!tile.ptr<f32>>
  %m = tile.splat %c : tensor<64xi1>
  %z = tile.splat %s : tensor<64xf32>
  tile.store %q, %z mask %m : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_twice(
// CHECK-COUNT-2: tile.store
tile.kernel @negative_twice(%p: !tile.ptr<f32>, %c: i1, %s: f32) {
  tile.store %p, %s : !tile.ptr<f32>
  tile.store %p, %s : !tile.ptr<f32>
  tile.return
}
