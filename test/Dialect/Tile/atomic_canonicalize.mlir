// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s

// CHECK-LABEL: tile.kernel @all_lanes(
// CHECK-NOT: mask
//       CHECK: tile.return
tile.kernel @all_lanes(%p: !tile.ptr<f32>, %i: !tile.ptr<i32>, %s: f32, %n: i32, %c: i1) {
  %t = arith.constant true
  %a = tile.atomic_rmw add relaxed device %i, %n mask %t : !tile.ptr<i32>
  %b = tile.atomic_cas relaxed device %i, %n, %n mask %t : !tile.ptr<i32>
  %d = tile.atomic_load relaxed device %i mask %t : !tile.ptr<i32>
  tile.atomic_store relaxed device %i, %n mask %t : !tile.ptr<i32>
  tile.return
}

// -----

// SEMANTICS M5: masked lanes do nothing.
// CHECK-LABEL: tile.kernel @no_lane(
//       CHECK: %[[Z:.*]] = arith.constant 0 : i32
// CHECK-NOT: tile.atomic
//       CHECK: tile.print "" %[[Z]], %[[Z]], %[[Z]]
tile.kernel @no_lane(%p: !tile.ptr<f32>, %i: !tile.ptr<i32>, %s: f32, %n: i32, %c: i1) {
  %t = arith.constant false
  %a = tile.atomic_rmw add relaxed device %i, %n mask %t : !tile.ptr<i32>
  %b = tile.atomic_cas relaxed device %i, %n, %n mask %t : !tile.ptr<i32>
  %d = tile.atomic_load relaxed device %i mask %t : !tile.ptr<i32>
  tile.atomic_store relaxed device %i, %n mask %t : !tile.ptr<i32>
  tile.print "" %a, %b, %d : i32, i32, i32
  tile.return
}

// -----

// An acquire orders what follows, whether its value is used or not.
// CHECK-LABEL: tile.kernel @negative_unused(
//       CHECK: tile.atomic_rmw
//       CHECK: tile.atomic_load
tile.kernel @negative_unused(%p: !tile.ptr<f32>, %i: !tile.ptr<i32>, %s: f32, %n: i32, %c: i1) {
  %a = tile.atomic_rmw add relaxed device %i, %n : !tile.ptr<i32>
  %b = tile.atomic_load acquire device %i : !tile.ptr<i32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_twice(
// CHECK-COUNT-2: tile.atomic_load
tile.kernel @negative_twice(%p: !tile.ptr<f32>, %i: !tile.ptr<i32>, %s: f32, %n: i32, %c: i1) {
  %a = tile.atomic_load relaxed device %i : !tile.ptr<i32>
  %b = tile.atomic_load relaxed device %i : !tile.ptr<i32>
  tile.print "" %a, %b : i32, i32
  tile.return
}

// -----

// SEMANTICS M5: plain accesses and atomics stay in program order.
// CHECK-LABEL: tile.kernel @negative_load_over_atomic(
//       CHECK: tile.load
//       CHECK: tile.atomic_rmw
//       CHECK: tile.load
tile.kernel @negative_load_over_atomic(%p: !tile.ptr<f32>, %i: !tile.ptr<i32>, %s: f32, %n: i32, %c: i1) {
  %a = tile.load %i : !tile.ptr<i32>
  %o = tile.atomic_rmw add relaxed device %i, %n : !tile.ptr<i32>
  %b = tile.load %i : !tile.ptr<i32>
  tile.print "" %a, %b : i32, i32
  tile.return
}
