// RUN: tessera-opt %s -split-input-file -convert-layout-to-llvm | FileCheck %s
// RUN: tessera-opt %s -split-input-file -convert-layout-to-llvm=fp-contract=false | FileCheck %s --check-prefix=STRICT

// Each register is computed by itself; f16 in f32.

// CHECK-LABEL: llvm.func @halves(
// CHECK-COUNT-2: arith.mulf {{.*}} : f32
//   CHECK-NOT:   arith.mulf
// CHECK-LABEL: llvm.func @singles(
//       CHECK:   arith.mulf {{.*}} fastmath<contract> : f32
//       STRICT:  arith.mulf %{{[^ ]*}}, %{{[^ ]*}} : f32

#row = #layout.tile<64, register = [(1)], lane = [(2), (4), (8), (16), (32)]>

tile.kernel @halves(%x: !tile.ptr<f16>) attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  %i = tile.arange 0 to 64 : tensor<64xi32, #row>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f16>, #row>
  %xp = tile.addptr %xs, %i : tensor<64x!tile.ptr<f16>, #row>, tensor<64xi32, #row>
  %v = tile.load %xp {layout.vector = 2 : i64} : tensor<64x!tile.ptr<f16>, #row>
  %w = arith.mulf %v, %v : tensor<64xf16, #row>
  tile.store %xp, %w {layout.vector = 2 : i64} : tensor<64x!tile.ptr<f16>, #row>
  tile.return
}
tile.kernel @singles(%x: !tile.ptr<f32>) attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  %v = tile.load %x : !tile.ptr<f32>
  %w = arith.mulf %v, %v : f32
  tile.store %x, %w : !tile.ptr<f32>
  tile.return
}

// -----

// Shapes only rename: the row's two registers serve all eight of the tile.

// CHECK-LABEL: llvm.func @rename(
// CHECK-COUNT-2: llvm.load {{.*}} -> i32
//   CHECK-NOT:   llvm.load
// CHECK-COUNT-2: arith.addf
//   CHECK-NOT:   arith.addf
// CHECK-COUNT-8: llvm.store

#tile = #layout.tile<4x64, register = [(0, 1), (1, 0), (2, 0)], lane = [(0, 2), (0, 4), (0, 8), (0, 16), (0, 32)]>
#line = #layout.tile<1x64, register = [(0, 1)], lane = [(0, 2), (0, 4), (0, 8), (0, 16), (0, 32)]>
#row = #layout.tile<64, register = [(1)], lane = [(2), (4), (8), (16), (32)]>
#turned = #layout.tile<64x4, register = [(1, 0), (0, 1), (0, 2)], lane = [(2, 0), (4, 0), (8, 0), (16, 0), (32, 0)]>

tile.kernel @rename(%x: !tile.ptr<f32>) attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  %i = tile.arange 0 to 64 : tensor<64xi32, #row>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f32>, #row>
  %xp = tile.addptr %xs, %i : tensor<64x!tile.ptr<f32>, #row>, tensor<64xi32, #row>
  %v = tile.load %xp : tensor<64x!tile.ptr<f32>, #row>
  %n = arith.addf %v, %v : tensor<64xf32, #row>
  %l = tile.expand_dims %n axis 0 : tensor<64xf32, #row> -> tensor<1x64xf32, #line>
  %b = tile.broadcast %l : tensor<1x64xf32, #line> -> tensor<4x64xf32, #tile>
  %t = tile.trans %b [1, 0] : tensor<4x64xf32, #tile> -> tensor<64x4xf32, #turned>
  %ts = tile.splat %x : tensor<64x4x!tile.ptr<f32>, #turned>
  tile.store %ts, %t : tensor<64x4x!tile.ptr<f32>, #turned>
  tile.return
}

// -----

// A constant whose elements differ lies in memory.

// CHECK-LABEL: llvm.mlir.global internal constant @table_constant_0(dense<[1, 2, 3, 4
//       CHECK: llvm.func @table(
//       CHECK:   llvm.mlir.addressof @table_constant_0 : !llvm.ptr<1>

#row = #layout.tile<8, register = [], lane = [(1), (2), (4), (0), (0)]>

tile.kernel @table(%x: !tile.ptr<i32>) attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  %t = arith.constant dense<[1, 2, 3, 4, 5, 6, 7, 8]> : tensor<8xi32, #row>
  %xs = tile.splat %x : tensor<8x!tile.ptr<i32>, #row>
  tile.store %xs, %t : tensor<8x!tile.ptr<i32>, #row>
  tile.return
}
