// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS M5

// CHECK-LABEL: tile.kernel @kinds(
tile.kernel @kinds(%p: !tile.ptr<f32>, %i: !tile.ptr<i32>, %s: f32, %n: i32, %c: i1) {
  // CHECK: tile.atomic_rmw add relaxed device %{{.*}}, %{{.*}} : !tile.ptr<i32>
  %k0 = tile.atomic_rmw add relaxed device %i, %n : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw sub relaxed device %{{.*}}, %{{.*}} : !tile.ptr<i32>
  %k1 = tile.atomic_rmw sub relaxed device %i, %n : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw and relaxed device %{{.*}}, %{{.*}} : !tile.ptr<i32>
  %k2 = tile.atomic_rmw and relaxed device %i, %n : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw or relaxed device %{{.*}}, %{{.*}} : !tile.ptr<i32>
  %k3 = tile.atomic_rmw or relaxed device %i, %n : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw xor relaxed device %{{.*}}, %{{.*}} : !tile.ptr<i32>
  %k4 = tile.atomic_rmw xor relaxed device %i, %n : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw xchg relaxed device %{{.*}}, %{{.*}} : !tile.ptr<i32>
  %k5 = tile.atomic_rmw xchg relaxed device %i, %n : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw min relaxed device %{{.*}}, %{{.*}} : !tile.ptr<i32>
  %k6 = tile.atomic_rmw min relaxed device %i, %n : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw max relaxed device %{{.*}}, %{{.*}} : !tile.ptr<i32>
  %k7 = tile.atomic_rmw max relaxed device %i, %n : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw umin relaxed device %{{.*}}, %{{.*}} : !tile.ptr<i32>
  %k8 = tile.atomic_rmw umin relaxed device %i, %n : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw umax relaxed device %{{.*}}, %{{.*}} : !tile.ptr<i32>
  %k9 = tile.atomic_rmw umax relaxed device %i, %n : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw xchg relaxed device %{{.*}}, %{{.*}} : !tile.ptr<f32>
  %k10 = tile.atomic_rmw xchg relaxed device %p, %s : !tile.ptr<f32>
  // CHECK: tile.atomic_rmw fadd relaxed device %{{.*}}, %{{.*}} : !tile.ptr<f32>
  %k11 = tile.atomic_rmw fadd relaxed device %p, %s : !tile.ptr<f32>
  // CHECK: tile.atomic_rmw fsub relaxed device %{{.*}}, %{{.*}} : !tile.ptr<f32>
  %k12 = tile.atomic_rmw fsub relaxed device %p, %s : !tile.ptr<f32>
  // CHECK: tile.atomic_rmw fmin relaxed device %{{.*}}, %{{.*}} : !tile.ptr<f32>
  %k13 = tile.atomic_rmw fmin relaxed device %p, %s : !tile.ptr<f32>
  // CHECK: tile.atomic_rmw fmax relaxed device %{{.*}}, %{{.*}} : !tile.ptr<f32>
  %k14 = tile.atomic_rmw fmax relaxed device %p, %s : !tile.ptr<f32>
  tile.return
}

// CHECK-LABEL: tile.kernel @orders_scopes_mask(
tile.kernel @orders_scopes_mask(%p: !tile.ptr<f32>, %i: !tile.ptr<i32>, %s: f32, %n: i32, %c: i1) {
  // CHECK: tile.atomic_rmw add acquire block %{{.*}}, %{{.*}} mask %{{.*}} : !tile.ptr<i32>
  %a = tile.atomic_rmw add acquire block %i, %n mask %c : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw add release system %{{.*}}, %{{.*}} : !tile.ptr<i32>
  %b = tile.atomic_rmw add release system %i, %n : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw add acq_rel device %{{.*}}, %{{.*}} : !tile.ptr<i32>
  %d = tile.atomic_rmw add acq_rel device %i, %n : !tile.ptr<i32>
  // CHECK: tile.splat %{{.*}} : tensor<64x!tile.ptr<f32>>
  %q = tile.splat %p : tensor<64x!tile.ptr<f32>>
  // CHECK: tile.splat %{{.*}} : tensor<64xf32>
  %z = tile.splat %s : tensor<64xf32>
  // CHECK: tile.splat %{{.*}} : tensor<64xi1>
  %m = tile.splat %c : tensor<64xi1>
  // CHECK: tile.atomic_rmw fadd relaxed device %{{.*}}, %{{.*}} mask %{{.*}} : tensor<64x!tile.ptr<f32>>
  %e = tile.atomic_rmw fadd relaxed device %q, %z mask %m : tensor<64x!tile.ptr<f32>>
  tile.return
}
