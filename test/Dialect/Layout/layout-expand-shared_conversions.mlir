// RUN: tessera-opt %s -split-input-file -layout-expand-shared | FileCheck %s
// RUN: tessera-opt %s -split-input-file -layout-expand-shared -layout-allocate-shared -layout-insert-barriers \
// RUN:   -layout-verify-stage | FileCheck %s --check-prefix=ORDER

// Results of a matrix unit, for a store of runs of 16 bytes by the same warps: through memory, and the lanes of a warp
// wait for nobody else.

#acc = #layout.tile<64x64, register = [(0, 1), (8, 0), (0, 8), (0, 16), (0, 32)],
                    lane = [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)], warp = [(16, 0), (32, 0)]>
#rows = #layout.tile<64x64, register = [(0, 1), (0, 2), (0, 4), (4, 0), (8, 0)],
                     lane = [(0, 8), (0, 16), (0, 32), (1, 0), (2, 0)], warp = [(16, 0), (32, 0)]>

// CHECK-LABEL: tile.kernel @within_warps(
// ORDER-LABEL: tile.kernel @within_warps(
tile.kernel @within_warps(%from: !tile.ptr<f16>, %p: !tile.ptr<f16>)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %f = tile.splat %from : tensor<64x64x!tile.ptr<f16>, #acc>
  %y = tile.load %f : tensor<64x64x!tile.ptr<f16>, #acc>
  // CHECK: %[[BUFFER:.*]] = layout.shared_alloc
  // CHECK-NEXT: layout.shared_store %[[BUFFER]], %{{.*}} : {{.*}}, tensor<64x64xf16
  // CHECK-NEXT: layout.shared_load %[[BUFFER]]
  // CHECK-NEXT: layout.shared_free %[[BUFFER]]
  // ORDER-NOT: layout.barrier
  // ORDER: layout.shared_store
  // ORDER-NEXT: layout.warp_sync
  // ORDER-NEXT: layout.shared_load
  // ORDER-NOT: layout.barrier
  %z = layout.convert %y : tensor<64x64xf16, #acc> -> tensor<64x64xf16, #rows>
  %q = tile.splat %p : tensor<64x64x!tile.ptr<f16>, #rows>
  tile.store %q, %z : tensor<64x64x!tile.ptr<f16>, #rows>
  tile.return
}

// -----

// More than 4096 bytes of a warp go in parts: here rows that differ by 8 are registers on both sides.

#acc = #layout.tile<64x256, register = [(0, 1), (8, 0), (0, 8), (0, 16), (0, 32), (0, 64), (0, 128)],
                    lane = [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)], warp = [(16, 0), (32, 0)]>
#rows = #layout.tile<64x256, register = [(0, 1), (0, 2), (0, 4), (0, 64), (0, 128), (4, 0), (8, 0)],
                     lane = [(0, 8), (0, 16), (0, 32), (1, 0), (2, 0)], warp = [(16, 0), (32, 0)]>

// CHECK-LABEL: tile.kernel @in_parts(
// ORDER-LABEL: tile.kernel @in_parts(
// ORDER-SAME:  layout.shared_bytes = 16384
tile.kernel @in_parts(%from: !tile.ptr<f16>, %p: !tile.ptr<f16>)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %f = tile.splat %from : tensor<64x256x!tile.ptr<f16>, #acc>
  %y = tile.load %f : tensor<64x256x!tile.ptr<f16>, #acc>
  // CHECK: %[[WHOLE:.*]] = tile.reshape {{.*}} -> tensor<4x2x2048xf16
  // CHECK: %[[BUFFER:.*]] = layout.shared_alloc : !layout.buffer<4x1x2048xf16
  // CHECK: %[[FIRST:.*]] = tile.slice %[[WHOLE]] [0, 0, 0]
  // CHECK-NEXT: layout.shared_store %[[BUFFER]], %[[FIRST]]
  // CHECK-NEXT: %[[MOVED:.*]] = layout.shared_load %[[BUFFER]]
  // CHECK-NEXT: %[[HALF:.*]] = tile.insert %[[MOVED]] into %{{.*}} [0, 0, 0]
  // CHECK-NEXT: %[[SECOND:.*]] = tile.slice %[[WHOLE]] [0, 1, 0]
  // CHECK-NEXT: layout.shared_store %[[BUFFER]], %[[SECOND]]
  // CHECK-NEXT: %[[MORE:.*]] = layout.shared_load %[[BUFFER]]
  // CHECK-NEXT: %[[ALL:.*]] = tile.insert %[[MORE]] into %[[HALF]] [0, 1, 0]
  // CHECK-NEXT: layout.shared_free %[[BUFFER]]
  // CHECK-NEXT: tile.reshape %[[ALL]] {{.*}} -> tensor<64x256xf16
  // ORDER-NOT: layout.barrier
  // ORDER-COUNT-3: layout.warp_sync
  // ORDER-NOT: layout.warp_sync
  // ORDER-NOT: layout.barrier
  %z = layout.convert %y : tensor<64x256xf16, #acc> -> tensor<64x256xf16, #rows>
  %q = tile.splat %p : tensor<64x256x!tile.ptr<f16>, #rows>
  tile.store %q, %z : tensor<64x256x!tile.ptr<f16>, #rows>
  tile.return
}

// -----

// Elements that move between warps go at once: parts would cost a barrier each.

#acc = #layout.tile<64x256, register = [(0, 1), (8, 0), (0, 8), (0, 16), (0, 32), (0, 64), (0, 128)],
                    lane = [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)], warp = [(16, 0), (32, 0)]>
#rows = #layout.tile<64x256, register = [(0, 1), (0, 2), (0, 4), (0, 64), (0, 128), (16, 0), (32, 0)],
                     lane = [(0, 8), (0, 16), (0, 32), (1, 0), (2, 0)], warp = [(4, 0), (8, 0)]>

// CHECK-LABEL: tile.kernel @negative_parts_between_warps(
// ORDER-LABEL: tile.kernel @negative_parts_between_warps(
tile.kernel @negative_parts_between_warps(%from: !tile.ptr<f16>, %p: !tile.ptr<f16>)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %f = tile.splat %from : tensor<64x256x!tile.ptr<f16>, #acc>
  %y = tile.load %f : tensor<64x256x!tile.ptr<f16>, #acc>
  // CHECK: %[[BUFFER:.*]] = layout.shared_alloc : !layout.buffer<64x256xf16
  // CHECK-NEXT: layout.shared_store %[[BUFFER]]
  // CHECK-NEXT: layout.shared_load %[[BUFFER]]
  // ORDER: layout.shared_store
  // ORDER-NEXT: layout.barrier
  // ORDER-NEXT: layout.shared_load
  %z = layout.convert %y : tensor<64x256xf16, #acc> -> tensor<64x256xf16, #rows>
  %q = tile.splat %p : tensor<64x256x!tile.ptr<f16>, #rows>
  tile.store %q, %z : tensor<64x256x!tile.ptr<f16>, #rows>
  tile.return
}

// -----

// A register to each of eight lanes: shuffles are faster.

#a = #layout.tile<64x8, register = [(0, 1), (0, 2)], lane = [(0, 4), (1, 0), (2, 0), (4, 0), (8, 0)],
                  warp = [(16, 0), (32, 0)]>
#b = #layout.tile<64x8, register = [(1, 0), (2, 0)], lane = [(0, 1), (0, 2), (0, 4), (4, 0), (8, 0)],
                  warp = [(16, 0), (32, 0)]>

// CHECK-LABEL: tile.kernel @negative_few_registers(
tile.kernel @negative_few_registers(%from: !tile.ptr<f32>, %p: !tile.ptr<f32>)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %f = tile.splat %from : tensor<64x8x!tile.ptr<f32>, #a>
  %y = tile.load %f : tensor<64x8x!tile.ptr<f32>, #a>
  // CHECK-NOT: layout.shared_
  // CHECK: layout.convert
  %z = layout.convert %y : tensor<64x8xf32, #a> -> tensor<64x8xf32, #b>
  %q = tile.splat %p : tensor<64x8x!tile.ptr<f32>, #b>
  tile.store %q, %z : tensor<64x8x!tile.ptr<f32>, #b>
  tile.return
}
