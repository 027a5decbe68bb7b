// RUN: tessera-opt %s -tile-pipeline | FileCheck %s
// What the kernel that everyone reads first looks like.

//      CHECK: tile.kernel @vector_add(%arg0: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %arg1: !tile.ptr<f32>, %arg2: !tile.ptr<f32>, %arg3: i64) {
// CHECK-NEXT:   %c1024_i64 = arith.constant 1024 : i64
// CHECK-NEXT:   %0 = tile.program_id x
// CHECK-NEXT:   %1 = arith.muli %0, %c1024_i64 : i64
// CHECK-NEXT:   %2 = tile.arange 0 to 1024 : tensor<1024xi32>
// CHECK-NEXT:   %3 = arith.extsi %2 : tensor<1024xi32> to tensor<1024xi64>
// CHECK-NEXT:   %4 = tile.splat %1 : tensor<1024xi64>
// CHECK-NEXT:   %5 = arith.addi %4, %3 : tensor<1024xi64>
// CHECK-NEXT:   %6 = tile.splat %arg3 : tensor<1024xi64>
// CHECK-NEXT:   %7 = arith.cmpi slt, %5, %6 : tensor<1024xi64>
// CHECK-NEXT:   %8 = tile.splat %arg0 : tensor<1024x!tile.ptr<f32>>
// CHECK-NEXT:   %9 = tile.addptr %8, %5 : tensor<1024x!tile.ptr<f32>>, tensor<1024xi64>
// CHECK-NEXT:   %10 = tile.load %9 mask %7 : tensor<1024x!tile.ptr<f32>>
// CHECK-NEXT:   %11 = tile.splat %arg1 : tensor<1024x!tile.ptr<f32>>
// CHECK-NEXT:   %12 = tile.addptr %11, %5 : tensor<1024x!tile.ptr<f32>>, tensor<1024xi64>
// CHECK-NEXT:   %13 = tile.load %12 mask %7 : tensor<1024x!tile.ptr<f32>>
// CHECK-NEXT:   %14 = arith.addf %10, %13 : tensor<1024xf32>
// CHECK-NEXT:   %15 = tile.splat %arg2 : tensor<1024x!tile.ptr<f32>>
// CHECK-NEXT:   %16 = tile.addptr %15, %5 : tensor<1024x!tile.ptr<f32>>, tensor<1024xi64>
// CHECK-NEXT:   tile.store %16, %14 mask %7 : tensor<1024x!tile.ptr<f32>>
// CHECK-NEXT:   tile.return
tile.kernel @vector_add(%x: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %y: !tile.ptr<f32>, %out: !tile.ptr<f32>, %n: i64) {
  %row = tile.program_id x
  %block = arith.constant 1024 : i64
  %start = arith.muli %row, %block : i64
  %lane = tile.arange 0 to 1024 : tensor<1024xi32>
  %wide = arith.extsi %lane : tensor<1024xi32> to tensor<1024xi64>
  %starts = tile.splat %start : tensor<1024xi64>
  %offs = arith.addi %starts, %wide : tensor<1024xi64>
  %ends = tile.splat %n : tensor<1024xi64>
  %mask = arith.cmpi slt, %offs, %ends : tensor<1024xi64>
  %zero = arith.constant dense<0.0> : tensor<1024xf32>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %offs : tensor<1024x!tile.ptr<f32>>, tensor<1024xi64>
  %a = tile.load %xp mask %mask other %zero : tensor<1024x!tile.ptr<f32>>
  %ys = tile.splat %y : tensor<1024x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %offs : tensor<1024x!tile.ptr<f32>>, tensor<1024xi64>
  %b = tile.load %yp mask %mask other %zero : tensor<1024x!tile.ptr<f32>>
  %sum = arith.addf %a, %b : tensor<1024xf32>
  %os = tile.splat %out : tensor<1024x!tile.ptr<f32>>
  %op = tile.addptr %os, %offs : tensor<1024x!tile.ptr<f32>>, tensor<1024xi64>
  tile.store %op, %sum mask %mask : tensor<1024x!tile.ptr<f32>>
  tile.return
}
