// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS C2

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%s: f32, %h: f8E4M3FN) {
  // CHECK: tile.splat %{{.*}} : tensor<64xf32>
  %x = tile.splat %s : tensor<64xf32>
  // CHECK: tile.float_to_int %{{.*}} : tensor<64xf32> -> tensor<64xi32>
  %a = tile.float_to_int %x : tensor<64xf32> -> tensor<64xi32>
  // CHECK: tile.float_to_int %{{.*}} unsigned : f32 -> i8
  %b = tile.float_to_int %s unsigned : f32 -> i8
  // CHECK: tile.float_to_int %{{.*}} : f8E4M3FN -> i64
  %c = tile.float_to_int %h : f8E4M3FN -> i64
  tile.return
}
