// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS M5

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%p: !tile.ptr<f32>, %i: !tile.ptr<i32>, %s: f32, %n: i32, %c: i1) {
  // CHECK: tile.atomic_cas acq_rel device %{{.*}}, %{{.*}}, %{{.*}} : !tile.ptr<i32>
  %a = tile.atomic_cas acq_rel device %i, %n, %n : !tile.ptr<i32>
  // CHECK: tile.atomic_cas relaxed system %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} : !tile.ptr<f32>
  %b = tile.atomic_cas relaxed system %p, %s, %s mask %c : !tile.ptr<f32>
  tile.return
}
