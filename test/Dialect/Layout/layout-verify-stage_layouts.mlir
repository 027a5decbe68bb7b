// RUN: tessera-opt %s -split-input-file -layout-verify-stage=only-layouts -verify-diagnostics

// Nothing else is asked for yet.
#a = #layout.tile<8, lane = [(1), (2)], warp = [(4)]>
#b = #layout.tile<8, lane = [(4), (2)], warp = [(1)]>
tile.kernel @negative(%p: !tile.ptr<f32>) attributes {layout.num_warps = 2, layout.warp_size = 4} {
  %q = tile.splat %p : tensor<8x!tile.ptr<f32>, #a>
  %x = tile.load %q : tensor<8x!tile.ptr<f32>, #a>
  %y = layout.convert %x : tensor<8xf32, #a> -> tensor<8xf32, #b>
  %z = tile.reduce %y axis 0 : tensor<8xf32, #b> -> f32 by arith.addf
  tile.return
}

// -----

#a = #layout.tile<8, lane = [(1), (2), (4)]>
tile.kernel @stage_c4(%s: f32) attributes {layout.num_warps = 2, layout.warp_size = 4} {
  // expected-error @below {{`tile.splat` has a tile over 8 lanes, 1 warps and 1 blocks, but the kernel has 4, 2 and 1}}
  %x = tile.splat %s : tensor<8xf32, #a>
  tile.return
}
