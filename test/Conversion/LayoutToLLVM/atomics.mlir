// RUN: tessera-opt %s -split-input-file -convert-layout-to-llvm | FileCheck %s

// One thread adds, and the others get the old value through memory of the program's behind its buffers.

// CHECK-LABEL: llvm.mlir.global external @tessera.shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<80 x i8>
//       CHECK: llvm.func @count(
//  CHECK-SAME:   tessera.shared_bytes = 80 : i64
//       CHECK:   %[[OLD:.*]] = llvm.call @tessera.gpu.atomic.add.i32.acq_rel.device(%arg0, %c1_i32, %[[OWNER:.*]]) :
//       CHECK:   %[[PLACE:.*]] = llvm.getelementptr %{{.*}}[%c64_i32]
//       CHECK:   llvm.call @tessera.gpu.shared_store.i32(%[[PLACE]], %[[OLD]], %[[OWNER]])
//       CHECK:   llvm.call @tessera.gpu.barrier()
//       CHECK:   llvm.load %[[PLACE]]
//       CHECK:   llvm.call @tessera.gpu.barrier()

tile.kernel @count(%p: !tile.ptr<i32>)
    attributes {layout.num_warps = 2 : i64, layout.warp_size = 32 : i64, layout.shared_bytes = 60 : i64} {
  %c1 = arith.constant 1 : i32
  %old = tile.atomic_rmw add acq_rel device %p, %c1 : !tile.ptr<i32>
  tile.store %p, %old : !tile.ptr<i32>
  tile.return
}

// -----

// Within a warp a shuffle is enough; nobody asks for what is not used.

// CHECK-LABEL: llvm.func @one_warp(
//       CHECK:   llvm.call @tessera.gpu.atomic.add.i32.relaxed.block
//   CHECK-NOT:   shuffle
//       CHECK:   %[[OLD:.*]] = llvm.call @tessera.gpu.atomic.smax.i32.relaxed.system
//       CHECK:   llvm.call @tessera.gpu.shuffle.idx(%[[OLD]], %c0_i32)
//   CHECK-NOT:   barrier

tile.kernel @one_warp(%p: !tile.ptr<i32>) attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  %c1 = arith.constant 1 : i32
  %unused = tile.atomic_rmw sub relaxed block %p, %c1 : !tile.ptr<i32>
  %old = tile.atomic_rmw max relaxed system %p, %c1 : !tile.ptr<i32>
  tile.store %p, %old : !tile.ptr<i32>
  tile.return
}

// -----

// What the chip has not is a loop on words of 32 bits; fences order it.

// CHECK-LABEL: llvm.func @loops(
//       CHECK:   llvm.call @tessera.gpu.fence.device()
//       CHECK:   %[[BYTE:.*]] = arith.andi %{{.*}}, %c3_i64
//       CHECK:   %[[SHIFT:.*]] = arith.shli %{{.*}}, %c3_i32
//       CHECK:   llvm.call @tessera.gpu.atomic.load.i32.relaxed.device
//       CHECK:   scf.while (%[[WORD:.*]] = %{{.*}}) : (i32) -> i32
//       CHECK:     arith.shrui %[[WORD]], %[[SHIFT]]
//       CHECK:     %[[FOUND:.*]] = llvm.call @tessera.gpu.atomic.cas.i32.relaxed.device(%{{.*}}, %[[WORD]],
//       CHECK:     %[[AGAIN:.*]] = arith.cmpi ne, %[[FOUND]], %[[WORD]]
//       CHECK:     scf.condition(%[[AGAIN]]) %[[FOUND]]
//       CHECK:   llvm.call @tessera.gpu.fence.device()

#row = #layout.tile<32, register = [], lane = [(1), (2), (4), (8), (16)]>

tile.kernel @loops(%p: !tile.ptr<bf16>) attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  %one = arith.constant dense<1.0> : tensor<32xbf16, #row>
  %i = tile.arange 0 to 32 : tensor<32xi32, #row>
  %ps = tile.splat %p : tensor<32x!tile.ptr<bf16>, #row>
  %pp = tile.addptr %ps, %i : tensor<32x!tile.ptr<bf16>, #row>, tensor<32xi32, #row>
  %old = tile.atomic_rmw fadd acq_rel device %pp, %one : tensor<32x!tile.ptr<bf16>, #row>
  tile.return
}

// -----

// A compare-and-swap of a narrow element ends where something else was found. Loads and stores are atomics, too.

// CHECK-LABEL: llvm.func @swap(
//       CHECK:   %[[V:.*]] = llvm.call @tessera.gpu.atomic.load.i64.acquire.device
//       CHECK:   llvm.call @tessera.gpu.atomic.store.i64.release.device(%{{.*}}, %{{.*}},
//       CHECK:   scf.while
//       CHECK:     %[[SAME:.*]] = arith.cmpi eq
//       CHECK:     llvm.call @tessera.gpu.atomic.cas.i32.relaxed.device({{.*}}, %[[SAME]])
//       CHECK:     scf.condition

tile.kernel @swap(%p: !tile.ptr<i8>, %q: !tile.ptr<i64>, %a: i8, %b: i8)
    attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  %v = tile.atomic_load acquire device %q : !tile.ptr<i64>
  tile.atomic_store release device %q, %v : !tile.ptr<i64>
  %old = tile.atomic_cas relaxed device %p, %a, %b : !tile.ptr<i8>
  tile.return
}
