// RUN: tessera-opt %s -split-input-file -layout-split-sorts | FileCheck %s

#line = #layout.tile<4, register = [(1)], lane = [(2)]>

// three steps on words of 32 bits: 16 of the key, 2 of the place
// CHECK-LABEL: tile.kernel @within_a_warp(
tile.kernel @within_a_warp(%s: i16, %p: !tile.ptr<i16>) attributes {layout.num_warps = 1, layout.warp_size = 2} {
  %x = tile.splat %s : tensor<4xi16, #line>
  // CHECK: arith.extui %{{.*}} : tensor<1x4x1xi16, #{{.*}}> to tensor<1x4x1xi32,
  // CHECK: tile.flip %{{.*}} axis 1 : tensor<2x2x1xi32,
  // CHECK: arith.minui
  // CHECK: arith.maxui
  // CHECK: arith.select
  // CHECK: tile.flip %{{.*}} axis 1 : tensor<1x2x2xi32,
  // CHECK: tile.flip %{{.*}} axis 1 : tensor<2x2x1xi32,
  // CHECK-NOT: tile.flip
  // CHECK-NOT: layout.convert
  // CHECK: tile.gather %{{.*}} axis 1
  %y = tile.sort %x axis 0 : tensor<4xi16, #line>
  %q = tile.splat %p : tensor<4x!tile.ptr<i16>, #line>
  tile.store %q, %y : tensor<4x!tile.ptr<i16>, #line>
  tile.return
}

// -----

#line = #layout.tile<8, lane = [(1), (2)], warp = [(4)]>

// warps meet in another layout; keys of 64 bits are words of their own
// CHECK-LABEL: tile.kernel @between_warps(
tile.kernel @between_warps(%s: f64, %i: i32, %p: !tile.ptr<i32>) attributes {layout.num_warps = 2, layout.warp_size = 4} {
  %x = tile.splat %s : tensor<8xf64, #line>
  %n = tile.splat %i : tensor<8xi32, #line>
  // CHECK: layout.convert
  // CHECK: arith.cmpi ult
  // CHECK-NOT: arith.minui
  // CHECK: layout.convert %{{.*}} : tensor<1x8x1xi64,
  // CHECK: layout.convert %{{.*}} : tensor<1x8x1xi32,
  // CHECK: tile.gather
  // CHECK: tile.gather
  %y, %z = tile.sort %x, %n axis 0 descending : tensor<8xf64, #line>, tensor<8xi32, #line>
  %q = tile.splat %p : tensor<8x!tile.ptr<i32>, #line>
  tile.store %q, %z : tensor<8x!tile.ptr<i32>, #line>
  tile.return
}

// -----

#line = #layout.tile<1, lane = [(0)]>

// CHECK-LABEL: tile.kernel @one_element(
tile.kernel @one_element(%s: f32, %p: !tile.ptr<f32>) attributes {layout.num_warps = 1, layout.warp_size = 2} {
  // CHECK-NEXT: tile.splat
  // CHECK-NEXT: tile.splat
  // CHECK-NEXT: tile.store
  %x = tile.splat %s : tensor<1xf32, #line>
  %y = tile.sort %x axis 0 : tensor<1xf32, #line>
  %q = tile.splat %p : tensor<1x!tile.ptr<f32>, #line>
  tile.store %q, %y : tensor<1x!tile.ptr<f32>, #line>
  tile.return
}

// -----

#line = #layout.tile<128, register = [(1), (2), (4), (8), (16), (32)], lane = [(64)]>

// 64 words of 64 bits in a thread: one step, in a loop of 28
// CHECK-LABEL: tile.kernel @many_words(
tile.kernel @many_words(%s: i32, %p: !tile.ptr<i32>) attributes {layout.num_warps = 1, layout.warp_size = 2} {
  %x = tile.splat %s : tensor<128xi32, #line>
  // CHECK: arith.constant 28 : i32
  // CHECK: scf.for
  // CHECK-NOT: tile.flip
  // CHECK: tile.gather %{{.*}} axis 1 : tensor<1x128x1xi64,
  // CHECK: arith.minui
  // CHECK: scf.yield
  // CHECK: tile.gather %{{.*}} axis 1 : tensor<1x128x1xi32,
  %y = tile.sort %x axis 0 : tensor<128xi32, #line>
  %q = tile.splat %p : tensor<128x!tile.ptr<i32>, #line>
  tile.store %q, %y : tensor<128x!tile.ptr<i32>, #line>
  tile.return
}
