// RUN: tessera-opt %s -split-input-file -layout-allocate-shared=target=cuda:sm_86 -verify-diagnostics

#s = #layout.shared<16384>
#t = #layout.shared<4096>
tile.kernel @excess(%x: f32) {
  // expected-note @below {{another takes 16384}}
  %a = layout.shared_alloc : !layout.buffer<4096xf32, #t>
  // expected-error @below {{the kernel needs 147456 bytes of shared memory, but a program has at most 101376 on sm_86; the largest buffer takes 131072}}
  %b = layout.shared_alloc : !layout.buffer<2x16384xf32, #s>
  layout.shared_free %a : !layout.buffer<4096xf32, #t>
  layout.shared_free %b : !layout.buffer<2x16384xf32, #s>
  tile.return
}

// -----

#t = #layout.shared<4096>
tile.kernel @no_end(%x: f32) {
  // expected-error @below {{has no `layout.shared_free` that ends its life}}
  %a = layout.shared_alloc : !layout.buffer<4096xf32, #t>
  tile.return
}

// -----

#t = #layout.shared<4096>
tile.kernel @use_after_free(%x: f32) {
  %a = layout.shared_alloc : !layout.buffer<4096xf32, #t>
  layout.shared_free %a : !layout.buffer<4096xf32, #t>
  // expected-error @below {{uses a buffer after its `layout.shared_free`}}
  layout.shared_fill %a, %x : !layout.buffer<4096xf32, #t>, f32
  tile.return
}
