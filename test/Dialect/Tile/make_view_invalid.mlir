// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @make_view_c1(%p: !tile.ptr<i32>, %n: i64) {
  // expected-error @below {{`base` points to the element type of the view}}
  %v = "tile.make_view"(%p, %n, %n, %n, %n) <{operandSegmentSizes = array<i32: 1, 2, 2>}> : (!tile.ptr<i32>, i64, i64, i64, i64) -> !tile.view<f32, 2>
  tile.return
}

// -----

tile.kernel @make_view_c2(%p: !tile.ptr<f32>, %n: i64, %s: f32) {
  // expected-error @below {{expected 2 extents for a view of rank 2, got 1}}
  %v = tile.make_view %p, [%n], [%n, %n] : !tile.view<f32, 2>
  tile.return
}

// -----

tile.kernel @make_view_c3(%p: !tile.ptr<f32>, %n: i64, %s: f32) {
  // expected-error @below {{expected 2 strides for a view of rank 2, got 0}}
  %v = tile.make_view %p, [%n, %n], [] : !tile.view<f32, 2>
  tile.return
}

// -----

tile.kernel @make_view_extent(%p: !tile.ptr<f32>, %n: i32) {
  // expected-error @below {{operand #1 must be variadic of 64-bit signless integer}}
  %v = "tile.make_view"(%p, %n, %n, %n, %n) <{operandSegmentSizes = array<i32: 1, 2, 2>}> : (!tile.ptr<f32>, i32, i32, i32, i32) -> !tile.view<f32, 2>
  tile.return
}
