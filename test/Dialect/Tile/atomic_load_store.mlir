// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS M5

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%p: !tile.ptr<f32>, %i: !tile.ptr<i32>, %s: f32, %n: i32, %c: i1) {
  // CHECK: tile.atomic_load acquire device %{{.*}} : !tile.ptr<i32>
  %a = tile.atomic_load acquire device %i : !tile.ptr<i32>
  // CHECK: tile.atomic_load relaxed block %{{.*}} mask %{{.*}} : !tile.ptr<i32>
  %b = tile.atomic_load relaxed block %i mask %c : !tile.ptr<i32>
  // CHECK: tile.atomic_store release system %{{.*}}, %{{.*}} : !tile.ptr<i32>
  tile.atomic_store release system %i, %n : !tile.ptr<i32>
  // CHECK: tile.atomic_store relaxed device %{{.*}}, %{{.*}} mask %{{.*}} : !tile.ptr<f32>
  tile.atomic_store relaxed device %p, %s mask %c : !tile.ptr<f32>
  tile.return
}
