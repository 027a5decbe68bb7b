// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s

// CHECK-LABEL: tile.kernel @zero(
//       CHECK: tile.print "" %arg0
tile.kernel @zero(%p: !tile.ptr<f32>) {
  %n = arith.constant 0 : i64
  %a = tile.addptr %p, %n : !tile.ptr<f32>, i64
  tile.print "" %a : !tile.ptr<f32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_one(
//       CHECK: tile.addptr %arg0
tile.kernel @negative_one(%p: !tile.ptr<f32>) {
  %n = arith.constant 1 : i64
  %a = tile.addptr %p, %n : !tile.ptr<f32>, i64
  tile.print "" %a : !tile.ptr<f32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @splats(
//       CHECK: %[[A:.*]] = tile.addptr %arg0, %arg1 : !tile.ptr<f32>, i64
//       CHECK: tile.splat %[[A]]
tile.kernel @splats(%p: !tile.ptr<f32>, %n: i64) {
  %q = tile.splat %p : tensor<64x!tile.ptr<f32>>
  %j = tile.splat %n : tensor<64xi64>
  %a = tile.addptr %q, %j : tensor<64x!tile.ptr<f32>>, tensor<64xi64>
  tile.print "" %a : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_one_splat(
//       CHECK: tile.splat %arg0
//       CHECK: tile.addptr
tile.kernel @negative_one_splat(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<64x!tile.ptr<f32>>
  %j = tile.arange 0 to 64 : tensor<64xi32>
  %a = tile.addptr %q, %j : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.print "" %a : tensor<64x!tile.ptr<f32>>
  tile.return
}
