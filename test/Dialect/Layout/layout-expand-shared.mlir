// RUN: tessera-opt %s -split-input-file -layout-split-reductions -layout-expand-shared | FileCheck %s

#a = #layout.tile<64, register = [(1)], lane = [(2), (4)], warp = [(8), (16), (32)]>
#b = #layout.tile<64, register = [(32)], lane = [(8), (16)], warp = [(1), (2), (4)]>

// CHECK-LABEL: tile.kernel @convert_between_warps(
tile.kernel @convert_between_warps(%s: f32, %p: !tile.ptr<f32>) attributes {layout.num_warps = 8, layout.warp_size = 4} {
  %i = tile.arange 0 to 64 : tensor<64xi32, #a>
  %x = arith.sitofp %i : tensor<64xi32, #a> to tensor<64xf32, #a>
  // CHECK: %[[BUFFER:.*]] = layout.shared_alloc
  // CHECK: layout.shared_store %[[BUFFER]]
  // CHECK: layout.shared_load %[[BUFFER]]
  // CHECK: layout.shared_free %[[BUFFER]]
  %y = layout.convert %x : tensor<64xf32, #a> -> tensor<64xf32, #b>
  %q = tile.splat %p : tensor<64x!tile.ptr<f32>, #b>
  tile.store %q, %y : tensor<64x!tile.ptr<f32>, #b>
  tile.return
}

// -----

#a = #layout.tile<64, register = [(1)], lane = [(2), (4)], warp = [(8), (16), (32)]>
#b = #layout.tile<64, register = [(2)], lane = [(1), (4)], warp = [(8), (16), (32)]>

// CHECK-LABEL: tile.kernel @negative_convert_within_warps(
tile.kernel @negative_convert_within_warps(%s: f32, %p: !tile.ptr<f32>)
    attributes {layout.num_warps = 8, layout.warp_size = 4} {
  %i = tile.arange 0 to 64 : tensor<64xi32, #a>
  %x = arith.sitofp %i : tensor<64xi32, #a> to tensor<64xf32, #a>
  // CHECK-NOT: layout.shared_
  // CHECK: layout.convert
  %y = layout.convert %x : tensor<64xf32, #a> -> tensor<64xf32, #b>
  %q = tile.splat %p : tensor<64x!tile.ptr<f32>, #b>
  tile.store %q, %y : tensor<64x!tile.ptr<f32>, #b>
  tile.return
}

// -----

#whole = #layout.tile<8x4, register = [(0, 1), (4, 0)], lane = [(0, 2), (1, 0)], warp = [(2, 0)]>
#half = #layout.tile<4x4, register = [(0, 1)], lane = [(0, 2), (1, 0)], warp = [(2, 0)]>
#other = #layout.tile<4x4, register = [(1, 0)], lane = [(0, 2), (0, 1)], warp = [(2, 0)]>

// the half is one register's: it is cut out where it lies and converted as wanted
// CHECK-LABEL: tile.kernel @slice_of_registers(
tile.kernel @slice_of_registers(%s: f32, %p: !tile.ptr<f32>) attributes {layout.num_warps = 2, layout.warp_size = 4} {
  %x = tile.splat %s : tensor<8x4xf32, #whole>
  // CHECK-NOT: layout.shared_
  // CHECK: %[[HALF:.*]] = tile.slice %{{.*}} [4, 0]
  // CHECK: layout.convert %[[HALF]]
  %y = tile.slice %x [4, 0] : tensor<8x4xf32, #whole> -> tensor<4x4xf32, #other>
  %q = tile.splat %p : tensor<4x4x!tile.ptr<f32>, #other>
  tile.store %q, %y : tensor<4x4x!tile.ptr<f32>, #other>
  tile.return
}

// -----

#whole = #layout.tile<8x4, register = [(0, 1), (4, 0)], lane = [(0, 2), (1, 0)], warp = [(2, 0)]>
#half = #layout.tile<2x4, register = [(0, 1)], lane = [(0, 2), (1, 0)], warp = [(0, 0)]>

// warps hold other rows than the ones asked for
// CHECK-LABEL: tile.kernel @slice_between_warps(
tile.kernel @slice_between_warps(%s: f32, %p: !tile.ptr<f32>) attributes {layout.num_warps = 2, layout.warp_size = 4} {
  %x = tile.splat %s : tensor<8x4xf32, #whole>
  // CHECK: layout.shared_store
  // CHECK: layout.shared_gather %{{.*}} axis 0
  // CHECK-NOT: tile.slice
  %y = tile.slice %x [3, 0] : tensor<8x4xf32, #whole> -> tensor<2x4xf32, #half>
  %q = tile.splat %p : tensor<2x4x!tile.ptr<f32>, #half>
  tile.store %q, %y : tensor<2x4x!tile.ptr<f32>, #half>
  tile.return
}

// -----

#line = #layout.tile<8, register = [(1)], lane = [(2), (4)]>
#twice = #layout.tile<16, register = [(1), (8)], lane = [(2), (4)]>

// CHECK-LABEL: tile.kernel @cat(
tile.kernel @cat(%s: f32, %p: !tile.ptr<f32>) attributes {layout.num_warps = 1, layout.warp_size = 4} {
  %x = tile.splat %s : tensor<8xf32, #line>
  // CHECK: tile.join
  // CHECK: tile.trans %{{.*}} [0, 3, 1, 2]
  // CHECK: tile.reshape %{{.*}} -> tensor<16xf32,
  // CHECK-NOT: layout.shared_
  %y = tile.cat %x, %x axis 0 : tensor<8xf32, #line> -> tensor<16xf32, #twice>
  %q = tile.splat %p : tensor<16x!tile.ptr<f32>, #twice>
  tile.store %q, %y : tensor<16x!tile.ptr<f32>, #twice>
  tile.return
}

// -----

#line = #layout.tile<8, register = [(1)], lane = [(2), (4)]>
#column = #layout.tile<8x4, register = [(0, 1), (4, 0)], lane = [(0, 2), (1, 0)], warp = [(2, 0)]>
#row = #layout.tile<4, register = [(1)], lane = [(2), (0)], warp = [(0)]>

// CHECK-LABEL: tile.kernel @run_time_indices(
tile.kernel @run_time_indices(%s: i32, %i: i64, %p: !tile.ptr<i32>) attributes {layout.num_warps = 1, layout.warp_size = 4} {
  %x = tile.splat %s : tensor<8xi32, #line>
  // CHECK: layout.shared_gather %{{.*}} axis 0
  %y = tile.gather %x[%x] axis 0 : tensor<8xi32, #line>, tensor<8xi32, #line> -> tensor<8xi32, #line>
  %m = tile.splat %s : tensor<8x4xi32, #column>
  // CHECK: layout.shared_gather %{{.*}} axis 0
  %r = tile.extract_at %m[%i] axis 0 : tensor<8x4xi32, #column> -> tensor<4xi32, #row>
  // CHECK: %[[PLACE:.*]] = arith.cmpi eq
  // CHECK: arith.select %[[PLACE]]
  %n = tile.insert_at %r into %m[%i] axis 0 : tensor<4xi32, #row> into tensor<8x4xi32, #column>
  // CHECK: layout.shared_fill
  // CHECK: layout.shared_atomic_add
  // CHECK: layout.shared_load
  %h = tile.histogram %y : tensor<8xi32, #line> -> tensor<8xi32, #line>
  %q = tile.splat %p : tensor<8x!tile.ptr<i32>, #line>
  tile.store %q, %h : tensor<8x!tile.ptr<i32>, #line>
  %t = tile.splat %p : tensor<8x4x!tile.ptr<i32>, #column>
  tile.store %t, %n : tensor<8x4x!tile.ptr<i32>, #column>
  tile.return
}

// -----

#line = #layout.tile<64, register = [(1)], lane = [(2), (4)], warp = [(8), (16), (32)]>

// both reductions write what their warps have before either reads
// CHECK-LABEL: tile.kernel @one_barrier_will_do(
tile.kernel @one_barrier_will_do(%s: f32, %t: f32) attributes {layout.num_warps = 8, layout.warp_size = 4} {
  %x = tile.splat %s : tensor<64xf32, #line>
  %y = tile.splat %t : tensor<64xf32, #line>
  // CHECK: layout.shared_store
  // CHECK: layout.shared_store
  // CHECK: layout.shared_load
  // CHECK: layout.shared_load
  %sum = tile.reduce %x axis 0 : tensor<64xf32, #line> -> f32 by arith.addf
  %most = tile.reduce %y axis 0 : tensor<64xf32, #line> -> f32 by tile.maxnum
  %big = arith.cmpf ogt, %most, %sum : f32
  tile.assume %big
  tile.return
}

// -----

#a = #layout.tile<64, register = [(1)], lane = [(2), (4)], warp = [(8), (16), (32)]>
#b = #layout.tile<64, register = [(32)], lane = [(8), (16)], warp = [(1), (2), (4)]>

// every thread knows what it holds of these
// CHECK-LABEL: tile.kernel @made_anew(
tile.kernel @made_anew(%s: f32, %p: !tile.ptr<f32>) attributes {layout.num_warps = 8, layout.warp_size = 4} {
  %x = tile.splat %s : tensor<64xf32, #a>
  %c = arith.constant dense<2.0> : tensor<64xf32, #a>
  // CHECK-NOT: layout.convert
  // CHECK-NOT: layout.shared_
  %y = layout.convert %x : tensor<64xf32, #a> -> tensor<64xf32, #b>
  %d = layout.convert %c : tensor<64xf32, #a> -> tensor<64xf32, #b>
  %z = arith.addf %y, %d : tensor<64xf32, #b>
  %q = tile.splat %p : tensor<64x!tile.ptr<f32>, #b>
  tile.store %q, %z : tensor<64x!tile.ptr<f32>, #b>
  tile.return
}
