// RUN: tessera-opt %s -split-input-file -tile-pipeline -convert-tile-to-host | FileCheck %s
// RUN: tessera-opt %s -split-input-file -tile-pipeline \
// RUN:   -convert-tile-to-host="vector-bytes=16 stream-vector-bytes=16 masked-narrow=false fast-gather=false" \
// RUN:   | FileCheck %s --check-prefix=SMALL
// Lanes that are not neighbours, and processors without masked accesses.

// Lanes whose mask is false use the spare piece of the arena: no branch.
// CHECK-LABEL: llvm.func @gather(
//  CHECK-SAME:   %[[ARENA:[a-z0-9]*]]: !llvm.ptr {llvm.noalias}
//       CHECK:   %[[SPARE:.*]] = llvm.ptrtoint %[[ARENA]]
//       CHECK:   %[[SPARES:.*]] = vector.broadcast %[[SPARE]]
//       CHECK:   %[[AT:.*]] = arith.select %[[MASK:.*]], %{{.*}}, %[[SPARES]] : vector<4xi1>, vector<4xi64>
//       CHECK:   vector.extract %[[AT]][0]
//       CHECK:   llvm.load {{.*}} -> i16
//       CHECK:   arith.select %[[MASK]], %{{.*}} : vector<4xi1>, vector<4xi16>
tile.kernel @gather(%x: !tile.ptr<i16>, %at: !tile.ptr<i32>, %out: !tile.ptr<i16>, %n: i32) {
  %lane = tile.arange 0 to 32 : tensor<32xi32>
  %ns = tile.splat %n : tensor<32xi32>
  %m = arith.cmpi slt, %lane, %ns : tensor<32xi32>
  %as = tile.splat %at : tensor<32x!tile.ptr<i32>>
  %ap = tile.addptr %as, %lane : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  %i = tile.load %ap : tensor<32x!tile.ptr<i32>>
  %xs = tile.splat %x : tensor<32x!tile.ptr<i16>>
  %xp = tile.addptr %xs, %i : tensor<32x!tile.ptr<i16>>, tensor<32xi32>
  %v = tile.load %xp mask %m : tensor<32x!tile.ptr<i16>>
  %os = tile.splat %out : tensor<32x!tile.ptr<i16>>
  %op = tile.addptr %os, %lane : tensor<32x!tile.ptr<i16>>, tensor<32xi32>
  tile.store %op, %v mask %m : tensor<32x!tile.ptr<i16>>
  tile.return
}

// -----

// Without masked accesses a block whose lanes are all inside still moves as one vector.
// CHECK-LABEL: llvm.func @masked(
//       CHECK:   } else {
//       CHECK:     llvm.intr.masked.load
// SMALL-LABEL: llvm.func @masked(
//       SMALL:   } else {
//       SMALL:     %[[ALL:.*]] = vector.reduction <and>, %{{.*}} : vector<4xi1> into i1
//       SMALL:     scf.if %[[ALL]]
//       SMALL:       llvm.load {{.*}} -> vector<4xf32>
//       SMALL:     } else {
//       SMALL:       llvm.load {{.*}} -> f32
//   SMALL-NOT:   llvm.intr.masked
tile.kernel @masked(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>, %n: i32) {
  %lane = tile.arange 0 to 64 : tensor<64xi32>
  %ns = tile.splat %n : tensor<64xi32>
  %m = arith.cmpi slt, %lane, %ns : tensor<64xi32>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %lane : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %xp mask %m : tensor<64x!tile.ptr<f32>>
  %os = tile.splat %out : tensor<64x!tile.ptr<f32>>
  %op = tile.addptr %os, %lane : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %op, %v mask %m : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// An i1 is a byte in memory, and any but zero reads as true.
// CHECK-LABEL: llvm.func @booleans(
//       CHECK:   %[[BYTES:.*]] = llvm.load {{.*}} -> vector<32xi8>
//       CHECK:   %[[BITS:.*]] = arith.cmpi ne, %[[BYTES]], %{{.*}} : vector<32xi8>
//       CHECK:   %[[ONES:.*]] = arith.extui %[[BITS]] : vector<32xi1> to vector<32xi8>
//       CHECK:   llvm.store %[[ONES]]
tile.kernel @booleans(%x: !tile.ptr<i1>, %out: !tile.ptr<i1>) {
  %lane = tile.arange 0 to 32 : tensor<32xi32>
  %xs = tile.splat %x : tensor<32x!tile.ptr<i1>>
  %xp = tile.addptr %xs, %lane : tensor<32x!tile.ptr<i1>>, tensor<32xi32>
  %v = tile.load %xp : tensor<32x!tile.ptr<i1>>
  %os = tile.splat %out : tensor<32x!tile.ptr<i1>>
  %op = tile.addptr %os, %lane : tensor<32x!tile.ptr<i1>>, tensor<32xi32>
  tile.store %op, %v : tensor<32x!tile.ptr<i1>>
  tile.return
}

// -----

// A row of a view whose columns are neighbours moves as a vector, wherever it lies.
// CHECK-LABEL: llvm.func @rows(
//       CHECK:   scf.for
//       CHECK:     llvm.load {{.*}} -> i32
//       CHECK:     llvm.intr.masked.load {{.*}} -> vector<8xf32>
//   CHECK-NOT:   gather
tile.kernel @rows(%x: !tile.ptr<f32>, %at: !tile.ptr<i32>, %out: !tile.ptr<f32>, %m: i64, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %lane = tile.arange 0 to 4 : tensor<4xi32>
  %as = tile.splat %at : tensor<4x!tile.ptr<i32>>
  %ap = tile.addptr %as, %lane : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
  %rows = tile.load %ap : tensor<4x!tile.ptr<i32>>
  %v = tile.make_view %x, [%m, %n], [%n, %c1] : !tile.view<f32, 2>
  %w = tile.make_view %out, [%m, %n], [%n, %c1] : !tile.view<f32, 2>
  %t = tile.view_load_rows %v[%rows, %c0] : !tile.view<f32, 2>, tensor<4xi32> -> tensor<4x8xf32>
  tile.view_store %w[%c0, %c0], %t : !tile.view<f32, 2>, tensor<4x8xf32>
  tile.return
}
