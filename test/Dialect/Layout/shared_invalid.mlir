// RUN: tessera-opt %s -split-input-file -verify-diagnostics

#s = #layout.shared<4x8>
tile.kernel @shared_alloc_c1() {
  // expected-error @below {{expected `offset` to be a multiple of the 2 bytes of an element, got 3}}
  %b = layout.shared_alloc offset 3 : !layout.buffer<4x8xf16, #s>
  tile.return
}

// -----

#s = #layout.shared<4x8>
tile.kernel @shared_alloc_c1_negative() {
  // expected-error @below {{expected `offset` to be a multiple of the 2 bytes of an element, got -2}}
  %b = layout.shared_alloc offset -2 : !layout.buffer<4x8xf16, #s>
  tile.return
}

// -----

#s = #layout.shared<4x8>
tile.kernel @shared_free_c1(%c: i1) {
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  scf.if %c {
    // expected-error @below {{expected a buffer of a `layout.shared_alloc` in the same block}}
    layout.shared_free %b : !layout.buffer<4x8xf16, #s>
  }
  tile.return
}

// -----

#s = #layout.shared<4x8>
tile.kernel @shared_free_c1_slot(%k: i32) {
  %b = layout.shared_alloc : !layout.buffer<3x4x8xf16, #s>
  %t = layout.shared_slot %b[%k] : !layout.buffer<3x4x8xf16, #s>, i32
  // expected-error @below {{expected a buffer of a `layout.shared_alloc` in the same block}}
  layout.shared_free %t : !layout.buffer<4x8xf16, #s>
  tile.return
}

// -----

#s = #layout.shared<4x8>
tile.kernel @shared_free_c1_twice() {
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  // expected-error @below {{expected the only `layout.shared_free` of its buffer, got another}}
  layout.shared_free %b : !layout.buffer<4x8xf16, #s>
  layout.shared_free %b : !layout.buffer<4x8xf16, #s>
  tile.return
}

// -----

#s = #layout.shared<4x8>
tile.kernel @shared_slot_c1(%k: i32) {
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  // expected-error @below {{expected a ring, got '!layout.buffer<4x8xf16, #layout.shared<4x8>>'}}
  %t = layout.shared_slot %b[%k] : !layout.buffer<4x8xf16, #s>, i32
  tile.return
}

// -----

#s = #layout.shared<4x8>
tile.kernel @shared_slot_c2(%k: i32) {
  %b = layout.shared_alloc : !layout.buffer<3x4x8xf16, #s>
  // expected-error @below {{failed to verify that the result is a slot of `ring`}}
  %t = "layout.shared_slot"(%b, %k) : (!layout.buffer<3x4x8xf16, #s>, i32) -> !layout.buffer<3x4x8xf16, #s>
  tile.return
}

// -----

#s = #layout.shared<4x8>
tile.kernel @shared_trans_c1_ring() {
  %b = layout.shared_alloc : !layout.buffer<3x4x8xf16, #s>
  // expected-error @below {{expected no ring and a permutation of its 3 axes, got '!layout.buffer<3x4x8xf16, #layout.shared<4x8>>'}}
  %t = layout.shared_trans %b [1, 0] : !layout.buffer<3x4x8xf16, #s>
  tile.return
}

// -----

#s = #layout.shared<4x8>
tile.kernel @shared_trans_c1() {
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  // expected-error @below {{expected no ring and a permutation of its 2 axes, got '!layout.buffer<4x8xf16, #layout.shared<4x8>>'}}
  %t = layout.shared_trans %b [1, 1] : !layout.buffer<4x8xf16, #s>
  tile.return
}

// -----

#s = #layout.shared<4x8>
tile.kernel @shared_trans_c2() {
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @below {{inferred type(s)}}
  %t = "layout.shared_trans"(%b) {permutation = array<i32: 1, 0>} : (!layout.buffer<4x8xf16, #s>) -> !layout.buffer<4x8xf16, #s>
  tile.return
}

// -----

#s = #layout.shared<4x8>
tile.kernel @shared_reshape_c1_ring() {
  %b = layout.shared_alloc : !layout.buffer<3x4x8xf16, #s>
  // expected-error @below {{expected no ring, and as many elements of one type, got '!layout.buffer<3x4x8xf16, #layout.shared<4x8>>' and '!layout.buffer<32xf16, #layout.shared<32>>'}}
  %r = layout.shared_reshape %b : !layout.buffer<3x4x8xf16, #s> -> !layout.buffer<32xf16, #layout.shared<32>>
  tile.return
}

// -----

#s = #layout.shared<4x8>
tile.kernel @shared_reshape_c1_count() {
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  // expected-error @below {{expected no ring, and as many elements of one type, got}}
  %r = layout.shared_reshape %b : !layout.buffer<4x8xf16, #s> -> !layout.buffer<64xf16, #layout.shared<64>>
  tile.return
}

// -----

#s = #layout.shared<4x8>
tile.kernel @shared_reshape_c1_element() {
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  // expected-error @below {{expected no ring, and as many elements of one type, got}}
  %r = layout.shared_reshape %b : !layout.buffer<4x8xf16, #s> -> !layout.buffer<32xbf16, #layout.shared<32>>
  tile.return
}

// -----

#s = #layout.shared<4x8>
tile.kernel @shared_reshape_c2() {
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  // expected-error @below {{expected elements to stay where they are, got}}
  %r = layout.shared_reshape %b : !layout.buffer<4x8xf16, #s> -> !layout.buffer<8x4xf16, #layout.shared<8x4, offsets = [8, 16, 1, 2, 4]>>
  tile.return
}

// -----

#s = #layout.shared<4x8>
tile.kernel @shared_subview_c1() {
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  // expected-error @below {{expected no ring, and one element type and rank, got '!layout.buffer<4x8xf16, #layout.shared<4x8>>' and '!layout.buffer<4x8xf32, #layout.shared<4x8>>'}}
  %t = layout.shared_subview %b [0, 0] : !layout.buffer<4x8xf16, #s> -> !layout.buffer<4x8xf32, #s>
  tile.return
}

// -----

#s = #layout.shared<4x8>
tile.kernel @shared_subview_c2() {
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  // expected-error @below {{expected one offset for each of 2 axes, got 1}}
  %t = layout.shared_subview %b [0] : !layout.buffer<4x8xf16, #s> -> !layout.buffer<4x8xf16, #s>
  tile.return
}

// -----

#s = #layout.shared<4x8>
tile.kernel @shared_subview_c2_inside() {
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  // expected-error @below {{expected an offset on axis 0 that is a multiple of 2 and leaves the box inside the extent 4, got 4}}
  %t = layout.shared_subview %b [4, 0] : !layout.buffer<4x8xf16, #s> -> !layout.buffer<2x8xf16, #layout.shared<2x8>>
  tile.return
}

// -----

#s = #layout.shared<4x8>
tile.kernel @shared_subview_c2_multiple() {
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  // expected-error @below {{expected an offset on axis 0 that is a multiple of 2 and leaves the box inside the extent 4, got 1}}
  %t = layout.shared_subview %b [1, 0] : !layout.buffer<4x8xf16, #s> -> !layout.buffer<2x8xf16, #layout.shared<2x8>>
  tile.return
}

// -----

#s = #layout.shared<4x8>
tile.kernel @shared_subview_c3() {
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  // expected-error @below {{expected a box that lies in one piece in the order of #layout.shared<4x4>, which it does not in #layout.shared<4x8>}}
  %t = layout.shared_subview %b [0, 4] : !layout.buffer<4x8xf16, #s> -> !layout.buffer<4x4xf16, #layout.shared<4x4>>
  tile.return
}

// -----

#a = #layout.tile<4x8, register = [(0, 1)], lane = [(0, 2), (0, 4), (1, 0), (2, 0)]>
#s = #layout.shared<4x8>
tile.kernel @shared_store_c1(%x: f16) {
  %b = layout.shared_alloc : !layout.buffer<3x4x8xf16, #s>
  %v = tile.splat %x : tensor<4x8xf16, #a>
  // expected-error @below {{expected a slot of the ring '!layout.buffer<3x4x8xf16, #layout.shared<4x8>>', got all of it}}
  layout.shared_store %b, %v : !layout.buffer<3x4x8xf16, #s>, tensor<4x8xf16, #a>
  tile.return
}

// -----

#i = #layout.tile<2x8, lane = [(0, 1), (0, 2), (0, 4), (1, 0)]>
#s = #layout.shared<4x8>
tile.kernel @shared_store_c2(%x: f16) {
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  %v = tile.splat %x : tensor<2x8xf16, #i>
  // expected-error @below {{expected `value` to have the shape and elements of '!layout.buffer<4x8xf16, #layout.shared<4x8>>', got 'tensor<2x8xf16, #layout.tile<2x8, lane = [(0, 1), (0, 2), (0, 4), (1, 0)]>>'}}
  layout.shared_store %b, %v : !layout.buffer<4x8xf16, #s>, tensor<2x8xf16, #i>
  tile.return
}

// -----

#a = #layout.tile<4x8, register = [(0, 1)], lane = [(0, 2), (0, 4), (1, 0), (2, 0)]>
#s = #layout.shared<4x8>
tile.kernel @shared_load_c1() {
  %b = layout.shared_alloc : !layout.buffer<3x4x8xf16, #s>
  // expected-error @below {{expected a slot of the ring}}
  %v = layout.shared_load %b : !layout.buffer<3x4x8xf16, #s> -> tensor<4x8xf16, #a>
  tile.return
}

// -----

#a = #layout.tile<4x8, register = [(0, 1)], lane = [(0, 2), (0, 4), (1, 0), (2, 0)]>
#s = #layout.shared<4x8>
tile.kernel @shared_load_c2() {
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  // expected-error @below {{expected `result` to have the shape and elements of}}
  %v = layout.shared_load %b : !layout.buffer<4x8xf16, #s> -> tensor<4x8xf32, #a>
  tile.return
}

// -----

#i = #layout.tile<2x8, lane = [(0, 1), (0, 2), (0, 4), (1, 0)]>
#s = #layout.shared<4x8>
tile.kernel @shared_gather_c1_ring(%k: i32, %x: f16) {
  %b = layout.shared_alloc : !layout.buffer<3x4x8xf16, #s>
  %n = tile.splat %k : tensor<2x8xi32, #i>
  // expected-error @below {{expected a slot of the ring}}
  %g = layout.shared_gather %b[%n] axis 0 : !layout.buffer<3x4x8xf16, #s>, tensor<2x8xi32, #i> -> tensor<2x8xf16, #i>
  tile.return
}

// -----

#i = #layout.tile<2x8, lane = [(0, 1), (0, 2), (0, 4), (1, 0)]>
#s = #layout.shared<4x8>
tile.kernel @shared_gather_c1(%k: i32, %x: f16) {
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  %n = tile.splat %k : tensor<2x8xi32, #i>
  // expected-error @below {{expected `axis` to be 0 to 1, got 2}}
  %g = layout.shared_gather %b[%n] axis 2 : !layout.buffer<4x8xf16, #s>, tensor<2x8xi32, #i> -> tensor<2x8xf16, #i>
  tile.return
}

// -----

#i = #layout.tile<2x8, lane = [(0, 1), (0, 2), (0, 4), (1, 0)]>
#s = #layout.shared<4x8>
tile.kernel @shared_gather_c2(%k: i32, %x: f16) {
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  %n = tile.splat %k : tensor<2x8xi32, #i>
  // expected-error @below {{expected `index` to have the extents [4, 8] of the buffer on every axis but 1, got [2, 8]}}
  %g = layout.shared_gather %b[%n] axis 1 : !layout.buffer<4x8xf16, #s>, tensor<2x8xi32, #i> -> tensor<2x8xf16, #i>
  tile.return
}

// -----

#i = #layout.tile<2x8, lane = [(0, 1), (0, 2), (0, 4), (1, 0)]>
#j = #layout.tile<2x8, lane = [(1, 0), (0, 1), (0, 2), (0, 4)]>
#s = #layout.shared<4x8>
tile.kernel @shared_gather_c3(%k: i32, %x: f16) {
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  %n = tile.splat %k : tensor<2x8xi32, #i>
  // expected-error @below {{expected `result` to be 'tensor<2x8xf16, #layout.tile<2x8, lane = [(0, 1), (0, 2), (0, 4), (1, 0)]>>', got}}
  %g = layout.shared_gather %b[%n] axis 0 : !layout.buffer<4x8xf16, #s>, tensor<2x8xi32, #i> -> tensor<2x8xf16, #j>
  tile.return
}

// -----

#i = #layout.tile<2x8, lane = [(0, 1), (0, 2), (0, 4), (1, 0)]>
#s = #layout.shared<4x8>
tile.kernel @shared_scatter_c1_ring(%k: i32, %x: f16) {
  %b = layout.shared_alloc : !layout.buffer<3x4x8xf16, #s>
  %n = tile.splat %k : tensor<2x8xi32, #i>
  %v = tile.splat %x : tensor<2x8xf16, #i>
  // expected-error @below {{expected a slot of the ring}}
  layout.shared_scatter %b[%n], %v axis 0 : !layout.buffer<3x4x8xf16, #s>, tensor<2x8xi32, #i>, tensor<2x8xf16, #i>
  tile.return
}

// -----

#i = #layout.tile<2x8, lane = [(0, 1), (0, 2), (0, 4), (1, 0)]>
#s = #layout.shared<4x8>
tile.kernel @shared_scatter_c1(%k: i32, %x: f16) {
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  %n = tile.splat %k : tensor<2x8xi32, #i>
  %v = tile.splat %x : tensor<2x8xf16, #i>
  // expected-error @below {{expected `axis` to be 0 to 1, got 2}}
  layout.shared_scatter %b[%n], %v axis 2 : !layout.buffer<4x8xf16, #s>, tensor<2x8xi32, #i>, tensor<2x8xf16, #i>
  tile.return
}

// -----

#i = #layout.tile<2x8, lane = [(0, 1), (0, 2), (0, 4), (1, 0)]>
#s = #layout.shared<4x8>
tile.kernel @shared_scatter_c2(%k: i32, %x: f16) {
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  %n = tile.splat %k : tensor<2x8xi32, #i>
  %v = tile.splat %x : tensor<2x8xf16, #i>
  // expected-error @below {{expected `index` to have the extents [4, 8] of the buffer on every axis but 1, got [2, 8]}}
  layout.shared_scatter %b[%n], %v axis 1 : !layout.buffer<4x8xf16, #s>, tensor<2x8xi32, #i>, tensor<2x8xf16, #i>
  tile.return
}

// -----

#i = #layout.tile<2x8, lane = [(0, 1), (0, 2), (0, 4), (1, 0)]>
#j = #layout.tile<2x8, lane = [(1, 0), (0, 1), (0, 2), (0, 4)]>
#s = #layout.shared<4x8>
tile.kernel @shared_scatter_c3(%k: i32, %x: f16) {
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  %n = tile.splat %k : tensor<2x8xi32, #i>
  %v = tile.splat %x : tensor<2x8xf16, #j>
  // expected-error @below {{expected `value` to be 'tensor<2x8xf16, #layout.tile<2x8, lane = [(0, 1), (0, 2), (0, 4), (1, 0)]>>', got}}
  layout.shared_scatter %b[%n], %v axis 0 : !layout.buffer<4x8xf16, #s>, tensor<2x8xi32, #i>, tensor<2x8xf16, #j>
  tile.return
}

// -----

#s = #layout.shared<4x8>
#h = #layout.tile<16, lane = [(1), (2), (4), (8)]>
tile.kernel @shared_atomic_add_c1(%k: i32) {
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  %n = tile.splat %k : tensor<16xi32, #h>
  // expected-error @below {{expected a buffer of rank 1 of i32, i64 or f32, got '!layout.buffer<4x8xf16, #layout.shared<4x8>>'}}
  layout.shared_atomic_add %b[%n], %n : !layout.buffer<4x8xf16, #s>, tensor<16xi32, #h>, tensor<16xi32, #h>
  tile.return
}

// -----

#i = #layout.tile<2x8, lane = [(0, 1), (0, 2), (0, 4), (1, 0)]>
#h = #layout.tile<16, lane = [(1), (2), (4), (8)]>
#bins = #layout.shared<32>
tile.kernel @shared_atomic_add_c2(%k: i32) {
  %b = layout.shared_alloc : !layout.buffer<32xi32, #bins>
  %n = tile.splat %k : tensor<16xi32, #h>
  %v = tile.splat %k : tensor<2x8xi32, #i>
  // expected-error @below {{expected `index` and `value` to have one shape and layout, got}}
  layout.shared_atomic_add %b[%n], %v : !layout.buffer<32xi32, #bins>, tensor<16xi32, #h>, tensor<2x8xi32, #i>
  tile.return
}

// -----

#h = #layout.tile<16, lane = [(1), (2), (4), (8)]>
#bins = #layout.shared<32>
tile.kernel @shared_atomic_add_c3(%k: i32, %x: f32) {
  %b = layout.shared_alloc : !layout.buffer<32xi32, #bins>
  %n = tile.splat %k : tensor<16xi32, #h>
  %v = tile.splat %x : tensor<16xf32, #h>
  // expected-error @below {{expected `value` to have the elements 'i32' of the buffer, got 'f32'}}
  layout.shared_atomic_add %b[%n], %v : !layout.buffer<32xi32, #bins>, tensor<16xi32, #h>, tensor<16xf32, #h>
  tile.return
}

// -----

#s = #layout.shared<4x8>
tile.kernel @shared_fill_c1(%x: f16) {
  %b = layout.shared_alloc : !layout.buffer<3x4x8xf16, #s>
  // expected-error @below {{expected a slot of the ring}}
  layout.shared_fill %b, %x : !layout.buffer<3x4x8xf16, #s>, f16
  tile.return
}

// -----

#s = #layout.shared<4x8>
tile.kernel @shared_fill_c2(%x: f32) {
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  // expected-error @below {{expected `value` to be 'f16', got 'f32'}}
  layout.shared_fill %b, %x : !layout.buffer<4x8xf16, #s>, f32
  tile.return
}

// -----

#s = #layout.shared<4x4>
#l = #layout.tile<4x4, lane = [(0, 1), (0, 2), (1, 0), (2, 0)]>
tile.kernel @shared_dot_c1(%x: f32) {
  %a = layout.shared_alloc : !layout.buffer<2x4x4xf32, #s>
  %c = tile.splat %x : tensor<4x4xf32, #l>
  // expected-error @below {{expected buffers without slots}}
  %d = layout.shared_dot %a, %a, %c : !layout.buffer<2x4x4xf32, #s>, !layout.buffer<2x4x4xf32, #s>, tensor<4x4xf32, #l>
  tile.return
}

// -----

#s = #layout.shared<2x4x4>
#l = #layout.tile<4x4, lane = [(0, 1), (0, 2), (1, 0), (2, 0)]>
tile.kernel @shared_dot_c2(%x: f32) {
  %a = layout.shared_alloc : !layout.buffer<2x4x4xf32, #s>
  %c = tile.splat %x : tensor<4x4xf32, #l>
  // expected-error @below {{expected `a`, `b` and `acc` of one rank, 2 or 3}}
  %d = layout.shared_dot %a, %a, %c : !layout.buffer<2x4x4xf32, #s>, !layout.buffer<2x4x4xf32, #s>, tensor<4x4xf32, #l>
  tile.return
}

// -----

#s = #layout.shared<4x8>
#l = #layout.tile<4x4, lane = [(0, 1), (0, 2), (1, 0), (2, 0)]>
tile.kernel @shared_dot_c3(%x: f32) {
  %a = layout.shared_alloc : !layout.buffer<4x8xf32, #s>
  %c = tile.splat %x : tensor<4x4xf32, #l>
  // expected-error @below {{expected columns of `a` to be rows of `b`}}
  %d = layout.shared_dot %a, %a, %c : !layout.buffer<4x8xf32, #s>, !layout.buffer<4x8xf32, #s>, tensor<4x4xf32, #l>
  tile.return
}

// -----

#s = #layout.shared<4x4>
#l = #layout.tile<4x4, lane = [(0, 1), (0, 2), (1, 0), (2, 0)]>
tile.kernel @shared_dot_c4(%x: f16) {
  %a = layout.shared_alloc : !layout.buffer<4x4xf16, #s>
  %c = tile.splat %x : tensor<4x4xf16, #l>
  // expected-error @below {{to be summed in f64, f32 or i32 after their kind, got 'f16'}}
  %d = layout.shared_dot %a, %a, %c : !layout.buffer<4x4xf16, #s>, !layout.buffer<4x4xf16, #s>, tensor<4x4xf16, #l>
  tile.return
}

// -----

#s = #layout.shared<4x4>
#l = #layout.tile<4x4, lane = [(0, 1), (0, 2), (1, 0), (2, 0)]>
tile.kernel @shared_dot_c5(%x: f32) {
  %a = layout.shared_alloc : !layout.buffer<4x4xf16, #s>
  %c = tile.splat %x : tensor<4x4xf32, #l>
  // expected-error @below {{expected f32 operands with `precision` tf32, got 'f16' and 'f16'}}
  %d = layout.shared_dot %a, %a, %c precision tf32
      : !layout.buffer<4x4xf16, #s>, !layout.buffer<4x4xf16, #s>, tensor<4x4xf32, #l>
  tile.return
}

// -----

#s = #layout.shared<4x4>
#l = #layout.tile<4x4, lane = [(0, 1), (0, 2), (1, 0), (2, 0)]>
tile.kernel @shared_dot_c6(%x: f32) {
  %a = layout.shared_alloc : !layout.buffer<4x4xf16, #s>
  %c = tile.splat %x : tensor<4x4xf32, #l>
  // expected-error @below {{expected fp8 operands with `max_imprecise_k`, got 'f16' and 'f16'}}
  %d = layout.shared_dot %a, %a, %c max_imprecise_k 32
      : !layout.buffer<4x4xf16, #s>, !layout.buffer<4x4xf16, #s>, tensor<4x4xf32, #l>
  tile.return
}
