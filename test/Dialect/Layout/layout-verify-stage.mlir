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

// expected-error @below {{`llvm.mlir.global` stands beside the kernel, where nothing may at the layout stage}}
llvm.mlir.global external @beside() : i32
tile.kernel @stage_c1_beside() attributes {layout.num_warps = 1, layout.warp_size = 8, layout.shared_bytes = 0} {
  tile.return
}

// -----

tile.kernel @stage_c2(%x: i32) attributes {layout.num_warps = 1, layout.warp_size = 8, layout.shared_bytes = 0} {
  %c = arith.trunci %x : i32 to i1
  // expected-error @below {{`llvm.intr.assume` does not belong to the layout stage}}
  llvm.intr.assume %c : i1
  tile.return
}

// -----

tile.kernel @stage_c3(%s: f32) attributes {layout.num_warps = 1, layout.warp_size = 8, layout.shared_bytes = 0} {
  // expected-error @below {{`tile.splat` has the tile 'tensor<8xf32>' without a layout}}
  %x = tile.splat %s : tensor<8xf32>
  tile.return
}

// -----

#a = #layout.tile<8, lane = [(1), (2), (4)]>
tile.kernel @stage_c4(%s: f32) attributes {layout.num_warps = 2, layout.warp_size = 4, layout.shared_bytes = 0} {
  // expected-error @below {{`tile.splat` has a tile over 8 lanes, 1 warps and 1 blocks, but the kernel has 4, 2 and 1}}
  %x = tile.splat %s : tensor<8xf32, #a>
  tile.return
}

// -----

#a = #layout.tile<8, lane = [(1), (2), (4)]>
#b = #layout.tile<8, lane = [(4), (2), (1)]>
tile.kernel @stage_c5(%s: f32) attributes {layout.num_warps = 1, layout.warp_size = 8, layout.shared_bytes = 0} {
  %x = tile.splat %s : tensor<8xf32, #a>
  // expected-error @below {{`tile.float_to_int` expected all tiles to have the layout #layout.tile<8, lane = [(1), (2), (4)]>, got #layout.tile<8, lane = [(4), (2), (1)]>}}
  %y = tile.float_to_int %x : tensor<8xf32, #a> -> tensor<8xi32, #b>
  tile.return
}

// -----

#a = #layout.tile<8, lane = [(1), (2), (4)]>
#b = #layout.tile<2x4, lane = [(1, 0), (0, 1), (0, 2)]>
tile.kernel @stage_c5_reshape(%s: f32) attributes {layout.num_warps = 1, layout.warp_size = 8, layout.shared_bytes = 0} {
  %x = tile.splat %s : tensor<8xf32, #a>
  // expected-error @below {{`tile.reshape` expected its results to have the layout}}
  %y = tile.reshape %x : tensor<8xf32, #a> -> tensor<2x4xf32, #b>
  tile.return
}

// -----

#a = #layout.tile<2x4, lane = [(1, 0), (0, 1), (0, 2)]>
#b = #layout.tile<4x2, lane = [(1, 0), (0, 1), (2, 0)]>
tile.kernel @stage_c5_trans(%s: f32) attributes {layout.num_warps = 1, layout.warp_size = 8, layout.shared_bytes = 0} {
  %x = tile.splat %s : tensor<2x4xf32, #a>
  // expected-error @below {{`tile.trans` expected its results to have the layout #layout.tile<4x2, lane = [(0, 1), (1, 0), (2, 0)]>}}
  %y = tile.trans %x [1, 0] : tensor<2x4xf32, #a> -> tensor<4x2xf32, #b>
  tile.return
}

// -----

#a = #layout.tile<1x4, lane = [(0, 1), (0, 2), (0, 0)]>
#b = #layout.tile<2x4, lane = [(1, 0), (0, 1), (0, 2)]>
tile.kernel @stage_c5_broadcast(%s: f32) attributes {layout.num_warps = 1, layout.warp_size = 8, layout.shared_bytes = 0} {
  %x = tile.splat %s : tensor<1x4xf32, #a>
  // expected-error @below {{`tile.broadcast` expected its source to have the layout #layout.tile<1x4, lane = [(0, 0), (0, 1), (0, 2)]>}}
  %y = tile.broadcast %x : tensor<1x4xf32, #a> -> tensor<2x4xf32, #b>
  tile.return
}

// -----

#a = #layout.tile<2x4, lane = [(1, 0), (0, 1), (0, 2)]>
#b = #layout.tile<2, lane = [(0), (0), (1)]>
tile.kernel @stage_c5_reduce(%s: f32) attributes {layout.num_warps = 1, layout.warp_size = 8, layout.shared_bytes = 0} {
  %x = tile.splat %s : tensor<2x4xf32, #a>
  // expected-error @below {{`tile.reduce` expected its results to have the layout #layout.tile<2, lane = [(1), (0), (0)]>}}
  %y = tile.reduce %x axis 1 : tensor<2x4xf32, #a> -> tensor<2xf32, #b> by arith.addf
  tile.return
}

// -----

#a = #layout.tile<8, lane = [(1), (2)], warp = [(4)]>
#b = #layout.tile<8, lane = [(4), (2)], warp = [(1)]>
#c = #layout.tile<8, lane = [(2), (1)], warp = [(4)]>
tile.kernel @stage_c6(%p: !tile.ptr<f32>) attributes {layout.num_warps = 2, layout.warp_size = 4, layout.shared_bytes = 0} {
  %q = tile.splat %p : tensor<8x!tile.ptr<f32>, #a>
  %x = tile.load %q : tensor<8x!tile.ptr<f32>, #a>
  %within = layout.convert %x : tensor<8xf32, #a> -> tensor<8xf32, #c>
  // expected-error @below {{`layout.convert` moves elements between warps, which takes a buffer by now}}
  %y = layout.convert %x : tensor<8xf32, #a> -> tensor<8xf32, #b>
  tile.return
}

// -----

#a = #layout.tile<2x4, lane = [(0, 1), (1, 0)], warp = [(0, 2)]>
#b = #layout.tile<4, lane = [(1), (0)], warp = [(2)]>
#c = #layout.tile<2, lane = [(0), (1)], warp = [(0)]>
tile.kernel @stage_c7(%s: f32) attributes {layout.num_warps = 2, layout.warp_size = 4, layout.shared_bytes = 0} {
  %x = tile.splat %s : tensor<2x4xf32, #a>
  %within = tile.reduce %x axis 0 : tensor<2x4xf32, #a> -> tensor<4xf32, #b> by arith.addf
  // expected-error @below {{`tile.reduce` goes along an axis that spans warps; -layout-split-reductions splits it}}
  %y = tile.reduce %x axis 1 : tensor<2x4xf32, #a> -> tensor<2xf32, #c> by arith.addf
  // expected-error @below {{`tile.scan` goes along an axis that spans warps; -layout-split-reductions splits it}}
  %z = tile.scan %x axis 1 : tensor<2x4xf32, #a> by arith.addf
  tile.return
}

// -----

// expected-error @below {{`tile.kernel` has no `layout.shared_bytes`; -layout-allocate-shared sets it}}
tile.kernel @stage_c8() attributes {layout.num_warps = 1, layout.warp_size = 8} {
  tile.return
}

// -----

tile.kernel @stage_c8_end(%x: i32) attributes {layout.num_warps = 1, layout.warp_size = 8, layout.shared_bytes = 64} {
  // expected-error @below {{has no `layout.shared_free` that ends its life}}
  %a = layout.shared_alloc offset 0 : !layout.buffer<8xi32, #layout.shared<8>>
  tile.return
}

// -----

tile.kernel @stage_c8_place(%x: i32) attributes {layout.num_warps = 1, layout.warp_size = 8, layout.shared_bytes = 64} {
  // expected-error @below {{`layout.shared_alloc` has no place; -layout-allocate-shared gives it}}
  %a = layout.shared_alloc : !layout.buffer<8xi32, #layout.shared<8>>
  layout.shared_free %a : !layout.buffer<8xi32, #layout.shared<8>>
  // expected-error @below {{`layout.shared_alloc` has a place at 4 that is not a multiple of 16 or ends after the 64 bytes of the program}}
  %b = layout.shared_alloc offset 4 : !layout.buffer<8xi32, #layout.shared<8>>
  layout.shared_free %b : !layout.buffer<8xi32, #layout.shared<8>>
  // expected-error @below {{`layout.shared_alloc` has a place at 48 that is not a multiple of 16 or ends after the 64 bytes of the program}}
  %c = layout.shared_alloc offset 48 : !layout.buffer<8xi32, #layout.shared<8>>
  layout.shared_free %c : !layout.buffer<8xi32, #layout.shared<8>>
  tile.return
}

// -----

tile.kernel @stage_c8_apart(%x: i32) attributes {layout.num_warps = 1, layout.warp_size = 8, layout.shared_bytes = 64} {
  %a = layout.shared_alloc offset 0 : !layout.buffer<8xi32, #layout.shared<8>>
  // expected-error @below {{`layout.shared_alloc` lies where another buffer lives, at 16 and 0}}
  %b = layout.shared_alloc offset 16 : !layout.buffer<8xi32, #layout.shared<8>>
  layout.shared_free %a : !layout.buffer<8xi32, #layout.shared<8>>
  layout.shared_free %b : !layout.buffer<8xi32, #layout.shared<8>>
  %negative = layout.shared_alloc offset 16 : !layout.buffer<8xi32, #layout.shared<8>>
  layout.shared_free %negative : !layout.buffer<8xi32, #layout.shared<8>>
  tile.return
}

// -----

#a = #layout.tile<8, lane = [(1), (2)], warp = [(4)]>
#b = #layout.tile<8, lane = [(4), (2)], warp = [(1)]>
tile.kernel @stage_c9(%s: f32) attributes {layout.num_warps = 2, layout.warp_size = 4, layout.shared_bytes = 32} {
  %x = tile.splat %s : tensor<8xf32, #a>
  %m = layout.shared_alloc offset 0 : !layout.buffer<8xf32, #layout.shared<8>>
  layout.shared_store %m, %x : !layout.buffer<8xf32, #layout.shared<8>>, tensor<8xf32, #a>
  // expected-error @below {{`layout.shared_load` may meet an earlier access of another thread; a `layout.barrier` must come between, which -layout-insert-barriers places}}
  %y = layout.shared_load %m : !layout.buffer<8xf32, #layout.shared<8>> -> tensor<8xf32, #b>
  layout.shared_free %m : !layout.buffer<8xf32, #layout.shared<8>>
  tile.return
}

// -----

#a = #layout.tile<8, lane = [(1), (2)], warp = [(4)]>
#b = #layout.tile<8, lane = [(2), (1)], warp = [(4)]>
tile.kernel @stage_c9_warp(%s: f32) attributes {layout.num_warps = 2, layout.warp_size = 4, layout.shared_bytes = 32} {
  %x = tile.splat %s : tensor<8xf32, #a>
  %m = layout.shared_alloc offset 0 : !layout.buffer<8xf32, #layout.shared<8>>
  layout.shared_store %m, %x : !layout.buffer<8xf32, #layout.shared<8>>, tensor<8xf32, #a>
  // expected-error @below {{`layout.shared_load` may meet an earlier access of another thread; a `layout.warp_sync` must come between}}
  %y = layout.shared_load %m : !layout.buffer<8xf32, #layout.shared<8>> -> tensor<8xf32, #b>
  layout.warp_sync
  layout.shared_store %m, %x : !layout.buffer<8xf32, #layout.shared<8>>, tensor<8xf32, #a>
  layout.shared_free %m : !layout.buffer<8xf32, #layout.shared<8>>
  tile.return
}

// -----

#rows = #layout.tile<4, lane = [(1), (2), (0)]>
#other = #layout.tile<4, lane = [(0), (1), (2)]>
#tile = #layout.tile<4x2, lane = [(1, 0), (2, 0), (0, 1)]>
tile.kernel @stage_c5_rows(%p: !tile.ptr<f32>, %n: i64, %k: i32) attributes {layout.num_warps = 1, layout.warp_size = 8, layout.shared_bytes = 0} {
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f32, 2>
  %right = tile.splat %k : tensor<4xi32, #rows>
  %x = tile.view_load_rows %v[%right, %n] : !tile.view<f32, 2>, tensor<4xi32, #rows> -> tensor<4x2xf32, #tile>
  %wrong = tile.splat %k : tensor<4xi32, #other>
  // expected-error @below {{`tile.view_load_rows` expected the numbers of its rows to have the layout #layout.tile<4, lane = [(1), (2), (0)]>}}
  %y = tile.view_load_rows %v[%wrong, %n] : !tile.view<f32, 2>, tensor<4xi32, #other> -> tensor<4x2xf32, #tile>
  tile.return
}
