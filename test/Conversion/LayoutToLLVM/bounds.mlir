// RUN: tessera-opt %s -split-input-file -convert-layout-to-llvm | FileCheck %s

// A mask that chooses between values is computed as that of an access is: 32-bit numbers against a bound that is cut once.

#run = #layout.tile<128, register = [(1), (2)], lane = [(4), (8), (16), (32), (64)]>

// CHECK-LABEL: llvm.func @where(
//   CHECK-NOT:   arith.extsi
//       CHECK:   %[[BOUND:.*]] = arith.trunci %{{.*}} : i64 to i32
//       CHECK:   %[[BEYOND:.*]] = arith.subi %{{.*}}, %[[BOUND]]
//       CHECK:   arith.cmpi slt, %[[BEYOND]], %c0_i32
//       CHECK:   arith.cmpi slt, %[[BEYOND]], %c-1_i32
// CHECK-COUNT-4: arith.select
tile.kernel @where(%p: !tile.ptr<f32>, %n: i64, %s: f32) attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  %zero = arith.constant dense<0.0> : tensor<128xf32, #run>
  %lane = tile.arange 0 to 128 : tensor<128xi32, #run>
  %wide = arith.extsi %lane : tensor<128xi32, #run> to tensor<128xi64, #run>
  %bound = tile.splat %n : tensor<128xi64, #run>
  %mask = arith.cmpi slt, %wide, %bound : tensor<128xi64, #run>
  %v = tile.splat %s : tensor<128xf32, #run>
  %w = arith.select %mask, %v, %zero : tensor<128xi1, #run>, tensor<128xf32, #run>
  %ps = tile.splat %p : tensor<128x!tile.ptr<f32>, #run>
  %q = tile.addptr %ps, %wide : tensor<128x!tile.ptr<f32>, #run>, tensor<128xi64, #run>
  tile.store %q, %w : tensor<128x!tile.ptr<f32>, #run>
  tile.return
}

// -----

#run = #layout.tile<256, register = [(1), (2), (128)], lane = [(4), (8), (16), (32), (64)]>

// A bound that is a multiple cuts no run: its elements ask the same.
// CHECK-LABEL: llvm.func @where_in_runs(
//       CHECK:   %[[BEYOND:.*]] = arith.subi %{{.*}}, %{{.*}} : i32
// CHECK-COUNT-4: arith.cmpi slt, %[[BEYOND]], %c0_i32
// CHECK-COUNT-4: arith.cmpi slt, %[[BEYOND]], %c-128_i32
tile.kernel @where_in_runs(%p: !tile.ptr<f32>, %n: i64 {tile.multiple_of = 4 : i64}, %s: f32)
    attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  %zero = arith.constant dense<0.0> : tensor<256xf32, #run>
  %lane = tile.arange 0 to 256 : tensor<256xi32, #run>
  %wide = arith.extsi %lane : tensor<256xi32, #run> to tensor<256xi64, #run>
  %bound = tile.splat %n : tensor<256xi64, #run>
  %mask = arith.cmpi slt, %wide, %bound : tensor<256xi64, #run>
  %v = tile.splat %s : tensor<256xf32, #run>
  %w = arith.select %mask, %v, %zero : tensor<256xi1, #run>, tensor<256xf32, #run>
  %ps = tile.splat %p : tensor<256x!tile.ptr<f32>, #run>
  %q = tile.addptr %ps, %wide : tensor<256x!tile.ptr<f32>, #run>, tensor<256xi64, #run>
  tile.store %q, %w : tensor<256x!tile.ptr<f32>, #run>
  tile.return
}

// -----

#run = #layout.tile<128, register = [(1), (2)], lane = [(4), (8), (16), (32), (64)]>

// Squares are no linear numbers: they are compared as they are.
// CHECK-LABEL: llvm.func @negative_squares(
// CHECK-COUNT-4: arith.cmpi slt, %{{.*}}, %{{.*}} : i64
tile.kernel @negative_squares(%p: !tile.ptr<f32>, %n: i64, %s: f32)
    attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  %zero = arith.constant dense<0.0> : tensor<128xf32, #run>
  %lane = tile.arange 0 to 128 : tensor<128xi32, #run>
  %wide = arith.extsi %lane : tensor<128xi32, #run> to tensor<128xi64, #run>
  %square = arith.muli %wide, %wide : tensor<128xi64, #run>
  %bound = tile.splat %n : tensor<128xi64, #run>
  %mask = arith.cmpi slt, %square, %bound : tensor<128xi64, #run>
  %v = tile.splat %s : tensor<128xf32, #run>
  %w = arith.select %mask, %v, %zero : tensor<128xi1, #run>, tensor<128xf32, #run>
  %ps = tile.splat %p : tensor<128x!tile.ptr<f32>, #run>
  %q = tile.addptr %ps, %wide : tensor<128x!tile.ptr<f32>, #run>, tensor<128xi64, #run>
  tile.store %q, %w : tensor<128x!tile.ptr<f32>, #run>
  tile.return
}

// -----

#run = #layout.tile<128, register = [(32), (64)], lane = [(1), (2), (4), (8), (16)]>

// Registers past what is assumed of a bound ask nothing.
// CHECK-LABEL: llvm.func @longest(
//       CHECK:   %[[BEYOND:.*]] = arith.subi %{{.*}}, %{{.*}} : i32
//       CHECK:   arith.cmpi slt, %[[BEYOND]], %c0_i32
//       CHECK:   arith.cmpi slt, %[[BEYOND]], %c-32_i32
//   CHECK-NOT:   arith.cmpi slt, %[[BEYOND]]
tile.kernel @longest(%p: !tile.ptr<f32>, %n: i64, %s: f32) attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  %c64 = arith.constant 64 : i64
  %short = arith.cmpi sle, %n, %c64 : i64
  tile.assume %short
  %zero = arith.constant dense<0.0> : tensor<128xf32, #run>
  %lane = tile.arange 0 to 128 : tensor<128xi32, #run>
  %wide = arith.extsi %lane : tensor<128xi32, #run> to tensor<128xi64, #run>
  %bound = tile.splat %n : tensor<128xi64, #run>
  %mask = arith.cmpi slt, %wide, %bound : tensor<128xi64, #run>
  %v = tile.splat %s : tensor<128xf32, #run>
  %w = arith.select %mask, %v, %zero : tensor<128xi1, #run>, tensor<128xf32, #run>
  %ps = tile.splat %p : tensor<128x!tile.ptr<f32>, #run>
  %q = tile.addptr %ps, %wide : tensor<128x!tile.ptr<f32>, #run>, tensor<128xi64, #run>
  tile.store %q, %w : tensor<128x!tile.ptr<f32>, #run>
  tile.return
}
