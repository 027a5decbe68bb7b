// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS C3

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%p: !tile.ptr<f32>, %n: i64) {
  // CHECK: tile.splat %{{.*}} : tensor<4x!tile.ptr<f32>>
  %q = tile.splat %p : tensor<4x!tile.ptr<f32>>
  // CHECK: tile.ptr_to_int %{{.*}} : !tile.ptr<f32>
  %a = tile.ptr_to_int %p : !tile.ptr<f32>
  // CHECK: tile.ptr_to_int %{{.*}} : tensor<4x!tile.ptr<f32>>
  %b = tile.ptr_to_int %q : tensor<4x!tile.ptr<f32>>
  // CHECK: tile.int_to_ptr %{{.*}} : !tile.ptr<i8>
  %c = tile.int_to_ptr %n : !tile.ptr<i8>
  // CHECK: tile.int_to_ptr %{{.*}} : tensor<4x!tile.ptr<i8>>
  %d = tile.int_to_ptr %b : tensor<4x!tile.ptr<i8>>
  // CHECK: tile.ptr_cast %{{.*}} : !tile.ptr<f32> -> !tile.ptr<i32>
  %e = tile.ptr_cast %p : !tile.ptr<f32> -> !tile.ptr<i32>
  // CHECK: tile.ptr_cast %{{.*}} : tensor<4x!tile.ptr<f32>> -> tensor<4x!tile.ptr<i32>>
  %f = tile.ptr_cast %q : tensor<4x!tile.ptr<f32>> -> tensor<4x!tile.ptr<i32>>
  tile.return
}
