// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s
// SEMANTICS M1

// CHECK-LABEL: tile.kernel @all_lanes(
//       CHECK: tile.load %{{[0-9]+}} : tensor
tile.kernel @all_lanes(%p: !tile.ptr<f32>, %c: i1, %s: f32) {
  %q = tile.splat %p : tensor<64x!tile.ptr<f32>>
  %m = arith.constant dense<true> : tensor<64xi1>
  %z = tile.splat %s : tensor<64xf32>
  %v = tile.load %q mask %m other %z : tensor<64x!tile.ptr<f32>>
  tile.print "" %v : tensor<64xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @no_lane(
// CHECK-NOT: tile.load
//       CHECK: %[[Z:.*]] = tile.splat %arg2
// CHECK-NOT: tile.load
//       CHECK: tile.print "" %[[Z]]
tile.kernel @no_lane(%p: !tile.ptr<f32>, %c: i1, %s: f32) {
  %q = tile.splat %p : tensor<64x!tile.ptr<f32>>
  %m = arith.constant dense<false> : tensor<64xi1>
  %z = tile.splat %s : tensor<64xf32>
  %v = tile.load %q mask %m other %z : tensor<64x!tile.ptr<f32>>
  tile.print "" %v : tensor<64xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @no_lane_no_other(
//       CHECK: arith.constant dense<0.000000e+00>
// CHECK-NOT: tile.load
tile.kernel @no_lane_no_other(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<64x!tile.ptr<f32>>
  %m = arith.constant dense<false> : tensor<64xi1>
  %v = tile.load %q mask %m : tensor<64x!tile.ptr<f32>>
  tile.print "" %v : tensor<64xf32>
  tile.return
}

// -----

// Pointers have no constants.
// CHECK-LABEL: tile.kernel @negative_no_lane_of_pointers(
//       CHECK: tile.load
tile.kernel @negative_no_lane_of_pointers(%p: !tile.ptr<!tile.ptr<f32>>) {
  %m = arith.constant false
  %v = tile.load %p mask %m : !tile.ptr<!tile.ptr<f32>>
  tile.print "" %v : !tile.ptr<f32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @other_zero(
//       CHECK: tile.load %{{.*}} mask %{{[0-9]+}} : tensor
tile.kernel @other_zero(%p: !tile.ptr<f32>, %c: i1, %s: f32) {
  %q = tile.splat %p : tensor<64x!tile.ptr<f32>>
  %m = tile.splat %c : tensor<64xi1>
  %z = arith.constant dense<0.0> : tensor<64xf32>
  %v = tile.load %q mask %m other %z : tensor<64x!tile.ptr<f32>>
  tile.print "" %v : tensor<64xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_other_minus_zero(
//       CHECK: tile.load %{{.*}} mask %{{.*}} other
tile.kernel @negative_other_minus_zero(%p: !tile.ptr<f32>, %c: i1, %s: f32) {
  %q = tile.splat %p : tensor<64x!tile.ptr<f32>>
  %m = tile.splat %c : tensor<64xi1>
  %z = arith.constant dense<-0.0> : tensor<64xf32>
  %v = tile.load %q mask %m other %z : tensor<64x!tile.ptr<f32>>
  tile.print "" %v : tensor<64xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @merged(
//       CHECK: %[[A:.*]] = tile.load
// CHECK-NOT: tile.load
//       CHECK: tile.print "" %[[A]], %[[A]]
tile.kernel @merged(%p: !tile.ptr<f32>) {
  %a = tile.load %p : !tile.ptr<f32>
  %b = tile.load %p : !tile.ptr<f32>
  tile.print "" %a, %b : f32, f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_merged_over_store(
//       CHECK: tile.load
//       CHECK: tile.store
//       CHECK: tile.load
tile.kernel @negative_merged_over_store(%p: !tile.ptr<f32>) {
  %a = tile.load %p : !tile.ptr<f32>
  tile.store %p, %a : !tile.ptr<f32>
  %b = tile.load %p : !tile.ptr<f32>
  tile.print "" %a, %b : f32, f32
  tile.return
}

// -----

// SEMANTICS M3
// CHECK-LABEL: tile.kernel @negative_merged_over_loop_with_store(
//       CHECK: tile.load
//       CHECK: scf.for
//       CHECK: tile.load
tile.kernel @negative_merged_over_loop_with_store(%p: !tile.ptr<f32>, %n: i64) {
  %a = tile.load %p : !tile.ptr<f32>
  %one = arith.constant 1 : i64
  scf.for %i = %one to %n step %one : i64 {
    tile.store %p, %a : !tile.ptr<f32>
  }
  %b = tile.load %p : !tile.ptr<f32>
  tile.print "" %a, %b : f32, f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @merged_over_loop_without_store(
//       CHECK: %[[A:.*]] = tile.load
//       CHECK: %[[S:.*]] = scf.for
// CHECK-COUNT-1: tile.load
//       CHECK: tile.print "" %[[S]], %[[A]]
tile.kernel @merged_over_loop_without_store(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %n: i64) {
  %a = tile.load %p : !tile.ptr<f32>
  %one = arith.constant 1 : i64
  %s = scf.for %i = %one to %n step %one iter_args(%acc = %a) -> (f32) : i64 {
    %v = tile.load %q : !tile.ptr<f32>
    %t = arith.addf %acc, %v : f32
    scf.yield %t : f32
  }
  %b = tile.load %p : !tile.ptr<f32>
  tile.print "" %s, %b : f32, f32
  tile.return
}

// -----

// The load in the loop sees what the loop stored.
// CHECK-LABEL: tile.kernel @negative_moved_into_loop(
//       CHECK: tile.load
//       CHECK: scf.for
//       CHECK: tile.load
//       CHECK: tile.store
tile.kernel @negative_moved_into_loop(%p: !tile.ptr<f32>, %n: i64) {
  %a = tile.load %p : !tile.ptr<f32>
  %one = arith.constant 1 : i64
  scf.for %i = %one to %n step %one : i64 {
    %b = tile.load %p : !tile.ptr<f32>
    %t = arith.addf %a, %b : f32
    tile.store %p, %t : !tile.ptr<f32>
  }
  tile.return
}

// -----

// SEMANTICS M1
// CHECK-LABEL: tile.kernel @negative_reload(
//       CHECK: tile.load
//       CHECK: tile.load %arg0 reload
tile.kernel @negative_reload(%p: !tile.ptr<f32>) {
  %a = tile.load %p : !tile.ptr<f32>
  %b = tile.load %p reload : !tile.ptr<f32>
  tile.print "" %a, %b : f32, f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_reload_twice(
// CHECK-COUNT-2: tile.load %arg0 reload
tile.kernel @negative_reload_twice(%p: !tile.ptr<f32>) {
  %a = tile.load %p reload : !tile.ptr<f32>
  %b = tile.load %p reload : !tile.ptr<f32>
  tile.print "" %a, %b : f32, f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @unused(
// CHECK-NOT: tile.load
//       CHECK: tile.return
tile.kernel @unused(%p: !tile.ptr<f32>) {
  %a = tile.load %p : !tile.ptr<f32>
  tile.return
}
