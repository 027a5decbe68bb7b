// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @bitcast_c1_shape(%s: f32) {
  %x = tile.splat %s : tensor<4xf32>
  // expected-error @below {{expected equal widths and shapes, or on the narrower side one last axis more over the parts, got 'tensor<4xf32>' to 'tensor<2x2xi32>'}}
  %a = tile.bitcast %x : tensor<4xf32> -> tensor<2x2xi32>
  tile.return
}

// -----

tile.kernel @bitcast_c1_ratio(%s: f32) {
  %x = tile.splat %s : tensor<4xf32>
  // expected-error @below {{expected equal widths and shapes, or on the narrower side one last axis more over the parts}}
  %a = tile.bitcast %x : tensor<4xf32> -> tensor<4x4xf16>
  tile.return
}

// -----

tile.kernel @bitcast_c1_no_axis(%s: f32) {
  // expected-error @below {{expected equal widths and shapes, or on the narrower side one last axis more over the parts}}
  %a = tile.bitcast %s : f32 -> f16
  tile.return
}

// -----

tile.kernel @bitcast_c1_first_axis(%s: f32) {
  %x = tile.splat %s : tensor<4xf32>
  // expected-error @below {{expected equal widths and shapes, or on the narrower side one last axis more over the parts}}
  %a = tile.bitcast %x : tensor<4xf32> -> tensor<2x4xf16>
  tile.return
}

// -----

tile.kernel @bitcast_c2(%s: i8) {
  // expected-error @below {{expected i1 to be cast only to i1, got 'i8' to 'tensor<8xi1>'}}
  %a = tile.bitcast %s : i8 -> tensor<8xi1>
  tile.return
}

// -----

tile.kernel @bitcast_pointer(%s: !tile.ptr<f32>) {
  // expected-error @below {{operand #0 must be scalar or tile of integer or float}}
  %a = "tile.bitcast"(%s) : (!tile.ptr<f32>) -> i64
  tile.return
}
