// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @store_c1(%p: !tile.ptr<f32>, %v: f16) {
  // expected-error @below {{`value` has the type that `ptr` points to}}
  "tile.store"(%p, %v) : (!tile.ptr<f32>, f16) -> ()
  tile.return
}

// -----

tile.kernel @store_c1_broadcast(%p: !tile.ptr<f32>, %c: i1, %s: f32) {
  %q = tile.splat %p : tensor<64x!tile.ptr<f32>>
  %m = tile.splat %c : tensor<64xi1>
  %z = tile.splat %s : tensor<64xf32>
  // expected-error @below {{`value` has the type that `ptr` points to}}
  "tile.store"(%q, %s) : (tensor<64x!tile.ptr<f32>>, f32) -> ()
  tile.return
}

// -----

tile.kernel @store_c2(%p: !tile.ptr<f32>, %c: i1, %s: f32) {
  %q = tile.splat %p : tensor<64x!tile.ptr<f32>>
  %m = tile.splat %c : tensor<64xi1>
  %z = tile.splat %s : tensor<64xf32>
  // expected-error @below {{`mask` is i1 in the shape of `ptr`}}
  "tile.store"(%p, %s, %m) : (!tile.ptr<f32>, f32, tensor<64xi1>) -> ()
  tile.return
}

// -----

tile.kernel @store_c3(%p: !tile.ptr<f32>, %c: i1, %s: f32) {
  // expected-error @below {{expected a cache hint for stores, got ca}}
  tile.store %p, %s cache ca : !tile.ptr<f32>
  tile.return
}

// -----

tile.kernel @store_c3_volatile(%p: !tile.ptr<f32>, %c: i1, %s: f32) {
  // expected-error @below {{expected a cache hint for stores, got cv}}
  tile.store %p, %s cache cv : !tile.ptr<f32>
  tile.return
}
