// RUN: tessera-opt %s -split-input-file -convert-layout-to-llvm | FileCheck %s

// A loop carries the registers of its tiles.

// CHECK-LABEL: llvm.func @loop(
//       CHECK:   %[[SUM:.*]]:2 = scf.for %{{.*}} iter_args(%[[A:.*]] = %cst, %[[B:.*]] = %cst) -> (f32, f32)
//       CHECK:     arith.addf %[[A]],
//       CHECK:     arith.addf %[[B]],
//       CHECK:   scf.if %{{.*}} -> (f32, f32)
//       CHECK:     scf.yield %[[SUM]]#0, %[[SUM]]#1

#row = #layout.tile<64, register = [(1)], lane = [(2), (4), (8), (16), (32)]>

tile.kernel @loop(%x: !tile.ptr<f32>, %n: i64, %c: i1)
    attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %z = arith.constant dense<0.0> : tensor<64xf32, #row>
  %i = tile.arange 0 to 64 : tensor<64xi32, #row>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f32>, #row>
  %xp = tile.addptr %xs, %i : tensor<64x!tile.ptr<f32>, #row>, tensor<64xi32, #row>
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %z) -> (tensor<64xf32, #row>) : i64 {
    %v = tile.load %xp {layout.vector = 2 : i64} : tensor<64x!tile.ptr<f32>, #row>
    %a = arith.addf %acc, %v : tensor<64xf32, #row>
    scf.yield %a : tensor<64xf32, #row>
  }
  %r = scf.if %c -> tensor<64xf32, #row> {
    scf.yield %s : tensor<64xf32, #row>
  } else {
    scf.yield %z : tensor<64xf32, #row>
  }
  tile.store %xp, %r {layout.vector = 2 : i64} : tensor<64x!tile.ptr<f32>, #row>
  tile.return
}

// -----

// A carried tile of pointers is carried as addresses, and a view as its parts.

// CHECK-LABEL: llvm.func @walk(
//       CHECK:   scf.while (%{{.*}}, %{{.*}}, %{{.*}} = {{.*}}) : (i64, i64, i32) -> (i64, i64, i32)
//       CHECK:   scf.if %{{.*}} -> (i64, i64, i64)

#row = #layout.tile<64, register = [(1)], lane = [(2), (4), (8), (16), (32)]>

tile.kernel @walk(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32, %c: i1)
    attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  %one = arith.constant 1 : i32
  %long = arith.constant 1 : i64
  %zero = arith.constant 0 : i64
  %i = tile.arange 0 to 64 : tensor<64xi32, #row>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f32>, #row>
  %p, %k = scf.while (%q = %xs, %j = %n) : (tensor<64x!tile.ptr<f32>, #row>, i32) -> (tensor<64x!tile.ptr<f32>, #row>, i32) {
    %v = tile.load %q : tensor<64x!tile.ptr<f32>, #row>
    %next = tile.addptr %q, %i : tensor<64x!tile.ptr<f32>, #row>, tensor<64xi32, #row>
    tile.store %next, %v : tensor<64x!tile.ptr<f32>, #row>
    %less = arith.subi %j, %one : i32
    %goes = arith.cmpi sgt, %less, %one : i32
    scf.condition(%goes) %next, %less : tensor<64x!tile.ptr<f32>, #row>, i32
  } do {
  ^bb0(%q: tensor<64x!tile.ptr<f32>, #row>, %j: i32):
    scf.yield %q, %j : tensor<64x!tile.ptr<f32>, #row>, i32
  }
  %a = tile.make_view %x, [%long], [%long] : !tile.view<f32, 1>
  %b = tile.make_view %y, [%long], [%long] : !tile.view<f32, 1>
  %w = scf.if %c -> !tile.view<f32, 1> {
    scf.yield %a : !tile.view<f32, 1>
  } else {
    scf.yield %b : !tile.view<f32, 1>
  }
  %t = tile.view_load %w[%zero] : !tile.view<f32, 1> -> tensor<64xf32, #row>
  tile.view_store %w[%zero], %t : !tile.view<f32, 1>, tensor<64xf32, #row>
  tile.return
}
