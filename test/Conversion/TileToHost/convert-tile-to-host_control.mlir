// RUN: tessera-opt %s -split-input-file -tile-pipeline -convert-tile-to-host | FileCheck %s
// Loops and branches carry scalars: views as their numbers, tiles in the arena.

// The counter would overflow behind the last turn of a loop that ends at the largest integer.
// CHECK-LABEL: llvm.func @turns(
//       CHECK:   %[[LAST:.*]] = arith.divui %{{.*}}, %c4_i64
//       CHECK:   %[[COUNT:.*]] = arith.addi %[[LAST]], %c1_i64
//       CHECK:   %[[TURNS:.*]] = arith.select %{{.*}}, %[[COUNT]], %c0_i64
//       CHECK:   scf.for %{{.*}} = %c0_i64 to %[[TURNS]] step %c1_i64 iter_args(%{{.*}}) -> (i64)
tile.kernel @turns(%x: !tile.ptr<i64>, %lo: i64, %hi: i64) {
  %c4 = arith.constant 4 : i64
  %r = scf.for %i = %lo to %hi step %c4 iter_args(%s = %lo) -> (i64) : i64 {
    %t = arith.addi %s, %i : i64
    scf.yield %t : i64
  }
  tile.store %x, %r : !tile.ptr<i64>
  tile.return
}

// -----

// CHECK-LABEL: llvm.func @carried_tile(
//  CHECK-SAME:   %[[ARENA:[a-z0-9]*]]: !llvm.ptr {llvm.noalias}
//       CHECK:   llvm.store %{{.*}}, %[[ARENA]]
//       CHECK:   scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c1_i64 : i64 {
//       CHECK:     llvm.load %[[ARENA]] {{.*}} -> vector<8xf32>
//       CHECK:     llvm.store %{{.*}}, %[[ARENA]]
tile.kernel @carried_tile(%x: !tile.ptr<f32>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %lane = tile.arange 0 to 16 : tensor<16xi32>
  %xs = tile.splat %x : tensor<16x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %lane : tensor<16x!tile.ptr<f32>>, tensor<16xi32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (tensor<16xf32>) : i64 {
    %v = tile.load %xp : tensor<16x!tile.ptr<f32>>
    %s = arith.addf %a, %v : tensor<16xf32>
    scf.yield %s : tensor<16xf32>
  }
  tile.store %xp, %r : tensor<16x!tile.ptr<f32>>
  tile.return
}

// -----

// CHECK-LABEL: llvm.func @selected_view(
//       CHECK:   %{{.*}}:3 = scf.if %{{.*}} -> (i64, i64, i64) {
tile.kernel @selected_view(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i64, %c: i1) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %v = tile.make_view %x, [%n], [%c1] : !tile.view<f32, 1>
  %w = scf.if %c -> (!tile.view<f32, 1>) {
    %u = tile.make_view %y, [%n], [%c1] : !tile.view<f32, 1>
    scf.yield %u : !tile.view<f32, 1>
  } else {
    scf.yield %v : !tile.view<f32, 1>
  }
  %t = tile.view_load %w[%c0] : !tile.view<f32, 1> -> tensor<16xf32>
  tile.view_store %v[%c0], %t : !tile.view<f32, 1>, tensor<16xf32>
  tile.return
}
