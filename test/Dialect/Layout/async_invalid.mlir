// RUN: tessera-opt %s -split-input-file -verify-diagnostics

#a = #layout.tile<4x8, register = [(0, 1)], lane = [(0, 2), (0, 4), (1, 0), (2, 0)]>
#s = #layout.shared<4x8>
tile.kernel @async_copy_c1(%p: !tile.ptr<f16>) {
  %b = layout.shared_alloc : !layout.buffer<2x4x8xf16, #s>
  %q = tile.splat %p : tensor<4x8x!tile.ptr<f16>, #a>
  // expected-error @below {{expected a slot of the ring}}
  %t = layout.async_copy %q into %b : tensor<4x8x!tile.ptr<f16>, #a>, !layout.buffer<2x4x8xf16, #s>
  tile.return
}

// -----

#a = #layout.tile<4x8, register = [(0, 1)], lane = [(0, 2), (0, 4), (1, 0), (2, 0)]>
#s = #layout.shared<4x8>
tile.kernel @async_copy_c2(%p: !tile.ptr<f16>) {
  %b = layout.shared_alloc : !layout.buffer<4x8xf32, #s>
  %q = tile.splat %p : tensor<4x8x!tile.ptr<f16>, #a>
  // expected-error @below {{expected `ptr` to have the shape and elements of '!layout.buffer<4x8xf32, #layout.shared<4x8>>', got 'tensor<4x8xf16}}
  %t = layout.async_copy %q into %b : tensor<4x8x!tile.ptr<f16>, #a>, !layout.buffer<4x8xf32, #s>
  tile.return
}

// -----

#a = #layout.tile<4x8, register = [(0, 1)], lane = [(0, 2), (0, 4), (1, 0), (2, 0)]>
#s = #layout.shared<4x8>
tile.kernel @async_copy_c3(%p: !tile.ptr<f16>, %c: i1) {
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  %q = tile.splat %p : tensor<4x8x!tile.ptr<f16>, #a>
  // expected-error @below {{failed to verify that `mask` is i1 in the shape of `ptr`}}
  %t = "layout.async_copy"(%q, %c, %b) : (tensor<4x8x!tile.ptr<f16>, #a>, i1, !layout.buffer<4x8xf16, #s>) -> !layout.token
  tile.return
}

// -----

#a = #layout.tile<4x8, register = [(0, 1)], lane = [(0, 2), (0, 4), (1, 0), (2, 0)]>
#b = #layout.tile<8x4, register = [(0, 1)], lane = [(0, 2), (1, 0), (2, 0), (4, 0)]>
#s = #layout.shared<4x8>
tile.kernel @view_async_copy_c1(%p: !tile.ptr<f16>, %n: i64) {
  %b = layout.shared_alloc : !layout.buffer<2x4x8xf16, #s>
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f16, 2>
  // expected-error @below {{expected a slot of the ring}}
  %t = layout.view_async_copy %v[%n, %n] by #a into %b : !tile.view<f16, 2>, !layout.buffer<2x4x8xf16, #s>
  tile.return
}

// -----

#a = #layout.tile<4x8, register = [(0, 1)], lane = [(0, 2), (0, 4), (1, 0), (2, 0)]>
#b = #layout.tile<8x4, register = [(0, 1)], lane = [(0, 2), (1, 0), (2, 0), (4, 0)]>
#s = #layout.shared<4x8>
tile.kernel @view_async_copy_c2(%p: !tile.ptr<f16>, %n: i64) {
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f16, 2>
  // expected-error @below {{expected a coordinate and an extent of the buffer for each of the 2 axes of the view, got 1 and 2}}
  %t = layout.view_async_copy %v[%n] by #a into %b : !tile.view<f16, 2>, !layout.buffer<4x8xf16, #s>
  tile.return
}

// -----

#a = #layout.tile<4x8, register = [(0, 1)], lane = [(0, 2), (0, 4), (1, 0), (2, 0)]>
#b = #layout.tile<8x4, register = [(0, 1)], lane = [(0, 2), (1, 0), (2, 0), (4, 0)]>
#s = #layout.shared<4x8>
tile.kernel @view_async_copy_c3(%p: !tile.ptr<f16>, %n: i64) {
  %b = layout.shared_alloc : !layout.buffer<4x8xf32, #s>
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f16, 2>
  // expected-error @below {{expected one element type, got 'f16' and 'f32'}}
  %t = layout.view_async_copy %v[%n, %n] by #a into %b : !tile.view<f16, 2>, !layout.buffer<4x8xf32, #s>
  tile.return
}

// -----

#a = #layout.tile<4x8, register = [(0, 1)], lane = [(0, 2), (0, 4), (1, 0), (2, 0)]>
#b = #layout.tile<8x4, register = [(0, 1)], lane = [(0, 2), (1, 0), (2, 0), (4, 0)]>
#s = #layout.shared<4x8>
tile.kernel @view_async_copy_c4(%p: !tile.ptr<f16>, %n: i64) {
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f16, 2>
  // expected-error @below {{expected `access` to have the shape of '!layout.buffer<4x8xf16, #layout.shared<4x8>>', got #layout.tile<8x4}}
  %t = layout.view_async_copy %v[%n, %n] by #b into %b : !tile.view<f16, 2>, !layout.buffer<4x8xf16, #s>
  tile.return
}

// -----

tile.kernel @async_wait_c1() {
  // expected-error @below {{expected `pending` not to be negative, got -1}}
  layout.async_wait pending -1
  tile.return
}

// -----

tile.kernel @async_wait_c2() {
  // expected-error @below {{expected `accesses` not to be negative, got -2}}
  layout.async_wait pending 1 accesses -2
  tile.return
}

// -----

#s = #layout.shared<4x8>
tile.kernel @tensor_load_c1(%p: !tile.ptr<f16>, %n: i64, %i: i32) {
  %b = layout.shared_alloc : !layout.buffer<2x4x8xf16, #s>
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f16, 2>
  %f = layout.mbarrier_alloc : !layout.mbarrier
  // expected-error @below {{expected a slot of the ring}}
  layout.tensor_load %v[%n, %n] into %b signals %f : !tile.view<f16, 2>, !layout.buffer<2x4x8xf16, #s>, !layout.mbarrier
  tile.return
}

// -----

#s = #layout.shared<4x8>
tile.kernel @tensor_load_c2(%p: !tile.ptr<f16>, %n: i64, %i: i32) {
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f16, 2>
  %f = layout.mbarrier_alloc : !layout.mbarrier
  // expected-error @below {{expected a coordinate and an extent of the buffer for each of the 2 axes of the view, got 1 and 2}}
  layout.tensor_load %v[%n] into %b signals %f : !tile.view<f16, 2>, !layout.buffer<4x8xf16, #s>, !layout.mbarrier
  tile.return
}

// -----

#s = #layout.shared<4x8>
tile.kernel @tensor_load_c3(%p: !tile.ptr<f16>, %n: i64, %i: i32) {
  %b = layout.shared_alloc : !layout.buffer<4x8xf32, #s>
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f16, 2>
  %f = layout.mbarrier_alloc : !layout.mbarrier
  // expected-error @below {{expected one element type that is a float or an integer of at least 8 bits, got 'f16' and 'f32'}}
  layout.tensor_load %v[%n, %n] into %b signals %f : !tile.view<f16, 2>, !layout.buffer<4x8xf32, #s>, !layout.mbarrier
  tile.return
}

// -----

#s = #layout.shared<4x8>
tile.kernel @tensor_load_c4(%p: !tile.ptr<f16>, %n: i64, %i: i32) {
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f16, 2>
  %f = layout.mbarrier_alloc : !layout.mbarrier<4>
  // expected-error @below {{expected a slot of '!layout.mbarrier<4>', got none}}
  layout.tensor_load %v[%n, %n] into %b signals %f : !tile.view<f16, 2>, !layout.buffer<4x8xf16, #s>, !layout.mbarrier<4>
  tile.return
}

// -----

#s = #layout.shared<4x8>
tile.kernel @tensor_store_c1(%p: !tile.ptr<f16>, %n: i64, %i: i32) {
  %b = layout.shared_alloc : !layout.buffer<2x4x8xf16, #s>
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f16, 2>
  // expected-error @below {{expected a slot of the ring}}
  layout.tensor_store %b into %v[%n, %n] : !layout.buffer<2x4x8xf16, #s>, !tile.view<f16, 2>
  tile.return
}

// -----

#s = #layout.shared<4x8>
tile.kernel @tensor_store_c2(%p: !tile.ptr<f16>, %n: i64, %i: i32) {
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f16, 2>
  // expected-error @below {{expected a coordinate and an extent of the buffer for each of the 2 axes of the view, got 3 and 2}}
  layout.tensor_store %b into %v[%n, %n, %n] : !layout.buffer<4x8xf16, #s>, !tile.view<f16, 2>
  tile.return
}

// -----

#s = #layout.shared<4x8>
tile.kernel @tensor_store_c3(%p: !tile.ptr<i1>, %n: i64, %i: i32) {
  %b = layout.shared_alloc : !layout.buffer<4x8xi1, #s>
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<i1, 2>
  // expected-error @below {{expected one element type that is a float or an integer of at least 8 bits, got 'i1' and 'i1'}}
  layout.tensor_store %b into %v[%n, %n] : !layout.buffer<4x8xi1, #s>, !tile.view<i1, 2>
  tile.return
}

// -----

tile.kernel @tensor_wait_c1() {
  // expected-error @below {{expected `pending` not to be negative, got -2}}
  layout.tensor_wait pending -2
  tile.return
}

// -----

tile.kernel @mbarrier_alloc_c1() {
  // expected-error @below {{expected `offset` to be a multiple of 8, got 12}}
  %f = layout.mbarrier_alloc offset 12 : !layout.mbarrier
  tile.return
}

// -----

tile.kernel @mbarrier_alloc_c2(%c: i1) {
  scf.if %c {
    // expected-error @below {{expected to stand in the body of a kernel, not in a loop, branch or role}}
    %f = layout.mbarrier_alloc : !layout.mbarrier
  }
  tile.return
}

// -----

tile.kernel @mbarrier_init_c1() {
  %f = layout.mbarrier_alloc : !layout.mbarrier
  // expected-error @below {{expected `count` to be 1 to 1048575, got 0}}
  layout.mbarrier_init %f count 0 : !layout.mbarrier
  tile.return
}

// -----

tile.kernel @mbarrier_arrive_c1(%i: i32) {
  %f = layout.mbarrier_alloc : !layout.mbarrier
  // expected-error @below {{expected no slot of '!layout.mbarrier', got one}}
  layout.mbarrier_arrive %f[%i] : !layout.mbarrier
  tile.return
}

// -----

tile.kernel @mbarrier_expect_c1() {
  %f = layout.mbarrier_alloc : !layout.mbarrier<4>
  // expected-error @below {{expected a slot of '!layout.mbarrier<4>', got none}}
  layout.mbarrier_expect %f bytes 8 : !layout.mbarrier<4>
  tile.return
}

// -----

tile.kernel @mbarrier_expect_c2() {
  %f = layout.mbarrier_alloc : !layout.mbarrier
  // expected-error @below {{expected `bytes` to be 0 to 1048575, got -1}}
  layout.mbarrier_expect %f bytes -1 : !layout.mbarrier
  tile.return
}

// -----

tile.kernel @mbarrier_wait_c1(%c: i1) {
  %f = layout.mbarrier_alloc : !layout.mbarrier<4>
  // expected-error @below {{expected a slot of '!layout.mbarrier<4>', got none}}
  layout.mbarrier_wait %f parity %c : !layout.mbarrier<4>
  tile.return
}
