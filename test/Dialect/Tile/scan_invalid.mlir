// RUN: tessera-opt %s -split-input-file -verify-diagnostics
// SEMANTICS R3

tile.kernel @scan_c1(%s: f32) {
  // expected-error @below {{expected at least one input, got none}}
  "tile.scan"() <{axis = 0 : i32}> ({
    tile.yield
  }) : () -> ()
  tile.return
}

// -----

tile.kernel @scan_c2(%s: f32) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // expected-error @below {{expected `axis` to be 0 to 0, got -1}}
  %a = tile.scan %x axis -1 : tensor<64xf32> by arith.addf
  tile.return
}

// -----

tile.kernel @scan_c3(%s: f32) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // expected-error @below {{expected result 0 to be 'tensor<64xf32>', got 'tensor<32xf32>'}}
  %a = "tile.scan"(%x) <{axis = 0 : i32}> ({
  ^bb0(%l: f32, %r: f32):
    tile.yield %l : f32
  }) : (tensor<64xf32>) -> tensor<32xf32>
  tile.return
}

// -----

tile.kernel @scan_c4(%s: f32) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // expected-error @below {{expected the combine region to take ('f32', 'f32'), got ('f32')}}
  %a = tile.scan %x axis 0 : tensor<64xf32> by (%l: f32) {
    tile.yield %l : f32
  }
  tile.return
}

// -----

tile.kernel @scan_c5(%s: f32) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // expected-error @below {{expected the combine region to yield ('f32'), got ('f32', 'f32')}}
  %a = tile.scan %x axis 0 : tensor<64xf32> by (%l: f32, %r: f32) {
    tile.yield %l, %r : f32, f32
  }
  tile.return
}

// -----

tile.kernel @scan_c6(%s: f32, %p: !tile.ptr<f32>) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  %a = tile.scan %x axis 0 : tensor<64xf32> by (%l: f32, %r: f32) {
    // expected-error @below {{touches memory or may have other effects, which the combine region of `tile.scan` must not}}
    tile.store %p, %l : !tile.ptr<f32>
    tile.yield %l : f32
  }
  tile.return
}

// -----

tile.kernel @scan_c7(%s: f32) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // expected-error @below {{expected `identity` exactly with `exclusive`, got `exclusive` alone}}
  %a = tile.scan %x axis 0 exclusive : tensor<64xf32> by arith.addf
  tile.return
}

// -----

tile.kernel @scan_c7_alone(%s: f32) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // expected-error @below {{expected `identity` exactly with `exclusive`, got `identity` alone}}
  %a = tile.scan %x axis 0 identity [0.0 : f32] : tensor<64xf32> by arith.addf
  tile.return
}

// -----

tile.kernel @scan_c7_type(%s: f32) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // expected-error @below {{expected identity 0 to be a constant of type 'f32', got 0 : i32}}
  %a = tile.scan %x axis 0 exclusive identity [0 : i32] : tensor<64xf32> by arith.addf
  tile.return
}

// -----

tile.kernel @scan_c7_kind(%s: f32) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // expected-error @below {{expected identity 0 to be a constant of type 'f32', got "zero"}}
  %a = tile.scan %x axis 0 exclusive identity ["zero"] : tensor<64xf32> by arith.addf
  tile.return
}

// -----

tile.kernel @scan_c7_count(%s: f32) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // expected-error @below {{expected one identity for each of 1 inputs, got 2}}
  %a = tile.scan %x axis 0 exclusive identity [0.0 : f32, 0.0 : f32] : tensor<64xf32> by arith.addf
  tile.return
}
