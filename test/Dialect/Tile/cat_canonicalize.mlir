// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s

// CHECK-LABEL: tile.kernel @constants(
//       CHECK: arith.constant dense<4> : tensor<4xi64>
tile.kernel @constants() {
  %x = arith.constant dense<4> : tensor<2xi64>
  %r = tile.cat %x, %x axis 0 : tensor<2xi64> -> tensor<4xi64>
  tile.print "" %r : tensor<4xi64>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_constants(
//       CHECK: tile.cat
tile.kernel @negative_constants() {
  %x = arith.constant dense<4> : tensor<2xi64>
  %y = arith.constant dense<5> : tensor<2xi64>
  %r = tile.cat %x, %y axis 0 : tensor<2xi64> -> tensor<4xi64>
  tile.print "" %r : tensor<4xi64>
  tile.return
}
