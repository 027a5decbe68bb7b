// RUN: tessera-opt %s -split-input-file -convert-layout-to-llvm | FileCheck %s --check-prefixes=CHECK,DIRECT
// RUN: tessera-opt %s -split-input-file -convert-layout-to-llvm=fold-grid=true | FileCheck %s --check-prefixes=CHECK,FOLD

// Programs of a folded grid find themselves by the extents, which are arguments.

//  CHECK-LABEL: llvm.func @ids(
//  DIRECT-SAME:   %{{[^:,]*}}: !llvm.ptr<1>)
//       DIRECT:   llvm.call @tessera.gpu.block_id.y()
//       DIRECT:   llvm.call @tessera.gpu.num_blocks.z()
//    FOLD-SAME:   %{{[^:]*}}: !llvm.ptr<1>, %[[X:[^:]*]]: i64, %[[Y:[^:]*]]: i64, %[[Z:[^:]*]]: i64)
//    FOLD-SAME:   tessera.grid_axes = [0 : i32, 1 : i32, 2 : i32]
//         FOLD:   %[[ALL:.*]] = arith.extui
//         FOLD:   %[[REST:.*]] = arith.divui %[[ALL]], %[[X]]
//         FOLD:   arith.remui %[[REST]], %[[Y]]
//     FOLD-NOT:   num_blocks

tile.kernel @ids(%x: !tile.ptr<i64>) attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  %id = tile.program_id y
  %count = tile.num_programs z
  %sum = arith.addi %id, %count : i64
  tile.store %x, %sum : !tile.ptr<i64>
  tile.return
}

// -----

// Programs that share a block are told apart by their warps; those beyond the grid do nothing.

//  CHECK-LABEL: llvm.func @narrow(
//   CHECK-SAME:   tessera.programs_per_block = 4 : i64
//   CHECK-SAME:   tessera.threads = 256 : i64
//        CHECK:   %[[WARP:.*]] = llvm.call @tessera.gpu.warp_id()
//        CHECK:   arith.shrui %[[WARP]], %c1_i32
//       DIRECT:   %[[LIVE:.*]] = arith.cmpi ult, %{{.*}}, %arg1 : i64
//         FOLD:   %[[LIVE:.*]] = arith.cmpi ult, %{{.*}} : i64
//        CHECK:   scf.if %[[LIVE]] {
//        CHECK:     llvm.call @tessera.gpu.store.i64

tile.kernel @narrow(%x: !tile.ptr<i64>)
    attributes {layout.num_warps = 2 : i64, layout.warp_size = 32 : i64, layout.programs_per_block = 4 : i64} {
  %id = tile.program_id x
  tile.store %x, %id : !tile.ptr<i64>
  tile.return
}

// -----

// The blocks of a cluster compute one program; one thread of the first of them acts for all.

//  CHECK-LABEL: llvm.func @cluster(
//   CHECK-SAME:   tessera.blocks = 4 : i64
//       DIRECT:   arith.shrui %{{.*}}, %c2_i64
//        CHECK:   %[[RANK:.*]] = arith.andi %{{.*}}, %c3_i32
//   CHECK-NEXT:   arith.cmpi eq, %[[RANK]], %c0_i32
//        CHECK:   llvm.call @tessera.gpu.cluster_store.i32(%{{.*}}, %c0_i32
//        CHECK:   llvm.call @tessera.gpu.cluster_store.i32(%{{.*}}, %c3_i32
//        CHECK:   llvm.call @tessera.gpu.cluster_barrier()

#apart = #layout.tile<128, lane = [(1), (2), (4), (8), (16)], block = [(32), (64)]>

tile.kernel @cluster(%x: !tile.ptr<i64>)
    attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64, layout.num_blocks = 4 : i64} {
  %id = tile.program_id x
  tile.store %x, %id : !tile.ptr<i64>
  %one = arith.constant dense<1> : tensor<128xi32, #apart>
  %m = layout.shared_alloc offset 0 : !layout.buffer<128xi32, #layout.shared<128>>
  layout.cluster_barrier
  layout.shared_store cluster %m, %one : !layout.buffer<128xi32, #layout.shared<128>>, tensor<128xi32, #apart>
  layout.cluster_barrier
  layout.shared_free %m : !layout.buffer<128xi32, #layout.shared<128>>
  tile.return
}
