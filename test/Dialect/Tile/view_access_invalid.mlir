// RUN: tessera-opt %s -split-input-file -verify-diagnostics
// SEMANTICS M6

tile.kernel @view_load_c1(%p: !tile.ptr<f32>, %n: i64, %s: f32) {
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f32, 2>
  // expected-error @below {{expected one coordinate for each of 2 axes, got 1}}
  %a = tile.view_load %v[%n] : !tile.view<f32, 2> -> tensor<8x64xf32>
  tile.return
}

// -----

tile.kernel @view_load_c2(%p: !tile.ptr<f32>, %n: i64, %s: f32) {
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f32, 2>
  // expected-error @below {{expected `result` to have the element type 'f32' of the view, got 'f16'}}
  %a = tile.view_load %v[%n, %n] : !tile.view<f32, 2> -> tensor<8x64xf16>
  tile.return
}

// -----

tile.kernel @view_load_c2_rank(%p: !tile.ptr<f32>, %n: i64, %s: f32) {
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f32, 2>
  // expected-error @below {{expected `result` to have the rank 2 of the view, got 1}}
  %a = tile.view_load %v[%n, %n] : !tile.view<f32, 2> -> tensor<8xf32>
  tile.return
}

// -----

tile.kernel @view_load_c3(%p: !tile.ptr<f32>, %n: i64, %s: f32) {
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f32, 2>
  // expected-error @below {{`pad` has the element type of the view}}
  %a = "tile.view_load"(%v, %n, %n, %n) <{operandSegmentSizes = array<i32: 1, 2, 1>}> : (!tile.view<f32, 2>, i64, i64, i64) -> tensor<8x64xf32>
  tile.return
}

// -----

tile.kernel @view_load_c4(%p: !tile.ptr<f32>, %n: i64, %s: f32) {
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f32, 2>
  // expected-error @below {{expected a cache hint for loads, got wb}}
  %a = tile.view_load %v[%n, %n] cache wb : !tile.view<f32, 2> -> tensor<8x64xf32>
  tile.return
}

// -----

tile.kernel @view_store_c1(%p: !tile.ptr<f32>, %n: i64, %s: f32) {
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f32, 2>
  %t = tile.splat %s : tensor<4x4xf32>
  // expected-error @below {{expected one coordinate for each of 2 axes, got 3}}
  tile.view_store %v[%n, %n, %n], %t : !tile.view<f32, 2>, tensor<4x4xf32>
  tile.return
}

// -----

tile.kernel @view_store_c2(%p: !tile.ptr<f32>, %n: i64, %s: f32) {
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f32, 2>
  %t = tile.splat %n : tensor<4x4xi64>
  // expected-error @below {{expected `value` to have the element type 'f32' of the view, got 'i64'}}
  tile.view_store %v[%n, %n], %t : !tile.view<f32, 2>, tensor<4x4xi64>
  tile.return
}

// -----

tile.kernel @view_store_c2_rank(%p: !tile.ptr<f32>, %n: i64, %s: f32) {
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f32, 2>
  %t = tile.splat %s : tensor<4x4x4xf32>
  // expected-error @below {{expected `value` to have the rank 2 of the view, got 3}}
  tile.view_store %v[%n, %n], %t : !tile.view<f32, 2>, tensor<4x4x4xf32>
  tile.return
}

// -----

tile.kernel @view_store_c3(%p: !tile.ptr<f32>, %n: i64, %s: f32) {
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f32, 2>
  %t = tile.splat %s : tensor<4x4xf32>
  // expected-error @below {{expected a cache hint for stores, got ca}}
  tile.view_store %v[%n, %n], %t cache ca : !tile.view<f32, 2>, tensor<4x4xf32>
  tile.return
}
