// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS R1a, R3

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%s: f32) {
  // CHECK: tile.splat %{{.*}} : tensor<64xf32>
  %x = tile.splat %s : tensor<64xf32>
  // CHECK: tile.arange 0 to 64 : tensor<64xi32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // CHECK: tile.splat %{{.*}} : tensor<8x64xf32>
  %w = tile.splat %s : tensor<8x64xf32>
  // CHECK: tile.scan %{{.*}} axis 0 : tensor<64xf32> by arith.addf
  %a = tile.scan %x axis 0 : tensor<64xf32> by arith.addf
  // CHECK: tile.scan %{{.*}} axis 1 reverse : tensor<8x64xf32> by tile.maxnum
  %b = tile.scan %w axis 1 reverse : tensor<8x64xf32> by tile.maxnum
  // CHECK: tile.scan %{{.*}} axis 0 exclusive identity [1.000000e+00 : f32] : tensor<64xf32> by arith.mulf
  %c = tile.scan %x axis 0 exclusive identity [1.000000e+00 : f32] : tensor<64xf32> by arith.mulf
  // CHECK: tile.scan %{{.*}} axis 0 reverse exclusive identity [0 : i32] : tensor<64xi32> by arith.addi
  %d = tile.scan %i axis 0 reverse exclusive identity [0 : i32] : tensor<64xi32> by arith.addi
  // CHECK: tile.scan %{{.*}} axis 0 deterministic : tensor<64xf32> by arith.addf
  %g = tile.scan %x axis 0 deterministic : tensor<64xf32> by arith.addf
  // CHECK: tile.scan %{{.*}} axis 0 exclusive identity [0.000000e+00 : f32] deterministic : tensor<64xf32> by arith.addf
  %h = tile.scan %x axis 0 exclusive identity [0.0 : f32] deterministic : tensor<64xf32> by arith.addf
  // CHECK: tile.scan %{{.*}}, %{{.*}} axis 0 : tensor<64xf32>, tensor<64xi32> by (%{{.*}}: f32, %{{.*}}: i32, %{{.*}}: f32, %{{.*}}: i32) {
  %e, %f = tile.scan %x, %i axis 0 : tensor<64xf32>, tensor<64xi32> by (%lv: f32, %li: i32, %rv: f32, %ri: i32) {
  // CHECK: arith.addf %{{.*}}, %{{.*}} : f32
    %t = arith.addf %lv, %rv : f32
  // CHECK: tile.yield %{{.*}}, %{{.*}} : f32, i32
    tile.yield %t, %ri : f32, i32
  }
  tile.return
}
