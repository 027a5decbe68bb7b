// RUN: tessera-opt %s -split-input-file "-layout-expand-dots=target=cuda:sm_90a" | FileCheck %s

#rows = #layout.tile<64x64, register = [(0, 1), (0, 2), (0, 4), (16, 0), (32, 0)], lane = [(0, 8), (0, 16), (0, 32), (1, 0), (2, 0)], warp = [(4, 0), (8, 0)]>

// Buffers with the widest swizzle, a fence, a group of its own, and the wait for it; zeros are no accumulator.
// CHECK-DAG: #[[K:.*]] = #layout.shared<64x64, offsets = [1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048]>
// CHECK-DAG: #[[ACC:.*]] = #layout.tile<64x64, register = [(0, 1), (8, 0), (0, 8), (0, 16), (0, 32)], lane = [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)], warp = [(16, 0), (32, 0)]>
// CHECK-LABEL: tile.kernel @group(
//  CHECK-SAME:   %[[S:.*]]: f16, %[[U:.*]]: f16
//   CHECK-DAG:   %[[X:.*]] = tile.splat %[[S]]
//   CHECK-DAG:   %[[Y:.*]] = tile.splat %[[U]]
//       CHECK:   %[[A:.*]] = layout.shared_alloc : !layout.buffer<64x64xf16, #[[K]]>
//       CHECK:   layout.shared_store %[[A]], %[[X]]
//       CHECK:   %[[B:.*]] = layout.shared_alloc : !layout.buffer<64x64xf16, #[[K]]>
//       CHECK:   layout.shared_store %[[B]], %[[Y]]
//       CHECK:   layout.proxy_fence shared
//       CHECK:   %[[FALSE:.*]] = arith.constant false
//       CHECK:   %[[R:.*]] = layout.async_dot %[[A]], %[[B]], %{{.*}} accumulate %[[FALSE]] : {{.*}}, tensor<64x64xf32, #[[ACC]]>
//       CHECK:   layout.async_dot_commit
//       CHECK:   layout.async_dot_wait %[[R]] pending 0
//       CHECK:   layout.shared_free %[[A]]
//       CHECK:   layout.shared_free %[[B]]
tile.kernel @group(%s: f16, %u: f16, %p: !tile.ptr<f32>) attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %x = tile.splat %s : tensor<64x64xf16, #rows>
  %y = tile.splat %u : tensor<64x64xf16, #rows>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #rows>
  %d = tile.dot %x, %y, %zero : tensor<64x64xf16, #rows>, tensor<64x64xf16, #rows> -> tensor<64x64xf32, #rows>
  %q = tile.splat %p : tensor<64x64x!tile.ptr<f32>, #rows>
  tile.store %q, %d : tensor<64x64x!tile.ptr<f32>, #rows>
  tile.return
}

// -----

#rows = #layout.tile<64x64, register = [(0, 1), (0, 2), (0, 4), (16, 0), (32, 0)], lane = [(0, 8), (0, 16), (0, 32), (1, 0), (2, 0)], warp = [(4, 0), (8, 0)]>
#columns = #layout.tile<64x64, register = [(1, 0), (2, 0), (4, 0), (0, 16), (0, 32)], lane = [(8, 0), (16, 0), (32, 0), (0, 1), (0, 2)], warp = [(0, 4), (0, 8)]>

// What is transposed is stored as it was, once for both operands, and the buffer is read transposed. An accumulator
// that is no zero counts.
// CHECK-LABEL: tile.kernel @transposed(
//       CHECK:   %[[Y:.*]] = tile.splat
//       CHECK:   %[[B:.*]] = layout.shared_alloc : !layout.buffer<64x64xf16, #[[K:.*]]>
//       CHECK:   layout.shared_store %[[B]], %[[Y]]
//   CHECK-NOT:   layout.shared_alloc
//       CHECK:   %[[T:.*]] = layout.shared_trans %[[B]] [1, 0]
//       CHECK:   layout.async_dot %[[B]], %[[T]], %{{[^ ]*}} :
//       CHECK:   layout.shared_free %[[B]]
//   CHECK-NOT:   layout.shared_free
tile.kernel @transposed(%s: f16, %z: f32, %p: !tile.ptr<f32>) attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %y = tile.splat %s : tensor<64x64xf16, #rows>
  %t = tile.trans %y [1, 0] : tensor<64x64xf16, #rows> -> tensor<64x64xf16, #columns>
  %acc = tile.splat %z : tensor<64x64xf32, #rows>
  %d = tile.dot %y, %t, %acc : tensor<64x64xf16, #rows>, tensor<64x64xf16, #columns> -> tensor<64x64xf32, #rows>
  %q = tile.splat %p : tensor<64x64x!tile.ptr<f32>, #rows>
  tile.store %q, %d : tensor<64x64x!tile.ptr<f32>, #rows>
  tile.return
}

// -----

#acc = #layout.tile<64x64, register = [(0, 1), (8, 0), (0, 8), (0, 16), (0, 32)], lane = [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)], warp = [(16, 0), (32, 0)]>

// A left operand as accumulators have it is multiplied from registers.
// CHECK-LABEL: tile.kernel @registers(
//       CHECK:   %[[X:.*]] = tile.splat
//       CHECK:   %[[B:.*]] = layout.shared_alloc
//       CHECK:   layout.async_dot %[[X]], %[[B]],
tile.kernel @registers(%s: f16, %z: f32, %p: !tile.ptr<f32>) attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %x = tile.splat %s : tensor<64x64xf16, #acc>
  %c = tile.splat %z : tensor<64x64xf32, #acc>
  %d = tile.dot %x, %x, %c : tensor<64x64xf16, #acc>, tensor<64x64xf16, #acc> -> tensor<64x64xf32, #acc>
  %q = tile.splat %p : tensor<64x64x!tile.ptr<f32>, #acc>
  tile.store %q, %d : tensor<64x64x!tile.ptr<f32>, #acc>
  tile.return
}

// -----

#rows = #layout.tile<64x64, register = [(0, 1), (0, 2), (0, 4), (0, 8), (32, 0)], lane = [(0, 16), (0, 32), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>

// Bytes are read along k only: both buffers have it contiguous, however the operand comes.
// CHECK-DAG: #[[A:.*]] = #layout.shared<64x64, offsets = [1, 2, 4, 8, 16, 32, 64, 144, 288, 512, 1024, 2048]>
// CHECK-DAG: #[[B:.*]] = #layout.shared<64x64, offsets = [64, 144, 288, 512, 1024, 2048, 1, 2, 4, 8, 16, 32]>
// CHECK-LABEL: tile.kernel @bytes(
//       CHECK:   layout.async_dot %{{.*}} : !layout.buffer<64x64xi8, #[[A]]>, !layout.buffer<64x64xi8, #[[B]]>, tensor<64x64xi32
tile.kernel @bytes(%s: i8, %z: i32, %p: !tile.ptr<i32>) attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %x = tile.splat %s : tensor<64x64xi8, #rows>
  %c = tile.splat %z : tensor<64x64xi32, #rows>
  %d = tile.dot %x, %x, %c : tensor<64x64xi8, #rows>, tensor<64x64xi8, #rows> -> tensor<64x64xi32, #rows>
  %q = tile.splat %p : tensor<64x64x!tile.ptr<i32>, #rows>
  tile.store %q, %d : tensor<64x64x!tile.ptr<i32>, #rows>
  tile.return
}

// -----

#rows = #layout.tile<64x64, register = [(0, 1), (0, 2), (0, 4), (16, 0), (32, 0), (8, 0)], lane = [(0, 8), (0, 16), (0, 32), (1, 0), (2, 0)], warp = [(4, 0)]>

// Two warps are no group.
// CHECK-LABEL: tile.kernel @negative_warps(
//   CHECK-NOT:   layout.async_dot
tile.kernel @negative_warps(%s: f16, %z: f32, %p: !tile.ptr<f32>) attributes {layout.num_warps = 2, layout.warp_size = 32} {
  %x = tile.splat %s : tensor<64x64xf16, #rows>
  %c = tile.splat %z : tensor<64x64xf32, #rows>
  %d = tile.dot %x, %x, %c : tensor<64x64xf16, #rows>, tensor<64x64xf16, #rows> -> tensor<64x64xf32, #rows>
  %q = tile.splat %p : tensor<64x64x!tile.ptr<f32>, #rows>
  tile.store %q, %d : tensor<64x64x!tile.ptr<f32>, #rows>
  tile.return
}

// -----

#rows = #layout.tile<64x64, register = [(0, 1), (0, 2), (0, 4), (16, 0), (32, 0)], lane = [(0, 8), (0, 16), (0, 32), (1, 0), (2, 0)], warp = [(4, 0), (8, 0)]>

// A bound on imprecise sums is kept by products of halves.
// CHECK-LABEL: tile.kernel @bounded(
//       CHECK:   layout.async_dot %{{.*}} : !layout.buffer<64x64xf16, {{.*}}>, !layout.buffer<64x64xf16, {{.*}}>
tile.kernel @bounded(%s: f8E4M3FN, %z: f32, %p: !tile.ptr<f32>) attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %x = tile.splat %s : tensor<64x64xf8E4M3FN, #rows>
  %c = tile.splat %z : tensor<64x64xf32, #rows>
  %d = tile.dot %x, %x, %c max_imprecise_k 32 : tensor<64x64xf8E4M3FN, #rows>, tensor<64x64xf8E4M3FN, #rows> -> tensor<64x64xf32, #rows>
  %q = tile.splat %p : tensor<64x64x!tile.ptr<f32>, #rows>
  tile.store %q, %d : tensor<64x64x!tile.ptr<f32>, #rows>
  tile.return
}

// -----

#box = #layout.tile<1x64x64, register = [(0, 0, 1), (0, 0, 2), (0, 0, 4), (0, 16, 0), (0, 32, 0)], lane = [(0, 0, 8), (0, 0, 16), (0, 0, 32), (0, 1, 0), (0, 2, 0)], warp = [(0, 4, 0), (0, 8, 0)]>
#rows = #layout.tile<64x64, register = [(0, 1), (0, 2), (0, 4), (16, 0), (32, 0)], lane = [(0, 8), (0, 16), (0, 32), (1, 0), (2, 0)], warp = [(4, 0), (8, 0)]>

// What is reshaped is stored as it was. What two loops do not change is stored before the first, behind a fence, and
// freed behind the second.
// CHECK-LABEL: tile.kernel @invariant(
//       CHECK:   %[[X:.*]] = tile.splat %{{.*}} : tensor<1x64x64xf16
//       CHECK:   %[[A:.*]] = layout.shared_alloc : !layout.buffer<1x64x64xf16
//       CHECK:   layout.shared_store %[[A]], %[[X]]
//  CHECK-NEXT:   layout.proxy_fence shared
//       CHECK:   scf.for
//       CHECK:     %[[V:.*]] = layout.shared_reshape %[[A]] : {{.*}} -> !layout.buffer<64x64xf16
//   CHECK-NOT:     tile.reshape
//       CHECK:     %[[B:.*]] = layout.shared_alloc
//       CHECK:     layout.async_dot %[[V]], %[[B]]
//   CHECK-NOT:   layout.shared_free %[[A]]
//       CHECK:   scf.for
//   CHECK-NOT:     layout.shared_store %[[A]]
//       CHECK:     %[[W:.*]] = layout.shared_reshape %[[A]]
//       CHECK:     layout.async_dot %[[W]]
//       CHECK:   }
//  CHECK-NEXT:   layout.shared_free %[[A]]
tile.kernel @invariant(%s: f16, %n: i64, %p: !tile.ptr<f32>, %q: !tile.ptr<f16>) attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %sum = arith.constant dense<0.0> : tensor<64x64xf32, #rows>
  %box = tile.splat %s : tensor<1x64x64xf16, #box>
  %from = tile.splat %q : tensor<64x64x!tile.ptr<f16>, #rows>
  %first = scf.for %i = %zero to %n step %one iter_args(%acc = %sum) -> (tensor<64x64xf32, #rows>) : i64 {
    %x = tile.reshape %box : tensor<1x64x64xf16, #box> -> tensor<64x64xf16, #rows>
    %y = tile.load %from : tensor<64x64x!tile.ptr<f16>, #rows>
    %d = tile.dot %x, %y, %acc : tensor<64x64xf16, #rows>, tensor<64x64xf16, #rows> -> tensor<64x64xf32, #rows>
    scf.yield %d : tensor<64x64xf32, #rows>
  }
  %second = scf.for %i = %zero to %n step %one iter_args(%acc = %first) -> (tensor<64x64xf32, #rows>) : i64 {
    %x = tile.reshape %box : tensor<1x64x64xf16, #box> -> tensor<64x64xf16, #rows>
    %y = tile.load %from : tensor<64x64x!tile.ptr<f16>, #rows>
    %d = tile.dot %x, %y, %acc : tensor<64x64xf16, #rows>, tensor<64x64xf16, #rows> -> tensor<64x64xf32, #rows>
    scf.yield %d : tensor<64x64xf32, #rows>
  }
  %to = tile.splat %p : tensor<64x64x!tile.ptr<f32>, #rows>
  tile.store %to, %second : tensor<64x64x!tile.ptr<f32>, #rows>
  tile.return
}

// -----

#x = #layout.tile<256x32, register = [(0, 1), (0, 2), (0, 4), (128, 0)], lane = [(0, 8), (0, 16), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0), (32, 0), (64, 0)]>
#y = #layout.tile<32x256, register = [(0, 1), (0, 2), (0, 4), (16, 0)], lane = [(0, 8), (0, 16), (0, 32), (0, 64), (0, 128)], warp = [(1, 0), (2, 0), (4, 0), (8, 0)]>
#c = #layout.tile<256x256, register = [(0, 1), (0, 2), (16, 0), (32, 0), (64, 0), (128, 0), (0, 128)], lane = [(0, 4), (0, 8), (0, 16), (0, 32), (0, 64)], warp = [(1, 0), (2, 0), (4, 0), (8, 0)]>

// Accumulators of groups cannot be spilled: 128 registers are all that 16 warps have.
// CHECK-LABEL: tile.kernel @negative_registers(
//   CHECK-NOT:   layout.async_dot
//       CHECK:   layout.shared_dot
tile.kernel @negative_registers(%s: f16, %u: f16, %p: !tile.ptr<f32>) attributes {layout.num_warps = 16, layout.warp_size = 32} {
  %x = tile.splat %s : tensor<256x32xf16, #x>
  %y = tile.splat %u : tensor<32x256xf16, #y>
  %zero = arith.constant dense<0.0> : tensor<256x256xf32, #c>
  %d = tile.dot %x, %y, %zero : tensor<256x32xf16, #x>, tensor<32x256xf16, #y> -> tensor<256x256xf32, #c>
  %q = tile.splat %p : tensor<256x256x!tile.ptr<f32>, #c>
  tile.store %q, %d : tensor<256x256x!tile.ptr<f32>, #c>
  tile.return
}
