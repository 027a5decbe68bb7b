// RUN: tessera-opt %s -split-input-file -verify-diagnostics

#a = #layout.tile<8, lane = [(1), (2), (4)]>
#b = #layout.tile<2x4, lane = [(0, 1), (0, 2), (1, 0)]>
tile.kernel @convert_c1(%s: f32) {
  %x = tile.splat %s : tensor<8xf32, #a>
  // expected-error @below {{expected `source` and result to have one shape, got [8] and [2, 4]}}
  %y = layout.convert %x : tensor<8xf32, #a> -> tensor<2x4xf32, #b>
  tile.return
}

// -----

#a = #layout.tile<8, lane = [(1), (2), (4)]>
tile.kernel @convert_c2(%s: f32) {
  %x = tile.splat %s : tensor<8xf32, #a>
  // expected-error @below {{expected `source` and result to have one element type, got 'f32' and 'i32'}}
  %y = layout.convert %x : tensor<8xf32, #a> -> tensor<8xi32, #a>
  tile.return
}

// -----

#a = #layout.tile<8, lane = [(1), (2), (4)]>
tile.kernel @convert_without_layout(%s: f32) {
  %x = tile.splat %s : tensor<8xf32, #a>
  // expected-error @below {{result #0 must be tile with a layout}}
  %y = layout.convert %x : tensor<8xf32, #a> -> tensor<8xf32>
  tile.return
}
