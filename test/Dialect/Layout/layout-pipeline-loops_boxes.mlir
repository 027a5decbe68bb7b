// RUN: tessera-opt %s -split-input-file -layout-pipeline-loops="target=cuda:sm_90a boxes=true" | FileCheck %s

#a = #layout.tile<32x16, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#b = #layout.tile<16x32, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (0, 16), (1, 0), (2, 0)], warp = [(4, 0), (8, 0)]>
#c = #layout.tile<32x32, register = [(0, 1), (0, 2), (0, 4)], lane = [(0, 8), (0, 16), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#s = #layout.shared<32x16, offsets = [1, 2, 4, 8, 16, 36, 72, 128, 256]>
#t = #layout.shared<16x32, offsets = [1, 2, 4, 8, 16, 36, 72, 144, 256]>

// One thread copies boxes; a barrier for each slot counts their bytes. No fence is needed for what no thread writes.
// CHECK-LABEL: tile.kernel @boxes(
//       CHECK: %[[FULL:[^ ,]*]] = layout.mbarrier_alloc : !layout.mbarrier<3>
//  CHECK-NEXT: layout.mbarrier_init %[[FULL]] count 1
//  CHECK-NEXT: layout.proxy_fence shared
//       CHECK: layout.proxy_fence shared
//       CHECK: scf.for %[[K:[^ ,]*]] =
//       CHECK:   scf.if
//       CHECK:     layout.mbarrier_expect %[[FULL]][%[[K]]] bytes 4096
//       CHECK:     layout.tensor_load %{{.*}} signals %[[FULL]][%[[K]]]
//       CHECK:     layout.tensor_load %{{.*}} signals %[[FULL]][%[[K]]]
//       CHECK: scf.for {{.*}} iter_args(%{{[^,]*}}, %[[SLOT:[^ ,]*]] = %{{[^,]*}}, %{{[^,]*}}, %[[PHASES:[^ ,]*]] = %{{[^,]*}}) ->
//  CHECK-NEXT:   %[[BITS:[^ ,]*]] = tile.shr %[[PHASES]], %[[SLOT]] unsigned
//  CHECK-NEXT:   %[[BIT:[^ ,]*]] = arith.trunci %[[BITS]]
//  CHECK-NEXT:   layout.mbarrier_wait %[[FULL]][%[[SLOT]]] parity %[[BIT]]
//   CHECK-NOT:   layout.proxy_fence
//       CHECK:   layout.async_dot
//       CHECK:   layout.async_dot_wait %{{.*}} pending 1
//       CHECK:   scf.if
//       CHECK:     layout.mbarrier_expect
//       CHECK:     layout.tensor_load
//       CHECK:     layout.tensor_load
//   CHECK-NOT:   layout.async_commit
//       CHECK:   %[[ONE:[^ ,]*]] = tile.shl %{{.*}}, %[[SLOT]]
//       CHECK:   %[[NEXT:[^ ,]*]] = arith.xori %[[PHASES]], %[[ONE]]
//       CHECK:   scf.yield {{.*}}, %[[NEXT]]
tile.kernel @boxes(%p: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %q: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %r: !tile.ptr<f32>,
    %m: i64, %n: i64, %ld: i64 {tile.multiple_of = 16 : i64}, %yes: i1)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %x = tile.make_view %p, [%m, %n], [%ld, %c1] : !tile.view<f32, 2>
  %y = tile.make_view %q, [%n, %m], [%ld, %c1] : !tile.view<f32, 2>
  %out = tile.make_view %r, [%m, %m], [%ld, %c1] : !tile.view<f32, 2>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #c>
  %sum = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %zero) -> (tensor<32x32xf32, #c>) : i64 {
    %u = tile.view_load %x[%c0, %i] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<32x16xf32, #a>
    %v = tile.view_load %y[%i, %c0] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<16x32xf32, #b>
    %a = layout.shared_alloc : !layout.buffer<32x16xf32, #s>
    layout.shared_store %a, %u : !layout.buffer<32x16xf32, #s>, tensor<32x16xf32, #a>
    %b = layout.shared_alloc : !layout.buffer<16x32xf32, #t>
    layout.shared_store %b, %v : !layout.buffer<16x32xf32, #t>, tensor<16x32xf32, #b>
    layout.proxy_fence shared
    %d = layout.async_dot %a, %b, %acc
        : !layout.buffer<32x16xf32, #s>, !layout.buffer<16x32xf32, #t>, tensor<32x32xf32, #c>
    layout.async_dot_commit
    %s = layout.async_dot_wait %d pending 0 : tensor<32x32xf32, #c>
    layout.shared_free %a : !layout.buffer<32x16xf32, #s>
    layout.shared_free %b : !layout.buffer<16x32xf32, #t>
    scf.yield %s : tensor<32x32xf32, #c>
  }
  tile.view_store %out[%c0, %c0], %sum : !tile.view<f32, 2>, tensor<32x32xf32, #c>
  tile.return
}

// -----

#a = #layout.tile<32x16, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#b = #layout.tile<16x32, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (0, 16), (1, 0), (2, 0)], warp = [(4, 0), (8, 0)]>
#c = #layout.tile<32x32, register = [(0, 1), (0, 2), (0, 4)], lane = [(0, 8), (0, 16), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#s = #layout.shared<32x16, offsets = [1, 2, 4, 8, 16, 36, 72, 128, 256]>
#t = #layout.shared<16x32, offsets = [1, 2, 4, 8, 16, 36, 72, 144, 256]>

// The parities of barriers go on from one run of the loop to the next.
// CHECK-LABEL: tile.kernel @boxes_nested(
//       CHECK: %[[ZERO:[^ ,]*]] = arith.constant 0 : i32
//       CHECK: %[[OUTER:[^ ,]*]] = scf.for {{.*}} iter_args(%[[PHASES:[^ ,]*]] = %[[ZERO]]) -> (i32)
//       CHECK:   %[[AFTER:[^ ,]*]] = scf.if {{.*}} -> (i32)
//       CHECK:     scf.for
//       CHECK:     %[[INNER:[^ ,]*]]:4 = scf.for {{.*}}, %{{.*}} = %[[PHASES]]) ->
//       CHECK:     scf.yield %[[INNER]]#3 : i32
//       CHECK:   } else {
//       CHECK:     scf.yield %[[PHASES]] : i32
//       CHECK:   scf.yield %[[AFTER]] : i32
tile.kernel @boxes_nested(%p: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %q: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %r: !tile.ptr<f32>,
    %m: i64, %n: i64, %ld: i64 {tile.multiple_of = 16 : i64}, %yes: i1)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %x = tile.make_view %p, [%m, %n], [%ld, %c1] : !tile.view<f32, 2>
  %y = tile.make_view %q, [%n, %m], [%ld, %c1] : !tile.view<f32, 2>
  %out = tile.make_view %r, [%m, %m], [%ld, %c1] : !tile.view<f32, 2>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #c>
  scf.for %j = %c0 to %n step %c1 : i64 {
    scf.if %yes {
      %sum = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %zero) -> (tensor<32x32xf32, #c>) : i64 {
        %u = tile.view_load %x[%c0, %i] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<32x16xf32, #a>
        %v = tile.view_load %y[%i, %c0] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<16x32xf32, #b>
        %a = layout.shared_alloc : !layout.buffer<32x16xf32, #s>
        layout.shared_store %a, %u : !layout.buffer<32x16xf32, #s>, tensor<32x16xf32, #a>
        %b = layout.shared_alloc : !layout.buffer<16x32xf32, #t>
        layout.shared_store %b, %v : !layout.buffer<16x32xf32, #t>, tensor<16x32xf32, #b>
        layout.proxy_fence shared
        %d = layout.async_dot %a, %b, %acc
            : !layout.buffer<32x16xf32, #s>, !layout.buffer<16x32xf32, #t>, tensor<32x32xf32, #c>
        layout.async_dot_commit
        %s = layout.async_dot_wait %d pending 0 : tensor<32x32xf32, #c>
        layout.shared_free %a : !layout.buffer<32x16xf32, #s>
        layout.shared_free %b : !layout.buffer<16x32xf32, #t>
        scf.yield %s : tensor<32x32xf32, #c>
      }
      tile.view_store %out[%j, %c0], %sum : !tile.view<f32, 2>, tensor<32x32xf32, #c>
    }
  }
  tile.return
}

// -----

#a = #layout.tile<32x16, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#b = #layout.tile<16x32, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (0, 16), (1, 0), (2, 0)], warp = [(4, 0), (8, 0)]>
#c = #layout.tile<32x32, register = [(0, 1), (0, 2), (0, 4)], lane = [(0, 8), (0, 16), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#s = #layout.shared<32x16, offsets = [1, 2, 4, 8, 16, 36, 72, 128, 256]>
#t = #layout.shared<16x32, offsets = [1, 2, 4, 8, 16, 36, 72, 144, 256]>

// What threads write is seen by copies of boxes after a fence only; threads copy it.
// CHECK-LABEL: tile.kernel @negative_boxes_written(
//   CHECK-NOT: layout.tensor_load %{{.*}} into %{{.*}} : !layout.buffer<32x16xf32
//       CHECK: layout.view_async_copy
tile.kernel @negative_boxes_written(%p: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %q: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %r: !tile.ptr<f32>,
    %m: i64, %n: i64, %ld: i64 {tile.multiple_of = 16 : i64}, %yes: i1)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %x = tile.make_view %p, [%m, %n], [%ld, %c1] : !tile.view<f32, 2>
  %y = tile.make_view %q, [%n, %m], [%ld, %c1] : !tile.view<f32, 2>
  %out = tile.make_view %r, [%m, %m], [%ld, %c1] : !tile.view<f32, 2>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #c>
  %sum = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %zero) -> (tensor<32x32xf32, #c>) : i64 {
    %u = tile.view_load %x[%c0, %i] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<32x16xf32, #a>
    %v = tile.view_load %y[%i, %c0] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<16x32xf32, #b>
    %a = layout.shared_alloc : !layout.buffer<32x16xf32, #s>
    layout.shared_store %a, %u : !layout.buffer<32x16xf32, #s>, tensor<32x16xf32, #a>
    %b = layout.shared_alloc : !layout.buffer<16x32xf32, #t>
    layout.shared_store %b, %v : !layout.buffer<16x32xf32, #t>, tensor<16x32xf32, #b>
    layout.proxy_fence shared
    %d = layout.async_dot %a, %b, %acc
        : !layout.buffer<32x16xf32, #s>, !layout.buffer<16x32xf32, #t>, tensor<32x32xf32, #c>
    layout.async_dot_commit
    %s = layout.async_dot_wait %d pending 0 : tensor<32x32xf32, #c>
    layout.shared_free %a : !layout.buffer<32x16xf32, #s>
    layout.shared_free %b : !layout.buffer<16x32xf32, #t>
    scf.yield %s : tensor<32x32xf32, #c>
  }
  tile.view_store %out[%c0, %c0], %sum : !tile.view<f32, 2>, tensor<32x32xf32, #c>
  %w = arith.constant dense<1.0> : tensor<32x16xf32, #a>
  tile.view_store %x[%c0, %c0], %w : !tile.view<f32, 2>, tensor<32x16xf32, #a>
  tile.return
}

// -----

#a = #layout.tile<32x16, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#b = #layout.tile<16x32, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (0, 16), (1, 0), (2, 0)], warp = [(4, 0), (8, 0)]>
#c = #layout.tile<32x32, register = [(0, 1), (0, 2), (0, 4)], lane = [(0, 8), (0, 16), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#s = #layout.shared<32x16, offsets = [1, 2, 4, 8, 16, 36, 72, 128, 256]>
#t = #layout.shared<16x32, offsets = [1, 2, 4, 8, 16, 36, 72, 144, 256]>

// Boxes begin at multiples of 16 bytes; threads copy what begins elsewhere.
// CHECK-LABEL: tile.kernel @negative_boxes_begin_anywhere(
//   CHECK-NOT: layout.tensor_load %{{.*}} into %{{.*}} : !layout.buffer<32x16xf32
//       CHECK: layout.view_async_copy
tile.kernel @negative_boxes_begin_anywhere(%p: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %q: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %r: !tile.ptr<f32>,
    %m: i64, %n: i64, %ld: i64 {tile.multiple_of = 16 : i64}, %yes: i1)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %c2 = arith.constant 2 : i64
  %x = tile.make_view %p, [%m, %n], [%ld, %c1] : !tile.view<f32, 2>
  %y = tile.make_view %q, [%n, %m], [%ld, %c1] : !tile.view<f32, 2>
  %out = tile.make_view %r, [%m, %m], [%ld, %c1] : !tile.view<f32, 2>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #c>
  %sum = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %zero) -> (tensor<32x32xf32, #c>) : i64 {
    %j = arith.addi %i, %c2 : i64
    %u = tile.view_load %x[%c0, %j] {layout.vector = 2 : i64} : !tile.view<f32, 2> -> tensor<32x16xf32, #a>
    %v = tile.view_load %y[%i, %c0] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<16x32xf32, #b>
    %a = layout.shared_alloc : !layout.buffer<32x16xf32, #s>
    layout.shared_store %a, %u : !layout.buffer<32x16xf32, #s>, tensor<32x16xf32, #a>
    %b = layout.shared_alloc : !layout.buffer<16x32xf32, #t>
    layout.shared_store %b, %v : !layout.buffer<16x32xf32, #t>, tensor<16x32xf32, #b>
    layout.proxy_fence shared
    %d = layout.async_dot %a, %b, %acc
        : !layout.buffer<32x16xf32, #s>, !layout.buffer<16x32xf32, #t>, tensor<32x32xf32, #c>
    layout.async_dot_commit
    %s = layout.async_dot_wait %d pending 0 : tensor<32x32xf32, #c>
    layout.shared_free %a : !layout.buffer<32x16xf32, #s>
    layout.shared_free %b : !layout.buffer<16x32xf32, #t>
    scf.yield %s : tensor<32x32xf32, #c>
  }
  tile.view_store %out[%c0, %c0], %sum : !tile.view<f32, 2>, tensor<32x32xf32, #c>
  tile.return
}
