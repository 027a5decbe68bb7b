// RUN: tessera-opt %s -split-input-file -tile-pipeline -tile-print-host-plan -o /dev/null | FileCheck %s
// Which accesses may share a loop, or change their order (SEMANTICS M3, M5).

// Each lane is loaded before it is stored, and no two lanes share a place.
// CHECK-LABEL: plan of @in_place:
//       CHECK:   group 0 over 64
//  CHECK-NEXT:     store
//   CHECK-NOT: group
tile.kernel @in_place(%x: !tile.ptr<f32>) {
  %r = tile.arange 0 to 64 : tensor<64xi32>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %xp : tensor<64x!tile.ptr<f32>>
  %w = math.exp %v : tensor<64xf32>
  tile.store %xp, %w : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// With a stride of 0 one row would read what another has stored.
// CHECK-LABEL: plan of @negative_in_place_rows_may_overlap:
//       CHECK:   group 0 over 8x64
//       CHECK:      define {{.*}} = math.exp
//       CHECK:   group 1 over 8x64
//       CHECK:      store
tile.kernel @negative_in_place_rows_may_overlap(%x: !tile.ptr<f32>, %m: i64, %n: i64, %ld: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %X = tile.make_view %x, [%m, %n], [%ld, %c1] : !tile.view<f32, 2>
  %v = tile.view_load %X[%c0, %c0] : !tile.view<f32, 2> -> tensor<8x64xf32>
  %w = math.exp %v : tensor<8x64xf32>
  tile.view_store %X[%c0, %c0], %w : !tile.view<f32, 2>, tensor<8x64xf32>
  tile.return
}

// -----

// Lanes store where later lanes still load.
// CHECK-LABEL: plan of @negative_in_place_other_lanes:
//       CHECK:   group 0 over 64
//       CHECK:      define {{.*}} = math.exp
//       CHECK:   group 1 over 64
//       CHECK:      store
tile.kernel @negative_in_place_other_lanes(%x: !tile.ptr<f32>) {
  %r = tile.arange 0 to 64 : tensor<64xi32>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %one = arith.constant dense<1> : tensor<64xi32>
  %next = tile.addptr %xp, %one : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %xp : tensor<64x!tile.ptr<f32>>
  %w = math.exp %v : tensor<64xf32>
  tile.store %next, %w : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// Different arguments are disjoint, or one array that is changed in place.
// CHECK-LABEL: plan of @two_arguments:
//       CHECK:   group 0 over 64
//  CHECK-NEXT:     store
//   CHECK-NOT: group
tile.kernel @two_arguments(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  %r = tile.arange 0 to 64 : tensor<64xi32>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %ys = tile.splat %y : tensor<64x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %xp : tensor<64x!tile.ptr<f32>>
  %w = math.exp %v : tensor<64xf32>
  tile.store %yp, %w : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// The memory of one may overlap that of the other in any way.
// CHECK-LABEL: plan of @negative_two_arguments_may_alias:
//       CHECK:      define {{.*}} = math.exp
//       CHECK:   group 1 over 64
//       CHECK:      store
tile.kernel @negative_two_arguments_may_alias(%x: !tile.ptr<f32>, %y: !tile.ptr<f32> {tile.may_alias}) {
  %r = tile.arange 0 to 64 : tensor<64xi32>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %ys = tile.splat %y : tensor<64x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %xp : tensor<64x!tile.ptr<f32>>
  %w = math.exp %v : tensor<64xf32>
  tile.store %yp, %w : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// What was stored is loaded again, so that the loop of the store must have ended.
// CHECK-LABEL: plan of @negative_load_after_store:
//       CHECK:   group 0 over 64
//       CHECK:      define {{.*}} = tile.load
//  CHECK-NEXT:     store
//       CHECK:   group 1 over 64
//       CHECK:      store
tile.kernel @negative_load_after_store(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  %r = tile.arange 0 to 64 : tensor<64xi32>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %ys = tile.splat %y : tensor<64x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %xp : tensor<64x!tile.ptr<f32>>
  tile.store %yp, %v : tensor<64x!tile.ptr<f32>>
  %w = tile.load %yp : tensor<64x!tile.ptr<f32>>
  %z = arith.addf %v, %w : tensor<64xf32>
  tile.store %xp, %z : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// The value is used after a store to the memory it was loaded from: the store waits.
// CHECK-LABEL: plan of @load_before_store:
//       CHECK:   group 0 over 64
//       CHECK:      store
//       CHECK:   scalar tile.store
tile.kernel @load_before_store(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  %r = tile.arange 0 to 64 : tensor<64xi32>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %ys = tile.splat %y : tensor<64x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %one = arith.constant 1.0 : f32
  %v = tile.load %xp : tensor<64x!tile.ptr<f32>>
  tile.store %x, %one : !tile.ptr<f32>
  tile.store %yp, %v : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// The store cannot wait for a value that depends on it.
// CHECK-LABEL: plan of @negative_load_before_store_and_load:
//       CHECK:      define {{.*}} = tile.load
//       CHECK:   scalar tile.store
//       CHECK:   scalar {{.*}} = tile.load
//       CHECK:   group 1 over 64
//       CHECK:      store
tile.kernel @negative_load_before_store_and_load(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  %r = tile.arange 0 to 64 : tensor<64xi32>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %ys = tile.splat %y : tensor<64x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %one = arith.constant 1.0 : f32
  %v = tile.load %xp : tensor<64x!tile.ptr<f32>>
  tile.store %x, %one : !tile.ptr<f32>
  %s = tile.load %x : !tile.ptr<f32>
  %ss = tile.splat %s : tensor<64xf32>
  %w = arith.addf %v, %ss : tensor<64xf32>
  tile.store %yp, %w : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// A release orders all that comes before it (SEMANTICS M5).
// CHECK-LABEL: plan of @negative_barrier:
//       CHECK:   group 0 over 64
//       CHECK:      store
//       CHECK:   scalar {{.*}}tile.atomic_rmw
//       CHECK:   group 1 over 64
//       CHECK:      store
tile.kernel @negative_barrier(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %flag: !tile.ptr<i32>, %one: i32) {
  %r = tile.arange 0 to 64 : tensor<64xi32>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %ys = tile.splat %y : tensor<64x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %xp : tensor<64x!tile.ptr<f32>>
  %w = math.exp %v : tensor<64xf32>
  tile.store %xp, %w : tensor<64x!tile.ptr<f32>>
  %old = tile.atomic_rmw add acq_rel device %flag, %one : !tile.ptr<i32>
  %u = tile.load %yp : tensor<64x!tile.ptr<f32>>
  %z = math.exp %u : tensor<64xf32>
  tile.store %yp, %z : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// What an atomic needs is computed in its loop.
// CHECK-LABEL: plan of @atomic_by_lane:
//       CHECK:   group 0 over 64
//  CHECK-NEXT:     by lane
//   CHECK-NOT: group
tile.kernel @atomic_by_lane(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  %r = tile.arange 0 to 64 : tensor<64xi32>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %ys = tile.splat %y : tensor<64x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %xp : tensor<64x!tile.ptr<f32>>
  %w = math.exp %v : tensor<64xf32>
  %old = tile.atomic_rmw fadd relaxed device %yp, %w : tensor<64x!tile.ptr<f32>>
  tile.return
}
