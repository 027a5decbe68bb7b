// RUN: tessera-opt %s -split-input-file -tile-fix-order | FileCheck %s
// SEMANTICS R4

// CHECK-LABEL: tile.kernel @free(
//       CHECK:   tile.reduce %{{.*}} axis 0 deterministic : tensor<64xf32> -> f32 by arith.addf
//       CHECK:   tile.scan %{{.*}} axis 0 deterministic : tensor<64xf32> by arith.addf
tile.kernel @free(%x: f32) {
  %t = tile.splat %x : tensor<64xf32>
  %r = tile.reduce %t axis 0 : tensor<64xf32> -> f32 by arith.addf
  %s = tile.scan %t axis 0 : tensor<64xf32> by arith.addf
  tile.print "" %r : f32
  tile.print "" %s : tensor<64xf32>
  tile.return
}

// -----

// What is fixed stays so; other ops have no order.
// CHECK-LABEL: tile.kernel @negative_nothing_to_do(
//       CHECK:   tile.reduce %{{.*}} axis 0 deterministic : tensor<64xf32> -> f32 by arith.addf
//       CHECK:   tile.sort %{{[^ ]*}} axis 0 : tensor<64xf32>
tile.kernel @negative_nothing_to_do(%x: f32) {
  %t = tile.splat %x : tensor<64xf32>
  %r = tile.reduce %t axis 0 deterministic : tensor<64xf32> -> f32 by arith.addf
  %s = tile.sort %t axis 0 : tensor<64xf32>
  tile.print "" %r : f32
  tile.print "" %s : tensor<64xf32>
  tile.return
}
