// RUN: tessera-opt %s -split-input-file -convert-layout-to-llvm | FileCheck %s

// Rows lie a run-time stride apart: what all threads share is added for each row, columns are constants.

// CHECK-LABEL: llvm.func @copy(
//  CHECK-SAME:   %[[X:[^:]*]]: !llvm.ptr<1>, %{{[^:]*}}: !llvm.ptr<1>, %[[M:[^:]*]]: i64, %[[N:[^:]*]]: i64, %[[LD:[^:]*]]: i64)
//       CHECK:   %[[BASE:.*]] = llvm.getelementptr %[[X]][
//       CHECK:   %[[FIRST:.*]] = llvm.getelementptr %[[BASE]][
//       CHECK:   llvm.intr.ssub.sat(%[[M]],
//       CHECK:   %[[BELOW:.*]] = arith.subi %{{.*}}, %{{.*}} : i32
//       CHECK:   %[[INROW:.*]] = arith.cmpi slt, %[[BELOW]], %c0_i32
//       CHECK:   %[[INCOL:.*]] = arith.cmpi slt
//       CHECK:   %[[IN:.*]] = arith.andi %[[INROW]], %[[INCOL]]
//       CHECK:   llvm.call @tessera.gpu.load.v4i32(%[[FIRST]], %[[IN]],
//       CHECK:   arith.cmpi slt, %[[BELOW]], %c-8_i32
//       CHECK:   %[[STEP:.*]] = arith.muli %[[LD]], %c16_i64
//       CHECK:   %[[NEXT:.*]] = llvm.getelementptr %[[FIRST]][%[[STEP]]]
//       CHECK:   llvm.call @tessera.gpu.load.v4i32(%[[NEXT]],

#a = #layout.tile<32x32, register = [(0, 1), (0, 2), (0, 4), (8, 0), (16, 0)],
                  lane = [(0, 8), (0, 16), (1, 0), (2, 0), (4, 0)]>

tile.kernel @copy(%x: !tile.ptr<f16>, %y: !tile.ptr<f16>, %m: i64, %n: i64, %ld: i64)
    attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %c0 = arith.constant 0 : i64
  %pid = tile.program_id x
  %row = arith.muli %pid, %c32 : i64
  %v = tile.make_view %x, [%m, %n], [%ld, %c1] : !tile.view<f16, 2>
  %w = tile.make_view %y, [%m, %n], [%ld, %c1] : !tile.view<f16, 2>
  %t = tile.view_load %v[%row, %c0] {layout.vector = 8 : i64} : !tile.view<f16, 2> -> tensor<32x32xf16, #a>
  tile.view_store %w[%row, %c0], %t {layout.vector = 8 : i64} : !tile.view<f16, 2>, tensor<32x32xf16, #a>
  tile.return
}

// -----

// What is known to be in bounds needs no mask.

// CHECK-LABEL: llvm.func @in_bounds(
//   CHECK-NOT:   cmpi
//       CHECK:   llvm.load {{.*}} -> vector<4xi32>

#a = #layout.tile<128, register = [(1), (2)], lane = [(4), (8), (16), (32), (64)]>

tile.kernel @in_bounds(%x: !tile.ptr<f32>, %n: i64) attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  %v = tile.make_view %x, [%n], [%c1] : !tile.view<f32, 1>
  %t = tile.view_load %v[%c0] {layout.in_bounds, layout.vector = 4 : i64} : !tile.view<f32, 1> -> tensor<128xf32, #a>
  tile.view_store %v[%c0], %t {layout.in_bounds, layout.vector = 4 : i64} : !tile.view<f32, 1>, tensor<128xf32, #a>
  tile.return
}

// -----

// Rows anywhere: their numbers are registers, and each row and column is tested against the extents.

// CHECK-LABEL: llvm.func @rows(
//  CHECK-SAME:   %{{[^:]*}}: !llvm.ptr<1>, %[[M:[^:]*]]: i64, %[[N:[^:]*]]: i64
//       CHECK:   %[[R:.*]] = arith.extsi %{{.*}} : i32 to i64
//       CHECK:   arith.cmpi sge, %[[R]], %c0_i64
//       CHECK:   arith.cmpi slt, %[[R]], %[[M]]
//       CHECK:   arith.cmpi slt, %{{.*}}, %[[N]]
//       CHECK:   llvm.call @tessera.gpu.load.v4i32(

#a = #layout.tile<8x32, register = [(0, 1), (0, 2), (0, 4)], lane = [(0, 8), (0, 16), (1, 0), (2, 0), (4, 0)]>
#r = #layout.tile<8, register = [], lane = [(0), (0), (1), (2), (4)]>

tile.kernel @rows(%x: !tile.ptr<f16>, %m: i64, %n: i64, %index: !tile.ptr<i32>)
    attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  %i = tile.arange 0 to 8 : tensor<8xi32, #r>
  %is = tile.splat %index : tensor<8x!tile.ptr<i32>, #r>
  %ip = tile.addptr %is, %i : tensor<8x!tile.ptr<i32>, #r>, tensor<8xi32, #r>
  %rows = tile.load %ip : tensor<8x!tile.ptr<i32>, #r>
  %v = tile.make_view %x, [%m, %n], [%n, %c1] : !tile.view<f16, 2>
  %t = tile.view_load_rows %v[%rows, %c0] {layout.vector = 8 : i64}
      : !tile.view<f16, 2>, tensor<8xi32, #r> -> tensor<8x32xf16, #a>
  tile.view_store_rows %v[%rows, %c0], %t {layout.vector = 8 : i64}
      : !tile.view<f16, 2>, tensor<8xi32, #r>, tensor<8x32xf16, #a>
  tile.return
}
