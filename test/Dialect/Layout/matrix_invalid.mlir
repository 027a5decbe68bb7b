// RUN: tessera-opt %s -split-input-file -verify-diagnostics

#a = #layout.tile<4x8, register = [(0, 1)], lane = [(0, 2), (0, 4), (1, 0), (2, 0)]>
#s = #layout.shared<4x8>
tile.kernel @async_dot_c1(%x: f32) {
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  %acc = tile.splat %x : tensor<4x8xf32, #a>
  // expected-error @below {{expected matrices `a` and `b` where columns of `a` equal rows of `b`, got '!layout.buffer<4x8xf16, #layout.shared<4x8>>' and '!layout.buffer<4x8xf16, #layout.shared<4x8>>'}}
  %r = layout.async_dot %b, %b, %acc : !layout.buffer<4x8xf16, #s>, !layout.buffer<4x8xf16, #s>, tensor<4x8xf32, #a>
  tile.return
}

// -----

#a = #layout.tile<4x8, register = [(0, 1)], lane = [(0, 2), (0, 4), (1, 0), (2, 0)]>
#s = #layout.shared<4x8>
#q = #layout.shared<4x4>
tile.kernel @async_dot_c1_ring(%x: f32) {
  %b = layout.shared_alloc : !layout.buffer<2x4x8xf16, #s>
  %a = layout.shared_alloc : !layout.buffer<4x4xf16, #q>
  %acc = tile.splat %x : tensor<4x8xf32, #a>
  // expected-error @below {{expected matrices `a` and `b` where columns of `a` equal rows of `b`}}
  %r = layout.async_dot %a, %b, %acc : !layout.buffer<4x4xf16, #q>, !layout.buffer<2x4x8xf16, #s>, tensor<4x8xf32, #a>
  tile.return
}

// -----

#m = #layout.tile<4x4, register = [(0, 1), (0, 2)], lane = [(1, 0), (2, 0)]>
#s = #layout.shared<4x8>
#q = #layout.shared<4x4>
tile.kernel @async_dot_c2(%x: f32) {
  %a = layout.shared_alloc : !layout.buffer<4x4xf16, #q>
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  %acc = tile.splat %x : tensor<4x4xf32, #m>
  // expected-error @below {{expected `acc` to have 4 rows and 8 columns, got 'tensor<4x4xf32}}
  %r = layout.async_dot %a, %b, %acc : !layout.buffer<4x4xf16, #q>, !layout.buffer<4x8xf16, #s>, tensor<4x4xf32, #m>
  tile.return
}

// -----

#a = #layout.tile<4x8, register = [(0, 1)], lane = [(0, 2), (0, 4), (1, 0), (2, 0)]>
#m = #layout.tile<4x4, register = [(0, 1), (0, 2)], lane = [(1, 0), (2, 0)]>
#s = #layout.shared<4x8>
#q = #layout.shared<4x4>
tile.kernel @async_dot_c2_result(%x: f32) {
  %a = layout.shared_alloc : !layout.buffer<4x4xf16, #q>
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  %acc = tile.splat %x : tensor<4x8xf32, #a>
  // expected-error @below {{failed to verify that all of {acc, result} have same type}}
  %r = "layout.async_dot"(%a, %b, %acc) : (!layout.buffer<4x4xf16, #q>, !layout.buffer<4x8xf16, #s>, tensor<4x8xf32, #a>) -> tensor<4x4xf32, #m>
  tile.return
}

// -----

#a = #layout.tile<4x8, register = [(0, 1)], lane = [(0, 2), (0, 4), (1, 0), (2, 0)]>
#s = #layout.shared<4x8>
#q = #layout.shared<4x4>
tile.kernel @async_dot_c3(%x: f32) {
  %a = layout.shared_alloc : !layout.buffer<4x4xf16, #q>
  %b = layout.shared_alloc : !layout.buffer<4x8xbf16, #s>
  %acc = tile.splat %x : tensor<4x8xf32, #a>
  // expected-error @below {{expected `a` and `b` to have one element type or to be fp8 of one family, got 'f16' and 'bf16'}}
  %r = layout.async_dot %a, %b, %acc : !layout.buffer<4x4xf16, #q>, !layout.buffer<4x8xbf16, #s>, tensor<4x8xf32, #a>
  tile.return
}

// -----

#a = #layout.tile<4x8, register = [(0, 1)], lane = [(0, 2), (0, 4), (1, 0), (2, 0)]>
#s = #layout.shared<4x8>
#q = #layout.shared<4x4>
tile.kernel @async_dot_c4(%x: f16) {
  %a = layout.shared_alloc : !layout.buffer<4x4xf16, #q>
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  %acc = tile.splat %x : tensor<4x8xf16, #a>
  // expected-error @below {{expected products of i8 summed in i32, or of f16, bf16, f32 or fp8 in f32, got 'f16' in 'f16'}}
  %r = layout.async_dot %a, %b, %acc : !layout.buffer<4x4xf16, #q>, !layout.buffer<4x8xf16, #s>, tensor<4x8xf16, #a>
  tile.return
}

// -----

tile.kernel @async_dot_wait_c1() {
  // expected-error @below {{expected `pending` to be 0 to 7, got 8}}
  layout.async_dot_wait pending 8
  tile.return
}

// -----

#a = #layout.tile<4x8, register = [(0, 1)], lane = [(0, 2), (0, 4), (1, 0), (2, 0)]>
#m = #layout.tile<4x4, register = [(0, 1), (0, 2)], lane = [(1, 0), (2, 0)]>
tile.kernel @async_dot_wait_c2(%x: f32) {
  %acc = tile.splat %x : tensor<4x8xf32, #a>
  // expected-error @below {{inferred type(s) 'tensor<4x8xf32, #layout.tile<4x8, register = [(0, 1)], lane = [(0, 2), (0, 4), (1, 0), (2, 0)]>>' are incompatible with return type(s) of operation 'tensor<4x4xf32, #layout.tile<4x4, register = [(0, 1), (0, 2)], lane = [(1, 0), (2, 0)]>>'}}
  // expected-error @below {{failed to infer returned types}}
  %r = "layout.async_dot_wait"(%acc) <{pending = 0 : i32}> : (tensor<4x8xf32, #a>) -> tensor<4x4xf32, #m>
  tile.return
}
