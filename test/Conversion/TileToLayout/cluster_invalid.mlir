// RUN: tessera-opt %s -convert-tile-to-layout=num-blocks=2 -verify-diagnostics

tile.kernel @product(%x: !tile.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<16x16xf16>
  %c = arith.constant dense<0.0> : tensor<16x16xf32>
  // expected-error@below {{is not spread over the blocks of a cluster: compile the kernel with `cluster = 1`}}
  %d = tile.dot %a, %a, %c : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  %p = tile.splat %x : tensor<16x16x!tile.ptr<f32>>
  tile.store %p, %d : tensor<16x16x!tile.ptr<f32>>
  tile.return
}
