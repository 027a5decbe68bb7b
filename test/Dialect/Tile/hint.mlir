// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS P2

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%n: i64, %p: !tile.ptr<f32>, %c: i1) {
  // CHECK: tile.splat %{{.*}} : tensor<8x64xi64>
  %x = tile.splat %n : tensor<8x64xi64>
  // CHECK: tile.hint %{{.*}} multiple_of [16] : i64
  %a = tile.hint %n multiple_of [16] : i64
  // CHECK: tile.hint %{{.*}} multiple_of [4] max_contiguous [1] : !tile.ptr<f32>
  %b = tile.hint %p multiple_of [4] max_contiguous [1] : !tile.ptr<f32>
  // CHECK: tile.hint %{{.*}} max_contiguous [1, 64] : tensor<8x64xi64>
  %d = tile.hint %x max_contiguous [1, 64] : tensor<8x64xi64>
  // CHECK: tile.assume %{{.*}}
  tile.assume %c
  tile.return
}
