// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS D1, D2

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%s: f32, %h: f16, %q: f8E4M3FN, %r: f8E5M2, %i: i8, %j: i32, %d: f64) {
  // CHECK: tile.splat %{{.*}} : tensor<64x32xf32>
  %a = tile.splat %s : tensor<64x32xf32>
  // CHECK: tile.splat %{{.*}} : tensor<32x16xf32>
  %b = tile.splat %s : tensor<32x16xf32>
  // CHECK: tile.splat %{{.*}} : tensor<64x16xf32>
  %c = tile.splat %s : tensor<64x16xf32>
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32>
  %r0 = tile.dot %a, %b, %c : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32>
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} precision tf32 : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32>
  %r1 = tile.dot %a, %b, %c precision tf32 : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32>
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} precision tf32x3 : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32>
  %r2 = tile.dot %a, %b, %c precision tf32x3 : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32>
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} precision bf16x3 : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32>
  %r3 = tile.dot %a, %b, %c precision bf16x3 : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32>
  // CHECK: tile.splat %{{.*}} : tensor<4x64x32xf16>
  %ha = tile.splat %h : tensor<4x64x32xf16>
  // CHECK: tile.splat %{{.*}} : tensor<4x32x16xf16>
  %hb = tile.splat %h : tensor<4x32x16xf16>
  // CHECK: tile.splat %{{.*}} : tensor<4x64x16xf32>
  %hc = tile.splat %s : tensor<4x64x16xf32>
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<4x64x32xf16>, tensor<4x32x16xf16> -> tensor<4x64x16xf32>
  %r4 = tile.dot %ha, %hb, %hc : tensor<4x64x32xf16>, tensor<4x32x16xf16> -> tensor<4x64x16xf32>
  // CHECK: tile.splat %{{.*}} : tensor<1x1xf8E4M3FN>
  %qa = tile.splat %q : tensor<1x1xf8E4M3FN>
  // CHECK: tile.splat %{{.*}} : tensor<1x1xf8E5M2>
  %qb = tile.splat %r : tensor<1x1xf8E5M2>
  // CHECK: tile.splat %{{.*}} : tensor<1x1xf32>
  %qc = tile.splat %s : tensor<1x1xf32>
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} max_imprecise_k 32 : tensor<1x1xf8E4M3FN>, tensor<1x1xf8E5M2> -> tensor<1x1xf32>
  %r5 = tile.dot %qa, %qb, %qc max_imprecise_k 32 : tensor<1x1xf8E4M3FN>, tensor<1x1xf8E5M2> -> tensor<1x1xf32>
  // CHECK: tile.splat %{{.*}} : tensor<2x2xi8>
  %ia = tile.splat %i : tensor<2x2xi8>
  // CHECK: tile.splat %{{.*}} : tensor<2x2xi32>
  %ic = tile.splat %j : tensor<2x2xi32>
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x2xi8>, tensor<2x2xi8> -> tensor<2x2xi32>
  %r6 = tile.dot %ia, %ia, %ic : tensor<2x2xi8>, tensor<2x2xi8> -> tensor<2x2xi32>
  // CHECK: tile.splat %{{.*}} : tensor<2x2xf64>
  %da = tile.splat %d : tensor<2x2xf64>
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x2xf64>, tensor<2x2xf64> -> tensor<2x2xf64>
  %r8 = tile.dot %da, %da, %da : tensor<2x2xf64>, tensor<2x2xf64> -> tensor<2x2xf64>
  tile.return
}
