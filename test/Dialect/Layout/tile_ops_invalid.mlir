// RUN: tessera-opt %s -split-input-file -verify-diagnostics
// What ops of the tile dialect ask of encodings.

#a = #layout.tile<8, lane = [(1), (2), (4)]>
#b = #layout.tile<8, lane = [(4), (2), (1)]>
tile.kernel @scan_c3(%s: f32) {
  %x = tile.splat %s : tensor<8xf32, #a>
  // expected-error @below {{expected results of the types of the inputs, got 'tensor<8xf32, #layout.tile<8, lane = [(4), (2), (1)]>>'}}
  %y = "tile.scan"(%x) <{axis = 0 : i32}> ({
  ^bb0(%l: f32, %r: f32):
    %sum = arith.addf %l, %r : f32
    tile.yield %sum : f32
  }) : (tensor<8xf32, #a>) -> tensor<8xf32, #b>
  tile.return
}
