// RUN: tessera-opt %s -split-input-file -convert-layout-to-llvm | FileCheck %s

// Addresses are a base, an offset of the thread and constants of the registers; a bounds mask compares 32-bit numbers.
// Tiles of offsets, pointers and masks are never made.

// CHECK-LABEL: llvm.func @add(
//  CHECK-SAME:   %[[X:[^:]*]]: !llvm.ptr<1>, %[[Y:[^:]*]]: !llvm.ptr<1>, %[[OUT:[^:]*]]: !llvm.ptr<1>, %[[N:[^:]*]]: i64)
//  CHECK-SAME:   tessera.shared_bytes = 0 : i64
//  CHECK-SAME:   tessera.threads = 128 : i64
//       CHECK:   %[[LANE:.*]] = llvm.call @tessera.gpu.lane_id()
//       CHECK:   %[[LOW:.*]] = arith.shli %[[LANE]], %c2_i32
//       CHECK:   %[[WARP:.*]] = llvm.call @tessera.gpu.warp_id()
//       CHECK:   %[[HIGH:.*]] = arith.shli %[[WARP]], %c7_i32
//       CHECK:   %[[THREAD:.*]] = arith.xori %[[LOW]], %[[HIGH]]
//       CHECK:   %[[BASE:.*]] = llvm.getelementptr %[[X]][%{{.*}}]
//       CHECK:   %[[BYTES:.*]] = arith.muli %[[THREAD]], %c4_i32
//       CHECK:   %[[WIDE:.*]] = arith.extui %[[BYTES]]
//       CHECK:   %[[FIRST:.*]] = llvm.getelementptr %[[BASE]][%[[WIDE]]]
//       CHECK:   %[[LEFT:.*]] = llvm.intr.ssub.sat(%[[N]], %{{.*}})
//       CHECK:   %[[BOUND:.*]] = arith.trunci %{{.*}} : i64 to i32
//       CHECK:   %[[BEYOND:.*]] = arith.subi %[[THREAD]], %[[BOUND]]
//       CHECK:   %[[IN:.*]] = arith.cmpi slt, %[[BEYOND]], %c0_i32
//       CHECK:   llvm.call @tessera.gpu.load.v4i32(%[[FIRST]], %[[IN]],
//       CHECK:   %[[IN2:.*]] = arith.cmpi slt, %[[BEYOND]], %c-512_i32
//       CHECK:   %[[SECOND:.*]] = llvm.getelementptr %[[FIRST]][2048]
//       CHECK:   llvm.call @tessera.gpu.load.v4i32(%[[SECOND]], %[[IN2]],
//       CHECK:   vector.extract
//       CHECK:   llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
//  CHECK-NEXT:   llvm.getelementptr
//  CHECK-NEXT:   llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// CHECK-COUNT-8: arith.addf {{.*}} : f32
//       CHECK:   %[[LEFT2:.*]] = arith.subi %{{.*}}, %[[THREAD]]
//       CHECK:   arith.cmpi sgt, %[[LEFT2]], %c0_i32
//       CHECK:   llvm.call @tessera.gpu.store.v4i32
//       CHECK:   arith.cmpi sgt, %[[LEFT2]], %c512_i32
//       CHECK:   llvm.call @tessera.gpu.store.v4i32
//   CHECK-NOT:   store

#row = #layout.tile<1024, register = [(1), (2), (512)], lane = [(4), (8), (16), (32), (64)], warp = [(128), (256)]>

tile.kernel @add(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %out: !tile.ptr<f32>, %n: i64)
    attributes {layout.num_warps = 4 : i64, layout.warp_size = 32 : i64} {
  %c1024 = arith.constant 1024 : i64
  %pid = tile.program_id x
  %start = arith.muli %pid, %c1024 : i64
  %lane = tile.arange 0 to 1024 : tensor<1024xi32, #row>
  %wide = arith.extsi %lane : tensor<1024xi32, #row> to tensor<1024xi64, #row>
  %first = tile.splat %start : tensor<1024xi64, #row>
  %offs = arith.addi %first, %wide : tensor<1024xi64, #row>
  %bound = tile.splat %n : tensor<1024xi64, #row>
  %mask = arith.cmpi slt, %offs, %bound : tensor<1024xi64, #row>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<f32>, #row>
  %xp = tile.addptr %xs, %offs : tensor<1024x!tile.ptr<f32>, #row>, tensor<1024xi64, #row>
  %a = tile.load %xp mask %mask {layout.vector = 4 : i64} : tensor<1024x!tile.ptr<f32>, #row>
  %ys = tile.splat %y : tensor<1024x!tile.ptr<f32>, #row>
  %yp = tile.addptr %ys, %offs : tensor<1024x!tile.ptr<f32>, #row>, tensor<1024xi64, #row>
  %b = tile.load %yp {layout.vector = 4 : i64} : tensor<1024x!tile.ptr<f32>, #row>
  %sum = arith.addf %a, %b : tensor<1024xf32, #row>
  %os = tile.splat %out : tensor<1024x!tile.ptr<f32>, #row>
  %op = tile.addptr %os, %offs : tensor<1024x!tile.ptr<f32>, #row>, tensor<1024xi64, #row>
  tile.store %op, %sum mask %mask {layout.vector = 4 : i64} : tensor<1024x!tile.ptr<f32>, #row>
  tile.return
}

// -----

// Without a width each element moves alone, and pointers that are loaded have registers of their own.

// CHECK-LABEL: llvm.func @negative_gather(
//       CHECK:   %[[A:.*]] = llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> i64
//       CHECK:   %[[B:.*]] = llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> i64
//       CHECK:   %[[PA:.*]] = llvm.inttoptr %[[A]] : i64 to !llvm.ptr<1>
//       CHECK:   llvm.load volatile %[[PA]] {alignment = 2 : i64} : !llvm.ptr<1> -> i16
//       CHECK:   %[[PB:.*]] = llvm.inttoptr %[[B]] : i64 to !llvm.ptr<1>
//       CHECK:   llvm.load volatile %[[PB]]{{.*}} -> i16

#row = #layout.tile<64, register = [(1)], lane = [(2), (4), (8), (16), (32)]>

tile.kernel @negative_gather(%table: !tile.ptr<!tile.ptr<f16>>, %out: !tile.ptr<f16>)
    attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  %i = tile.arange 0 to 64 : tensor<64xi32, #row>
  %ts = tile.splat %table : tensor<64x!tile.ptr<!tile.ptr<f16>>, #row>
  %tp = tile.addptr %ts, %i : tensor<64x!tile.ptr<!tile.ptr<f16>>, #row>, tensor<64xi32, #row>
  %p = tile.load %tp : tensor<64x!tile.ptr<!tile.ptr<f16>>, #row>
  %v = tile.load %p reload : tensor<64x!tile.ptr<f16>, #row>
  %os = tile.splat %out : tensor<64x!tile.ptr<f16>, #row>
  %op = tile.addptr %os, %i : tensor<64x!tile.ptr<f16>, #row>, tensor<64xi32, #row>
  tile.store %op, %v : tensor<64x!tile.ptr<f16>, #row>
  tile.return
}

// -----

// Every lane has what is loaded; the first of those that hold copies stores it. i1 is a byte.

// CHECK-LABEL: llvm.func @copies(
//       CHECK:   %[[SIXTEEN:.*]] = arith.andi %{{.*}}, %c16_i32
//       CHECK:   %[[OWNER:.*]] = arith.cmpi eq, %[[SIXTEEN]], %c0_i32
//       CHECK:   %[[BYTE:.*]] = llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr<1> -> i8
//       CHECK:   %[[BIT:.*]] = arith.cmpi ne, %[[BYTE]], %c0_i8
//       CHECK:   %[[STORED:.*]] = arith.extui %[[BIT]] : i1 to i8
//       CHECK:   llvm.call @tessera.gpu.store.i8(%{{.*}}, %[[STORED]], %[[OWNER]],
//   CHECK-NOT:   store

#row = #layout.tile<16, register = [(0)], lane = [(1), (2), (4), (8), (0)]>

tile.kernel @copies(%x: !tile.ptr<i1>) attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  %i = tile.arange 0 to 16 : tensor<16xi32, #row>
  %xs = tile.splat %x : tensor<16x!tile.ptr<i1>, #row>
  %xp = tile.addptr %xs, %i : tensor<16x!tile.ptr<i1>, #row>, tensor<16xi32, #row>
  %v = tile.load %xp : tensor<16x!tile.ptr<i1>, #row>
  tile.store %xp, %v : tensor<16x!tile.ptr<i1>, #row>
  tile.return
}

// -----

// Hints go to the border's functions, numbered as there; a tile for `other` is packed as the element is.

// CHECK-LABEL: llvm.func @hints(
//       CHECK:   %[[OTHER:.*]] = vector.from_elements
//       CHECK:   llvm.call @tessera.gpu.load.v2i32(%{{.*}}, %{{.*}}, %[[OTHER]], %c11_i32

#row = #layout.tile<64, register = [(1)], lane = [(2), (4), (8), (16), (32)]>

tile.kernel @hints(%x: !tile.ptr<f32>, %n: i32, %out: !tile.ptr<f32>)
    attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  %i = tile.arange 0 to 64 : tensor<64xi32, #row>
  %ns = tile.splat %n : tensor<64xi32, #row>
  %mask = arith.cmpi slt, %i, %ns : tensor<64xi32, #row>
  %one = arith.constant dense<1.0> : tensor<64xf32, #row>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f32>, #row>
  %xp = tile.addptr %xs, %i : tensor<64x!tile.ptr<f32>, #row>, tensor<64xi32, #row>
  %v = tile.load %xp mask %mask other %one cache cs evict first {layout.vector = 2 : i64}
      : tensor<64x!tile.ptr<f32>, #row>
  tile.store %xp, %v {layout.vector = 2 : i64} : tensor<64x!tile.ptr<f32>, #row>
  tile.return
}

// -----

// Scalars: all threads load, one stores.

// CHECK-LABEL: llvm.func @scalar(
//       CHECK:   %[[V:.*]] = llvm.load %{{.*}} : !llvm.ptr<1> -> i64
//       CHECK:   llvm.call @tessera.gpu.store.i64(%{{.*}}, %[[V]],

tile.kernel @scalar(%x: !tile.ptr<i64>) attributes {layout.num_warps = 2 : i64, layout.warp_size = 32 : i64} {
  %v = tile.load %x : !tile.ptr<i64>
  tile.store %x, %v : !tile.ptr<i64>
  tile.return
}
