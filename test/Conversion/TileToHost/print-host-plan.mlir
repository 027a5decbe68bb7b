// RUN: tessera-opt %s -split-input-file -tile-pipeline -tile-print-host-plan -o /dev/null | FileCheck %s
// RUN: tessera-opt %s -split-input-file -tile-pipeline -tile-print-host-plan=fuse=false -o /dev/null | FileCheck %s --check-prefix=APART
// Which ops of the example kernels share a loop, and which tiles live in memory.

// One loop and no memory of its own; without masks if the block lies inside.
// CHECK-LABEL: plan of @vector_add: arena of 0 bytes
//       CHECK:   group 0 over 1024, 8 lanes, unroll 4
//  CHECK-NEXT:     fast if 1024 <= (%arg3 -sat %1)
//  CHECK-NEXT:     clamp ..(%arg3 -sat %1)
//  CHECK-NEXT:     store
//   CHECK-NOT:   group

// APART-LABEL: plan of @vector_add: arena of
//       APART:   define {{.*}} = tile.addptr -> slot {{[0-9]+}} [1] i64
//       APART:   define {{.*}} = tile.load -> slot [[A:[0-9]+]] [1] f32
//       APART:   define {{.*}} = tile.load -> slot [[B:[0-9]+]] [1] f32
//       APART:   group
//   APART-NOT:   fast if
//       APART:   define {{.*}} = arith.addf -> slot
//       APART:   store
tile.kernel @vector_add(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %out: !tile.ptr<f32>, %n: i64) {
  %row = tile.program_id x
  %block = arith.constant 1024 : i64
  %start = arith.muli %row, %block : i64
  %lane = tile.arange 0 to 1024 : tensor<1024xi32>
  %wide = arith.extsi %lane : tensor<1024xi32> to tensor<1024xi64>
  %starts = tile.splat %start : tensor<1024xi64>
  %offs = arith.addi %starts, %wide : tensor<1024xi64>
  %ends = tile.splat %n : tensor<1024xi64>
  %mask = arith.cmpi slt, %offs, %ends : tensor<1024xi64>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %offs : tensor<1024x!tile.ptr<f32>>, tensor<1024xi64>
  %a = tile.load %xp mask %mask : tensor<1024x!tile.ptr<f32>>
  %ys = tile.splat %y : tensor<1024x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %offs : tensor<1024x!tile.ptr<f32>>, tensor<1024xi64>
  %b = tile.load %yp mask %mask : tensor<1024x!tile.ptr<f32>>
  %sum = arith.addf %a, %b : tensor<1024xf32>
  %os = tile.splat %out : tensor<1024x!tile.ptr<f32>>
  %op = tile.addptr %os, %offs : tensor<1024x!tile.ptr<f32>>, tensor<1024xi64>
  tile.store %op, %sum mask %mask : tensor<1024x!tile.ptr<f32>>
  tile.return
}

// -----

// The row is loaded once, and its exponentials take its place.
// CHECK-LABEL: plan of @softmax: arena of 4160 bytes
//       CHECK:   slot [[ROW:[0-9]+]]: 4096 bytes at 0
//       CHECK:   slot [[EXP:[0-9]+]]: 4096 bytes at 0
//       CHECK:   group 0 over 1024, 16 lanes, unroll 4
//  CHECK-NEXT:     fast if 1024 <= %arg3
//  CHECK-NEXT:     define {{.*}} = tile.convert_float -> slot [[ROW]] [1] f32
//  CHECK-NEXT:     reduce in any order
//       CHECK:   group 1 over 1024, 16 lanes, unroll 1
//  CHECK-NEXT:     define {{.*}} = math.exp -> slot [[EXP]] [1] f32
//  CHECK-NEXT:     reduce in pairs
//       CHECK:   group 2 over 1024
//  CHECK-NEXT:     fast if 1024 <= %arg3
//  CHECK-NEXT:     clamp ..%arg3
//  CHECK-NEXT:     store
tile.kernel @softmax(%x: !tile.ptr<f16>, %out: !tile.ptr<f16>, %stride: i64, %cols: i64) {
  %none = arith.constant dense<0xFC00> : tensor<1024xf16>
  %row = tile.program_id x
  %lane = tile.arange 0 to 1024 : tensor<1024xi32>
  %wide = arith.extsi %lane : tensor<1024xi32> to tensor<1024xi64>
  %ends = tile.splat %cols : tensor<1024xi64>
  %mask = arith.cmpi slt, %wide, %ends : tensor<1024xi64>
  %first = arith.muli %row, %stride : i64
  %xr = tile.addptr %x, %first : !tile.ptr<f16>, i64
  %xs = tile.splat %xr : tensor<1024x!tile.ptr<f16>>
  %xp = tile.addptr %xs, %lane : tensor<1024x!tile.ptr<f16>>, tensor<1024xi32>
  %h = tile.load %xp mask %mask other %none : tensor<1024x!tile.ptr<f16>>
  %v = tile.convert_float %h : tensor<1024xf16> -> tensor<1024xf32>
  %max = tile.reduce %v axis 0 : tensor<1024xf32> -> f32 by tile.maxnum
  %maxs = tile.splat %max : tensor<1024xf32>
  %d = arith.subf %v, %maxs : tensor<1024xf32>
  %e = math.exp %d : tensor<1024xf32>
  %or = tile.addptr %out, %first : !tile.ptr<f16>, i64
  %os = tile.splat %or : tensor<1024x!tile.ptr<f16>>
  %op = tile.addptr %os, %lane : tensor<1024x!tile.ptr<f16>>, tensor<1024xi32>
  %sum = tile.reduce %e axis 0 : tensor<1024xf32> -> f32 by arith.addf
  %sums = tile.splat %sum : tensor<1024xf32>
  %q = arith.divf %e, %sums : tensor<1024xf32>
  %r = tile.convert_float %q : tensor<1024xf32> -> tensor<1024xf16>
  tile.store %op, %r mask %mask : tensor<1024x!tile.ptr<f16>>
  tile.return
}

// -----

// The sum stays in one place through the loop, and operands are loaded straight into panels.
// CHECK-LABEL: plan of @matmul
//       CHECK:   group [[ZERO:[0-9]+]] over 128x128
//  CHECK-NEXT:     copy %cst -> slot [[SUM:[0-9]+]] [128, 1] f32
//  CHECK-NEXT:   region {{.*}} = scf.for -> slot [[SUM]] [128, 1] f32
//       CHECK:     group {{[0-9]+}} over 128x64
//       CHECK:       pack a {{.*}} -> slot [[A:[0-9]+]] f32, depth 64
//       CHECK:     group {{[0-9]+}} over 64x128
//       CHECK:       pack b {{.*}} -> slot [[B:[0-9]+]] f32, depth 64, panels of 32
//  CHECK-NEXT:     structured {{.*}} = tile.dot -> slot [[SUM]] [128, 1] f32
//       CHECK:   group {{[0-9]+}} over 128x128
//       CHECK:     clamp ..(%arg3 -sat [[ROW:%[0-9]+]]), ..(%arg4 -sat [[COL:%[0-9]+]])
//       CHECK:     store
tile.kernel @matmul(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %out: !tile.ptr<f16>, %m: i64, %n: i64, %k: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %c128 = arith.constant 128 : i64
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %x = tile.program_id x
  %y = tile.program_id y
  %row = arith.muli %x, %c128 : i64
  %col = arith.muli %y, %c128 : i64
  %A = tile.make_view %a, [%m, %k], [%k, %c1] : !tile.view<f16, 2>
  %B = tile.make_view %b, [%k, %n], [%n, %c1] : !tile.view<f16, 2>
  %C = tile.make_view %out, [%m, %n], [%n, %c1] : !tile.view<f16, 2>
  %sum = scf.for %l = %c0 to %k step %c64 iter_args(%acc = %zero) -> (tensor<128x128xf32>) : i64 {
    %ta = tile.view_load %A[%row, %l] : !tile.view<f16, 2> -> tensor<128x64xf16>
    %tb = tile.view_load %B[%l, %col] : !tile.view<f16, 2> -> tensor<64x128xf16>
    %d = tile.dot %ta, %tb, %acc : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %h = tile.convert_float %sum : tensor<128x128xf32> -> tensor<128x128xf16>
  tile.view_store %C[%row, %col], %h : !tile.view<f16, 2>, tensor<128x128xf16>
  tile.return
}

// -----

// Both sums are kept up in one loop over two loads, where they are.
// CHECK-LABEL: plan of @masked_mean
//       CHECK:   copy {{.*}} -> slot [[TOTAL:[0-9]+]] [1] f32
//       CHECK:   copy {{.*}} -> slot [[COUNT:[0-9]+]] [1] i32
//       CHECK:   region {{.*}} = scf.for -> slot [[TOTAL]] [1] f32 -> slot [[COUNT]] [1] i32
//       CHECK:     group {{[0-9]+}} over 1024
//  CHECK-NEXT:       fast if 1024 <= (%arg4 -sat %arg5)
//  CHECK-NEXT:       copy {{.*}} -> slot [[TOTAL]] [1] f32
//  CHECK-NEXT:       copy {{.*}} -> slot [[COUNT]] [1] i32
//       CHECK:   reduce in
//       CHECK:   reduce in
//       CHECK:   scalar tile.store
tile.kernel @masked_mean(%x: !tile.ptr<f32>, %keep: !tile.ptr<i1>, %out: !tile.ptr<f32>, %stride: i64, %cols: i64) {
  %zero = arith.constant dense<0.0> : tensor<1024xf32>
  %none = arith.constant dense<0> : tensor<1024xi32>
  %c0 = arith.constant 0 : i64
  %c1024 = arith.constant 1024 : i64
  %row = tile.program_id x
  %total, %count = scf.for %first = %c0 to %cols step %c1024 iter_args(%t = %zero, %c = %none) -> (tensor<1024xf32>, tensor<1024xi32>) : i64 {
    %lane = tile.arange 0 to 1024 : tensor<1024xi32>
    %wide = arith.extsi %lane : tensor<1024xi32> to tensor<1024xi64>
    %firsts = tile.splat %first : tensor<1024xi64>
    %col = arith.addi %firsts, %wide : tensor<1024xi64>
    %ends = tile.splat %cols : tensor<1024xi64>
    %inside = arith.cmpi slt, %col, %ends : tensor<1024xi64>
    %base = arith.muli %row, %stride : i64
    %kr = tile.addptr %keep, %base : !tile.ptr<i1>, i64
    %ks = tile.splat %kr : tensor<1024x!tile.ptr<i1>>
    %kp = tile.addptr %ks, %col : tensor<1024x!tile.ptr<i1>>, tensor<1024xi64>
    %kept = tile.load %kp mask %inside : tensor<1024x!tile.ptr<i1>>
    %xr = tile.addptr %x, %base : !tile.ptr<f32>, i64
    %xs = tile.splat %xr : tensor<1024x!tile.ptr<f32>>
    %xp = tile.addptr %xs, %col : tensor<1024x!tile.ptr<f32>>, tensor<1024xi64>
    %v = tile.load %xp mask %inside : tensor<1024x!tile.ptr<f32>>
    %w = arith.select %kept, %v, %zero : tensor<1024xi1>, tensor<1024xf32>
    %t1 = arith.addf %t, %w : tensor<1024xf32>
    %one = arith.extui %kept : tensor<1024xi1> to tensor<1024xi32>
    %c1 = arith.addi %c, %one : tensor<1024xi32>
    scf.yield %t1, %c1 : tensor<1024xf32>, tensor<1024xi32>
  }
  %n = tile.reduce %count axis 0 : tensor<1024xi32> -> i32 by arith.addi
  %s = tile.reduce %total axis 0 : tensor<1024xf32> -> f32 by arith.addf
  %nf = arith.sitofp %n : i32 to f32
  %mean = arith.divf %s, %nf : f32
  %op = tile.addptr %out, %row : !tile.ptr<f32>, i64
  tile.store %op, %mean : !tile.ptr<f32>
  tile.return
}

// -----

// What costs much is computed once before it is repeated for each row.
// CHECK-LABEL: plan of @rows
//       CHECK:   group [[FIRST:[0-9]+]] over 64
//       CHECK:     define {{.*}} = math.exp -> slot [[ROW:[0-9]+]] [1] f32
//       CHECK:   group [[SECOND:[0-9]+]] over 8x64
//       CHECK:     store
//   CHECK-NOT:   group
tile.kernel @rows(%x: !tile.ptr<f32>, %w: !tile.ptr<f32>, %m: i64, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %X = tile.make_view %x, [%m, %n], [%n, %c1] : !tile.view<f32, 2>
  %W = tile.make_view %w, [%n], [%c1] : !tile.view<f32, 1>
  %row = tile.view_load %W[%c0] : !tile.view<f32, 1> -> tensor<64xf32>
  %e = math.exp %row : tensor<64xf32>
  %e1 = tile.expand_dims %e axis 0 : tensor<64xf32> -> tensor<1x64xf32>
  %e2 = tile.broadcast %e1 : tensor<1x64xf32> -> tensor<8x64xf32>
  tile.view_store %X[%c0, %c0], %e2 : !tile.view<f32, 2>, tensor<8x64xf32>
  tile.return
}
