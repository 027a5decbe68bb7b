// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS T1

// CHECK-LABEL: tile.kernel @elements(
tile.kernel @elements(%a: i1, %b: i8, %c: i16, %d: i32, %e: i64, %f: f16, %g: bf16, %h: f32, %i: f64, %j: f8E4M3FN, %k: f8E5M2, %l: f8E4M3FNUZ, %m: f8E5M2FNUZ) {
  // CHECK-SAME: i1, {{.*}}: i8, {{.*}}: i16, {{.*}}: i32, {{.*}}: i64, {{.*}}: f16, {{.*}}: bf16, {{.*}}: f32, {{.*}}: f64, {{.*}}: f8E4M3FN, {{.*}}: f8E5M2, {{.*}}: f8E4M3FNUZ, {{.*}}: f8E5M2FNUZ)
  tile.return
}

// CHECK-LABEL: tile.kernel @pointers(
tile.kernel @pointers(%p: !tile.ptr<f8E5M2>, %q: !tile.ptr<!tile.ptr<i1>>, %n: i64) {
  // CHECK-SAME: !tile.ptr<f8E5M2>, {{.*}}: !tile.ptr<!tile.ptr<i1>>
  // CHECK: tile.splat %{{.*}} : tensor<4x!tile.ptr<!tile.ptr<i1>>>
  %a = tile.splat %q : tensor<4x!tile.ptr<!tile.ptr<i1>>>
  tile.return
}

// CHECK-LABEL: tile.kernel @views(
tile.kernel @views(%p: !tile.ptr<f16>, %n: i64) {
  // CHECK: tile.make_view %{{.*}}, [%{{.*}}], [%{{.*}}] : !tile.view<f16, 1>
  %a = tile.make_view %p, [%n], [%n] : !tile.view<f16, 1>
  // CHECK: tile.make_view %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}] : !tile.view<f16, 2>
  %b = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f16, 2>
  // CHECK: tile.make_view %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}] : !tile.view<f16, 2, contiguous = 0>
  %c = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f16, 2, contiguous = 0>
  tile.return
}
