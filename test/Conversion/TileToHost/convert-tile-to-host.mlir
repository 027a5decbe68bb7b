// RUN: tessera-opt %s -split-input-file -tile-pipeline -convert-tile-to-host | FileCheck %s
// A kernel becomes a function over a row of programs. Loops that need no masks are one version, all else the other.

//       CHECK: llvm.func @vector_add(%[[ARGS:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr, %[[ARENA:.*]]: !llvm.ptr {llvm.noalias},
//  CHECK-SAME:   %[[X0:.*]]: i64, %[[X1:.*]]: i64, %{{.*}}: i64, %{{.*}}: i64)
//  CHECK-SAME:   host.arena_bytes = 512 : i64, host.sites = []
//       CHECK:   %[[PLACE:.*]] = llvm.getelementptr %[[ARGS]][24]
//       CHECK:   %[[N:.*]] = llvm.load %[[PLACE]]
//       CHECK:   scf.for %[[PID:.*]] = %[[X0]] to %[[X1]]
//       CHECK:     %[[START:.*]] = arith.muli %[[PID]], %c1024_i64
//       CHECK:     %[[LEFT:.*]] = llvm.intr.ssub.sat(%[[N]], %[[START]])
//       CHECK:     %[[FAST:.*]] = arith.cmpi sge, %[[LEFT]], %c1024_i64
//       CHECK:     scf.if %[[FAST]] {
//       CHECK:       scf.for %{{.*}} = %c0_i64 to %c1024_i64 step %c32_i64
// CHECK-COUNT-4:       arith.addf %{{.*}} fastmath<contract> : vector<8xf32>
//   CHECK-NOT:         masked
//       CHECK:     } else {
//       CHECK:       %[[HIGH:.*]] = arith.minsi %{{.*}}, %c1024_i64
//       CHECK:       scf.for %{{.*}} = %c0_i64 to %[[HIGH]] step %c8_i64
//       CHECK:         %[[MASK:.*]] = arith.cmpi sgt, %{{.*}}, %{{.*}} : vector<8xi32>
//       CHECK:         llvm.intr.masked.load %{{.*}}, %[[MASK]]
//       CHECK:         llvm.intr.masked.load %{{.*}}, %[[MASK]]
//       CHECK:         llvm.intr.masked.store %{{.*}}, %{{.*}}, %[[MASK]]
tile.kernel @vector_add(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %out: !tile.ptr<f32>, %n: i64) {
  %row = tile.program_id x
  %block = arith.constant 1024 : i64
  %start = arith.muli %row, %block : i64
  %lane = tile.arange 0 to 1024 : tensor<1024xi32>
  %wide = arith.extsi %lane : tensor<1024xi32> to tensor<1024xi64>
  %first = tile.splat %start : tensor<1024xi64>
  %at = arith.addi %first, %wide : tensor<1024xi64>
  %end = tile.splat %n : tensor<1024xi64>
  %inside = arith.cmpi slt, %at, %end : tensor<1024xi64>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<f32>>
  %ys = tile.splat %y : tensor<1024x!tile.ptr<f32>>
  %outs = tile.splat %out : tensor<1024x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %at : tensor<1024x!tile.ptr<f32>>, tensor<1024xi64>
  %yp = tile.addptr %ys, %at : tensor<1024x!tile.ptr<f32>>, tensor<1024xi64>
  %outp = tile.addptr %outs, %at : tensor<1024x!tile.ptr<f32>>, tensor<1024xi64>
  %a = tile.load %xp mask %inside : tensor<1024x!tile.ptr<f32>>
  %b = tile.load %yp mask %inside : tensor<1024x!tile.ptr<f32>>
  %sum = arith.addf %a, %b : tensor<1024xf32>
  tile.store %outp, %sum mask %inside : tensor<1024x!tile.ptr<f32>>
  tile.return
}

// -----

// Rows that follow one another in memory are one loop.
// CHECK-LABEL: llvm.func @joined_axes(
//       CHECK:   scf.for
//       CHECK:     scf.for %{{.*}} = %c0_i64 to %c128_i64 step %c32_i64
//   CHECK-NOT:     scf.for
tile.kernel @joined_axes(%x: !tile.ptr<f32>) {
  %r = tile.arange 0 to 16 : tensor<16xi32>
  %c = tile.arange 0 to 8 : tensor<8xi32>
  %r1 = tile.expand_dims %r axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %c1 = tile.expand_dims %c axis 0 : tensor<8xi32> -> tensor<1x8xi32>
  %width = arith.constant dense<8> : tensor<16x1xi32>
  %r8 = arith.muli %r1, %width : tensor<16x1xi32>
  %rb = tile.broadcast %r8 : tensor<16x1xi32> -> tensor<16x8xi32>
  %cb = tile.broadcast %c1 : tensor<1x8xi32> -> tensor<16x8xi32>
  %at = arith.addi %rb, %cb : tensor<16x8xi32>
  %xs = tile.splat %x : tensor<16x8x!tile.ptr<f32>>
  %p = tile.addptr %xs, %at : tensor<16x8x!tile.ptr<f32>>, tensor<16x8xi32>
  %v = tile.load %p : tensor<16x8x!tile.ptr<f32>>
  %s = arith.addf %v, %v : tensor<16x8xf32>
  tile.store %p, %s : tensor<16x8x!tile.ptr<f32>>
  tile.return
}

// -----

// CHECK-LABEL: llvm.func @negative_rows_apart(
//       CHECK:   scf.for
//       CHECK:     scf.for %{{.*}} = %c0_i64 to %c16_i64 step %c1_i64
//       CHECK:       vector<8xf32>
tile.kernel @negative_rows_apart(%x: !tile.ptr<f32>) {
  %r = tile.arange 0 to 16 : tensor<16xi32>
  %c = tile.arange 0 to 8 : tensor<8xi32>
  %r1 = tile.expand_dims %r axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %c1 = tile.expand_dims %c axis 0 : tensor<8xi32> -> tensor<1x8xi32>
  %width = arith.constant dense<9> : tensor<16x1xi32>
  %r9 = arith.muli %r1, %width : tensor<16x1xi32>
  %rb = tile.broadcast %r9 : tensor<16x1xi32> -> tensor<16x8xi32>
  %cb = tile.broadcast %c1 : tensor<1x8xi32> -> tensor<16x8xi32>
  %at = arith.addi %rb, %cb : tensor<16x8xi32>
  %xs = tile.splat %x : tensor<16x8x!tile.ptr<f32>>
  %p = tile.addptr %xs, %at : tensor<16x8x!tile.ptr<f32>>, tensor<16x8xi32>
  %v = tile.load %p : tensor<16x8x!tile.ptr<f32>>
  %s = arith.addf %v, %v : tensor<16x8xf32>
  tile.store %p, %s : tensor<16x8x!tile.ptr<f32>>
  tile.return
}
