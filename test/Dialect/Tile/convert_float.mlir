// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS C1

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%s: f32, %k: i32) {
  // CHECK: tile.splat %{{.*}} : tensor<64xf32>
  %x = tile.splat %s : tensor<64xf32>
  // CHECK: tile.splat %{{.*}} : tensor<64xi32>
  %b = tile.splat %k : tensor<64xi32>
  // CHECK: tile.convert_float %{{.*}} : tensor<64xf32> -> tensor<64xf16>
  %a = tile.convert_float %x : tensor<64xf32> -> tensor<64xf16>
  // CHECK: tile.convert_float %{{.*}} rounding toward_zero : tensor<64xf32> -> tensor<64xbf16>
  %c = tile.convert_float %x rounding toward_zero : tensor<64xf32> -> tensor<64xbf16>
  // CHECK: tile.convert_float %{{.*}} saturate : tensor<64xf32> -> tensor<64xf8E4M3FN>
  %d = tile.convert_float %x saturate : tensor<64xf32> -> tensor<64xf8E4M3FN>
  // CHECK: tile.convert_float %{{.*}} rounding stochastic saturate random %{{.*}} : tensor<64xf32> -> tensor<64xf8E5M2>
  %e = tile.convert_float %x rounding stochastic saturate random %b : tensor<64xf32> -> tensor<64xf8E5M2>
  // CHECK: tile.convert_float %{{.*}} : f32 -> f64
  %f = tile.convert_float %s : f32 -> f64
  tile.return
}
