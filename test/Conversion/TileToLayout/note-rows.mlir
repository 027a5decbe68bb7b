// RUN: tessera-opt %s -split-input-file -convert-tile-to-layout | FileCheck %s

// Exponentials from the maximum on, divided by their sum and rounded to f16, are told from nothing below an absolute
// error; parts of a sum need no tests.

// CHECK-LABEL: tile.kernel @softmax(
//       CHECK: math.exp {{.*}} {layout.beside_one}
//       CHECK: arith.divf {{.*}} {layout.part_of_sum}
tile.kernel @softmax(%x: !tile.ptr<f16>) {
  %i = tile.arange 0 to 1024 : tensor<1024xi32>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<f16>>
  %p = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f16>>, tensor<1024xi32>
  %h = tile.load %p : tensor<1024x!tile.ptr<f16>>
  %v = tile.convert_float %h : tensor<1024xf16> -> tensor<1024xf32>
  %most = tile.reduce %v axis 0 : tensor<1024xf32> -> f32 by tile.maxnum
  %m = tile.splat %most : tensor<1024xf32>
  %d = arith.subf %v, %m : tensor<1024xf32>
  %e = math.exp %d : tensor<1024xf32>
  %sum = tile.reduce %e axis 0 : tensor<1024xf32> -> f32 by arith.addf
  %s = tile.splat %sum : tensor<1024xf32>
  %q = arith.divf %e, %s : tensor<1024xf32>
  %r = tile.convert_float %q : tensor<1024xf32> -> tensor<1024xf16>
  tile.store %p, %r : tensor<1024x!tile.ptr<f16>>
  tile.return
}

// -----

// Rows of a block: the axis that is reduced is the one that is repeated.

// CHECK-LABEL: tile.kernel @rows(
//       CHECK: math.exp {{.*}} {layout.beside_one}
tile.kernel @rows(%f: f32, %x: !tile.ptr<f32>) {
  %v = tile.splat %f : tensor<32x32xf32>
  %most = tile.reduce %v axis 1 : tensor<32x32xf32> -> tensor<32xf32> by arith.maximumf
  %column = tile.expand_dims %most axis 1 : tensor<32xf32> -> tensor<32x1xf32>
  %m = tile.broadcast %column : tensor<32x1xf32> -> tensor<32x32xf32>
  %d = arith.subf %v, %m : tensor<32x32xf32>
  %e = math.exp %d : tensor<32x32xf32>
  %sums = tile.reduce %e axis 1 : tensor<32x32xf32> -> tensor<32xf32> by arith.addf
  %sum = tile.reduce %sums axis 0 : tensor<32xf32> -> f32 by arith.addf
  tile.store %x, %sum : !tile.ptr<f32>
  tile.return
}

// -----

// The maximum of a column is counted from in rows: some arguments are above 0.
// CHECK-LABEL: tile.kernel @negative_other_axis(
//   CHECK-NOT: layout.beside_one
tile.kernel @negative_other_axis(%f: f32, %x: !tile.ptr<f32>) {
  %v = tile.splat %f : tensor<32x32xf32>
  %most = tile.reduce %v axis 0 : tensor<32x32xf32> -> tensor<32xf32> by tile.maxnum
  %column = tile.expand_dims %most axis 1 : tensor<32xf32> -> tensor<32x1xf32>
  %m = tile.broadcast %column : tensor<32x1xf32> -> tensor<32x32xf32>
  %d = arith.subf %v, %m : tensor<32x32xf32>
  %e = math.exp %d : tensor<32x32xf32>
  %sums = tile.reduce %e axis 1 : tensor<32x32xf32> -> tensor<32xf32> by arith.addf
  %sum = tile.reduce %sums axis 0 : tensor<32xf32> -> f32 by arith.addf
  tile.store %x, %sum : !tile.ptr<f32>
  tile.return
}

// -----

// Sums along the other axis hold no 1.
// CHECK-LABEL: tile.kernel @negative_other_sum(
//   CHECK-NOT: layout.beside_one
tile.kernel @negative_other_sum(%f: f32, %x: !tile.ptr<f32>) {
  %v = tile.splat %f : tensor<32x32xf32>
  %most = tile.reduce %v axis 1 : tensor<32x32xf32> -> tensor<32xf32> by tile.maxnum
  %column = tile.expand_dims %most axis 1 : tensor<32xf32> -> tensor<32x1xf32>
  %m = tile.broadcast %column : tensor<32x1xf32> -> tensor<32x32xf32>
  %d = arith.subf %v, %m : tensor<32x32xf32>
  %e = math.exp %d : tensor<32x32xf32>
  %sums = tile.reduce %e axis 0 : tensor<32x32xf32> -> tensor<32xf32> by arith.addf
  %least = tile.reduce %sums axis 0 : tensor<32xf32> -> f32 by tile.minnum
  tile.store %x, %least : !tile.ptr<f32>
  tile.return
}

// -----

// Quotients in f32 show denormals; they are parts all the same.
// CHECK-LABEL: tile.kernel @negative_f32(
//   CHECK-NOT: layout.beside_one
//       CHECK: arith.divf {{.*}} {layout.part_of_sum}
tile.kernel @negative_f32(%x: !tile.ptr<f32>) {
  %i = tile.arange 0 to 1024 : tensor<1024xi32>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
  %most = tile.reduce %v axis 0 : tensor<1024xf32> -> f32 by tile.maxnum
  %m = tile.splat %most : tensor<1024xf32>
  %d = arith.subf %v, %m : tensor<1024xf32>
  %e = math.exp %d : tensor<1024xf32>
  %sum = tile.reduce %e axis 0 : tensor<1024xf32> -> f32 by arith.addf
  %s = tile.splat %sum : tensor<1024xf32>
  %q = arith.divf %e, %s : tensor<1024xf32>
  tile.store %p, %q : tensor<1024x!tile.ptr<f32>>
  tile.return
}

// -----

// Without a maximum, a sum may be anything.
// CHECK-LABEL: tile.kernel @negative_no_maximum(
//   CHECK-NOT: {{layout.(beside_one|part_of_sum)}}
tile.kernel @negative_no_maximum(%x: !tile.ptr<f16>) {
  %i = tile.arange 0 to 1024 : tensor<1024xi32>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<f16>>
  %p = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f16>>, tensor<1024xi32>
  %h = tile.load %p : tensor<1024x!tile.ptr<f16>>
  %v = tile.convert_float %h : tensor<1024xf16> -> tensor<1024xf32>
  %e = math.exp %v : tensor<1024xf32>
  %sum = tile.reduce %e axis 0 : tensor<1024xf32> -> f32 by arith.addf
  %s = tile.splat %sum : tensor<1024xf32>
  %q = arith.divf %e, %s : tensor<1024xf32>
  %r = tile.convert_float %q : tensor<1024xf32> -> tensor<1024xf16>
  tile.store %p, %r : tensor<1024x!tile.ptr<f16>>
  tile.return
}

// -----

// Quotients in f32 show what parts are against each other, and nothing else does.
// CHECK-LABEL: tile.kernel @parts(
//       CHECK: math.exp {{.*}} {layout.seen_as_parts}
//       CHECK: arith.divf {{.*}} {layout.part_of_sum}
tile.kernel @parts(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  %i = tile.arange 0 to 1024 : tensor<1024xi32>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
  %most = tile.reduce %v axis 0 : tensor<1024xf32> -> f32 by tile.maxnum
  %m = tile.splat %most : tensor<1024xf32>
  %d = arith.subf %v, %m : tensor<1024xf32>
  %e = math.exp %d : tensor<1024xf32>
  %sum = tile.reduce %e axis 0 : tensor<1024xf32> -> f32 by arith.addf
  %s = tile.splat %sum : tensor<1024xf32>
  %q = arith.divf %e, %s : tensor<1024xf32>
  tile.store %p, %q : tensor<1024x!tile.ptr<f32>>
  tile.return
}

// -----

// The sum itself is seen.
// CHECK-LABEL: tile.kernel @negative_sum_is_stored(
//   CHECK-NOT: layout.seen_as_parts
//       CHECK: arith.divf {{.*}} {layout.part_of_sum}
tile.kernel @negative_sum_is_stored(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  %i = tile.arange 0 to 1024 : tensor<1024xi32>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
  %most = tile.reduce %v axis 0 : tensor<1024xf32> -> f32 by tile.maxnum
  %m = tile.splat %most : tensor<1024xf32>
  %d = arith.subf %v, %m : tensor<1024xf32>
  %e = math.exp %d : tensor<1024xf32>
  %sum = tile.reduce %e axis 0 : tensor<1024xf32> -> f32 by arith.addf
  %s = tile.splat %sum : tensor<1024xf32>
  %q = arith.divf %e, %s : tensor<1024xf32>
  tile.store %p, %q : tensor<1024x!tile.ptr<f32>>
  tile.store %y, %sum : !tile.ptr<f32>
  tile.return
}

// -----

// An exponential itself is seen.
// CHECK-LABEL: tile.kernel @negative_exponentials_are_stored(
//   CHECK-NOT: layout.seen_as_parts
//       CHECK: arith.divf {{.*}} {layout.part_of_sum}
tile.kernel @negative_exponentials_are_stored(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  %i = tile.arange 0 to 1024 : tensor<1024xi32>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %xs, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
  %most = tile.reduce %v axis 0 : tensor<1024xf32> -> f32 by tile.maxnum
  %m = tile.splat %most : tensor<1024xf32>
  %d = arith.subf %v, %m : tensor<1024xf32>
  %e = math.exp %d : tensor<1024xf32>
  %sum = tile.reduce %e axis 0 : tensor<1024xf32> -> f32 by arith.addf
  %s = tile.splat %sum : tensor<1024xf32>
  %q = arith.divf %e, %s : tensor<1024xf32>
  tile.store %p, %q : tensor<1024x!tile.ptr<f32>>
  %ys = tile.splat %y : tensor<1024x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  tile.store %yp, %e : tensor<1024x!tile.ptr<f32>>
  tile.return
}
