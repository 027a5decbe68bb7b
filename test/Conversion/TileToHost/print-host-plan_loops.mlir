// RUN: tessera-opt %s -split-input-file -tile-pipeline -tile-print-host-plan -o /dev/null | FileCheck %s
// Where tiles live that loops and branches take in, carry and give.

// The two tiles change places in each turn: both are put aside before either is overwritten.
// CHECK-LABEL: plan of @two_places:
//       CHECK:   region {{.*}} = scf.for -> slot [[A:[0-9]+]] [1] f32 -> slot [[B:[0-9]+]] [1] f32
//       CHECK:     copy %arg4 -> slot [[C:[0-9]+]] [1] f32
//       CHECK:     copy %arg3 -> slot [[D:[0-9]+]] [1] f32
//       CHECK:     copy %arg4 from slot [[C]] [1] f32 -> slot [[A]] [1] f32
//       CHECK:     copy %arg3 from slot [[D]] [1] f32 -> slot [[B]] [1] f32
tile.kernel @two_places(%x: !tile.ptr<f32>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = tile.arange 0 to 64 : tensor<64xi32>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %xp : tensor<64x!tile.ptr<f32>>
  %w = math.exp %v : tensor<64xf32>
  %a, %b = scf.for %i = %c0 to %n step %c1 iter_args(%s = %v, %t = %w) -> (tensor<64xf32>, tensor<64xf32>) : i64 {
    scf.yield %t, %s : tensor<64xf32>, tensor<64xf32>
  }
  %d = arith.subf %a, %b : tensor<64xf32>
  tile.store %xp, %d : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// Lanes that read only themselves change in place.
// CHECK-LABEL: plan of @in_place:
//       CHECK:   region {{.*}} = scf.for -> slot [[A:[0-9]+]] [1] f32
//  CHECK-NEXT:     group
//  CHECK-NEXT:       copy {{.*}} -> slot [[A]] [1] f32
//  CHECK-NEXT:   group
tile.kernel @in_place(%x: !tile.ptr<f32>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = tile.arange 0 to 64 : tensor<64xi32>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %xp : tensor<64x!tile.ptr<f32>>
  %a = scf.for %i = %c0 to %n step %c1 iter_args(%s = %v) -> (tensor<64xf32>) : i64 {
    %w = math.exp %s : tensor<64xf32>
    scf.yield %w : tensor<64xf32>
  }
  tile.store %xp, %a : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// Lanes that read others must not find them changed.
// CHECK-LABEL: plan of @negative_in_place_transposed:
//       CHECK:   region {{.*}} = scf.for -> slot [[A:[0-9]+]] [8, 1] f32
//       CHECK:      define {{.*}} = math.exp -> slot [[B:[0-9]+]] [8, 1] f32
//       CHECK:      copy {{.*}} -> slot [[A]] [8, 1] f32
tile.kernel @negative_in_place_transposed(%x: !tile.ptr<f32>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %X = tile.make_view %x, [%c8, %c8], [%c8, %c1] : !tile.view<f32, 2>
  %v = tile.view_load %X[%c0, %c0] : !tile.view<f32, 2> -> tensor<8x8xf32>
  %a = scf.for %i = %c0 to %n step %c1 iter_args(%s = %v) -> (tensor<8x8xf32>) : i64 {
    %t = tile.trans %s [1, 0] : tensor<8x8xf32> -> tensor<8x8xf32>
    %u = math.exp %t : tensor<8x8xf32>
    scf.yield %u : tensor<8x8xf32>
  }
  tile.view_store %X[%c0, %c0], %a : !tile.view<f32, 2>, tensor<8x8xf32>
  tile.return
}

// -----

// Both branches write the result to one place.
// CHECK-LABEL: plan of @branches:
//       CHECK:   region {{.*}} = scf.if -> slot [[A:[0-9]+]] [1] f32
//       CHECK:      copy {{.*}} -> slot [[A]] [1] f32
//       CHECK:    and
//       CHECK:      copy {{.*}} -> slot [[A]] [1] f32
tile.kernel @branches(%x: !tile.ptr<f32>, %c: i1) {
  %r = tile.arange 0 to 64 : tensor<64xi32>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %xp : tensor<64x!tile.ptr<f32>>
  %a = scf.if %c -> tensor<64xf32> {
    %w = math.exp %v : tensor<64xf32>
    scf.yield %w : tensor<64xf32>
  } else {
    scf.yield %v : tensor<64xf32>
  }
  tile.store %xp, %a : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// What goes in and what comes out have a place each.
// CHECK-LABEL: plan of @while:
//       CHECK:   copy {{.*}} -> slot [[IN:[0-9]+]] [1] f32
//       CHECK:   region {{.*}} = scf.while -> slot [[OUT:[0-9]+]] [1] f32
//       CHECK:      reduce in any order
//       CHECK:      copy {{.*}} -> slot [[OUT]] [1] f32
//       CHECK:    and
//       CHECK:      copy {{.*}} -> slot [[IN]] [1] f32
tile.kernel @while(%x: !tile.ptr<f32>, %limit: f32) {
  %r = tile.arange 0 to 64 : tensor<64xi32>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %xp : tensor<64x!tile.ptr<f32>>
  %a = scf.while (%s = %v) : (tensor<64xf32>) -> tensor<64xf32> {
    %m = tile.reduce %s axis 0 : tensor<64xf32> -> f32 by tile.maxnum
    %go = arith.cmpf olt, %m, %limit : f32
    scf.condition(%go) %s : tensor<64xf32>
  } do {
  ^bb0(%t: tensor<64xf32>):
    %w = math.exp %t : tensor<64xf32>
    scf.yield %w : tensor<64xf32>
  }
  tile.store %xp, %a : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// An operand that does not change is packed before the loop, and a transposed one while it is loaded.
// CHECK-LABEL: plan of @panels_outside:
//       CHECK:   pack a {{.*}} -> slot [[A:[0-9]+]]
//       CHECK:   region {{.*}} = scf.for
//       CHECK:      pack b {{.*}} transposed -> slot
//       CHECK:      structured {{.*}} = tile.dot
tile.kernel @panels_outside(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %X = tile.make_view %x, [%n, %c32], [%c32, %c1] : !tile.view<f32, 2>
  %Y = tile.make_view %y, [%n, %c32], [%c32, %c1] : !tile.view<f32, 2>
  %a = tile.view_load %X[%c0, %c0] : !tile.view<f32, 2> -> tensor<32x32xf32>
  %sum = scf.for %i = %c0 to %n step %c32 iter_args(%s = %zero) -> (tensor<32x32xf32>) : i64 {
    %b = tile.view_load %Y[%i, %c0] : !tile.view<f32, 2> -> tensor<32x32xf32>
    %t = tile.trans %b [1, 0] : tensor<32x32xf32> -> tensor<32x32xf32>
    %d = tile.dot %a, %t, %s : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
    scf.yield %d : tensor<32x32xf32>
  }
  tile.view_store %X[%c0, %c0], %sum : !tile.view<f32, 2>, tensor<32x32xf32>
  tile.return
}

// -----

// A reduction reads its input again when a piece of the row is done, so that nothing takes over its place before.
// CHECK-LABEL: plan of @negative_input_of_reduction
//       CHECK:   slot [[SUMS:[0-9]+]]: 256 bytes at [[PLACE:[0-9]+]]
//       CHECK:   slot [[EXPS:[0-9]+]]: 256 bytes at
//   CHECK-NOT:   {{ }}[[PLACE]]{{$}}
//       CHECK:   group 0
//  CHECK-NEXT:     reduce {{.*}} -> slot [[SUMS]] [1] f32
//       CHECK:   reduce in pairs
//  CHECK-NEXT:   define {{.*}} = math.exp -> slot [[EXPS]] [1] f32
tile.kernel @negative_input_of_reduction(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  %r = tile.arange 0 to 64 : tensor<64xi32>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %Y = tile.make_view %y, [%c64, %c64], [%c64, %c1] : !tile.view<f32, 2>
  %t = tile.view_load %Y[%c0, %c0] : !tile.view<f32, 2> -> tensor<64x64xf32>
  %m = tile.reduce %t axis 1 : tensor<64x64xf32> -> tensor<64xf32> by tile.maxnum
  %s = tile.reduce %m axis 0 : tensor<64xf32> -> f32 by arith.addf
  %e = math.exp %m : tensor<64xf32>
  %ss = tile.splat %s : tensor<64xf32>
  %q = arith.divf %e, %ss : tensor<64xf32>
  tile.store %xp, %q : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// Sums of 8 bytes take as much memory as the numbers of 4 bytes that they come from, but not in the same places.
// CHECK-LABEL: plan of @negative_wider_sums
//       CHECK:   slot [[PRODUCT:[0-9]+]]: 32 bytes at [[PLACE:[0-9]+]]
//       CHECK:   slot [[SUMS:[0-9]+]]: 32 bytes at
//   CHECK-NOT:   {{ }}[[PLACE]]{{$}}
//       CHECK:   structured {{.*}} = tile.dot -> slot [[PRODUCT]]
//       CHECK:   reduce in any order {{.*}} -> slot [[SUMS]] [2, 1] i64
tile.kernel @negative_wider_sums(%x: !tile.ptr<i64>) {
  %one = arith.constant dense<1.0> : tensor<2x2x2xf32>
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %X = tile.make_view %x, [%c2, %c2], [%c2, %c1] : !tile.view<i64, 2>
  %d = tile.dot %one, %one, %one : tensor<2x2x2xf32>, tensor<2x2x2xf32> -> tensor<2x2x2xf32>
  %i = tile.float_to_int %d : tensor<2x2x2xf32> -> tensor<2x2x2xi64>
  %s = tile.reduce %i axis 0 : tensor<2x2x2xi64> -> tensor<2x2xi64> by arith.addi
  tile.view_store %X[%c0, %c0], %s : !tile.view<i64, 2>, tensor<2x2xi64>
  tile.return
}

// -----

// What is carried is read once more after the new value is known, which so waits in a place of its own.
// CHECK-LABEL: plan of @negative_in_place_read_later
//       CHECK:   region {{.*}} = scf.for -> slot [[OLD:[0-9]+]] [1] f32
//       CHECK:     define {{.*}} = math.exp -> slot [[NEW:[0-9]+]] [1] f32
//  CHECK-NEXT:     reduce in any order
//       CHECK:     group
//       CHECK:     store
//       CHECK:     copy {{.*}} -> slot [[OLD]] [1] f32
tile.kernel @negative_in_place_read_later(%x: !tile.ptr<f32>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = tile.arange 0 to 64 : tensor<64xi32>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %r : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %xp : tensor<64x!tile.ptr<f32>>
  %a = scf.for %i = %c0 to %n step %c1 iter_args(%s = %v) -> (tensor<64xf32>) : i64 {
    %w = math.exp %s : tensor<64xf32>
    %m = tile.reduce %w axis 0 : tensor<64xf32> -> f32 by tile.maxnum
    %ms = tile.splat %m : tensor<64xf32>
    %d = arith.divf %s, %ms : tensor<64xf32>
    tile.store %xp, %d : tensor<64x!tile.ptr<f32>>
    scf.yield %w : tensor<64xf32>
  }
  tile.store %xp, %a : tensor<64x!tile.ptr<f32>>
  tile.return
}
