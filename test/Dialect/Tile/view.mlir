// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS M6, M6a

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%p: !tile.ptr<f32>, %n: i64, %s: f32) {
  // CHECK: tile.make_view %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}] : !tile.view<f32, 2>
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f32, 2>
  // CHECK: tile.view_load %{{.*}}[%{{.*}}, %{{.*}}] : !tile.view<f32, 2> -> tensor<8x64xf32>
  %a = tile.view_load %v[%n, %n] : !tile.view<f32, 2> -> tensor<8x64xf32>
  // CHECK: tile.view_load %{{.*}}[%{{.*}}, %{{.*}}] pad %{{.*}} cache cg evict last reload : !tile.view<f32, 2> -> tensor<1x4xf32>
  %b = tile.view_load %v[%n, %n] pad %s cache cg evict last reload : !tile.view<f32, 2> -> tensor<1x4xf32>
  // CHECK: tile.view_store %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tile.view<f32, 2>, tensor<8x64xf32>
  tile.view_store %v[%n, %n], %a : !tile.view<f32, 2>, tensor<8x64xf32>
  // CHECK: tile.view_store %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} cache cs evict first : !tile.view<f32, 2>, tensor<8x64xf32>
  tile.view_store %v[%n, %n], %a cache cs evict first : !tile.view<f32, 2>, tensor<8x64xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @rank_one(
tile.kernel @rank_one(%p: !tile.ptr<i1>, %n: i64) {
  // CHECK: tile.make_view %{{.*}}, [%{{.*}}], [%{{.*}}] : !tile.view<i1, 1>
  %v = tile.make_view %p, [%n], [%n] : !tile.view<i1, 1>
  // CHECK: tile.view_load %{{.*}}[%{{.*}}] : !tile.view<i1, 1> -> tensor<4xi1>
  %a = tile.view_load %v[%n] : !tile.view<i1, 1> -> tensor<4xi1>
  tile.return
}

// CHECK-LABEL: tile.kernel @rows(
tile.kernel @rows(%p: !tile.ptr<f32>, %n: i64, %s: f32, %i: i32) {
  // CHECK: tile.make_view %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}] : !tile.view<f32, 2>
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f32, 2>
  // CHECK: tile.splat %{{.*}} : tensor<32xi32>
  %r = tile.splat %i : tensor<32xi32>
  // CHECK: tile.view_load_rows %{{.*}}[%{{.*}}, %{{.*}}] : !tile.view<f32, 2>, tensor<32xi32> -> tensor<32x64xf32>
  %a = tile.view_load_rows %v[%r, %n] : !tile.view<f32, 2>, tensor<32xi32> -> tensor<32x64xf32>
  // CHECK: tile.view_load_rows %{{.*}}[%{{.*}}, %{{.*}}] pad %{{.*}} cache ca evict first reload : !tile.view<f32, 2>, tensor<32xi32> -> tensor<32x64xf32>
  %b = tile.view_load_rows %v[%r, %n] pad %s cache ca evict first reload : !tile.view<f32, 2>, tensor<32xi32> -> tensor<32x64xf32>
  // CHECK: tile.view_store_rows %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tile.view<f32, 2>, tensor<32xi32>, tensor<32x64xf32>
  tile.view_store_rows %v[%r, %n], %a : !tile.view<f32, 2>, tensor<32xi32>, tensor<32x64xf32>
  // CHECK: tile.view_store_rows %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} cache wb evict last : !tile.view<f32, 2>, tensor<32xi32>, tensor<32x64xf32>
  tile.view_store_rows %v[%r, %n], %a cache wb evict last : !tile.view<f32, 2>, tensor<32xi32>, tensor<32x64xf32>
  tile.return
}
