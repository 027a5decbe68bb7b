// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS C3

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%s: f32) {
  // CHECK: tile.splat %{{.*}} : tensor<64xf32>
  %x = tile.splat %s : tensor<64xf32>
  // CHECK: tile.bitcast %{{.*}} : tensor<64xf32> -> tensor<64xi32>
  %a = tile.bitcast %x : tensor<64xf32> -> tensor<64xi32>
  // CHECK: tile.bitcast %{{.*}} : tensor<64xi32> -> tensor<64x2xf16>
  %b = tile.bitcast %a : tensor<64xi32> -> tensor<64x2xf16>
  // CHECK: tile.bitcast %{{.*}} : tensor<64x2xf16> -> tensor<64xi32>
  %c = tile.bitcast %b : tensor<64x2xf16> -> tensor<64xi32>
  // CHECK: tile.bitcast %{{.*}} : f32 -> tensor<4xf8E4M3FN>
  %d = tile.bitcast %s : f32 -> tensor<4xf8E4M3FN>
  // CHECK: tile.bitcast %{{.*}} : tensor<4xf8E4M3FN> -> f32
  %e = tile.bitcast %d : tensor<4xf8E4M3FN> -> f32
  tile.return
}
