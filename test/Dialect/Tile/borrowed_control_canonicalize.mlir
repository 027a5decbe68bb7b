// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s
// Canonical forms of scf, which we borrow.

// SEMANTICS L1: zero trips leave carried values unchanged.
// CHECK-LABEL: tile.kernel @zero_trips(
//       CHECK: tile.print "" %arg0
tile.kernel @zero_trips(%x: f32) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r = scf.for %i = %one to %zero step %one iter_args(%acc = %x) -> (f32) : i64 {
    %t = arith.addf %acc, %acc : f32
    scf.yield %t : f32
  }
  tile.print "" %r : f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @one_trip(
//       CHECK: %[[T:.*]] = arith.addf %arg0, %arg0
//       CHECK: tile.print "" %[[T]]
tile.kernel @one_trip(%x: f32) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r = scf.for %i = %zero to %one step %one iter_args(%acc = %x) -> (f32) : i64 {
    %t = arith.addf %acc, %acc : f32
    scf.yield %t : f32
  }
  tile.print "" %r : f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_unknown_trips(
//       CHECK: scf.for
tile.kernel @negative_unknown_trips(%x: f32, %n: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %x) -> (f32) : i64 {
    %t = arith.addf %acc, %acc : f32
    scf.yield %t : f32
  }
  tile.print "" %r : f32
  tile.return
}

// -----

// SEMANTICS M3a
// CHECK-LABEL: tile.kernel @branches_of_values(
//       CHECK: arith.select %arg0, %arg1, %arg2 : !tile.ptr<f32>
tile.kernel @branches_of_values(%c: i1, %p: !tile.ptr<f32>, %q: !tile.ptr<f32>) {
  %r = scf.if %c -> (!tile.ptr<f32>) {
    scf.yield %p : !tile.ptr<f32>
  } else {
    scf.yield %q : !tile.ptr<f32>
  }
  tile.print "" %r : !tile.ptr<f32>
  tile.return
}

// -----

// One condition for a whole tile.
// CHECK-LABEL: tile.kernel @branches_of_tiles(
//       CHECK: arith.select %arg0, %{{.*}}, %{{.*}} : tensor<4xf32>
tile.kernel @branches_of_tiles(%c: i1, %x: f32) {
  %a = tile.splat %x : tensor<4xf32>
  %b = arith.constant dense<1.0> : tensor<4xf32>
  %r = scf.if %c -> (tensor<4xf32>) {
    scf.yield %a : tensor<4xf32>
  } else {
    scf.yield %b : tensor<4xf32>
  }
  tile.print "" %r : tensor<4xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @branches_of_constant_tiles(
//       CHECK: arith.select %arg0, %{{.*}}, %{{.*}} : tensor<4xi32>
tile.kernel @branches_of_constant_tiles(%c: i1) {
  %a = arith.constant dense<1> : tensor<4xi32>
  %b = arith.constant dense<0> : tensor<4xi32>
  %r = scf.if %c -> (tensor<4xi32>) {
    scf.yield %a : tensor<4xi32>
  } else {
    scf.yield %b : tensor<4xi32>
  }
  tile.print "" %r : tensor<4xi32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @branches_of_constant_masks(
//       CHECK: arith.select %arg0, %{{.*}}, %{{.*}} : tensor<4xi1>
tile.kernel @branches_of_constant_masks(%c: i1) {
  %a = arith.constant dense<true> : tensor<4xi1>
  %b = arith.constant dense<false> : tensor<4xi1>
  %r = scf.if %c -> (tensor<4xi1>) {
    scf.yield %a : tensor<4xi1>
  } else {
    scf.yield %b : tensor<4xi1>
  }
  tile.print "" %r : tensor<4xi1>
  tile.return
}

// -----

// SEMANTICS M3a
// CHECK-LABEL: tile.kernel @branches_of_views(
//       CHECK: %[[V:.*]] = arith.select %arg0, %{{.*}}, %{{.*}} : !tile.view<f32, 1>
//       CHECK: tile.view_load %[[V]]
tile.kernel @branches_of_views(%c: i1, %p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %n: i64) {
  %a = tile.make_view %p, [%n], [%n] : !tile.view<f32, 1>
  %b = tile.make_view %q, [%n], [%n] : !tile.view<f32, 1>
  %r = scf.if %c -> (!tile.view<f32, 1>) {
    scf.yield %a : !tile.view<f32, 1>
  } else {
    scf.yield %b : !tile.view<f32, 1>
  }
  %x = tile.view_load %r[%n] : !tile.view<f32, 1> -> tensor<4xf32>
  tile.print "" %x : tensor<4xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_branch_with_store(
//       CHECK: scf.if
tile.kernel @negative_branch_with_store(%c: i1, %p: !tile.ptr<i1>) {
  scf.if %c {
    tile.store %p, %c : !tile.ptr<i1>
  }
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @known_branch(
// CHECK-NOT: scf.if
//       CHECK: tile.store
tile.kernel @known_branch(%p: !tile.ptr<i1>) {
  %c = arith.constant true
  scf.if %c {
    tile.store %p, %c : !tile.ptr<i1>
  }
  tile.return
}

// -----

// SEMANTICS L2
// CHECK-LABEL: tile.kernel @loop_attributes_stay(
//       CHECK: scf.for
//       CHECK: } {tile.num_stages = 3 : i64}
tile.kernel @loop_attributes_stay(%n: i64, %p: !tile.ptr<i64>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %unused = scf.for %i = %zero to %n step %one iter_args(%acc = %n) -> (i64) : i64 {
    tile.store %p, %i : !tile.ptr<i64>
    scf.yield %acc : i64
  } {tile.num_stages = 3 : i64}
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @while_attributes_stay(
//       CHECK: scf.while
//       CHECK: } attributes {tile.unroll = 2 : i64}
tile.kernel @while_attributes_stay(%n: i64, %p: !tile.ptr<i64>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r:2 = scf.while (%k = %n, %u = %n) : (i64, i64) -> (i64, i64) {
    %c = arith.cmpi sgt, %k, %zero : i64
    scf.condition(%c) %k, %u : i64, i64
  } do {
  ^bb0(%k: i64, %u: i64):
    %l = arith.subi %k, %one : i64
    tile.store %p, %l : !tile.ptr<i64>
    scf.yield %l, %u : i64, i64
  } attributes {tile.unroll = 2 : i64}
  tile.return
}

// -----

// The difference of the bounds is beyond i64: three trips, not none.
// CHECK-LABEL: tile.kernel @negative_longer_than_i64(
//       CHECK:   scf.for
tile.kernel @negative_longer_than_i64(%p: !tile.ptr<i64>) {
  %lo = arith.constant -9223372036854775808 : i64
  %hi = arith.constant 9223372036854775807 : i64
  scf.for %i = %lo to %hi step %hi : i64 {
    tile.print "" %i : i64
  }
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @no_trip_and_one(
//   CHECK-NOT:   scf.for
//       CHECK:   %[[HI:.*]] = arith.constant 9223372036854775806 : i64
//   CHECK-NOT:   scf.for
//       CHECK:   tile.print "once" %[[HI]] : i64
tile.kernel @no_trip_and_one(%p: !tile.ptr<i64>) {
  %lo = arith.constant -9223372036854775808 : i64
  %hi = arith.constant 9223372036854775807 : i64
  %one = arith.constant 1 : i64
  %last = arith.subi %hi, %one : i64
  scf.for %i = %hi to %last step %one : i64 {
    tile.print "never" %i : i64
  }
  scf.for %i = %last to %hi step %hi : i64 {
    tile.print "once" %i : i64
  }
  tile.return
}
