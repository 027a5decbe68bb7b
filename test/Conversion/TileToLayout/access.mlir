// RUN: tessera-opt %s -split-input-file -convert-tile-to-layout -layout-verify-stage=only-layouts | FileCheck %s
// RUN: tessera-opt %s -split-input-file -convert-tile-to-layout=target=cuda:sm_120 | FileCheck %s --check-prefix=WIDER
// RUN: tessera-opt %s -split-input-file -convert-tile-to-layout=target=hip:gfx942 | FileCheck %s --check-prefix=WAVE

// Sixteen bytes a thread, then lanes, then warps.
//       CHECK: #[[L:.*]] = #layout.tile<1024, register = [(1), (2), (4)], lane = [(8), (16), (32), (64), (128)], warp = [(256), (512)]>
// CHECK-LABEL: tile.kernel @wide(
//       CHECK: tile.load {{.*}} {layout.vector = 8 : i64} : tensor<1024x!tile.ptr<f16>, #[[L]]>
//       CHECK: tile.store {{.*}} {layout.vector = 8 : i64} : tensor<1024x!tile.ptr<f16>, #[[L]]>
// Accesses of what the chip has: 32 bytes, 64 lanes.
// WIDER-LABEL: tile.kernel @wide(
//       WIDER: tile.load {{.*}} {layout.vector = 8 : i64} : tensor<1024x!tile.ptr<f16>
//        WAVE: #{{.*}} = #layout.tile<1024, register = [(1), (2)], lane = [(4), (8), (16), (32), (64), (128)], warp = [(256), (512)]>
//  WAVE-LABEL: tile.kernel @wide(
tile.kernel @wide(%x: !tile.ptr<f16> {tile.multiple_of = 16 : i64}, %out: !tile.ptr<f16> {tile.multiple_of = 16 : i64}) {
  %c1024 = arith.constant 1024 : i64
  %id = tile.program_id x
  %first = arith.muli %id, %c1024 : i64
  %firsts = tile.splat %first : tensor<1024xi64>
  %lane = tile.arange 0 to 1024 : tensor<1024xi32>
  %lane64 = arith.extsi %lane : tensor<1024xi32> to tensor<1024xi64>
  %at = arith.addi %firsts, %lane64 : tensor<1024xi64>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<f16>>
  %outs = tile.splat %out : tensor<1024x!tile.ptr<f16>>
  %from = tile.addptr %xs, %at : tensor<1024x!tile.ptr<f16>>, tensor<1024xi64>
  %to = tile.addptr %outs, %at : tensor<1024x!tile.ptr<f16>>, tensor<1024xi64>
  %v = tile.load %from : tensor<1024x!tile.ptr<f16>>
  tile.store %to, %v : tensor<1024x!tile.ptr<f16>>
  tile.return
}

// -----

// Fewer bytes a thread before threads are left idle.
//       CHECK: #[[L:.*]] = #layout.tile<256, register = [(1)], lane = [(2), (4), (8), (16), (32)], warp = [(64), (128)]>
// CHECK-LABEL: tile.kernel @small(
//       CHECK: tile.load {{.*}} {layout.vector = 2 : i64} : tensor<256x!tile.ptr<f16>, #[[L]]>
tile.kernel @small(%x: !tile.ptr<f16> {tile.multiple_of = 16 : i64}) {
  %lane = tile.arange 0 to 256 : tensor<256xi32>
  %xs = tile.splat %x : tensor<256x!tile.ptr<f16>>
  %from = tile.addptr %xs, %lane : tensor<256x!tile.ptr<f16>>, tensor<256xi32>
  %v = tile.load %from : tensor<256x!tile.ptr<f16>>
  tile.print "" %v : tensor<256xf16>
  tile.return
}

// -----

// Nothing is known of the address.
// CHECK-LABEL: tile.kernel @negative_unaligned(
//   CHECK-NOT: layout.vector
tile.kernel @negative_unaligned(%x: !tile.ptr<f16>) {
  %lane = tile.arange 0 to 256 : tensor<256xi32>
  %xs = tile.splat %x : tensor<256x!tile.ptr<f16>>
  %from = tile.addptr %xs, %lane : tensor<256x!tile.ptr<f16>>, tensor<256xi32>
  %v = tile.load %from : tensor<256x!tile.ptr<f16>>
  tile.print "" %v : tensor<256xf16>
  tile.return
}

// -----

// Columns lie side by side: lanes go down the rows.
//       CHECK: #layout.tile<64x64, register = [(1, 0), (2, 0), {{.*}} lane = [(4, 0), (8, 0), (16, 0), (32, 0), (0, 1)]
// CHECK-LABEL: tile.kernel @column_major(
//       CHECK: tile.view_load {{.*}} {layout.vector = 4 : i64}
tile.kernel @column_major(%x: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %m: i64 {tile.multiple_of = 16 : i64},
                          %n: i64 {tile.multiple_of = 16 : i64}) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %v = tile.make_view %x, [%m, %n], [%c1, %m] : !tile.view<f32, 2, contiguous = 0>
  %t = tile.view_load %v[%c0, %c0] : !tile.view<f32, 2, contiguous = 0> -> tensor<64x64xf32>
  tile.print "" %t : tensor<64x64xf32>
  tile.return
}
