// RUN: tessera-opt %s -split-input-file -tile-version-full-blocks | FileCheck %s

// One test for all lanes of a program: is it inside the bound? The address is known to be aligned.
// CHECK-LABEL: tile.kernel @interior(
//  CHECK-SAME:   %[[X:[^:]*]]: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %[[N:[^:]*]]: i64)
//       CHECK:   %[[FIRST:.*]] = arith.muli
//       CHECK:   %[[ORDERED:.*]] = arith.cmpi sge, %[[N]], %[[FIRST]] : i64
//       CHECK:   %[[FAR:.*]] = arith.cmpi uge, %{{.*}}, %{{.*}} : i64
//       CHECK:   %[[FULL:.*]] = arith.andi %[[ORDERED]], %[[FAR]]
//       CHECK:   scf.if %[[FULL]] {
//       CHECK:     tile.load %{{[0-9]+}} : tensor
//       CHECK:     tile.store %{{[0-9]+}}, %{{[0-9]+}} : tensor
//       CHECK:   } else {
//       CHECK:     tile.load %{{[0-9]+}} mask
//       CHECK:     tile.store %{{[0-9]+}}, %{{[0-9]+}} mask
tile.kernel @interior(%x: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %n: i64) {
  %c1024 = arith.constant 1024 : i64
  %id = tile.program_id x
  %first = arith.muli %id, %c1024 : i64
  %firsts = tile.splat %first : tensor<1024xi64>
  %lane = tile.arange 0 to 1024 : tensor<1024xi32>
  %lane64 = arith.extsi %lane : tensor<1024xi32> to tensor<1024xi64>
  %at = arith.addi %firsts, %lane64 : tensor<1024xi64>
  %ns = tile.splat %n : tensor<1024xi64>
  %inside = arith.cmpi slt, %at, %ns : tensor<1024xi64>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %xs, %at : tensor<1024x!tile.ptr<f32>>, tensor<1024xi64>
  %v = tile.load %p mask %inside : tensor<1024x!tile.ptr<f32>>
  tile.store %p, %v mask %inside : tensor<1024x!tile.ptr<f32>>
  tile.return
}

// -----

// The bound is the same for every program, and may well cut all of them: it stays, and has to be a multiple.
// CHECK-LABEL: tile.kernel @rows(
//  CHECK-SAME:   %[[X:[^:]*]]: !tile.ptr<f16>, %[[STRIDE:[^:]*]]: i64, %[[COLS:[^:]*]]: i64)
//   CHECK-DAG:   %[[C15:.*]] = arith.constant 15 : i64
//   CHECK-DAG:   %[[C7:.*]] = arith.constant 7 : i64
//   CHECK-DAG:   arith.andi %{{[0-9]+}}, %[[C15]]
//   CHECK-DAG:   arith.andi %[[STRIDE]], %
//   CHECK-DAG:   arith.andi %[[COLS]], %
//       CHECK:   scf.if
//       CHECK:     tile.hint %[[X]] multiple_of [8]
//       CHECK:     tile.hint %[[STRIDE]] multiple_of [8]
//       CHECK:     tile.hint %[[COLS]] multiple_of [8]
//       CHECK:     tile.load %{{[0-9]+}} mask
//       CHECK:   } else {
//   CHECK-NOT:     tile.hint
tile.kernel @rows(%x: !tile.ptr<f16>, %stride: i64, %cols: i64) {
  %id = tile.program_id x
  %row = arith.muli %id, %stride : i64
  %start = tile.addptr %x, %row : !tile.ptr<f16>, i64
  %lane = tile.arange 0 to 1024 : tensor<1024xi32>
  %lane64 = arith.extsi %lane : tensor<1024xi32> to tensor<1024xi64>
  %ends = tile.splat %cols : tensor<1024xi64>
  %inside = arith.cmpi slt, %lane64, %ends : tensor<1024xi64>
  %starts = tile.splat %start : tensor<1024x!tile.ptr<f16>>
  %p = tile.addptr %starts, %lane64 : tensor<1024x!tile.ptr<f16>>, tensor<1024xi64>
  %v = tile.load %p mask %inside : tensor<1024x!tile.ptr<f16>>
  tile.store %p, %v mask %inside : tensor<1024x!tile.ptr<f16>>
  tile.return
}

// -----

// All facts are there.
// CHECK-LABEL: tile.kernel @negative_aligned(
//   CHECK-NOT:   scf.if
tile.kernel @negative_aligned(%x: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %cols: i64 {tile.multiple_of = 16 : i64}) {
  %lane = tile.arange 0 to 1024 : tensor<1024xi32>
  %lane64 = arith.extsi %lane : tensor<1024xi32> to tensor<1024xi64>
  %ends = tile.splat %cols : tensor<1024xi64>
  %inside = arith.cmpi slt, %lane64, %ends : tensor<1024xi64>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %xs, %lane64 : tensor<1024x!tile.ptr<f32>>, tensor<1024xi64>
  %v = tile.load %p mask %inside : tensor<1024x!tile.ptr<f32>>
  tile.store %p, %v mask %inside : tensor<1024x!tile.ptr<f32>>
  tile.return
}

// -----

// Elements lie anywhere: no fact makes these accesses wide.
// CHECK-LABEL: tile.kernel @negative_gather(
//   CHECK-NOT:   scf.if
tile.kernel @negative_gather(%x: !tile.ptr<f32>, %index: !tile.ptr<i32>) {
  %is = tile.splat %index : tensor<64x!tile.ptr<i32>>
  %at = tile.load %is : tensor<64x!tile.ptr<i32>>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f32>>
  %p = tile.addptr %xs, %at : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %p : tensor<64x!tile.ptr<f32>>
  tile.store %p, %v : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// A bound that a loop moves is not tested at the start. Memory that the launcher provides stays where it must stand.
// CHECK-LABEL: tile.kernel @loop(
//  CHECK-SAME:   %[[N:[^:]*]]: i64
//       CHECK:   tile.workspace
//       CHECK:   scf.if
//       CHECK:     tile.hint %[[N]] multiple_of [2]
//       CHECK:     scf.for
//       CHECK:       tile.load %{{[0-9]+}} mask
//   CHECK-NOT:     tile.workspace
//       CHECK:   } else {
tile.kernel @loop(%n: i64) {
  %c0 = arith.constant 0 : i64
  %c256 = arith.constant 256 : i64
  %x = tile.workspace %n : !tile.ptr<f32>
  %lane = tile.arange 0 to 256 : tensor<256xi32>
  %lane64 = arith.extsi %lane : tensor<256xi32> to tensor<256xi64>
  %ns = tile.splat %n : tensor<256xi64>
  %xs = tile.splat %x : tensor<256x!tile.ptr<f32>>
  scf.for %i = %c0 to %n step %c256 : i64 {
    %is = tile.splat %i : tensor<256xi64>
    %at = arith.addi %is, %lane64 : tensor<256xi64>
    %inside = arith.cmpi slt, %at, %ns : tensor<256xi64>
    %p = tile.addptr %xs, %at : tensor<256x!tile.ptr<f32>>, tensor<256xi64>
    %v = tile.load %p mask %inside : tensor<256x!tile.ptr<f32>>
    tile.store %p, %v mask %inside : tensor<256x!tile.ptr<f32>>
  }
  tile.return
}

// -----

// A block of a view that lies inside it.
// CHECK-LABEL: tile.kernel @view(
//       CHECK:   scf.if
//       CHECK:     tile.view_load {{.*}} {layout.in_bounds}
//       CHECK:   } else {
//   CHECK-NOT:     layout.in_bounds
tile.kernel @view(%x: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %n: i64) {
  %c1 = arith.constant 1 : i64
  %c256 = arith.constant 256 : i64
  %id = tile.program_id x
  %first = arith.muli %id, %c256 : i64
  %v = tile.make_view %x, [%n], [%c1] : !tile.view<f32, 1>
  %t = tile.view_load %v[%first] : !tile.view<f32, 1> -> tensor<256xf32>
  tile.print "" %t : tensor<256xf32>
  tile.return
}

// -----

// A mask that other ops read too, with a scalar in it that is no bound.
// CHECK-LABEL: tile.kernel @mask_with_scalar(
//  CHECK-SAME:   %[[ON:[^:]*]]: i1)
//       CHECK:   scf.if
//       CHECK:     arith.andi
//       CHECK:     %[[ALL:.*]] = tile.splat %[[ON]] : tensor<256xi1>
//       CHECK:     tile.load %{{[0-9]+}} mask %[[ALL]]
//       CHECK:     arith.select %[[ALL]]
//       CHECK:   } else {
tile.kernel @mask_with_scalar(%x: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %n: i64, %on: i1) {
  %c256 = arith.constant 256 : i64
  %one = arith.constant dense<1.0> : tensor<256xf32>
  %id = tile.program_id x
  %first = arith.muli %id, %c256 : i64
  %firsts = tile.splat %first : tensor<256xi64>
  %lane = tile.arange 0 to 256 : tensor<256xi32>
  %lane64 = arith.extsi %lane : tensor<256xi32> to tensor<256xi64>
  %at = arith.addi %firsts, %lane64 : tensor<256xi64>
  %ns = tile.splat %n : tensor<256xi64>
  %bound = arith.cmpi slt, %at, %ns : tensor<256xi64>
  %ons = tile.splat %on : tensor<256xi1>
  %inside = arith.andi %bound, %ons : tensor<256xi1>
  %xs = tile.splat %x : tensor<256x!tile.ptr<f32>>
  %p = tile.addptr %xs, %at : tensor<256x!tile.ptr<f32>>, tensor<256xi64>
  %v = tile.load %p mask %inside : tensor<256x!tile.ptr<f32>>
  %w = arith.select %inside, %v, %one : tensor<256xi1>, tensor<256xf32>
  tile.print "" %w : tensor<256xf32>
  tile.return
}

// -----

// What is assumed of an argument holds for both versions.
// CHECK-LABEL: tile.kernel @assumed(
//       CHECK:   tile.assume
//       CHECK:   scf.if
//   CHECK-NOT:   tile.assume
tile.kernel @assumed(%x: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %cols: i64) {
  %c1000 = arith.constant 1000 : i64
  %short = arith.cmpi sle, %cols, %c1000 : i64
  tile.assume %short
  %lane = tile.arange 0 to 1024 : tensor<1024xi32>
  %lane64 = arith.extsi %lane : tensor<1024xi32> to tensor<1024xi64>
  %ends = tile.splat %cols : tensor<1024xi64>
  %inside = arith.cmpi slt, %lane64, %ends : tensor<1024xi64>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %xs, %lane64 : tensor<1024x!tile.ptr<f32>>, tensor<1024xi64>
  %v = tile.load %p mask %inside : tensor<1024x!tile.ptr<f32>>
  tile.store %p, %v mask %inside : tensor<1024x!tile.ptr<f32>>
  tile.return
}
