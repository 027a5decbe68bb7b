// RUN: tessera-opt %s -split-input-file -convert-tile-to-layout -layout-verify-stage=only-layouts | FileCheck %s

// What is read along rows is written along columns: one move, where the fewest bytes pass.
//       CHECK-DAG: #[[ROWS:.*]] = #layout.tile<64x64, register = [(0, 1), (0, 2), {{.*}} lane = [(0, 4), (0, 8), (0, 16), (0, 32), (1, 0)]
// CHECK-LABEL: tile.kernel @transpose(
//       CHECK: %[[X:.*]] = tile.view_load {{.*}} {layout.vector = 4 : i64} {{.*}} -> tensor<64x64xf32, #[[ROWS]]>
//       CHECK: %[[HALF:.*]] = tile.convert_float %[[X]]
//   CHECK-NOT: layout.convert
//       CHECK: %[[T:.*]] = tile.trans %[[HALF]]
//       CHECK: %[[MOVED:.*]] = layout.convert %[[T]]
//   CHECK-NOT: layout.convert
//       CHECK: tile.view_store {{.*}}, %[[MOVED]] {layout.vector = 8 : i64}
tile.kernel @transpose(%x: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %out: !tile.ptr<f16> {tile.multiple_of = 16 : i64},
                       %n: i64 {tile.multiple_of = 16 : i64}) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %from = tile.make_view %x, [%n, %n], [%n, %c1] : !tile.view<f32, 2>
  %to = tile.make_view %out, [%n, %n], [%n, %c1] : !tile.view<f16, 2>
  %t = tile.view_load %from[%c0, %c0] : !tile.view<f32, 2> -> tensor<64x64xf32>
  %half = tile.convert_float %t : tensor<64x64xf32> -> tensor<64x64xf16>
  %turned = tile.trans %half [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
  tile.view_store %to[%c0, %c0], %turned : !tile.view<f16, 2>, tensor<64x64xf16>
  tile.return
}

// -----

// Indices are made in both layouts instead of moved.
// CHECK-LABEL: tile.kernel @cheap(
//   CHECK-NOT: layout.convert
//       CHECK: tile.arange
//   CHECK-NOT: layout.convert
//       CHECK: tile.arange
//   CHECK-NOT: layout.convert
tile.kernel @cheap(%x: !tile.ptr<i32> {tile.multiple_of = 16 : i64}, %n: i64 {tile.multiple_of = 16 : i64}) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %rows = tile.make_view %x, [%n, %n], [%n, %c1] : !tile.view<i32, 2>
  %columns = tile.make_view %x, [%n, %n], [%c1, %n] : !tile.view<i32, 2, contiguous = 0>
  %lane = tile.arange 0 to 64 : tensor<64xi32>
  %wide = tile.expand_dims %lane axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %all = tile.broadcast %wide : tensor<1x64xi32> -> tensor<64x64xi32>
  tile.view_store %rows[%c0, %c0], %all : !tile.view<i32, 2>, tensor<64x64xi32>
  tile.view_store %columns[%c0, %c0], %all : !tile.view<i32, 2, contiguous = 0>, tensor<64x64xi32>
  tile.return
}

// -----

// Both halves of a whole have one layout, whatever they come from.
// CHECK-LABEL: tile.kernel @halves(
//       CHECK: layout.convert
//       CHECK: tile.cat %{{.*}}, %{{.*}} axis 0 : tensor<64x64xf32, #[[HALF:.*]]> -> tensor<128x64xf32, #{{.*}}>
tile.kernel @halves(%x: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %n: i64 {tile.multiple_of = 16 : i64}) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %rows = tile.make_view %x, [%n, %n], [%n, %c1] : !tile.view<f32, 2>
  %columns = tile.make_view %x, [%n, %n], [%c1, %n] : !tile.view<f32, 2, contiguous = 0>
  %a = tile.view_load %rows[%c0, %c0] : !tile.view<f32, 2> -> tensor<64x64xf32>
  %b = tile.view_load %columns[%c0, %c0] : !tile.view<f32, 2, contiguous = 0> -> tensor<64x64xf32>
  %t = tile.cat %a, %b axis 0 : tensor<64x64xf32> -> tensor<128x64xf32>
  tile.print "" %t : tensor<128x64xf32>
  tile.return
}
