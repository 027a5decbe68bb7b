// RUN: tessera-opt %s -split-input-file -layout-verify-stage -verify-diagnostics

// expected-error @below {{expected exactly one `tile.kernel` in the module, got 0}}
module @stage_c1 {
}

// -----

// expected-error @below {{expected `layout.num_warps` and `layout.warp_size` on the kernel}}
tile.kernel @stage_c1_threads() attributes {layout.num_warps = 4} {
  tile.return
}

// -----

tile.kernel @stage_c2(%s: f32) attributes {layout.num_warps = 1, layout.warp_size = 32} {
  // expected-error @below {{`tile.splat` has the tile 'tensor<8xf32>' without a layout}}
  %x = tile.splat %s : tensor<8xf32>
  tile.return
}

// -----

#a = #layout.tile<8, lane = [(1), (2), (4)]>
#b = #layout.tile<8, lane = [(4), (2), (1)]>
tile.kernel @stage_c3(%s: f32) attributes {layout.num_warps = 1, layout.warp_size = 8} {
  %x = tile.splat %s : tensor<8xf32, #a>
  // expected-error @below {{`tile.float_to_int` expected all tiles to have the layout #layout.tile<8, lane = [(1), (2), (4)]>, got #layout.tile<8, lane = [(4), (2), (1)]>}}
  %y = tile.float_to_int %x : tensor<8xf32, #a> -> tensor<8xi32, #b>
  tile.return
}

// -----

#a = #layout.tile<8, lane = [(1), (2), (4)]>
#b = #layout.tile<2x4, lane = [(1, 0), (0, 1), (0, 2)]>
tile.kernel @stage_c3_reshape(%s: f32) attributes {layout.num_warps = 1, layout.warp_size = 8} {
  %x = tile.splat %s : tensor<8xf32, #a>
  // expected-error @below {{`tile.reshape` expected its results to have the layout}}
  %y = tile.reshape %x : tensor<8xf32, #a> -> tensor<2x4xf32, #b>
  tile.return
}

// -----

#a = #layout.tile<2x4, lane = [(1, 0), (0, 1), (0, 2)]>
#b = #layout.tile<4x2, lane = [(1, 0), (0, 1), (2, 0)]>
tile.kernel @stage_c3_trans(%s: f32) attributes {layout.num_warps = 1, layout.warp_size = 8} {
  %x = tile.splat %s : tensor<2x4xf32, #a>
  // expected-error @below {{`tile.trans` expected its results to have the layout #layout.tile<4x2, lane = [(0, 1), (1, 0), (2, 0)]>}}
  %y = tile.trans %x [1, 0] : tensor<2x4xf32, #a> -> tensor<4x2xf32, #b>
  tile.return
}

// -----

#a = #layout.tile<1x4, lane = [(0, 1), (0, 2), (0, 0)]>
#b = #layout.tile<2x4, lane = [(1, 0), (0, 1), (0, 2)]>
tile.kernel @stage_c3_broadcast(%s: f32) attributes {layout.num_warps = 1, layout.warp_size = 8} {
  %x = tile.splat %s : tensor<1x4xf32, #a>
  // expected-error @below {{`tile.broadcast` expected its source to have the layout #layout.tile<1x4, lane = [(0, 0), (0, 1), (0, 2)]>}}
  %y = tile.broadcast %x : tensor<1x4xf32, #a> -> tensor<2x4xf32, #b>
  tile.return
}

// -----

#a = #layout.tile<2x4, lane = [(1, 0), (0, 1), (0, 2)]>
#b = #layout.tile<2, lane = [(0), (0), (1)]>
tile.kernel @stage_c3_reduce(%s: f32) attributes {layout.num_warps = 1, layout.warp_size = 8} {
  %x = tile.splat %s : tensor<2x4xf32, #a>
  // expected-error @below {{`tile.reduce` expected its results to have the layout #layout.tile<2, lane = [(1), (0), (0)]>}}
  %y = tile.reduce %x axis 1 : tensor<2x4xf32, #a> -> tensor<2xf32, #b> by arith.addf
  tile.return
}
