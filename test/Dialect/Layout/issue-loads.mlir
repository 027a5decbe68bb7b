// RUN: tessera-opt %s -split-input-file -layout-issue-loads | FileCheck %s

!l = tensor<128xf16, #layout.tile<128, register = [(1), (2)], lane = [(4), (8), (16), (32), (64)]>>
!p = tensor<128x!tile.ptr<f16>, #layout.tile<128, register = [(1), (2)], lane = [(4), (8), (16), (32), (64)]>>
!f = tensor<128xf32, #layout.tile<128, register = [(1), (2)], lane = [(4), (8), (16), (32), (64)]>>

// The second load comes before the reduction, its widening behind it.
// CHECK-LABEL: tile.kernel @weights(
//       CHECK:   tile.load
//       CHECK:   tile.load
//       CHECK:   tile.reduce
//       CHECK:   tile.convert_float
tile.kernel @weights(%x: !tile.ptr<f16>, %w: !tile.ptr<f16>) attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  %xs = tile.splat %x : !p
  %a = tile.load %xs : !p
  %s = tile.reduce %a axis 0 : !l -> f16 by tile.maxnum
  %ws = tile.splat %w : !p
  %b = tile.load %ws : !p
  %f = tile.convert_float %b : !l -> !f
  %ss = tile.splat %s : !l
  %d = arith.divf %a, %ss : !l
  tile.store %xs, %d : !p
  %g = arith.addf %f, %f : !f
  %n = tile.convert_float %g : !f -> !l
  tile.store %ws, %n : !p
  tile.return
}

// -----

!l = tensor<128xf16, #layout.tile<128, register = [(1), (2)], lane = [(4), (8), (16), (32), (64)]>>
!p = tensor<128x!tile.ptr<f16>, #layout.tile<128, register = [(1), (2)], lane = [(4), (8), (16), (32), (64)]>>

// What a store may change is read behind it.
// CHECK-LABEL: tile.kernel @negative_store(
//       CHECK:   tile.load
//       CHECK:   tile.reduce
//       CHECK:   tile.store
//       CHECK:   tile.load
tile.kernel @negative_store(%x: !tile.ptr<f16>) attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  %xs = tile.splat %x : !p
  %a = tile.load %xs : !p
  %s = tile.reduce %a axis 0 : !l -> f16 by tile.maxnum
  %ss = tile.splat %s : !l
  tile.store %xs, %ss : !p
  %b = tile.load %xs : !p
  %c = arith.addf %b, %ss : !l
  tile.store %xs, %c : !p
  tile.return
}

// -----

!l = tensor<128xi32, #layout.tile<128, register = [(1), (2)], lane = [(4), (8), (16), (32), (64)]>>
!p = tensor<128x!tile.ptr<i32>, #layout.tile<128, register = [(1), (2)], lane = [(4), (8), (16), (32), (64)]>>

// The place depends on what the reduction found.
// CHECK-LABEL: tile.kernel @negative_needs_the_reduction(
//       CHECK:   tile.load
//       CHECK:   tile.reduce
//       CHECK:   tile.load
tile.kernel @negative_needs_the_reduction(%x: !tile.ptr<i32>) attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  %xs = tile.splat %x : !p
  %a = tile.load %xs : !p
  %s = tile.reduce %a axis 0 : !l -> i32 by arith.maxsi
  %ss = tile.splat %s : !l
  %ps = tile.addptr %xs, %ss : !p, !l
  %b = tile.load %ps : !p
  tile.store %xs, %b : !p
  tile.return
}

// -----

!l = tensor<8192xf32, #layout.tile<8192, register = [(1), (2), (128), (256), (512), (1024), (2048), (4096)], lane = [(4), (8), (16), (32), (64)]>>
!p = tensor<8192x!tile.ptr<f32>, #layout.tile<8192, register = [(1), (2), (128), (256), (512), (1024), (2048), (4096)], lane = [(4), (8), (16), (32), (64)]>>

// It would take 256 registers until it is used.
// CHECK-LABEL: tile.kernel @negative_large(
//       CHECK:   tile.load
//       CHECK:   tile.reduce
//       CHECK:   tile.load
tile.kernel @negative_large(%x: !tile.ptr<f32>, %w: !tile.ptr<f32>) attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  %xs = tile.splat %x : !p
  %a = tile.load %xs : !p
  %s = tile.reduce %a axis 0 : !l -> f32 by tile.maxnum
  %ws = tile.splat %w : !p
  %b = tile.load %ws : !p
  %ss = tile.splat %s : !l
  %c = arith.addf %b, %ss : !l
  tile.store %xs, %c : !p
  tile.return
}
