// RUN: tessera-opt %s -split-input-file -convert-layout-to-llvm=checks=true | FileCheck %s --check-prefixes=CHECK,ON
// RUN: tessera-opt %s -split-input-file -convert-layout-to-llvm | FileCheck %s --check-prefixes=CHECK,OFF

// Each element's thread takes a record and fills it.

// CHECK-LABEL: llvm.func @show(
//  CHECK-SAME:   %{{[^:]*}}: f32, %[[BUFFER:[^:]*]]: !llvm.ptr<1>) attributes {
//  CHECK-SAME:   tessera.prints
//  CHECK-SAME:   tessera.sites = [{dtypes = ["f32"], location = "{{.*}}debug.mlir:[[#]]:3", names = ["x"], text = "here"}]
//       CHECK:   %[[SLOT:.*]] = llvm.call @tessera.gpu.atomic.add.i32.relaxed.system(%[[BUFFER]], %c1_i32, %true)
//       CHECK:   scf.if
//       CHECK:     llvm.store %{{.*}} : i64, !llvm.ptr<1>

tile.kernel @show(%x: f32) attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  tile.print "here" %x names ["x"] : f32
  tile.return
}

// -----

// One line where a predicate holds anywhere: warps tell each other through shared memory.

// CHECK-LABEL: llvm.func @anywhere(
//       CHECK:   llvm.call @tessera.gpu.ballot
//       CHECK:   llvm.call @tessera.gpu.shared_store.i32
//       CHECK:   llvm.call @tessera.gpu.barrier()
// CHECK-COUNT-2: llvm.load {{.*}} : !llvm.ptr<3> -> i32
//       CHECK:   llvm.call @tessera.gpu.barrier()

#row = #layout.tile<64, register = [], lane = [(1), (2), (4), (8), (16)], warp = [(32)]>

tile.kernel @anywhere(%n: i32) attributes {layout.num_warps = 2 : i64, layout.warp_size = 32 : i64} {
  %i = tile.arange 0 to 64 : tensor<64xi32, #row>
  %ns = tile.splat %n : tensor<64xi32, #row>
  %p = arith.cmpi eq, %i, %ns : tensor<64xi32, #row>
  tile.print "found" pred %p is tensor<64xi1, #row>
  tile.return
}

// -----

// Checks are there when asked for.

// CHECK-LABEL: llvm.func @check(
//     ON-SAME:   %{{[^:]*}}: i32, %[[FAULT:[^:]*]]: !llvm.ptr<1>)
//     ON-SAME:   tessera.checks
//     ON-SAME:   text = "device_assert failed: small"
//          ON:   %[[ALL:.*]] = arith.andi
//          ON:   %[[BAD:.*]] = arith.xori %[[ALL]], %true
//          ON:   scf.if %[[BAD]]
//          ON:   llvm.call @tessera.gpu.atomic.cas.i32.acq_rel.system(%[[FAULT]], %c0_i32, %c1_i32, %true)
//    OFF-SAME:   %{{[^:,]*}}: i32)
//     OFF-NOT:   scf.if

#row = #layout.tile<64, register = [(1)], lane = [(2), (4), (8), (16), (32)]>

tile.kernel @check(%n: i32) attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  %i = tile.arange 0 to 64 : tensor<64xi32, #row>
  %ns = tile.splat %n : tensor<64xi32, #row>
  %ok = arith.cmpi slt, %i, %ns : tensor<64xi32, #row>
  tile.assert %ok, "small" : tensor<64xi1, #row>
  tile.return
}
