// RUN: tessera-opt %s -layout-verify-stage | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// Ops of the other dialects on tiles with layouts, each by its rule.

#row = #layout.tile<64, register = [(1)], lane = [(2), (4), (8), (16), (32)], warp = [(0)]>
#tile = #layout.tile<2x64, register = [(0, 1)], lane = [(0, 2), (0, 4), (0, 8), (0, 16), (0, 32)], warp = [(1, 0)]>
#one = #layout.tile<1x64, register = [(0, 1)], lane = [(0, 2), (0, 4), (0, 8), (0, 16), (0, 32)], warp = [(0, 0)]>
#back = #layout.tile<64x2, register = [(1, 0)], lane = [(2, 0), (4, 0), (8, 0), (16, 0), (32, 0)], warp = [(0, 1)]>
#flat = #layout.tile<128, register = [(1)], lane = [(2), (4), (8), (16), (32)], warp = [(64)]>
#rows = #layout.tile<2, register = [(0)], lane = [(0), (0), (0), (0), (0)], warp = [(1)]>

// CHECK-LABEL: tile.kernel @rules(
tile.kernel @rules(%p: !tile.ptr<f32>, %n: i32, %s: f32) attributes {layout.num_warps = 2, layout.warp_size = 32, layout.shared_bytes = 0} {
  // CHECK: tile.arange 0 to 64 : tensor<64xi32, #[[ROW:l[0-9]*]]>
  %i = tile.arange 0 to 64 : tensor<64xi32, #row>
  // CHECK: tile.expand_dims %{{.*}} axis 0 : tensor<64xi32, #[[ROW]]> -> tensor<1x64xi32, #[[ONE:l[0-9]*]]>
  %e = tile.expand_dims %i axis 0 : tensor<64xi32, #row> -> tensor<1x64xi32, #one>
  // CHECK: tile.broadcast %{{.*}} : tensor<1x64xi32, #[[ONE]]> -> tensor<2x64xi32, #[[TILE:l[0-9]*]]>
  %b = tile.broadcast %e : tensor<1x64xi32, #one> -> tensor<2x64xi32, #tile>
  %q = tile.splat %p : tensor<2x64x!tile.ptr<f32>, #tile>
  // CHECK: tile.addptr %{{.*}} : tensor<2x64x!tile.ptr<f32>, #[[TILE]]>
  %a = tile.addptr %q, %b : tensor<2x64x!tile.ptr<f32>, #tile>, tensor<2x64xi32, #tile>
  %nn = tile.splat %n : tensor<2x64xi32, #tile>
  // CHECK: arith.cmpi slt, %{{.*}} : tensor<2x64xi32, #[[TILE]]>
  %m = arith.cmpi slt, %b, %nn : tensor<2x64xi32, #tile>
  // CHECK: tile.load %{{.*}} mask %{{.*}} : tensor<2x64x!tile.ptr<f32>, #[[TILE]]>
  %x = tile.load %a mask %m : tensor<2x64x!tile.ptr<f32>, #tile>
  // CHECK: arith.addf %{{.*}} : tensor<2x64xf32, #[[TILE]]>
  %y = arith.addf %x, %x : tensor<2x64xf32, #tile>
  // CHECK: arith.select %{{.*}} : tensor<2x64xi1, #[[TILE]]>, tensor<2x64xf32, #[[TILE]]>
  %z = arith.select %m, %x, %y : tensor<2x64xi1, #tile>, tensor<2x64xf32, #tile>
  // CHECK: tile.convert_float %{{.*}} : tensor<2x64xf32, #[[TILE]]> -> tensor<2x64xf16, #[[TILE]]>
  %h = tile.convert_float %z : tensor<2x64xf32, #tile> -> tensor<2x64xf16, #tile>
  // CHECK: tile.trans %{{.*}} [1, 0] : tensor<2x64xf16, #[[TILE]]> -> tensor<64x2xf16, #[[BACK:l[0-9]*]]>
  %t = tile.trans %h [1, 0] : tensor<2x64xf16, #tile> -> tensor<64x2xf16, #back>
  // CHECK: tile.reshape %{{.*}} : tensor<2x64xf16, #[[TILE]]> -> tensor<128xf16, #[[FLAT:l[0-9]*]]>
  %f = tile.reshape %h : tensor<2x64xf16, #tile> -> tensor<128xf16, #flat>
  // CHECK: tile.reduce %{{.*}} axis 1 : tensor<2x64xf32, #[[TILE]]> -> tensor<2xf32, #[[ROWS:l[0-9]*]]> by arith.addf
  %r = tile.reduce %z axis 1 : tensor<2x64xf32, #tile> -> tensor<2xf32, #rows> by arith.addf
  // CHECK: tile.reduce %{{.*}} axis 0 : tensor<64xi32, #[[ROW]]> -> i32 by arith.addi
  %w = tile.reduce %i axis 0 : tensor<64xi32, #row> -> i32 by arith.addi
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  // CHECK: scf.for
  %loop = scf.for %k = %zero to %one step %one iter_args(%v = %x) -> tensor<2x64xf32, #tile> : i64 {
    scf.yield %v : tensor<2x64xf32, #tile>
  }
  layout.barrier
  tile.store %a, %loop mask %m : tensor<2x64x!tile.ptr<f32>, #tile>
  tile.return
}
