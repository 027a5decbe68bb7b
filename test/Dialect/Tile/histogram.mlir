// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS R5

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%s: i8, %c: i1) {
  // CHECK: tile.splat %{{.*}} : tensor<8x64xi8>
  %x = tile.splat %s : tensor<8x64xi8>
  // CHECK: tile.splat %{{.*}} : tensor<8x64xi1>
  %m = tile.splat %c : tensor<8x64xi1>
  // CHECK: tile.histogram %{{.*}} : tensor<8x64xi8> -> tensor<256xi32>
  %a = tile.histogram %x : tensor<8x64xi8> -> tensor<256xi32>
  // CHECK: tile.histogram %{{.*}} mask %{{.*}} unsigned : tensor<8x64xi8> -> tensor<16xi32>
  %b = tile.histogram %x mask %m unsigned : tensor<8x64xi8> -> tensor<16xi32>
  tile.return
}
