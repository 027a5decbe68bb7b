// RUN: tessera-opt %s -layout-insert-barriers -verify-diagnostics

tile.kernel @no_place() {
  // expected-error @below {{has no `offset`, without which buffers that share memory are not seen; -layout-allocate-shared gives it}}
  %m = layout.shared_alloc : !layout.buffer<128xf32, #layout.shared<128>>
  layout.shared_free %m : !layout.buffer<128xf32, #layout.shared<128>>
  tile.return
}
