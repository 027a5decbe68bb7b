// RUN: tessera-opt %s -split-input-file -layout-split-reductions | FileCheck %s
// RUN: tessera-opt %s -split-input-file -layout-split-reductions | tessera-opt -split-input-file -layout-split-reductions | FileCheck %s

// 2 registers, 4 lanes, 8 warps along one axis: registers and lanes are reduced together, and what the warps leave is
// held by registers (4 x f32 are one wide access) and by one bit of the lanes, which hold copies by then.
#line = #layout.tile<128, register = [(1), (64)], lane = [(2), (4)], warp = [(8), (16), (32)]>

// CHECK-LABEL: tile.kernel @warps_on_the_axis(
tile.kernel @warps_on_the_axis(%s: f32) attributes {layout.num_warps = 8, layout.warp_size = 4} {
  %x = tile.splat %s : tensor<128xf32, #line>
  // CHECK: %[[APART:.*]] = tile.reshape %{{.*}} -> tensor<1x2x8x8x1xf32,
  // CHECK: %[[MOVED:.*]] = tile.trans %[[APART]] [0, 2, 1, 3, 4]
  // CHECK: %[[PARTS:.*]] = tile.reshape %[[MOVED]] {{.*}} -> tensor<1x8x16x1xf32,
  // CHECK: %[[WARPS:.*]] = tile.reduce %[[PARTS]] axis 2 {{.*}} by arith.addf
  // CHECK: %[[NEAR:.*]] = layout.convert %[[WARPS]]
  // CHECK: %[[ALL:.*]] = tile.reduce %[[NEAR]] axis 1 {{.*}} by arith.addf
  // CHECK: %[[SUM:.*]] = tile.reshape %[[ALL]] {{.*}} -> f32
  %sum = tile.reduce %x axis 0 : tensor<128xf32, #line> -> f32 by arith.addf
  // CHECK: tile.assume
  %big = arith.cmpf ogt, %sum, %s : f32
  tile.assume %big
  tile.return
}

// -----

#line = #layout.tile<16, register = [(1)], lane = [(2), (4), (8)]>

// nothing of the axis lies between warps
// CHECK-LABEL: tile.kernel @negative_within_a_warp(
tile.kernel @negative_within_a_warp(%s: f32) attributes {layout.num_warps = 1, layout.warp_size = 8} {
  %x = tile.splat %s : tensor<16xf32, #line>
  // CHECK-NEXT: tile.splat
  // CHECK-NEXT: tile.reduce %{{.*}} axis 0 :
  // CHECK-NEXT: arith.cmpf
  %sum = tile.reduce %x axis 0 : tensor<16xf32, #line> -> f32 by arith.addf
  %big = arith.cmpf ogt, %sum, %s : f32
  tile.assume %big
  tile.return
}

// -----

#rows = #layout.tile<8x32, register = [(0, 1), (4, 0)], lane = [(0, 2), (0, 4)], warp = [(0, 8), (0, 16), (1, 0), (2, 0)]>
#result = #layout.tile<8, register = [(0), (4)], lane = [(0), (0)], warp = [(0), (0), (1), (2)]>

// warps that lie along the other axis stay where they are, and the result has the layout it had
// CHECK-LABEL: tile.kernel @two_axes(
tile.kernel @two_axes(%s: f32, %p: !tile.ptr<f32>) attributes {layout.num_warps = 16, layout.warp_size = 4} {
  %x = tile.splat %s : tensor<8x32xf32, #rows>
  // CHECK: tile.reshape %{{.*}} -> tensor<8x4x8x1xf32,
  // CHECK: tile.reduce %{{.*}} axis 2 {{.*}} -> tensor<8x4x1xf32,
  // CHECK: layout.convert
  // CHECK: tile.reduce %{{.*}} axis 1 {{.*}} -> tensor<8x1xf32,
  // CHECK: tile.reshape %{{.*}} -> tensor<8xf32,
  // CHECK: %[[SUM:.*]] = layout.convert %{{.*}} -> tensor<8xf32, #[[RESULT:.*]]>
  %sum = tile.reduce %x axis 1 : tensor<8x32xf32, #rows> -> tensor<8xf32, #result> by arith.addf
  %q = tile.splat %p : tensor<8x!tile.ptr<f32>, #result>
  // CHECK: tile.store %{{.*}}, %[[SUM]]
  tile.store %q, %sum : tensor<8x!tile.ptr<f32>, #result>
  tile.return
}

// -----

#line = #layout.tile<64, register = [(1), (32)], lane = [(2), (4)], warp = [(8), (16)]>

// the tree combines neighbours first: what lies below the warps, then all above it
// CHECK-LABEL: tile.kernel @deterministic(
tile.kernel @deterministic(%s: f32) attributes {layout.num_warps = 4, layout.warp_size = 4} {
  %x = tile.splat %s : tensor<64xf32, #line>
  // CHECK: tile.reshape %{{.*}} -> tensor<1x8x8x1xf32,
  // CHECK: tile.reduce %{{.*}} axis 2 deterministic {{.*}} -> tensor<1x8x1xf32,
  // CHECK: layout.convert
  // CHECK: tile.reduce %{{.*}} axis 1 deterministic
  %sum = tile.reduce %x axis 0 deterministic : tensor<64xf32, #line> -> f32 by arith.addf
  %big = arith.cmpf ogt, %sum, %s : f32
  tile.assume %big
  tile.return
}

// -----

#mixed = #layout.tile<8x8, register = [(1, 1), (2, 0)], lane = [(0, 1), (0, 2)], warp = [(0, 4), (4, 0)]>
#result = #layout.tile<8, register = [(1), (2)], lane = [(0), (0)], warp = [(0), (4)]>

// a register's bit lies along both axes: the operand moves as a whole
// CHECK-LABEL: tile.kernel @not_plain(
tile.kernel @not_plain(%s: i32, %p: !tile.ptr<i32>) attributes {layout.num_warps = 4, layout.warp_size = 4} {
  %x = tile.splat %s : tensor<8x8xi32, #mixed>
  // CHECK: %[[MOVED:.*]] = layout.convert
  // CHECK: tile.reduce %[[MOVED]] axis 1
  %sum = tile.reduce %x axis 1 : tensor<8x8xi32, #mixed> -> tensor<8xi32, #result> by arith.addi
  %q = tile.splat %p : tensor<8x!tile.ptr<i32>, #result>
  tile.store %q, %sum : tensor<8x!tile.ptr<i32>, #result>
  tile.return
}

// -----

#line = #layout.tile<64, register = [(1), (32)], lane = [(2), (4)], warp = [(8), (16)]>

// parts are scanned where they are, their totals in every warp; a part's elements come after the parts before it
// CHECK-LABEL: tile.kernel @scan(
tile.kernel @scan(%s: i32, %p: !tile.ptr<i32>) attributes {layout.num_warps = 4, layout.warp_size = 4} {
  %x = tile.splat %s : tensor<64xi32, #line>
  // CHECK: %[[PARTS:.*]] = tile.reshape %{{.*}} -> tensor<1x8x8x1xi32,
  // CHECK: %[[SCANNED:.*]] = tile.scan %[[PARTS]] axis 2 :
  // CHECK: %[[TOTALS:.*]] = tile.reduce %[[PARTS]] axis 2 deterministic
  // CHECK: %[[NEAR:.*]] = layout.convert %[[TOTALS]]
  // CHECK: tile.scan %[[NEAR]] axis 1 exclusive identity [0 : i32]
  // CHECK: %[[BEFORE:.*]] = tile.broadcast
  // CHECK: tile.join %[[BEFORE]], %[[SCANNED]]
  // CHECK: %[[BOTH:.*]] = tile.reduce %{{.*}} axis 4 deterministic
  // CHECK: %[[LATER:.*]] = layout.convert %[[BOTH]]
  // CHECK: arith.select %{{.*}}, %[[SCANNED]], %[[LATER]]
  %y = tile.scan %x axis 0 : tensor<64xi32, #line> by arith.addi
  %q = tile.splat %p : tensor<64x!tile.ptr<i32>, #line>
  tile.store %q, %y : tensor<64x!tile.ptr<i32>, #line>
  tile.return
}
