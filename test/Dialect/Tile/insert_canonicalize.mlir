// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s

// CHECK-LABEL: tile.kernel @whole(
//       CHECK: %[[X:.*]] = tile.load
// CHECK-NOT: tile.insert
//       CHECK: tile.print "" %[[X]]
tile.kernel @whole(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<4x!tile.ptr<f32>>
  %x = tile.load %q : tensor<4x!tile.ptr<f32>>
  %y = arith.constant dense<0.0> : tensor<4xf32>
  %r = tile.insert %x into %y [0] : tensor<4xf32> into tensor<4xf32>
  tile.print "" %r : tensor<4xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @same_constant(
// CHECK-NOT: tile.insert
//       CHECK: tile.return
tile.kernel @same_constant() {
  %x = arith.constant dense<1> : tensor<2xi32>
  %y = arith.constant dense<1> : tensor<4xi32>
  %r = tile.insert %x into %y [2] : tensor<2xi32> into tensor<4xi32>
  tile.print "" %r : tensor<4xi32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_part(
//       CHECK: tile.insert
tile.kernel @negative_part(%p: !tile.ptr<f32>) {
  %q = tile.splat %p : tensor<2x!tile.ptr<f32>>
  %x = tile.load %q : tensor<2x!tile.ptr<f32>>
  %y = arith.constant dense<0.0> : tensor<4xf32>
  %r = tile.insert %x into %y [0] : tensor<2xf32> into tensor<4xf32>
  tile.print "" %r : tensor<4xf32>
  tile.return
}
