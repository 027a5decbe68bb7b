// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s

// CHECK-LABEL: tile.kernel @pad_zero(
//       CHECK: tile.view_load %{{[0-9]+}}[%arg1, %arg1] : !tile.view
tile.kernel @pad_zero(%p: !tile.ptr<f32>, %n: i64) {
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f32, 2>
  %z = arith.constant 0.0 : f32
  %a = tile.view_load %v[%n, %n] pad %z : !tile.view<f32, 2> -> tensor<4x4xf32>
  tile.print "" %a : tensor<4x4xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_pad_argument(
//       CHECK: tile.view_load %{{.*}} pad %arg2
tile.kernel @negative_pad_argument(%p: !tile.ptr<f32>, %n: i64, %s: f32) {
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f32, 2>
  %a = tile.view_load %v[%n, %n] pad %s : !tile.view<f32, 2> -> tensor<4x4xf32>
  tile.print "" %a : tensor<4x4xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @rows_pad_zero(
//       CHECK: tile.view_load_rows %{{.*}}[%{{.*}}, %arg1] : !tile.view
tile.kernel @rows_pad_zero(%p: !tile.ptr<f32>, %n: i64) {
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f32, 2>
  %r = tile.splat %n : tensor<8xi64>
  %z = arith.constant 0.0 : f32
  %a = tile.view_load_rows %v[%r, %n] pad %z : !tile.view<f32, 2>, tensor<8xi64> -> tensor<8x4xf32>
  tile.print "" %a : tensor<8x4xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @merged(
//       CHECK: %[[A:.*]] = tile.view_load
//       CHECK: tile.print "" %[[A]], %[[A]]
tile.kernel @merged(%p: !tile.ptr<f32>, %n: i64) {
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f32, 2>
  %a = tile.view_load %v[%n, %n] : !tile.view<f32, 2> -> tensor<4x4xf32>
  %b = tile.view_load %v[%n, %n] : !tile.view<f32, 2> -> tensor<4x4xf32>
  tile.print "" %a, %b : tensor<4x4xf32>, tensor<4x4xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_reload(
// CHECK-COUNT-2: tile.view_load
tile.kernel @negative_reload(%p: !tile.ptr<f32>, %n: i64) {
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f32, 2>
  %a = tile.view_load %v[%n, %n] : !tile.view<f32, 2> -> tensor<4x4xf32>
  %b = tile.view_load %v[%n, %n] reload : !tile.view<f32, 2> -> tensor<4x4xf32>
  tile.print "" %a, %b : tensor<4x4xf32>, tensor<4x4xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_over_view_store(
//       CHECK: tile.view_load
//       CHECK: tile.view_store
//       CHECK: tile.view_load
tile.kernel @negative_over_view_store(%p: !tile.ptr<f32>, %n: i64) {
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f32, 2>
  %a = tile.view_load %v[%n, %n] : !tile.view<f32, 2> -> tensor<4x4xf32>
  tile.view_store %v[%n, %n], %a : !tile.view<f32, 2>, tensor<4x4xf32>
  %b = tile.view_load %v[%n, %n] : !tile.view<f32, 2> -> tensor<4x4xf32>
  tile.print "" %a, %b : tensor<4x4xf32>, tensor<4x4xf32>
  tile.return
}
