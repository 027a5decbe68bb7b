// RUN: tessera-opt %s -split-input-file -layout-expand-dots=target=hip:gfx950 | FileCheck %s --check-prefixes=CHECK,COLUMNS
// RUN: tessera-opt %s -split-input-file -layout-expand-dots=target=hip:gfx942 | FileCheck %s --check-prefixes=CHECK,NONE

// 64 x 64, 16 bytes of a row a lane
#a = #layout.tile<64x64, register = [(0, 1), (0, 2), (0, 4), (32, 0)], lane = [(0, 8), (0, 16), (0, 32), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#acc = #layout.tile<64x64, register = [(0, 1), (0, 2), (32, 0), (0, 4)], lane = [(1, 0), (2, 0), (4, 0), (8, 0), (16, 0), (0, 8)], warp = [(0, 16), (0, 32)]>

// The right operand lies across k. Where lanes can exchange what they read, its rows are stored as they come, eight
// neighbours at a time; elsewhere neighbours in the buffer are neighbours along k.
// COLUMNS: #[[B:s1]] = #layout.shared<64x64, offsets = [1, 2, 4, {{.*}}]>
//    NONE: #[[B:s1]] = #layout.shared<64x64, offsets = [{{[0-9]+, [0-9]+, [0-9]+, [0-9]+, [0-9]+, [0-9]+}}, 1, 2, {{.*}}]>
// CHECK-LABEL: tile.kernel @across(
//       CHECK:   layout.shared_alloc
//       CHECK:   layout.shared_alloc : !layout.buffer<64x64xf16, #[[B]]>
//       CHECK:   layout.shared_dot
tile.kernel @across(%p: !tile.ptr<f16>, %z: f32) attributes {layout.num_warps = 4 : i64, layout.warp_size = 64 : i64} {
  %q = tile.splat %p : tensor<64x64x!tile.ptr<f16>, #a>
  %x = tile.load %q : tensor<64x64x!tile.ptr<f16>, #a>
  %y = tile.load %q : tensor<64x64x!tile.ptr<f16>, #a>
  %c = tile.splat %z : tensor<64x64xf32, #acc>
  %d = tile.dot %x, %y, %c : tensor<64x64xf16, #a>, tensor<64x64xf16, #a> -> tensor<64x64xf32, #acc>
  tile.return
}
