// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @roles(
tile.kernel @roles(%id: i32, %parity: i1) attributes {layout.num_warps = 8, layout.warp_size = 32} {
  %full = layout.mbarrier_alloc : !layout.mbarrier
  // CHECK: layout.warp_roles warps [1, 2] registers [232, 40, 24] {
  layout.warp_roles warps [1, 2] registers [232, 40, 24] {
    // CHECK-NEXT: layout.mbarrier_wait
    layout.mbarrier_wait %full parity %parity : !layout.mbarrier
    // CHECK-NEXT: layout.named_barrier_sync %{{.*}} threads 256
    layout.named_barrier_sync %id threads 256
    // CHECK-NEXT: } roles {
  } roles {
    // CHECK-NEXT: layout.mbarrier_arrive
    layout.mbarrier_arrive %full : !layout.mbarrier
    // CHECK-NEXT: }, {
  }, {
    // CHECK-NEXT: layout.named_barrier_arrive %{{.*}} threads 256
    layout.named_barrier_arrive %id threads 256
    // CHECK-NEXT: }
  }
  // CHECK: layout.warp_roles warps [1] {
  layout.warp_roles warps [1] {
  } roles {
  }
  // CHECK: layout.cluster_rank
  %rank = layout.cluster_rank
  // CHECK: layout.cluster_barrier
  layout.cluster_barrier
  tile.return
}
