// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS A1, A2

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%a: i64, %b: i64) {
  // CHECK: tile.splat %{{.*}} : tensor<64xi64>
  %x = tile.splat %a : tensor<64xi64>
  // CHECK: tile.idiv %{{.*}}, %{{.*}} : i64
  %c = tile.idiv %a, %b : i64
  // CHECK: tile.idiv %{{.*}}, %{{.*}} rounding floor : i64
  %d = tile.idiv %a, %b rounding floor : i64
  // CHECK: tile.idiv %{{.*}}, %{{.*}} rounding ceil unsigned : i64
  %e = tile.idiv %a, %b rounding ceil unsigned : i64
  // CHECK: tile.idiv %{{.*}}, %{{.*}} unsigned : tensor<64xi64>
  %f = tile.idiv %x, %x unsigned : tensor<64xi64>
  // CHECK: tile.irem %{{.*}}, %{{.*}} : i64
  %g = tile.irem %a, %b : i64
  // CHECK: tile.irem %{{.*}}, %{{.*}} rounding floor : tensor<64xi64>
  %h = tile.irem %x, %x rounding floor : tensor<64xi64>
  // CHECK: tile.irem %{{.*}}, %{{.*}} unsigned : i64
  %i = tile.irem %a, %b unsigned : i64
  // CHECK: tile.shl %{{.*}}, %{{.*}} : i64
  %j = tile.shl %a, %b : i64
  // CHECK: tile.shr %{{.*}}, %{{.*}} : i64
  %k = tile.shr %a, %b : i64
  // CHECK: tile.shr %{{.*}}, %{{.*}} unsigned : tensor<64xi64>
  %l = tile.shr %x, %x unsigned : tensor<64xi64>
  // CHECK: tile.umulhi %{{.*}}, %{{.*}} : i64
  %m = tile.umulhi %a, %b : i64
  tile.return
}
