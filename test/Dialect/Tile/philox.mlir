// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS N1

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%k: i32) {
  // CHECK: tile.splat %{{.*}} : tensor<64xi32>
  %x = tile.splat %k : tensor<64xi32>
  // CHECK: tile.philox %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : i32
  %a:4 = tile.philox %k, %k, %k, %k, %k, %k : i32
  // CHECK: tile.philox %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} rounds 7 : tensor<64xi32>
  %b:4 = tile.philox %x, %x, %x, %x, %x, %x rounds 7 : tensor<64xi32>
  tile.return
}
