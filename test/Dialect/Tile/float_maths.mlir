// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS A4, A5

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%a: f32, %h: bf16, %e: i32) {
  // CHECK: tile.splat %{{.*}} : tensor<64xf32>
  %x = tile.splat %a : tensor<64xf32>
  // CHECK: tile.splat %{{.*}} : tensor<64xi32>
  %b = tile.splat %e : tensor<64xi32>
  // CHECK: tile.maxnum %{{.*}}, %{{.*}} : f32
  %c = tile.maxnum %a, %a : f32
  // CHECK: tile.minnum %{{.*}}, %{{.*}} : tensor<64xf32>
  %d = tile.minnum %x, %x : tensor<64xf32>
  // CHECK: tile.sigmoid %{{.*}} : bf16
  %f = tile.sigmoid %h : bf16
  // CHECK: tile.softplus %{{.*}} : tensor<64xf32>
  %g = tile.softplus %x : tensor<64xf32>
  // CHECK: tile.ldexp %{{.*}}, %{{.*}} : f32
  %i = tile.ldexp %a, %e : f32
  // CHECK: tile.ldexp %{{.*}}, %{{.*}} : tensor<64xf32>
  %j = tile.ldexp %x, %b : tensor<64xf32>
  // CHECK: tile.ilogb %{{.*}} : f32
  %k = tile.ilogb %a : f32
  // CHECK: tile.ilogb %{{.*}} : tensor<64xf32>
  %l = tile.ilogb %x : tensor<64xf32>
  tile.return
}
