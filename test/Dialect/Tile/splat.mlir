// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%s: f32, %p: !tile.ptr<f16>) {
  // CHECK: tile.splat %{{.*}} : tensor<1xf32>
  %a = tile.splat %s : tensor<1xf32>
  // CHECK: tile.splat %{{.*}} : tensor<2x4x8x16x32xf32>
  %b = tile.splat %s : tensor<2x4x8x16x32xf32>
  // CHECK: tile.splat %{{.*}} : tensor<8x!tile.ptr<f16>>
  %c = tile.splat %p : tensor<8x!tile.ptr<f16>>
  tile.return
}
