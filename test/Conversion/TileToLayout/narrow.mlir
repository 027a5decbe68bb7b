// RUN: tessera-opt %s -split-input-file -tile-version-full-blocks -convert-tile-to-layout -layout-verify-stage=only-layouts | FileCheck %s
// RUN: tessera-opt %s -split-input-file -convert-tile-to-layout=num-warps=1 | FileCheck %s --check-prefix=ONE

// A row of 128 elements is held by one warp, so that each warp of a block runs a program of its own.
//       CHECK: #[[L:.*]] = #layout.tile<128, register = [(1), (2)], lane = [(4), (8), (16), (32), (64)]>
// CHECK-LABEL: tile.kernel @narrow(
//  CHECK-SAME: layout.num_warps = 1 : i64, layout.programs_per_block = 4 : i64
//       CHECK: tile.load {{.*}} {layout.vector = 4 : i64} : tensor<128x!tile.ptr<f32>, #[[L]]>
// Blocks of one warp would leave half of a multiprocessor empty.
//   ONE-LABEL: tile.kernel @narrow(
//    ONE-SAME: layout.num_warps = 1 : i64, layout.programs_per_block = 2 : i64
tile.kernel @narrow(%x: !tile.ptr<f32>) {
  %c128 = arith.constant 128 : i64
  %id = tile.program_id x
  %row = arith.muli %id, %c128 : i64
  %start = tile.addptr %x, %row : !tile.ptr<f32>, i64
  %starts = tile.splat %start : tensor<128x!tile.ptr<f32>>
  %lane = tile.arange 0 to 128 : tensor<128xi32>
  %p = tile.addptr %starts, %lane : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  %v = tile.load %p : tensor<128x!tile.ptr<f32>>
  %sum = tile.reduce %v axis 0 : tensor<128xf32> -> f32 by arith.addf
  tile.store %start, %sum : !tile.ptr<f32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_wide(
//  CHECK-SAME: layout.num_warps = 4 : i64, layout.programs_per_block = 1 : i64
tile.kernel @negative_wide(%x: !tile.ptr<f32>) {
  %id = tile.program_id x
  %start = tile.addptr %x, %id : !tile.ptr<f32>, i64
  %starts = tile.splat %start : tensor<1024x!tile.ptr<f32>>
  %lane = tile.arange 0 to 1024 : tensor<1024xi32>
  %p = tile.addptr %starts, %lane : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
  %sum = tile.reduce %v axis 0 : tensor<1024xf32> -> f32 by arith.addf
  tile.store %start, %sum : !tile.ptr<f32>
  tile.return
}

// -----

// The grid may have one program along x.
// CHECK-LABEL: tile.kernel @negative_other_axis(
//  CHECK-SAME: layout.num_warps = 4 : i64, layout.programs_per_block = 1 : i64
tile.kernel @negative_other_axis(%x: !tile.ptr<f32>) {
  %id = tile.program_id y
  %start = tile.addptr %x, %id : !tile.ptr<f32>, i64
  %starts = tile.splat %start : tensor<128x!tile.ptr<f32>>
  %lane = tile.arange 0 to 128 : tensor<128xi32>
  %p = tile.addptr %starts, %lane : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  %v = tile.load %p : tensor<128x!tile.ptr<f32>>
  %sum = tile.reduce %v axis 0 : tensor<128xf32> -> f32 by arith.addf
  tile.store %start, %sum : !tile.ptr<f32>
  tile.return
}

// -----

// A loop may make much of little.
// CHECK-LABEL: tile.kernel @negative_loop(
//  CHECK-SAME: layout.num_warps = 4 : i64, layout.programs_per_block = 1 : i64
tile.kernel @negative_loop(%x: !tile.ptr<f32>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<128xf32>
  %id = tile.program_id x
  %start = tile.addptr %x, %id : !tile.ptr<f32>, i64
  %starts = tile.splat %start : tensor<128x!tile.ptr<f32>>
  %lane = tile.arange 0 to 128 : tensor<128xi32>
  %p = tile.addptr %starts, %lane : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%t = %zero) -> (tensor<128xf32>) : i64 {
    %v = tile.load %p reload : tensor<128x!tile.ptr<f32>>
    %u = arith.addf %t, %v : tensor<128xf32>
    scf.yield %u : tensor<128xf32>
  }
  tile.store %p, %all : tensor<128x!tile.ptr<f32>>
  tile.return
}
