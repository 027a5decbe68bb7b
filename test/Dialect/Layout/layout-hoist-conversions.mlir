// RUN: tessera-opt %s -split-input-file -layout-hoist-conversions | FileCheck %s

#a = #layout.tile<8, register = [(1)], lane = [(2), (4)]>
#b = #layout.tile<8, register = [(4)], lane = [(1), (2)]>

// CHECK-LABEL: tile.kernel @carried(
tile.kernel @carried(%s: f32, %n: i64, %p: !tile.ptr<f32>) attributes {layout.num_warps = 1, layout.warp_size = 4} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %x = tile.splat %s : tensor<8xf32, #a>
  // CHECK: %[[FIRST:.*]] = layout.convert
  // CHECK: %[[LAST:.*]] = scf.for {{.*}} iter_args(%[[Y:.*]] = %[[FIRST]])
  // CHECK-NEXT: %[[W:.*]] = arith.addf %[[Y]], %[[Y]]
  // CHECK-NEXT: scf.yield %[[W]]
  // CHECK: layout.convert %[[LAST]]
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> (tensor<8xf32, #a>) : i64 {
    %y = layout.convert %acc : tensor<8xf32, #a> -> tensor<8xf32, #b>
    %w = arith.addf %y, %y : tensor<8xf32, #b>
    %z = layout.convert %w : tensor<8xf32, #b> -> tensor<8xf32, #a>
    scf.yield %z : tensor<8xf32, #a>
  }
  %q = tile.splat %p : tensor<8x!tile.ptr<f32>, #a>
  tile.store %q, %r : tensor<8x!tile.ptr<f32>, #a>
  tile.return
}

// -----

#a = #layout.tile<8, register = [(1)], lane = [(2), (4)]>
#b = #layout.tile<8, register = [(4)], lane = [(1), (2)]>

// the loop needs the tile as it is carried, too
// CHECK-LABEL: tile.kernel @negative_other_use(
tile.kernel @negative_other_use(%s: f32, %n: i64, %p: !tile.ptr<f32>)
    attributes {layout.num_warps = 1, layout.warp_size = 4} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %x = tile.splat %s : tensor<8xf32, #a>
  %q = tile.splat %p : tensor<8x!tile.ptr<f32>, #a>
  // CHECK: scf.for
  // CHECK: layout.convert
  // CHECK: tile.store
  // CHECK: layout.convert
  // CHECK: scf.yield
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> (tensor<8xf32, #a>) : i64 {
    %y = layout.convert %acc : tensor<8xf32, #a> -> tensor<8xf32, #b>
    %w = arith.addf %y, %y : tensor<8xf32, #b>
    tile.store %q, %acc : tensor<8x!tile.ptr<f32>, #a>
    %z = layout.convert %w : tensor<8xf32, #b> -> tensor<8xf32, #a>
    scf.yield %z : tensor<8xf32, #a>
  }
  tile.return
}

// -----

#a = #layout.tile<4x8, register = [(0, 1), (1, 0)], lane = [(0, 2), (0, 4), (2, 0)]>
#b = #layout.tile<8x4, register = [(1, 0), (0, 1)], lane = [(2, 0), (4, 0), (0, 2)]>

// a tile that rounds transpose is carried as its transpose
// CHECK-LABEL: tile.kernel @transposed(
tile.kernel @transposed(%s: f32, %n: i64, %p: !tile.ptr<f32>)
    attributes {layout.num_warps = 1, layout.warp_size = 8} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %x = tile.splat %s : tensor<4x8xf32, #a>
  // CHECK: %[[FIRST:.*]] = tile.trans %{{.*}} [1, 0]
  // CHECK: %[[LAST:.*]] = scf.for {{.*}} iter_args(%[[Y:.*]] = %[[FIRST]])
  // CHECK-NEXT: %[[W:.*]] = arith.addf %[[Y]], %[[Y]]
  // CHECK-NEXT: scf.yield %[[W]]
  // CHECK: tile.trans %[[LAST]] [1, 0]
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> (tensor<4x8xf32, #a>) : i64 {
    %y = tile.trans %acc [1, 0] : tensor<4x8xf32, #a> -> tensor<8x4xf32, #b>
    %w = arith.addf %y, %y : tensor<8x4xf32, #b>
    %z = tile.trans %w [1, 0] : tensor<8x4xf32, #b> -> tensor<4x8xf32, #a>
    scf.yield %z : tensor<4x8xf32, #a>
  }
  %q = tile.splat %p : tensor<4x8x!tile.ptr<f32>, #a>
  tile.store %q, %r : tensor<4x8x!tile.ptr<f32>, #a>
  tile.return
}
