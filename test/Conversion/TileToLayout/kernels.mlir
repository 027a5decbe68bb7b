// RUN: tessera-opt %s -split-input-file -convert-tile-to-layout -layout-verify-stage=only-layouts | FileCheck %s
// RUN: tessera-opt %s -split-input-file -tile-version-full-blocks -convert-tile-to-layout -layout-split-sorts -layout-split-reductions \
// RUN:   -layout-expand-shared -layout-allocate-shared -layout-insert-barriers -layout-verify-stage > %t
// The kernels of kernels/, as they are traced: every tile gets a layout, and no elements move.

// A bound that nothing is known of cuts runs anywhere, so that each thread accesses one element at a time.
//       CHECK: #[[L:.*]] = #layout.tile<1024, register = [(128), (256), (512)], lane = [(1), (2), (4), (8), (16)], warp = [(32), (64)]>
// CHECK-LABEL: tile.kernel @vector_add(
//  CHECK-SAME: layout.num_blocks = 1 : i64, layout.num_warps = 4 : i64, layout.programs_per_block = 1 : i64, layout.warp_size = 32 : i64
//   CHECK-NOT: layout.vector
//   CHECK-NOT: layout.convert
//       CHECK: arith.addf {{.*}} : tensor<1024xf32, #[[L]]>
tile.kernel @vector_add(%x: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %y: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %out: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %n: i64) {
  %c1024_i64 = arith.constant 1024 : i64
  %0 = tile.program_id x
  %1 = arith.muli %0, %c1024_i64 : i64
  %2 = tile.arange 0 to 1024 : tensor<1024xi32>
  %3 = arith.extsi %2 : tensor<1024xi32> to tensor<1024xi64>
  %4 = tile.splat %1 : tensor<1024xi64>
  %5 = arith.addi %4, %3 : tensor<1024xi64>
  %6 = tile.splat %n : tensor<1024xi64>
  %7 = arith.cmpi slt, %5, %6 : tensor<1024xi64>
  %8 = tile.splat %x : tensor<1024x!tile.ptr<f32>>
  %9 = tile.addptr %8, %5 : tensor<1024x!tile.ptr<f32>>, tensor<1024xi64>
  %10 = tile.load %9 mask %7 : tensor<1024x!tile.ptr<f32>>
  %11 = tile.splat %y : tensor<1024x!tile.ptr<f32>>
  %12 = tile.addptr %11, %5 : tensor<1024x!tile.ptr<f32>>, tensor<1024xi64>
  %13 = tile.load %12 mask %7 : tensor<1024x!tile.ptr<f32>>
  %14 = arith.addf %10, %13 : tensor<1024xf32>
  %15 = tile.splat %out : tensor<1024x!tile.ptr<f32>>
  %16 = tile.addptr %15, %5 : tensor<1024x!tile.ptr<f32>>, tensor<1024xi64>
  tile.store %16, %14 mask %7 : tensor<1024x!tile.ptr<f32>>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @softmax(
//   CHECK-NOT: layout.convert
tile.kernel @softmax(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>, %stride: i64, %cols: i64) {
  %cst = arith.constant dense<0xFF800000> : tensor<1024xf32>
  %c1024_i64 = arith.constant 1024 : i64
  %0 = arith.cmpi sle, %cols, %c1024_i64 : i64
  tile.assert %0, "a row must fit the block" : i1
  %1 = tile.program_id x
  %2 = tile.arange 0 to 1024 : tensor<1024xi32>
  %3 = arith.extsi %2 : tensor<1024xi32> to tensor<1024xi64>
  %4 = tile.splat %cols : tensor<1024xi64>
  %5 = arith.cmpi slt, %3, %4 : tensor<1024xi64>
  %6 = arith.muli %1, %stride : i64
  %7 = tile.addptr %x, %6 : !tile.ptr<f32>, i64
  %8 = tile.splat %7 : tensor<1024x!tile.ptr<f32>>
  %9 = tile.addptr %8, %2 : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %10 = tile.load %9 mask %5 other %cst : tensor<1024x!tile.ptr<f32>>
  %11 = tile.reduce %10 axis 0 : tensor<1024xf32> -> f32 by tile.maxnum
  %12 = tile.splat %11 : tensor<1024xf32>
  %13 = arith.subf %10, %12 : tensor<1024xf32>
  %14 = math.exp %13 : tensor<1024xf32>
  %15 = tile.addptr %out, %6 : !tile.ptr<f32>, i64
  %16 = tile.splat %15 : tensor<1024x!tile.ptr<f32>>
  %17 = tile.addptr %16, %2 : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %18 = tile.reduce %14 axis 0 : tensor<1024xf32> -> f32 by arith.addf
  %19 = tile.splat %18 : tensor<1024xf32>
  %20 = arith.divf %14, %19 : tensor<1024xf32>
  tile.store %17, %20 mask %5 : tensor<1024x!tile.ptr<f32>>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @layer_norm(
//   CHECK-NOT: layout.convert
tile.kernel @layer_norm(%x: !tile.ptr<f32>, %weight: !tile.ptr<f32>, %bias: !tile.ptr<f32>, %out: !tile.ptr<f32>, %stride: i64, %cols: i64, %eps: f32) {
  %cst = arith.constant dense<0.000000e+00> : tensor<1024xf32>
  %cst_0 = arith.constant 1.000000e+00 : f32
  %c1024_i64 = arith.constant 1024 : i64
  %0 = arith.cmpi sle, %cols, %c1024_i64 : i64
  tile.assert %0, "a row must fit the block" : i1
  %1 = tile.program_id x
  %2 = tile.arange 0 to 1024 : tensor<1024xi32>
  %3 = arith.extsi %2 : tensor<1024xi32> to tensor<1024xi64>
  %4 = tile.splat %cols : tensor<1024xi64>
  %5 = arith.cmpi slt, %3, %4 : tensor<1024xi64>
  %6 = arith.muli %1, %stride : i64
  %7 = tile.addptr %x, %6 : !tile.ptr<f32>, i64
  %8 = tile.splat %7 : tensor<1024x!tile.ptr<f32>>
  %9 = tile.addptr %8, %2 : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %10 = tile.load %9 mask %5 : tensor<1024x!tile.ptr<f32>>
  %11 = tile.reduce %10 axis 0 : tensor<1024xf32> -> f32 by arith.addf
  %12 = arith.sitofp %cols : i64 to f32
  %13 = arith.divf %11, %12 : f32
  %14 = tile.splat %13 : tensor<1024xf32>
  %15 = arith.subf %10, %14 : tensor<1024xf32>
  %16 = arith.select %5, %15, %cst : tensor<1024xi1>, tensor<1024xf32>
  %17 = arith.mulf %16, %16 : tensor<1024xf32>
  %18 = tile.reduce %17 axis 0 : tensor<1024xf32> -> f32 by arith.addf
  %19 = arith.divf %18, %12 : f32
  %20 = arith.addf %19, %eps : f32
  %21 = math.sqrt %20 : f32
  %22 = arith.divf %cst_0, %21 : f32
  %23 = tile.splat %weight : tensor<1024x!tile.ptr<f32>>
  %24 = tile.addptr %23, %2 : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %25 = tile.load %24 mask %5 : tensor<1024x!tile.ptr<f32>>
  %26 = tile.splat %bias : tensor<1024x!tile.ptr<f32>>
  %27 = tile.addptr %26, %2 : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %28 = tile.load %27 mask %5 : tensor<1024x!tile.ptr<f32>>
  %29 = tile.addptr %out, %6 : !tile.ptr<f32>, i64
  %30 = tile.splat %29 : tensor<1024x!tile.ptr<f32>>
  %31 = tile.addptr %30, %2 : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %32 = tile.splat %22 : tensor<1024xf32>
  %33 = arith.mulf %16, %32 : tensor<1024xf32>
  %34 = arith.mulf %33, %25 : tensor<1024xf32>
  %35 = arith.addf %34, %28 : tensor<1024xf32>
  tile.store %31, %35 mask %5 : tensor<1024x!tile.ptr<f32>>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @masked_mean(
//   CHECK-NOT: layout.convert
tile.kernel @masked_mean(%x: !tile.ptr<f32>, %keep: !tile.ptr<i1>, %out: !tile.ptr<f32>, %stride: i64, %cols: i64) {
  %c1_i32 = arith.constant 1 : i32
  %c1024_i64 = arith.constant 1024 : i64
  %c0_i64 = arith.constant 0 : i64
  %cst = arith.constant dense<0> : tensor<1024xi32>
  %cst_0 = arith.constant dense<0.000000e+00> : tensor<1024xf32>
  %0 = tile.program_id x
  %1:2 = scf.for %arg5 = %c0_i64 to %cols step %c1024_i64 iter_args(%arg6 = %cst_0, %arg7 = %cst) -> (tensor<1024xf32>, tensor<1024xi32>)  : i64 {
    %8 = tile.arange 0 to 1024 : tensor<1024xi32>
    %9 = arith.extsi %8 : tensor<1024xi32> to tensor<1024xi64>
    %10 = tile.splat %arg5 : tensor<1024xi64>
    %11 = arith.addi %10, %9 : tensor<1024xi64>
    %12 = tile.splat %cols : tensor<1024xi64>
    %13 = arith.cmpi slt, %11, %12 : tensor<1024xi64>
    %14 = arith.muli %0, %stride : i64
    %15 = tile.addptr %keep, %14 : !tile.ptr<i1>, i64
    %16 = tile.splat %15 : tensor<1024x!tile.ptr<i1>>
    %17 = tile.addptr %16, %11 : tensor<1024x!tile.ptr<i1>>, tensor<1024xi64>
    %18 = tile.load %17 mask %13 : tensor<1024x!tile.ptr<i1>>
    %19 = tile.addptr %x, %14 : !tile.ptr<f32>, i64
    %20 = tile.splat %19 : tensor<1024x!tile.ptr<f32>>
    %21 = tile.addptr %20, %11 : tensor<1024x!tile.ptr<f32>>, tensor<1024xi64>
    %22 = tile.load %21 mask %13 : tensor<1024x!tile.ptr<f32>>
    %23 = arith.select %18, %22, %cst_0 : tensor<1024xi1>, tensor<1024xf32>
    %24 = arith.addf %arg6, %23 : tensor<1024xf32>
    %25 = arith.extui %18 : tensor<1024xi1> to tensor<1024xi32>
    %26 = arith.addi %arg7, %25 : tensor<1024xi32>
    scf.yield %24, %26 : tensor<1024xf32>, tensor<1024xi32>
  }
  %2 = tile.reduce %1#1 axis 0 : tensor<1024xi32> -> i32 by arith.addi
  %3 = tile.addptr %out, %0 : !tile.ptr<f32>, i64
  %4 = tile.reduce %1#0 axis 0 : tensor<1024xf32> -> f32 by arith.addf
  %5 = arith.maxsi %2, %c1_i32 : i32
  %6 = arith.sitofp %5 : i32 to f32
  %7 = arith.divf %4, %6 : f32
  tile.store %3, %7 : !tile.ptr<f32>
  tile.return
}

// -----

// A thread holds squares of the accumulator; the operands are read along their rows. For the store, whose rows may begin
// anywhere, warps keep what they have and lanes move along the rows.
//       CHECK-DAG: #[[ACC:.*]] = #layout.tile<128x128, register = [(0, 1), (0, 2), (1, 0), (2, 0), {{.*}} warp = [(64, 0), (0, 64)]>
//       CHECK-DAG: #[[A:.*]] = #layout.tile<128x64, register = [(0, 32), {{.*}} lane = [(0, 1), (0, 2), (0, 4), (0, 8), (0, 16)],
//       CHECK-DAG: #[[ROWS:.*]] = #layout.tile<128x128, {{.*}} lane = [(0, 1), (0, 2), (0, 4), (0, 8), (0, 16)], warp = [(64, 0), (0, 64)]>
// CHECK-LABEL: tile.kernel @matmul(
//   CHECK-NOT: layout.convert
//       CHECK: tile.dot {{.*}} : tensor<128x64xf32, #[[A]]>, {{.*}} -> tensor<128x128xf32, #[[ACC]]>
//       CHECK: layout.convert {{.*}} : tensor<128x128xf32, #[[ACC]]> -> tensor<128x128xf32, #[[ROWS]]>
//       CHECK: tile.view_store {{.*}} tensor<128x128xf32, #[[ROWS]]>
tile.kernel @matmul(%a: !tile.ptr<f32>, %b: !tile.ptr<f32>, %out: !tile.ptr<f32>, %m: i64, %n: i64, %k: i64, %lda: i64, %ldb: i64, %ldc: i64) {
  %c64_i64 = arith.constant 64 : i64
  %c0_i64 = arith.constant 0 : i64
  %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
  %c1_i64 = arith.constant 1 : i64
  %c8_i64 = arith.constant 8 : i64
  %c128_i64 = arith.constant 128 : i64
  %0 = tile.idiv %m, %c128_i64 rounding ceil : i64
  %1 = tile.idiv %n, %c128_i64 rounding ceil : i64
  %2 = tile.program_id x
  %3 = arith.muli %1, %c8_i64 : i64
  %4 = tile.idiv %2, %3 : i64
  %5 = arith.muli %4, %c8_i64 : i64
  %6 = arith.subi %0, %5 : i64
  %7 = arith.minsi %6, %c8_i64 : i64
  %8 = tile.irem %2, %3 : i64
  %9 = tile.irem %8, %7 : i64
  %10 = arith.addi %5, %9 : i64
  %11 = tile.idiv %8, %7 : i64
  %12 = tile.make_view %a, [%m, %k], [%lda, %c1_i64] : !tile.view<f32, 2>
  %13 = tile.make_view %b, [%k, %n], [%ldb, %c1_i64] : !tile.view<f32, 2>
  %14 = tile.make_view %out, [%m, %n], [%ldc, %c1_i64] : !tile.view<f32, 2>
  %15 = scf.for %arg9 = %c0_i64 to %k step %c64_i64 iter_args(%arg10 = %cst) -> (tensor<128x128xf32>)  : i64 {
    %18 = arith.muli %10, %c128_i64 : i64
    %19 = tile.view_load %12[%18, %arg9] : !tile.view<f32, 2> -> tensor<128x64xf32>
    %20 = arith.muli %11, %c128_i64 : i64
    %21 = tile.view_load %13[%arg9, %20] : !tile.view<f32, 2> -> tensor<64x128xf32>
    %22 = tile.dot %19, %21, %arg10 : tensor<128x64xf32>, tensor<64x128xf32> -> tensor<128x128xf32>
    scf.yield %22 : tensor<128x128xf32>
  }
  %16 = arith.muli %10, %c128_i64 : i64
  %17 = arith.muli %11, %c128_i64 : i64
  tile.view_store %14[%16, %17], %15 : !tile.view<f32, 2>, tensor<128x128xf32>
  tile.return
}
