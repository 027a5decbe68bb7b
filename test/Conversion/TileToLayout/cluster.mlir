// RUN: tessera-opt %s -split-input-file -convert-tile-to-layout=num-blocks=4 -layout-verify-stage=only-layouts | FileCheck %s
// RUN: tessera-opt %s -split-input-file -convert-tile-to-layout="num-blocks=4 target=cuda:sm_80" | FileCheck %s --check-prefix=SMALL

// Accesses are spread over the warps of all blocks as over those of one, the last bits of which are the blocks'.
//       CHECK: #[[L:.*]] = #layout.tile<4096, register = [(1), (2), (2048)], lane = [(4), (8), (16), (32), (64)], warp = [(128), (256)], block = [(512), (1024)]>
// CHECK-LABEL: tile.kernel @row(
//  CHECK-SAME: layout.num_blocks = 4 : i64, layout.num_warps = 4 : i64
//       CHECK: tile.load {{.*}} {layout.vector = 4 : i64} : tensor<4096x!tile.ptr<f32>, #[[L]]>

// Chips without clusters compute a program with one block.
//   SMALL-NOT: block =
// SMALL-LABEL: tile.kernel @row(
//  SMALL-SAME: layout.num_blocks = 1 : i64, layout.num_warps = 4 : i64
tile.kernel @row(%x: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %out: !tile.ptr<f32>) {
  %starts = tile.splat %x : tensor<4096x!tile.ptr<f32>>
  %lane = tile.arange 0 to 4096 : tensor<4096xi32>
  %p = tile.addptr %starts, %lane : tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>
  %v = tile.load %p : tensor<4096x!tile.ptr<f32>>
  %sum = tile.reduce %v axis 0 : tensor<4096xf32> -> f32 by arith.addf
  tile.store %out, %sum : !tile.ptr<f32>
  tile.return
}
