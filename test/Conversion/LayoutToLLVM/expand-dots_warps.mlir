// RUN: tessera-opt %s -split-input-file -layout-expand-dots=target=cuda:sm_80 | FileCheck %s

// rows of 32 elements, eight of a lane, as they are copied
#a = #layout.tile<32x32, register = [(0, 1), (0, 2), (0, 4)], lane = [(0, 8), (0, 16), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#acc = #layout.tile<32x32, register = [(0, 1), (8, 0), (0, 8)], lane = [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)], warp = [(16, 0), (0, 16)]>

// each operand goes through a buffer in its own order, in which chunks of 16 bytes are permuted
// CHECK-LABEL: tile.kernel @buffers(
//       CHECK:   %[[A:.*]] = layout.shared_alloc : !layout.buffer<32x32xf16, #[[S:.*]]>
//  CHECK-NEXT:   layout.shared_store %[[A]], %{{.*}}
//       CHECK:   %[[B:.*]] = layout.shared_alloc : !layout.buffer<32x32xf16, #[[S]]>
//  CHECK-NEXT:   layout.shared_store %[[B]], %{{.*}}
//       CHECK:   layout.shared_dot %[[A]], %[[B]], %{{.*}}
//  CHECK-NEXT:   layout.shared_free %[[A]]
//  CHECK-NEXT:   layout.shared_free %[[B]]
tile.kernel @buffers(%p: !tile.ptr<f16>, %z: f32) attributes {layout.num_warps = 4 : i64, layout.warp_size = 32 : i64} {
  %q = tile.splat %p : tensor<32x32x!tile.ptr<f16>, #a>
  %x = tile.load %q : tensor<32x32x!tile.ptr<f16>, #a>
  %y = tile.load %q : tensor<32x32x!tile.ptr<f16>, #a>
  %c = tile.splat %z : tensor<32x32xf32, #acc>
  %d = tile.dot %x, %y, %c : tensor<32x32xf16, #a>, tensor<32x32xf16, #a> -> tensor<32x32xf32, #acc>
  tile.return
}

// -----

#a = #layout.tile<32x32, register = [(0, 1), (0, 2), (0, 4)], lane = [(0, 8), (0, 16), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#t = #layout.tile<32x32, register = [(1, 0), (2, 0), (4, 0)], lane = [(8, 0), (16, 0), (0, 1), (0, 2), (0, 4)], warp = [(0, 8), (0, 16)]>
#acc = #layout.tile<32x32, register = [(0, 1), (8, 0), (0, 8)], lane = [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)], warp = [(16, 0), (0, 16)]>

// a transposed tile is stored as it was before
// CHECK-LABEL: tile.kernel @transposed(
//       CHECK:   %[[X:.*]] = tile.load
//       CHECK:   layout.shared_alloc
//       CHECK:   %[[B:.*]] = layout.shared_alloc
//  CHECK-NEXT:   layout.shared_store %[[B]], %[[X]]
//  CHECK-NEXT:   %[[T:.*]] = layout.shared_trans %[[B]] [1, 0]
//       CHECK:   layout.shared_dot %{{.*}}, %[[T]], %{{.*}}
tile.kernel @transposed(%p: !tile.ptr<f16>, %z: f32, %y: f16)
    attributes {layout.num_warps = 4 : i64, layout.warp_size = 32 : i64} {
  %q = tile.splat %p : tensor<32x32x!tile.ptr<f16>, #a>
  %v = tile.splat %y : tensor<32x32xf16, #a>
  %x = tile.load %q : tensor<32x32x!tile.ptr<f16>, #a>
  %w = tile.trans %x [1, 0] : tensor<32x32xf16, #a> -> tensor<32x32xf16, #t>
  %c = tile.splat %z : tensor<32x32xf32, #acc>
  %d = tile.dot %v, %w, %c : tensor<32x32xf16, #a>, tensor<32x32xf16, #t> -> tensor<32x32xf32, #acc>
  tile.return
}

// -----

#a = #layout.tile<32x32, register = [(0, 1), (0, 2), (0, 4), (16, 0)], lane = [(0, 8), (0, 16), (1, 0), (2, 0), (4, 0)], warp = [(8, 0)]>
#acc = #layout.tile<32x32, register = [(0, 1), (8, 0), (0, 8), (0, 16)], lane = [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)], warp = [(16, 0)]>

// what has the layout of results becomes a left operand in its registers; the right one does not change in the loop
// CHECK-LABEL: tile.kernel @left_in_registers(
//       CHECK:   %[[B:.*]] = layout.shared_alloc
//       CHECK:   scf.for
//   CHECK-NOT:     layout.shared_alloc
//       CHECK:     layout.shared_dot %{{.*}}, %[[B]], %{{.*}}
//       CHECK:     scf.yield
//       CHECK:   layout.shared_free %[[B]]
tile.kernel @left_in_registers(%p: !tile.ptr<f16>, %z: f32, %n: i32)
    attributes {layout.num_warps = 2 : i64, layout.warp_size = 32 : i64} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %q = tile.splat %p : tensor<32x32x!tile.ptr<f16>, #a>
  %x = tile.load %q : tensor<32x32x!tile.ptr<f16>, #a>
  %c = tile.splat %z : tensor<32x32xf32, #acc>
  %r = scf.for %i = %zero to %n step %one iter_args(%sum = %c) -> (tensor<32x32xf32, #acc>) : i32 {
    %l = tile.convert_float %sum : tensor<32x32xf32, #acc> -> tensor<32x32xf16, #acc>
    %d = tile.dot %l, %x, %sum : tensor<32x32xf16, #acc>, tensor<32x32xf16, #a> -> tensor<32x32xf32, #acc>
    scf.yield %d : tensor<32x32xf32, #acc>
  }
  tile.return
}
