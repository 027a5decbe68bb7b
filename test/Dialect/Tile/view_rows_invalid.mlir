// RUN: tessera-opt %s -split-input-file -verify-diagnostics
// SEMANTICS M6a

tile.kernel @view_load_rows_c1(%p: !tile.ptr<f32>, %n: i64, %s: f32) {
  %w = tile.make_view %p, [%n], [%n] : !tile.view<f32, 1>
  %r = tile.splat %n : tensor<8xi64>
  // expected-error @below {{expected a view of rank 2, got rank 1}}
  %a = tile.view_load_rows %w[%r, %n] : !tile.view<f32, 1>, tensor<8xi64> -> tensor<8x4xf32>
  tile.return
}

// -----

tile.kernel @view_load_rows_c2(%p: !tile.ptr<f32>, %n: i64, %s: f32) {
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f32, 2>
  %r = tile.splat %n : tensor<8x1xi64>
  // expected-error @below {{expected `rows` to have rank 1, got rank 2}}
  %a = tile.view_load_rows %v[%r, %n] : !tile.view<f32, 2>, tensor<8x1xi64> -> tensor<8x4xf32>
  tile.return
}

// -----

tile.kernel @view_load_rows_c3(%p: !tile.ptr<f32>, %n: i64, %s: f32) {
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f32, 2>
  %r = tile.splat %n : tensor<8xi64>
  // expected-error @below {{expected `result` to have a row for each of 8 indices, got 4}}
  %a = tile.view_load_rows %v[%r, %n] : !tile.view<f32, 2>, tensor<8xi64> -> tensor<4x4xf32>
  tile.return
}

// -----

tile.kernel @view_load_rows_c3_rank(%p: !tile.ptr<f32>, %n: i64, %s: f32) {
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f32, 2>
  %r = tile.splat %n : tensor<8xi64>
  // expected-error @below {{expected `result` to have the rank 2 of the view, got 1}}
  %a = tile.view_load_rows %v[%r, %n] : !tile.view<f32, 2>, tensor<8xi64> -> tensor<8xf32>
  tile.return
}

// -----

tile.kernel @view_load_rows_c4(%p: !tile.ptr<f32>, %n: i64, %s: f32) {
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f32, 2>
  %r = tile.splat %n : tensor<8xi64>
  // expected-error @below {{`pad` has the element type of the view}}
  %a = "tile.view_load_rows"(%v, %r, %n, %n) : (!tile.view<f32, 2>, tensor<8xi64>, i64, i64) -> tensor<8x4xf32>
  tile.return
}

// -----

tile.kernel @view_load_rows_c5(%p: !tile.ptr<f32>, %n: i64, %s: f32) {
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f32, 2>
  %r = tile.splat %n : tensor<8xi64>
  // expected-error @below {{expected a cache hint for loads, got wb}}
  %a = tile.view_load_rows %v[%r, %n] cache wb : !tile.view<f32, 2>, tensor<8xi64> -> tensor<8x4xf32>
  tile.return
}

// -----

tile.kernel @view_store_rows_c1(%p: !tile.ptr<f32>, %n: i64, %s: f32) {
  %w = tile.make_view %p, [%n], [%n] : !tile.view<f32, 1>
  %r = tile.splat %n : tensor<8xi64>
  %t = tile.splat %s : tensor<8x4xf32>
  // expected-error @below {{expected a view of rank 2, got rank 1}}
  tile.view_store_rows %w[%r, %n], %t : !tile.view<f32, 1>, tensor<8xi64>, tensor<8x4xf32>
  tile.return
}

// -----

tile.kernel @view_store_rows_c2(%p: !tile.ptr<f32>, %n: i64, %s: f32) {
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f32, 2>
  %r = tile.splat %n : tensor<1x8xi64>
  %t = tile.splat %s : tensor<8x4xf32>
  // expected-error @below {{expected `rows` to have rank 1, got rank 2}}
  tile.view_store_rows %v[%r, %n], %t : !tile.view<f32, 2>, tensor<1x8xi64>, tensor<8x4xf32>
  tile.return
}

// -----

tile.kernel @view_store_rows_c3(%p: !tile.ptr<f32>, %n: i64, %s: f32) {
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f32, 2>
  %r = tile.splat %n : tensor<8xi64>
  %t = tile.splat %s : tensor<16x4xf32>
  // expected-error @below {{expected `value` to have a row for each of 8 indices, got 16}}
  tile.view_store_rows %v[%r, %n], %t : !tile.view<f32, 2>, tensor<8xi64>, tensor<16x4xf32>
  tile.return
}

// -----

tile.kernel @view_store_rows_c4(%p: !tile.ptr<f32>, %n: i64, %s: f32) {
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f32, 2>
  %r = tile.splat %n : tensor<8xi64>
  %t = tile.splat %s : tensor<8x4xf32>
  // expected-error @below {{expected a cache hint for stores, got cv}}
  tile.view_store_rows %v[%r, %n], %t cache cv : !tile.view<f32, 2>, tensor<8xi64>, tensor<8x4xf32>
  tile.return
}
