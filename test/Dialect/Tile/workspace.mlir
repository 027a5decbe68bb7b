// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%n: i64) {
  // CHECK: tile.workspace %{{.*}} : !tile.ptr<f32>
  %a = tile.workspace %n : !tile.ptr<f32>
  // CHECK: tile.workspace %{{.*}} zeroed : !tile.ptr<!tile.ptr<i8>>
  %b = tile.workspace %n zeroed : !tile.ptr<!tile.ptr<i8>>
  tile.return
}
