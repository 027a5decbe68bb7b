// RUN: tessera-opt %s -split-input-file -canonicalize | FileCheck %s

#a = #layout.tile<8, register = [(1)], lane = [(2), (4)]>
#b = #layout.tile<8, register = [(4)], lane = [(1), (2)]>

// CHECK-LABEL: tile.kernel @same(
//   CHECK-NOT:   layout.convert
tile.kernel @same(%p: !tile.ptr<i32>) {
  %q = tile.splat %p : tensor<8x!tile.ptr<i32>, #a>
  %x = tile.load %q : tensor<8x!tile.ptr<i32>, #a>
  %y = layout.convert %x : tensor<8xi32, #a> -> tensor<8xi32, #a>
  tile.store %q, %y : tensor<8x!tile.ptr<i32>, #a>
  tile.return
}

// -----

#a = #layout.tile<8, register = [(1)], lane = [(2), (4)]>
#b = #layout.tile<8, register = [(4)], lane = [(1), (2)]>

// There and back is nothing.
// CHECK-LABEL: tile.kernel @back(
//   CHECK-NOT:   layout.convert
tile.kernel @back(%p: !tile.ptr<i32>) {
  %q = tile.splat %p : tensor<8x!tile.ptr<i32>, #a>
  %x = tile.load %q : tensor<8x!tile.ptr<i32>, #a>
  %y = layout.convert %x : tensor<8xi32, #a> -> tensor<8xi32, #b>
  %z = layout.convert %y : tensor<8xi32, #b> -> tensor<8xi32, #a>
  tile.store %q, %z : tensor<8x!tile.ptr<i32>, #a>
  tile.return
}

// -----

#a = #layout.tile<8, register = [(1)], lane = [(2), (4)]>
#b = #layout.tile<8, register = [(4)], lane = [(1), (2)]>

// CHECK-LABEL: tile.kernel @constants(
//   CHECK-DAG:   %[[C:.*]] = arith.constant dense<7> : tensor<8xi32, #[[B:l[0-9]*]]>
//   CHECK-DAG:   %[[S:.*]] = tile.splat %{{.*}} : tensor<8x!tile.ptr<i32>, #[[B]]>
//       CHECK:   tile.store %[[S]], %[[C]]
tile.kernel @constants(%p: !tile.ptr<i32>) {
  %q = tile.splat %p : tensor<8x!tile.ptr<i32>, #a>
  %r = layout.convert %q : tensor<8x!tile.ptr<i32>, #a> -> tensor<8x!tile.ptr<i32>, #b>
  %x = arith.constant dense<7> : tensor<8xi32, #a>
  %y = layout.convert %x : tensor<8xi32, #a> -> tensor<8xi32, #b>
  tile.store %r, %y : tensor<8x!tile.ptr<i32>, #b>
  tile.return
}

// -----

#a = #layout.tile<8, register = [(1)], lane = [(2), (4)]>
#b = #layout.tile<8, register = [(4)], lane = [(1), (2)]>

// The elements of another constant would have to be moved: the layout stays visible.
// CHECK-LABEL: tile.kernel @negative(
//       CHECK:   layout.convert
tile.kernel @negative(%p: !tile.ptr<i32>) {
  %q = tile.splat %p : tensor<8x!tile.ptr<i32>, #b>
  %x = tile.arange 0 to 8 : tensor<8xi32, #a>
  %y = layout.convert %x : tensor<8xi32, #a> -> tensor<8xi32, #b>
  tile.store %q, %y : tensor<8x!tile.ptr<i32>, #b>
  tile.return
}
