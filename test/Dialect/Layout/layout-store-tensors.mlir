// RUN: tessera-opt %s -split-input-file -layout-store-tensors=target=cuda:sm_90a | FileCheck %s
// RUN: tessera-opt %s -split-input-file -layout-store-tensors=target=cuda:sm_80 | FileCheck %s --check-prefix=OLDER
// RUN: tessera-opt %s -split-input-file -layout-store-tensors=target=cuda:sm_90a -layout-expand-shared \
// RUN:   -layout-allocate-shared=target=cuda:sm_90a -layout-insert-barriers -layout-verify-stage | FileCheck %s --check-prefix=ORDER

// Results of a matrix unit go into rows of 128 bytes; threads wait once, and for the last copy only until it is read.

#acc = #layout.tile<64x64, register = [(0, 1), (8, 0), (0, 8), (0, 16), (0, 32)],
                    lane = [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)], warp = [(16, 0), (32, 0)]>
#rows = #layout.tile<64x64, register = [(0, 1), (0, 2), (0, 4), (4, 0), (8, 0)],
                     lane = [(0, 8), (0, 16), (0, 32), (1, 0), (2, 0)], warp = [(16, 0), (32, 0)]>

// CHECK-DAG: #[[ACC:.*]] = #layout.tile<64x64, register = [(0, 1), (8, 0),
// CHECK-DAG: #[[S:.*]] = #layout.shared<64x64, offsets = [1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048]>
// CHECK-LABEL: tile.kernel @results(
// OLDER-LABEL: tile.kernel @results(
// OLDER:       tile.view_store
// ORDER-LABEL: tile.kernel @results(
tile.kernel @results(%from: !tile.ptr<f16>, %out: !tile.ptr<f16> {tile.multiple_of = 16 : i64}, %m: i64, %n: i64,
                     %ld: i64 {tile.multiple_of = 16 : i64}, %i: i64, %j: i64 {tile.multiple_of = 8 : i64})
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %one = arith.constant 1 : i64
  %f = tile.splat %from : tensor<64x64x!tile.ptr<f16>, #acc>
  %x = tile.load %f : tensor<64x64x!tile.ptr<f16>, #acc>
  %v = tile.make_view %out, [%m, %n], [%ld, %one] : !tile.view<f16, 2>
  // CHECK: %[[B:.*]] = layout.shared_alloc : !layout.buffer<64x64xf16, #[[S]]>
  // CHECK-NEXT: layout.shared_store %[[B]], %{{.*}} : {{.*}}, tensor<64x64xf16, #[[ACC]]>
  // CHECK-NEXT: layout.proxy_fence shared
  // CHECK-NEXT: layout.tensor_store %[[B]] into %{{.*}}[%{{.*}}, %{{.*}}]
  // CHECK-NEXT: %[[GROUP:.*]] = layout.tensor_commit
  // CHECK-NEXT: layout.tensor_wait pending 0 read of %[[GROUP]]
  // CHECK-NEXT: layout.shared_free %[[B]]
  // CHECK-NOT: layout.convert
  // ORDER: layout.shared_store
  // ORDER-NEXT: layout.proxy_fence shared
  // ORDER-NEXT: layout.barrier
  // ORDER-NEXT: layout.tensor_store
  // ORDER-NOT: layout.barrier
  %y = layout.convert %x : tensor<64x64xf16, #acc> -> tensor<64x64xf16, #rows>
  tile.view_store %v[%i, %j], %y : !tile.view<f16, 2>, tensor<64x64xf16, #rows>
  tile.return
}

// -----

// What the kernel reads again must be there, and units must see it.

#acc = #layout.tile<64x64, register = [(0, 1), (8, 0), (0, 8), (0, 16), (0, 32)],
                    lane = [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)], warp = [(16, 0), (32, 0)]>

// CHECK-LABEL: tile.kernel @touched_again(
// ORDER-LABEL: tile.kernel @touched_again(
tile.kernel @touched_again(%from: !tile.ptr<f16>, %out: !tile.ptr<f16> {tile.multiple_of = 16 : i64}, %m: i64, %n: i64,
                           %ld: i64 {tile.multiple_of = 16 : i64}, %i: i64, %j: i64 {tile.multiple_of = 8 : i64})
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f16
  tile.store %out, %zero : !tile.ptr<f16>
  %f = tile.splat %from : tensor<64x64x!tile.ptr<f16>, #acc>
  %x = tile.load %f : tensor<64x64x!tile.ptr<f16>, #acc>
  %v = tile.make_view %out, [%m, %n], [%ld, %one] : !tile.view<f16, 2>
  // CHECK: layout.shared_store
  // CHECK-NEXT: layout.proxy_fence all
  // CHECK-NEXT: layout.tensor_store
  // CHECK-NEXT: layout.tensor_commit
  // CHECK-NEXT: layout.tensor_wait pending 0 of
  // CHECK-NEXT: layout.proxy_fence global
  // ORDER: layout.tensor_wait pending 0 of
  // ORDER: layout.barrier
  // ORDER: tile.load
  tile.view_store %v[%i, %j], %x : !tile.view<f16, 2>, tensor<64x64xf16, #acc>
  %w = tile.load %out : !tile.ptr<f16>
  tile.store %from, %w : !tile.ptr<f16>
  tile.return
}

// -----

// Wide stores of what threads hold in rows are left alone.

#rows = #layout.tile<64x64, register = [(0, 1), (0, 2), (0, 4), (4, 0), (8, 0)],
                     lane = [(0, 8), (0, 16), (0, 32), (1, 0), (2, 0)], warp = [(16, 0), (32, 0)]>

// CHECK-LABEL: tile.kernel @negative_held_in_rows(
// CHECK:         tile.view_store
tile.kernel @negative_held_in_rows(%from: !tile.ptr<f16>, %out: !tile.ptr<f16> {tile.multiple_of = 16 : i64}, %m: i64,
                                   %n: i64, %ld: i64 {tile.multiple_of = 16 : i64}, %i: i64, %j: i64 {tile.multiple_of = 8 : i64})
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %one = arith.constant 1 : i64
  %f = tile.splat %from : tensor<64x64x!tile.ptr<f16>, #rows>
  %x = tile.load %f : tensor<64x64x!tile.ptr<f16>, #rows>
  %v = tile.make_view %out, [%m, %n], [%ld, %one] : !tile.view<f16, 2>
  tile.view_store %v[%i, %j], %x : !tile.view<f16, 2>, tensor<64x64xf16, #rows>
  tile.return
}

// -----

// Rows that may begin anywhere have no descriptor.

#acc = #layout.tile<64x64, register = [(0, 1), (8, 0), (0, 8), (0, 16), (0, 32)],
                    lane = [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)], warp = [(16, 0), (32, 0)]>

// CHECK-LABEL: tile.kernel @negative_no_descriptor(
// CHECK:         tile.view_store
tile.kernel @negative_no_descriptor(%from: !tile.ptr<f16>, %out: !tile.ptr<f16> {tile.multiple_of = 16 : i64}, %m: i64,
                                    %n: i64, %ld: i64, %i: i64, %j: i64 {tile.multiple_of = 8 : i64})
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %one = arith.constant 1 : i64
  %f = tile.splat %from : tensor<64x64x!tile.ptr<f16>, #acc>
  %x = tile.load %f : tensor<64x64x!tile.ptr<f16>, #acc>
  %v = tile.make_view %out, [%m, %n], [%ld, %one] : !tile.view<f16, 2>
  tile.view_store %v[%i, %j], %x : !tile.view<f16, 2>, tensor<64x64xf16, #acc>
  tile.return
}

// -----

// Boxes begin at multiples of 16 bytes.

#acc = #layout.tile<64x64, register = [(0, 1), (8, 0), (0, 8), (0, 16), (0, 32)],
                    lane = [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)], warp = [(16, 0), (32, 0)]>

// CHECK-LABEL: tile.kernel @negative_begins_anywhere(
// CHECK:         tile.view_store
tile.kernel @negative_begins_anywhere(%from: !tile.ptr<f16>, %out: !tile.ptr<f16> {tile.multiple_of = 16 : i64}, %m: i64,
                                      %n: i64, %ld: i64 {tile.multiple_of = 16 : i64}, %i: i64, %j: i64)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %one = arith.constant 1 : i64
  %f = tile.splat %from : tensor<64x64x!tile.ptr<f16>, #acc>
  %x = tile.load %f : tensor<64x64x!tile.ptr<f16>, #acc>
  %v = tile.make_view %out, [%m, %n], [%ld, %one] : !tile.view<f16, 2>
  tile.view_store %v[%i, %j], %x : !tile.view<f16, 2>, tensor<64x64xf16, #acc>
  tile.return
}

// -----

// There is no room beside what lives around the store.

#acc = #layout.tile<64x64, register = [(0, 1), (8, 0), (0, 8), (0, 16), (0, 32)],
                    lane = [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)], warp = [(16, 0), (32, 0)]>
#a = #layout.shared<32768>
#b = #layout.shared<16384>
#c = #layout.shared<8192>

// CHECK-LABEL: tile.kernel @negative_no_room(
// CHECK:         tile.view_store
tile.kernel @negative_no_room(%from: !tile.ptr<f16>, %out: !tile.ptr<f16> {tile.multiple_of = 16 : i64}, %m: i64,
                              %n: i64, %ld: i64 {tile.multiple_of = 16 : i64}, %i: i64, %j: i64 {tile.multiple_of = 8 : i64})
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %one = arith.constant 1 : i64
  %a = layout.shared_alloc : !layout.buffer<32768xf32, #a>
  %b = layout.shared_alloc : !layout.buffer<16384xf32, #b>
  %c = layout.shared_alloc : !layout.buffer<8192xf32, #c>
  %f = tile.splat %from : tensor<64x64x!tile.ptr<f16>, #acc>
  %x = tile.load %f : tensor<64x64x!tile.ptr<f16>, #acc>
  %v = tile.make_view %out, [%m, %n], [%ld, %one] : !tile.view<f16, 2>
  tile.view_store %v[%i, %j], %x : !tile.view<f16, 2>, tensor<64x64xf16, #acc>
  layout.shared_free %a : !layout.buffer<32768xf32, #a>
  layout.shared_free %b : !layout.buffer<16384xf32, #b>
  layout.shared_free %c : !layout.buffer<8192xf32, #c>
  tile.return
}
