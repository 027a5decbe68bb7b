// RUN: tessera-opt %s -split-input-file -convert-layout-to-llvm -verify-diagnostics

// expected-error @below {{does not say how many warps and lanes it has}}
tile.kernel @no_shape() {
  tile.return
}

// -----

tile.kernel @other_target(%x: i32) attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  // expected-error @below {{`tile.inline_asm` has bodies for hip and none for cuda:sm_80; give it one, or the kernel another path for this target}}
  %e = tile.inline_asm {hip = {asm = "s_nop 0", constraints = "=r,r"}} pure (%x) : (i32) -> i32
  tile.return
}

// -----

#row = #layout.tile<64, register = [(32)], lane = [(1), (2), (4), (8), (16)]>

tile.kernel @pack(%x: i32, %q: !tile.ptr<i32>) attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  %v = tile.splat %x : tensor<64xi32, #row>
  // expected-error @below {{`tile.inline_asm` packs 2 elements, and its layout gives threads fewer neighbours}}
  %e = tile.inline_asm {cuda = {asm = "nop", constraints = "=r,=r,r,r"}} pure pack 2 (%v)
      : (tensor<64xi32, #row>) -> tensor<64xi32, #row>
  %p = tile.splat %q : tensor<64x!tile.ptr<i32>, #row>
  tile.store %p, %e : tensor<64x!tile.ptr<i32>, #row>
  tile.return
}

// -----

tile.kernel @not_allocated() attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  // expected-error @below {{`layout.shared_alloc` has no place in shared memory}}
  %m = layout.shared_alloc : !layout.buffer<256xi32, #layout.shared<256>>
  layout.shared_free %m : !layout.buffer<256xi32, #layout.shared<256>>
  tile.return
}

// -----

#row = #layout.tile<64, register = [(32)], lane = [(1), (2), (4), (8), (16)]>

tile.kernel @no_form(%p: !tile.ptr<f64>) attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  %x = arith.constant dense<1.0> : tensor<64xf64, #row>
  // expected-error @below {{`math.tanh` cannot be computed on elements of type f64}}
  %e = math.tanh %x : tensor<64xf64, #row>
  %ps = tile.splat %p : tensor<64x!tile.ptr<f64>, #row>
  tile.store %ps, %e : tensor<64x!tile.ptr<f64>, #row>
  tile.return
}

// -----

tile.kernel @unknown() attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  // expected-error @below {{`layout.cluster_rank` is not an operation of this target}}
  %rank = layout.cluster_rank
  tile.return
}

// -----

#row = #layout.tile<64, register = [(1)], lane = [(2), (4), (8), (16), (32)]>

tile.kernel @narrow(%p: !tile.ptr<f16>)
    attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64, layout.shared_bytes = 128 : i64} {
  %ps = tile.splat %p : tensor<64x!tile.ptr<f16>, #row>
  %m = layout.shared_alloc offset 0 : !layout.buffer<64xf16, #layout.shared<64>>
  // expected-error @below {{`layout.async_copy` copies 2 bytes at a time; threads can copy 4, 8 or 16}}
  layout.async_copy %ps into %m : tensor<64x!tile.ptr<f16>, #row>, !layout.buffer<64xf16, #layout.shared<64>>
  layout.shared_free %m : !layout.buffer<64xf16, #layout.shared<64>>
  tile.return
}

// -----

tile.kernel @boxes() attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  // expected-error @below {{`layout.tensor_commit` needs a unit that copies boxes; sm_80 has none}}
  %g = layout.tensor_commit
  tile.return
}

// -----

#l = #layout.tile<8x8, register = [(0, 1)], lane = [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)]>
#s = #layout.shared<8x8>

tile.kernel @left_operand_in_registers(%x: f32)
    attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64, layout.shared_bytes = 256 : i64} {
  %a = tile.splat %x : tensor<8x8xf32, #l>
  %b = layout.shared_alloc offset 0 : !layout.buffer<8x8xf32, #s>
  // expected-error @below {{`layout.shared_dot` has its left operand in registers, where no matrix unit}}
  %d = layout.shared_dot %a, %b, %a : tensor<8x8xf32, #l>, !layout.buffer<8x8xf32, #s>, tensor<8x8xf32, #l>
  layout.shared_free %b : !layout.buffer<8x8xf32, #s>
  tile.return
}
