// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%s: f32) {
  // CHECK: tile.splat %{{.*}} : tensor<128xf32>
  %x = tile.splat %s : tensor<128xf32>
  // CHECK: tile.expand_dims %{{.*}} axis 0 : tensor<128xf32> -> tensor<1x128xf32>
  %a = tile.expand_dims %x axis 0 : tensor<128xf32> -> tensor<1x128xf32>
  // CHECK: tile.expand_dims %{{.*}} axis 1 : tensor<128xf32> -> tensor<128x1xf32>
  %b = tile.expand_dims %x axis 1 : tensor<128xf32> -> tensor<128x1xf32>
  tile.return
}
