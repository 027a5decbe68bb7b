// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s

// CHECK-LABEL: tile.kernel @sort_all_valid(
//       CHECK: tile.sort %{{.*}} axis 0 : tensor<8xf32>
tile.kernel @sort_all_valid(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<8x!tile.ptr<f32>>
  %x = tile.load %q : tensor<8x!tile.ptr<f32>>
  %m = arith.constant dense<true> : tensor<8xi1>
  %r = tile.sort %x axis 0 valid %m : tensor<8xf32>
  tile.print "" %r : tensor<8xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_sort_none_valid(
//       CHECK: tile.sort %{{.*}} valid
tile.kernel @negative_sort_none_valid(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<8x!tile.ptr<f32>>
  %x = tile.load %q : tensor<8x!tile.ptr<f32>>
  %m = arith.constant dense<false> : tensor<8xi1>
  %r = tile.sort %x axis 0 valid %m : tensor<8xf32>
  tile.print "" %r : tensor<8xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @histogram_all(
//       CHECK: tile.histogram %{{[0-9]+}} : tensor<8xi32>
tile.kernel @histogram_all(%s: i32) {
  %x = tile.splat %s : tensor<8xi32>
  %m = arith.constant dense<true> : tensor<8xi1>
  %r = tile.histogram %x mask %m : tensor<8xi32> -> tensor<4xi32>
  tile.print "" %r : tensor<4xi32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @histogram_none(
//       CHECK: arith.constant dense<0> : tensor<4xi32>
// CHECK-NOT: tile.histogram
tile.kernel @histogram_none(%s: i32) {
  %x = tile.splat %s : tensor<8xi32>
  %m = arith.constant dense<false> : tensor<8xi1>
  %r = tile.histogram %x mask %m : tensor<8xi32> -> tensor<4xi32>
  tile.print "" %r : tensor<4xi32>
  tile.return
}
