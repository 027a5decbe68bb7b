// RUN: tessera-opt %s -split-input-file -layout-pipeline-loops="target=cuda:sm_80" | FileCheck %s

#a = #layout.tile<32x16, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#b = #layout.tile<16x32, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (0, 16), (1, 0), (2, 0)], warp = [(4, 0), (8, 0)]>
#c = #layout.tile<32x32, register = [(0, 1), (0, 2), (0, 4)], lane = [(0, 8), (0, 16), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#s = #layout.shared<32x16>
#t = #layout.shared<16x32>

// What products read from buffers comes two rounds ahead, into rings of three slots.
// CHECK-LABEL: tile.kernel @copies(
//   CHECK-DAG: %[[A:[^ ,]*]] = layout.shared_alloc : !layout.buffer<3x32x16xf32
//   CHECK-DAG: %[[B:[^ ,]*]] = layout.shared_alloc : !layout.buffer<3x16x32xf32
//       CHECK: %[[SOME:[^ ,]*]] = arith.cmpi slt, %[[LO:[^ ,]*]], %[[N:[^ ,]*]] : i64
//       CHECK: %[[SPAN:[^ ,]*]] = arith.subi %[[N]], %[[LO]] : i64
//       CHECK: %[[LEFT:[^ ,]*]] = arith.select %[[SOME]], %[[SPAN]]
//       CHECK: %[[FIRST:[^ ,]*]] = scf.for %[[K:[^ ,]*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[L:[^ ,]*]] = %[[LEFT]])
//       CHECK:   arith.cmpi ne, %[[L]]
//       CHECK:   scf.if
//       CHECK:     %[[I:[^ ,]*]] = arith.subi %[[N]], %[[L]]
//       CHECK:     %[[J:[^ ,]*]] = arith.maxsi %[[I]], %[[LO]]
//       CHECK:     %[[AK:[^ ,]*]] = layout.shared_slot %[[A]][%[[K]]]
//       CHECK:     layout.view_async_copy %{{.*}}[%{{.*}}, %[[J]]] by #{{.*}} into %[[AK]] {layout.vector = 4 : i64}
//       CHECK:     %[[BK:[^ ,]*]] = layout.shared_slot %[[B]][%[[K]]]
//       CHECK:     layout.view_async_copy %{{.*}}[%[[J]], %{{.*}}] by #{{.*}} into %[[BK]] {layout.vector = 4 : i64}
//       CHECK:   layout.async_commit
//       CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[SLOT:[^ ,]*]] = %{{.*}}, %{{.*}} = %[[FIRST]])
//  CHECK-NEXT:   layout.async_wait pending 1
//       CHECK:   layout.view_async_copy
//       CHECK:   layout.view_async_copy
//       CHECK:   layout.async_commit
//   CHECK-NOT:   tile.view_load
//       CHECK:   %[[AS:[^ ,]*]] = layout.shared_slot %[[A]][%[[SLOT]]]
//       CHECK:   %[[BS:[^ ,]*]] = layout.shared_slot %[[B]][%[[SLOT]]]
//   CHECK-NOT:   layout.shared_store
//       CHECK:   layout.shared_dot %[[AS]], %[[BS]]
//       CHECK: layout.shared_free %[[A]]
//       CHECK: layout.shared_free %[[B]]
tile.kernel @copies(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %r: !tile.ptr<f32>, %n: i64)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %x = tile.make_view %p, [%c16, %n], [%n, %c1] : !tile.view<f32, 2>
  %y = tile.make_view %q, [%n, %c16], [%c16, %c1] : !tile.view<f32, 2>
  %out = tile.make_view %r, [%c16, %c16], [%c16, %c1] : !tile.view<f32, 2>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #c>
  %sum = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %zero) -> (tensor<32x32xf32, #c>) : i64 {
    %u = tile.view_load %x[%c0, %i] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<32x16xf32, #a>
    %v = tile.view_load %y[%i, %c0] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<16x32xf32, #b>
    %a = layout.shared_alloc : !layout.buffer<32x16xf32, #s>
    layout.shared_store %a, %u : !layout.buffer<32x16xf32, #s>, tensor<32x16xf32, #a>
    %b = layout.shared_alloc : !layout.buffer<16x32xf32, #t>
    layout.shared_store %b, %v : !layout.buffer<16x32xf32, #t>, tensor<16x32xf32, #b>
    %s = layout.shared_dot %a, %b, %acc
        : !layout.buffer<32x16xf32, #s>, !layout.buffer<16x32xf32, #t>, tensor<32x32xf32, #c>
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
#s = #layout.shared<32x16>
#t = #layout.shared<16x32>

// The loop says how deep.
// CHECK-LABEL: tile.kernel @two_stages(
//       CHECK: layout.shared_alloc : !layout.buffer<2x32x16xf32
//       CHECK: scf.if
//       CHECK: layout.async_commit
//       CHECK: scf.for
//  CHECK-NEXT:   layout.async_wait pending 0
//       CHECK: }
//   CHECK-NOT: tile.num_stages
tile.kernel @two_stages(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %r: !tile.ptr<f32>, %n: i64)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %x = tile.make_view %p, [%c16, %n], [%n, %c1] : !tile.view<f32, 2>
  %y = tile.make_view %q, [%n, %c16], [%c16, %c1] : !tile.view<f32, 2>
  %out = tile.make_view %r, [%c16, %c16], [%c16, %c1] : !tile.view<f32, 2>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #c>
  %sum = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %zero) -> (tensor<32x32xf32, #c>) : i64 {
    %u = tile.view_load %x[%c0, %i] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<32x16xf32, #a>
    %v = tile.view_load %y[%i, %c0] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<16x32xf32, #b>
    %a = layout.shared_alloc : !layout.buffer<32x16xf32, #s>
    layout.shared_store %a, %u : !layout.buffer<32x16xf32, #s>, tensor<32x16xf32, #a>
    %b = layout.shared_alloc : !layout.buffer<16x32xf32, #t>
    layout.shared_store %b, %v : !layout.buffer<16x32xf32, #t>, tensor<16x32xf32, #b>
    %s = layout.shared_dot %a, %b, %acc
        : !layout.buffer<32x16xf32, #s>, !layout.buffer<16x32xf32, #t>, tensor<32x32xf32, #c>
    layout.shared_free %a : !layout.buffer<32x16xf32, #s>
    layout.shared_free %b : !layout.buffer<16x32xf32, #t>
    scf.yield %s : tensor<32x32xf32, #c>
  } {tile.num_stages = 2 : i64}
  tile.view_store %out[%c0, %c0], %sum : !tile.view<f32, 2>, tensor<32x32xf32, #c>
  tile.return
}

// -----

#a = #layout.tile<32x16, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#b = #layout.tile<16x32, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (0, 16), (1, 0), (2, 0)], warp = [(4, 0), (8, 0)]>
#c = #layout.tile<32x32, register = [(0, 1), (0, 2), (0, 4)], lane = [(0, 8), (0, 16), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#s = #layout.shared<32x16>
#t = #layout.shared<16x32>

// One stage is no pipeline.
// CHECK-LABEL: tile.kernel @negative_one_stage(
//       CHECK: scf.for
//   CHECK-NOT: async_copy
//       CHECK: tile.return
tile.kernel @negative_one_stage(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %r: !tile.ptr<f32>, %n: i64)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %x = tile.make_view %p, [%c16, %n], [%n, %c1] : !tile.view<f32, 2>
  %y = tile.make_view %q, [%n, %c16], [%c16, %c1] : !tile.view<f32, 2>
  %out = tile.make_view %r, [%c16, %c16], [%c16, %c1] : !tile.view<f32, 2>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #c>
  %sum = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %zero) -> (tensor<32x32xf32, #c>) : i64 {
    %u = tile.view_load %x[%c0, %i] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<32x16xf32, #a>
    %v = tile.view_load %y[%i, %c0] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<16x32xf32, #b>
    %a = layout.shared_alloc : !layout.buffer<32x16xf32, #s>
    layout.shared_store %a, %u : !layout.buffer<32x16xf32, #s>, tensor<32x16xf32, #a>
    %b = layout.shared_alloc : !layout.buffer<16x32xf32, #t>
    layout.shared_store %b, %v : !layout.buffer<16x32xf32, #t>, tensor<16x32xf32, #b>
    %s = layout.shared_dot %a, %b, %acc
        : !layout.buffer<32x16xf32, #s>, !layout.buffer<16x32xf32, #t>, tensor<32x32xf32, #c>
    layout.shared_free %a : !layout.buffer<32x16xf32, #s>
    layout.shared_free %b : !layout.buffer<16x32xf32, #t>
    scf.yield %s : tensor<32x32xf32, #c>
  } {tile.num_stages = 1 : i64}
  tile.view_store %out[%c0, %c0], %sum : !tile.view<f32, 2>, tensor<32x32xf32, #c>
  tile.return
}

// -----

#a = #layout.tile<32x16, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#b = #layout.tile<16x32, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (0, 16), (1, 0), (2, 0)], warp = [(4, 0), (8, 0)]>
#c = #layout.tile<32x32, register = [(0, 1), (0, 2), (0, 4)], lane = [(0, 8), (0, 16), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#s = #layout.shared<32x16>
#t = #layout.shared<16x32>

// There is no later round.
// CHECK-LABEL: tile.kernel @negative_one_round(
//       CHECK: scf.for
//   CHECK-NOT: async_copy
//       CHECK: tile.return
tile.kernel @negative_one_round(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %r: !tile.ptr<f32>, %n: i64)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %x = tile.make_view %p, [%c16, %n], [%n, %c1] : !tile.view<f32, 2>
  %y = tile.make_view %q, [%n, %c16], [%c16, %c1] : !tile.view<f32, 2>
  %out = tile.make_view %r, [%c16, %c16], [%c16, %c1] : !tile.view<f32, 2>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #c>
  %sum = scf.for %i = %c0 to %c16 step %c16 iter_args(%acc = %zero) -> (tensor<32x32xf32, #c>) : i64 {
    %u = tile.view_load %x[%c0, %i] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<32x16xf32, #a>
    %v = tile.view_load %y[%i, %c0] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<16x32xf32, #b>
    %a = layout.shared_alloc : !layout.buffer<32x16xf32, #s>
    layout.shared_store %a, %u : !layout.buffer<32x16xf32, #s>, tensor<32x16xf32, #a>
    %b = layout.shared_alloc : !layout.buffer<16x32xf32, #t>
    layout.shared_store %b, %v : !layout.buffer<16x32xf32, #t>, tensor<16x32xf32, #b>
    %s = layout.shared_dot %a, %b, %acc
        : !layout.buffer<32x16xf32, #s>, !layout.buffer<16x32xf32, #t>, tensor<32x32xf32, #c>
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
#s = #layout.shared<32x16>
#t = #layout.shared<16x32>

// Rounds are counted: an index ahead may not have a place in its type.
// CHECK-LABEL: tile.kernel @at_the_end_of_the_index(
//       CHECK: %[[MOST:[^ ,]*]] = arith.constant 9223372036854775807 : i64
//       CHECK: %[[LEFT:[^ ,]*]] = scf.if
//       CHECK:   %[[I:[^ ,]*]] = arith.subi %[[MOST]], %[[L:[^ ,]*]] : i64
//       CHECK:   %[[LAST:[^ ,]*]] = arith.constant 9223372036854775806 : i64
//       CHECK:   arith.minsi %[[I]], %[[LAST]] : i64
//       CHECK:   %[[MORE:[^ ,]*]] = arith.cmpi ugt, %[[L]], %[[STEP:[^ ,]*]] : i64
//       CHECK:   %[[REST:[^ ,]*]] = arith.subi %[[L]], %[[STEP]] : i64
//       CHECK:   %[[NEXT:[^ ,]*]] = arith.select %[[MORE]], %[[REST]]
//       CHECK:   scf.yield %[[NEXT]]
tile.kernel @at_the_end_of_the_index(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %r: !tile.ptr<f32>, %n: i64)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %x = tile.make_view %p, [%c16, %n], [%n, %c1] : !tile.view<f32, 2>
  %y = tile.make_view %q, [%n, %c16], [%c16, %c1] : !tile.view<f32, 2>
  %out = tile.make_view %r, [%c16, %c16], [%c16, %c1] : !tile.view<f32, 2>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #c>
  %most = arith.constant 9223372036854775807 : i64
  %sum = scf.for %i = %n to %most step %c16 iter_args(%acc = %zero) -> (tensor<32x32xf32, #c>) : i64 {
    %u = tile.view_load %x[%c0, %i] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<32x16xf32, #a>
    %v = tile.view_load %y[%i, %c0] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<16x32xf32, #b>
    %a = layout.shared_alloc : !layout.buffer<32x16xf32, #s>
    layout.shared_store %a, %u : !layout.buffer<32x16xf32, #s>, tensor<32x16xf32, #a>
    %b = layout.shared_alloc : !layout.buffer<16x32xf32, #t>
    layout.shared_store %b, %v : !layout.buffer<16x32xf32, #t>, tensor<16x32xf32, #b>
    %s = layout.shared_dot %a, %b, %acc
        : !layout.buffer<32x16xf32, #s>, !layout.buffer<16x32xf32, #t>, tensor<32x32xf32, #c>
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
#s = #layout.shared<32x16>
#t = #layout.shared<16x32>

// Copies have at least four bytes. Narrower loads come one round ahead, once the tiles of the round are stored.
// CHECK-LABEL: tile.kernel @registers(
//       CHECK: %[[FIRST:[^ ,]*]]:3 = scf.if
//       CHECK:   %[[U:[^ ,]*]] = tile.view_load
//       CHECK:   %[[V:[^ ,]*]] = tile.view_load
//       CHECK:   scf.yield %{{.*}}, %[[U]], %[[V]]
//       CHECK: scf.for {{.*}}, %[[LEFT:[^ ,]*]] = %[[FIRST]]#0, %[[TU:[^ ,]*]] = %[[FIRST]]#1, %[[TV:[^ ,]*]] = %[[FIRST]]#2)
//       CHECK:   layout.shared_store %[[A:[^ ,]*]], %[[TU]]
//       CHECK:   layout.shared_store %[[B:[^ ,]*]], %[[TV]]
//       CHECK:   scf.if
//       CHECK:     tile.view_load
//       CHECK:     tile.view_load
//       CHECK:   } else {
//       CHECK:     scf.yield %[[LEFT]], %[[TU]], %[[TV]]
//       CHECK:   layout.shared_dot %[[A]], %[[B]]
//       CHECK:   layout.shared_free %[[A]]
tile.kernel @registers(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %r: !tile.ptr<f32>, %n: i64)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %x = tile.make_view %p, [%c16, %n], [%n, %c1] : !tile.view<f16, 2>
  %y = tile.make_view %q, [%n, %c16], [%c16, %c1] : !tile.view<f16, 2>
  %out = tile.make_view %r, [%c16, %c16], [%c16, %c1] : !tile.view<f32, 2>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #c>
  %sum = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %zero) -> (tensor<32x32xf32, #c>) : i64 {
    %u = tile.view_load %x[%c0, %i] : !tile.view<f16, 2> -> tensor<32x16xf16, #a>
    %v = tile.view_load %y[%i, %c0] : !tile.view<f16, 2> -> tensor<16x32xf16, #b>
    %a = layout.shared_alloc : !layout.buffer<32x16xf16, #s>
    layout.shared_store %a, %u : !layout.buffer<32x16xf16, #s>, tensor<32x16xf16, #a>
    %b = layout.shared_alloc : !layout.buffer<16x32xf16, #t>
    layout.shared_store %b, %v : !layout.buffer<16x32xf16, #t>, tensor<16x32xf16, #b>
    %s = layout.shared_dot %a, %b, %acc
        : !layout.buffer<32x16xf16, #s>, !layout.buffer<16x32xf16, #t>, tensor<32x32xf32, #c>
    layout.shared_free %a : !layout.buffer<32x16xf16, #s>
    layout.shared_free %b : !layout.buffer<16x32xf16, #t>
    scf.yield %s : tensor<32x32xf32, #c>
  }
  tile.view_store %out[%c0, %c0], %sum : !tile.view<f32, 2>, tensor<32x32xf32, #c>
  tile.return
}

// -----

#a = #layout.tile<32x16, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#b = #layout.tile<16x32, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (0, 16), (1, 0), (2, 0)], warp = [(4, 0), (8, 0)]>
#c = #layout.tile<32x32, register = [(0, 1), (0, 2), (0, 4)], lane = [(0, 8), (0, 16), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#s = #layout.shared<32x16>
#t = #layout.shared<16x32>

// What else than products uses a tile is read back from its slot, in the layout of the load.
// CHECK-LABEL: tile.kernel @read_back(
//       CHECK: scf.for
//       CHECK: scf.for
//       CHECK:   layout.async_commit
//       CHECK:   %[[AT:[^ ,]*]] = layout.shared_slot %{{.*}} : !layout.buffer<3x16x32xf32
//       CHECK:   %[[V:[^ ,]*]] = layout.shared_load %[[AT]]
//       CHECK:   %[[W:[^ ,]*]] = arith.addf %[[V]], %[[V]]
//       CHECK:   layout.shared_store %[[B:[^ ,]*]], %[[W]]
//       CHECK:   layout.shared_dot %{{.*}}, %[[B]]
tile.kernel @read_back(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %r: !tile.ptr<f32>, %n: i64)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %x = tile.make_view %p, [%c16, %n], [%n, %c1] : !tile.view<f32, 2>
  %y = tile.make_view %q, [%n, %c16], [%c16, %c1] : !tile.view<f32, 2>
  %out = tile.make_view %r, [%c16, %c16], [%c16, %c1] : !tile.view<f32, 2>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #c>
  %sum = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %zero) -> (tensor<32x32xf32, #c>) : i64 {
    %u = tile.view_load %x[%c0, %i] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<32x16xf32, #a>
    %v = tile.view_load %y[%i, %c0] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<16x32xf32, #b>
    %w = arith.addf %v, %v : tensor<16x32xf32, #b>
    %a = layout.shared_alloc : !layout.buffer<32x16xf32, #s>
    layout.shared_store %a, %u : !layout.buffer<32x16xf32, #s>, tensor<32x16xf32, #a>
    %b = layout.shared_alloc : !layout.buffer<16x32xf32, #t>
    layout.shared_store %b, %w : !layout.buffer<16x32xf32, #t>, tensor<16x32xf32, #b>
    %s = layout.shared_dot %a, %b, %acc
        : !layout.buffer<32x16xf32, #s>, !layout.buffer<16x32xf32, #t>, tensor<32x32xf32, #c>
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
#f = #layout.tile<32x16, register = [(0, 1), (0, 2), (0, 4), (0, 8)], lane = [(1, 0), (2, 0), (4, 0), (8, 0), (16, 0)], warp = [(0, 0), (0, 0)]>
#g = #layout.tile<16x32, register = [(1, 0), (2, 0), (4, 0), (8, 0)], lane = [(0, 1), (0, 2), (0, 4), (0, 8), (0, 16)], warp = [(0, 0), (0, 0)]>

// A tile that is converted is read as what it is converted to.
// CHECK-LABEL: tile.kernel @converted(
//       CHECK: scf.for
//       CHECK: scf.for
//       CHECK:   %[[F:[^ ,]*]] = layout.shared_load %{{.*}} -> tensor<32x16xf32, #[[LF:.*]]>
//       CHECK:   %[[G:[^ ,]*]] = layout.shared_load %{{.*}} -> tensor<16x32xf32, #[[LG:.*]]>
//   CHECK-NOT:   layout.convert
//       CHECK:   tile.dot %[[F]], %[[G]]
tile.kernel @converted(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %r: !tile.ptr<f32>, %n: i64)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %x = tile.make_view %p, [%c16, %n], [%n, %c1] : !tile.view<f32, 2>
  %y = tile.make_view %q, [%n, %c16], [%c16, %c1] : !tile.view<f32, 2>
  %out = tile.make_view %r, [%c16, %c16], [%c16, %c1] : !tile.view<f32, 2>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #c>
  %sum = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %zero) -> (tensor<32x32xf32, #c>) : i64 {
    %u = tile.view_load %x[%c0, %i] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<32x16xf32, #a>
    %v = tile.view_load %y[%i, %c0] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<16x32xf32, #b>
    %f = layout.convert %u : tensor<32x16xf32, #a> -> tensor<32x16xf32, #f>
    %g = layout.convert %v : tensor<16x32xf32, #b> -> tensor<16x32xf32, #g>
    %s = tile.dot %f, %g, %acc : tensor<32x16xf32, #f>, tensor<16x32xf32, #g> -> tensor<32x32xf32, #c>
    scf.yield %s : tensor<32x32xf32, #c>
  }
  tile.view_store %out[%c0, %c0], %sum : !tile.view<f32, 2>, tensor<32x32xf32, #c>
  tile.return
}

// -----

#a = #layout.tile<32x16, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#b = #layout.tile<16x32, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (0, 16), (1, 0), (2, 0)], warp = [(4, 0), (8, 0)]>
#c = #layout.tile<32x32, register = [(0, 1), (0, 2), (0, 4)], lane = [(0, 8), (0, 16), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#s = #layout.shared<32x16>
#t = #layout.shared<16x32>

// Pointers that go round the loop do so a second time, ahead; the loop has no other use for them.
// CHECK-LABEL: tile.kernel @carried(
//       CHECK: %[[P:[^ ,]*]] = tile.splat
//       CHECK: %[[FIRST:[^ ,]*]]:2 = scf.for {{.*}}, %[[AT:[^ ,]*]] = %[[P]])
//       CHECK:   scf.if
//       CHECK:     layout.async_copy %[[AT]] mask %{{.*}} into
//       CHECK:     layout.async_copy %{{.*}} into
//       CHECK:     %[[NEXT:[^ ,]*]] = tile.addptr %[[AT]]
//       CHECK:     scf.yield %{{.*}}, %[[NEXT]]
//       CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %[[FIRST]]#0, %{{.*}} = %[[FIRST]]#1)
tile.kernel @carried(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %r: !tile.ptr<f32>, %n: i64, %mask: i1)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #c>
  %four = arith.constant dense<4> : tensor<32x16xi32, #a>
  %ps = tile.splat %p : tensor<32x16x!tile.ptr<f32>, #a>
  %qs = tile.splat %q : tensor<16x32x!tile.ptr<f32>, #b>
  %rs = tile.splat %r : tensor<32x32x!tile.ptr<f32>, #c>
  %ma = tile.splat %mask : tensor<32x16xi1, #a>
  %sum, %last = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %at = %ps) -> (tensor<32x32xf32, #c>, tensor<32x16x!tile.ptr<f32>, #a>) : i64 {
    %u = tile.load %at mask %ma {layout.vector = 4 : i64} : tensor<32x16x!tile.ptr<f32>, #a>
    %v = tile.load %qs {layout.vector = 4 : i64} : tensor<16x32x!tile.ptr<f32>, #b>
    %a = layout.shared_alloc : !layout.buffer<32x16xf32, #s>
    layout.shared_store %a, %u : !layout.buffer<32x16xf32, #s>, tensor<32x16xf32, #a>
    %b = layout.shared_alloc : !layout.buffer<16x32xf32, #t>
    layout.shared_store %b, %v : !layout.buffer<16x32xf32, #t>, tensor<16x32xf32, #b>
    %s = layout.shared_dot %a, %b, %acc
        : !layout.buffer<32x16xf32, #s>, !layout.buffer<16x32xf32, #t>, tensor<32x32xf32, #c>
    layout.shared_free %a : !layout.buffer<32x16xf32, #s>
    layout.shared_free %b : !layout.buffer<16x32xf32, #t>
    %next = tile.addptr %at, %four : tensor<32x16x!tile.ptr<f32>, #a>, tensor<32x16xi32, #a>
    scf.yield %s, %next : tensor<32x32xf32, #c>, tensor<32x16x!tile.ptr<f32>, #a>
  }
  tile.store %rs, %sum : tensor<32x32x!tile.ptr<f32>, #c>
  tile.return
}

// -----

#a = #layout.tile<32x16, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#b = #layout.tile<16x32, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (0, 16), (1, 0), (2, 0)], warp = [(4, 0), (8, 0)]>
#c = #layout.tile<32x32, register = [(0, 1), (0, 2), (0, 4)], lane = [(0, 8), (0, 16), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#s = #layout.shared<32x16>
#t = #layout.shared<16x32>

// An address that is loaded is loaded ahead, too.
// CHECK-LABEL: tile.kernel @indirect(
//       CHECK: scf.for
//       CHECK:   layout.async_copy
//       CHECK: %[[AT:[^ ,]*]] = tile.load %{{.*}} : tensor<16x32x!tile.ptr<i32>
//       CHECK: scf.for
tile.kernel @indirect(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %r: !tile.ptr<f32>, %n: i64, %mask: i1, %table: !tile.ptr<i32>)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #c>
  %four = arith.constant dense<4> : tensor<32x16xi32, #a>
  %ps = tile.splat %p : tensor<32x16x!tile.ptr<f32>, #a>
  %qs = tile.splat %q : tensor<16x32x!tile.ptr<f32>, #b>
  %rs = tile.splat %r : tensor<32x32x!tile.ptr<f32>, #c>
  %ma = tile.splat %mask : tensor<32x16xi1, #a>
  %ts = tile.splat %table : tensor<16x32x!tile.ptr<i32>, #b>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x32xf32, #c>) : i64 {
    %u = tile.load %ps {layout.vector = 4 : i64} : tensor<32x16x!tile.ptr<f32>, #a>
    %off = arith.trunci %i : i64 to i32
    %offs = tile.splat %off : tensor<16x32xi32, #b>
    %tp = tile.addptr %ts, %offs : tensor<16x32x!tile.ptr<i32>, #b>, tensor<16x32xi32, #b>
    %at = tile.load %tp : tensor<16x32x!tile.ptr<i32>, #b>
    %vp = tile.addptr %qs, %at : tensor<16x32x!tile.ptr<f32>, #b>, tensor<16x32xi32, #b>
    %v = tile.load %vp : tensor<16x32x!tile.ptr<f32>, #b>
    %a = layout.shared_alloc : !layout.buffer<32x16xf32, #s>
    layout.shared_store %a, %u : !layout.buffer<32x16xf32, #s>, tensor<32x16xf32, #a>
    %b = layout.shared_alloc : !layout.buffer<16x32xf32, #t>
    layout.shared_store %b, %v : !layout.buffer<16x32xf32, #t>, tensor<16x32xf32, #b>
    %s = layout.shared_dot %a, %b, %acc
        : !layout.buffer<32x16xf32, #s>, !layout.buffer<16x32xf32, #t>, tensor<32x32xf32, #c>
    layout.shared_free %a : !layout.buffer<32x16xf32, #s>
    layout.shared_free %b : !layout.buffer<16x32xf32, #t>
    scf.yield %s : tensor<32x32xf32, #c>
  }
  tile.store %rs, %sum : tensor<32x32x!tile.ptr<f32>, #c>
  tile.return
}

// -----

#a = #layout.tile<32x16, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#b = #layout.tile<16x32, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (0, 16), (1, 0), (2, 0)], warp = [(4, 0), (8, 0)]>
#c = #layout.tile<32x32, register = [(0, 1), (0, 2), (0, 4)], lane = [(0, 8), (0, 16), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#s = #layout.shared<32x16>
#t = #layout.shared<16x32>

// Copies give zeros for what they leave out.
// CHECK-LABEL: tile.kernel @other(
//       CHECK: scf.for
//       CHECK:   layout.async_copy %{{.*}} mask %{{.*}} into %{{.*}} : tensor<16x32x!tile.ptr<f32>
//       CHECK: tile.load %{{.*}} mask %{{.*}} other
//       CHECK: scf.for
//       CHECK:   layout.async_copy %{{.*}} mask %{{.*}} into %{{.*}} : tensor<16x32x!tile.ptr<f32>
//       CHECK:   layout.shared_store %{{.*}} : !layout.buffer<32x16xf32
//       CHECK:   tile.load %{{.*}} mask %{{.*}} other
tile.kernel @other(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %r: !tile.ptr<f32>, %n: i64, %mask: i1)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #c>
  %four = arith.constant dense<4> : tensor<32x16xi32, #a>
  %ps = tile.splat %p : tensor<32x16x!tile.ptr<f32>, #a>
  %qs = tile.splat %q : tensor<16x32x!tile.ptr<f32>, #b>
  %rs = tile.splat %r : tensor<32x32x!tile.ptr<f32>, #c>
  %ma = tile.splat %mask : tensor<32x16xi1, #a>
  %one = arith.constant dense<1.0> : tensor<32x16xf32, #a>
  %none = arith.constant dense<0.0> : tensor<16x32xf32, #b>
  %mb = tile.splat %mask : tensor<16x32xi1, #b>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x32xf32, #c>) : i64 {
    %u = tile.load %ps mask %ma other %one {layout.vector = 4 : i64} : tensor<32x16x!tile.ptr<f32>, #a>
    %v = tile.load %qs mask %mb other %none {layout.vector = 4 : i64} : tensor<16x32x!tile.ptr<f32>, #b>
    %a = layout.shared_alloc : !layout.buffer<32x16xf32, #s>
    layout.shared_store %a, %u : !layout.buffer<32x16xf32, #s>, tensor<32x16xf32, #a>
    %b = layout.shared_alloc : !layout.buffer<16x32xf32, #t>
    layout.shared_store %b, %v : !layout.buffer<16x32xf32, #t>, tensor<16x32xf32, #b>
    %s = layout.shared_dot %a, %b, %acc
        : !layout.buffer<32x16xf32, #s>, !layout.buffer<16x32xf32, #t>, tensor<32x32xf32, #c>
    layout.shared_free %a : !layout.buffer<32x16xf32, #s>
    layout.shared_free %b : !layout.buffer<16x32xf32, #t>
    scf.yield %s : tensor<32x32xf32, #c>
  }
  tile.store %rs, %sum : tensor<32x32x!tile.ptr<f32>, #c>
  tile.return
}

// -----

#a = #layout.tile<32x16, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#b = #layout.tile<16x32, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (0, 16), (1, 0), (2, 0)], warp = [(4, 0), (8, 0)]>
#c = #layout.tile<32x32, register = [(0, 1), (0, 2), (0, 4)], lane = [(0, 8), (0, 16), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>

// A loop without products is a pipeline where it asks for that.
// CHECK-LABEL: tile.kernel @asked(
//       CHECK: layout.shared_alloc : !layout.buffer<4x32x32xf32
//       CHECK: layout.async_copy
//       CHECK: scf.for
//  CHECK-NEXT:   layout.async_wait pending 2
//       CHECK:   layout.shared_load
//       CHECK:   arith.addf
tile.kernel @asked(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %r: !tile.ptr<f32>, %n: i64, %mask: i1)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #c>
  %four = arith.constant dense<4> : tensor<32x16xi32, #a>
  %ps = tile.splat %p : tensor<32x16x!tile.ptr<f32>, #a>
  %qs = tile.splat %q : tensor<16x32x!tile.ptr<f32>, #b>
  %rs = tile.splat %r : tensor<32x32x!tile.ptr<f32>, #c>
  %ma = tile.splat %mask : tensor<32x16xi1, #a>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x32xf32, #c>) : i64 {
    %off = arith.trunci %i : i64 to i32
    %offs = tile.splat %off : tensor<32x32xi32, #c>
    %at = tile.addptr %rs, %offs : tensor<32x32x!tile.ptr<f32>, #c>, tensor<32x32xi32, #c>
    %v = tile.load %at {layout.vector = 4 : i64} : tensor<32x32x!tile.ptr<f32>, #c>
    %s = arith.addf %acc, %v : tensor<32x32xf32, #c>
    scf.yield %s : tensor<32x32xf32, #c>
  } {tile.num_stages = 4 : i64}
  tile.store %rs, %sum : tensor<32x32x!tile.ptr<f32>, #c>
  tile.return
}

// -----

#a = #layout.tile<32x16, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#b = #layout.tile<16x32, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (0, 16), (1, 0), (2, 0)], warp = [(4, 0), (8, 0)]>
#c = #layout.tile<32x32, register = [(0, 1), (0, 2), (0, 4)], lane = [(0, 8), (0, 16), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>

// Else it is not.
// CHECK-LABEL: tile.kernel @negative_unasked(
//       CHECK: scf.for
//   CHECK-NOT: async_copy
//       CHECK: tile.return
tile.kernel @negative_unasked(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %r: !tile.ptr<f32>, %n: i64, %mask: i1)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #c>
  %four = arith.constant dense<4> : tensor<32x16xi32, #a>
  %ps = tile.splat %p : tensor<32x16x!tile.ptr<f32>, #a>
  %qs = tile.splat %q : tensor<16x32x!tile.ptr<f32>, #b>
  %rs = tile.splat %r : tensor<32x32x!tile.ptr<f32>, #c>
  %ma = tile.splat %mask : tensor<32x16xi1, #a>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x32xf32, #c>) : i64 {
    %off = arith.trunci %i : i64 to i32
    %offs = tile.splat %off : tensor<32x32xi32, #c>
    %at = tile.addptr %rs, %offs : tensor<32x32x!tile.ptr<f32>, #c>, tensor<32x32xi32, #c>
    %v = tile.load %at {layout.vector = 4 : i64} : tensor<32x32x!tile.ptr<f32>, #c>
    %s = arith.addf %acc, %v : tensor<32x32xf32, #c>
    scf.yield %s : tensor<32x32xf32, #c>
  }
  tile.store %rs, %sum : tensor<32x32x!tile.ptr<f32>, #c>
  tile.return
}

// -----

#a = #layout.tile<32x16, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#b = #layout.tile<16x32, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (0, 16), (1, 0), (2, 0)], warp = [(4, 0), (8, 0)]>
#c = #layout.tile<32x32, register = [(0, 1), (0, 2), (0, 4)], lane = [(0, 8), (0, 16), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#s = #layout.shared<32x16>
#t = #layout.shared<16x32>

// The loop writes what a later round loads (SEMANTICS M3).
// CHECK-LABEL: tile.kernel @negative_written(
//       CHECK: scf.for
//   CHECK-NOT: async_copy
//       CHECK: tile.return
tile.kernel @negative_written(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %r: !tile.ptr<f32>, %n: i64)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %x = tile.make_view %p, [%c16, %n], [%n, %c1] : !tile.view<f32, 2>
  %y = tile.make_view %q, [%n, %c16], [%c16, %c1] : !tile.view<f32, 2>
  %out = tile.make_view %r, [%c16, %c16], [%c16, %c1] : !tile.view<f32, 2>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #c>
  %sum = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %zero) -> (tensor<32x32xf32, #c>) : i64 {
    %u = tile.view_load %x[%c0, %i] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<32x16xf32, #a>
    %v = tile.view_load %y[%i, %c0] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<16x32xf32, #b>
    %a = layout.shared_alloc : !layout.buffer<32x16xf32, #s>
    layout.shared_store %a, %u : !layout.buffer<32x16xf32, #s>, tensor<32x16xf32, #a>
    %b = layout.shared_alloc : !layout.buffer<16x32xf32, #t>
    layout.shared_store %b, %v : !layout.buffer<16x32xf32, #t>, tensor<16x32xf32, #b>
    %s = layout.shared_dot %a, %b, %acc
        : !layout.buffer<32x16xf32, #s>, !layout.buffer<16x32xf32, #t>, tensor<32x32xf32, #c>
    layout.shared_free %a : !layout.buffer<32x16xf32, #s>
    layout.shared_free %b : !layout.buffer<16x32xf32, #t>
    tile.view_store %x[%c0, %i], %u : !tile.view<f32, 2>, tensor<32x16xf32, #a>
    tile.view_store %y[%i, %c0], %v : !tile.view<f32, 2>, tensor<16x32xf32, #b>
    scf.yield %s : tensor<32x32xf32, #c>
  }
  tile.view_store %out[%c0, %c0], %sum : !tile.view<f32, 2>, tensor<32x32xf32, #c>
  tile.return
}

// -----

#a = #layout.tile<32x16, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#b = #layout.tile<16x32, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (0, 16), (1, 0), (2, 0)], warp = [(4, 0), (8, 0)]>
#c = #layout.tile<32x32, register = [(0, 1), (0, 2), (0, 4)], lane = [(0, 8), (0, 16), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#s = #layout.shared<32x16>
#t = #layout.shared<16x32>

// Arguments are apart.
// CHECK-LABEL: tile.kernel @written_elsewhere(
//       CHECK: layout.view_async_copy
//       CHECK: scf.for
//       CHECK:   tile.view_store
tile.kernel @written_elsewhere(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %r: !tile.ptr<f32>, %n: i64)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %x = tile.make_view %p, [%c16, %n], [%n, %c1] : !tile.view<f32, 2>
  %y = tile.make_view %q, [%n, %c16], [%c16, %c1] : !tile.view<f32, 2>
  %out = tile.make_view %r, [%c16, %c16], [%c16, %c1] : !tile.view<f32, 2>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #c>
  %sum = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %zero) -> (tensor<32x32xf32, #c>) : i64 {
    %u = tile.view_load %x[%c0, %i] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<32x16xf32, #a>
    %v = tile.view_load %y[%i, %c0] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<16x32xf32, #b>
    %a = layout.shared_alloc : !layout.buffer<32x16xf32, #s>
    layout.shared_store %a, %u : !layout.buffer<32x16xf32, #s>, tensor<32x16xf32, #a>
    %b = layout.shared_alloc : !layout.buffer<16x32xf32, #t>
    layout.shared_store %b, %v : !layout.buffer<16x32xf32, #t>, tensor<16x32xf32, #b>
    %s = layout.shared_dot %a, %b, %acc
        : !layout.buffer<32x16xf32, #s>, !layout.buffer<16x32xf32, #t>, tensor<32x32xf32, #c>
    layout.shared_free %a : !layout.buffer<32x16xf32, #s>
    layout.shared_free %b : !layout.buffer<16x32xf32, #t>
    tile.view_store %out[%c0, %c0], %s : !tile.view<f32, 2>, tensor<32x32xf32, #c>
    scf.yield %s : tensor<32x32xf32, #c>
  }
  tile.view_store %out[%c0, %c0], %sum : !tile.view<f32, 2>, tensor<32x32xf32, #c>
  tile.return
}

// -----

#a = #layout.tile<32x16, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#b = #layout.tile<16x32, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (0, 16), (1, 0), (2, 0)], warp = [(4, 0), (8, 0)]>
#c = #layout.tile<32x32, register = [(0, 1), (0, 2), (0, 4)], lane = [(0, 8), (0, 16), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#s = #layout.shared<32x16>
#t = #layout.shared<16x32>

// What comes after an acquire is not loaded before it (SEMANTICS M5).
// CHECK-LABEL: tile.kernel @negative_acquire(
//       CHECK: scf.for
//   CHECK-NOT: async_copy
//       CHECK: tile.return
tile.kernel @negative_acquire(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %r: !tile.ptr<f32>, %n: i64, %flag: !tile.ptr<i32>)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %x = tile.make_view %p, [%c16, %n], [%n, %c1] : !tile.view<f32, 2>
  %y = tile.make_view %q, [%n, %c16], [%c16, %c1] : !tile.view<f32, 2>
  %out = tile.make_view %r, [%c16, %c16], [%c16, %c1] : !tile.view<f32, 2>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #c>
  %sum = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %zero) -> (tensor<32x32xf32, #c>) : i64 {
    %u = tile.view_load %x[%c0, %i] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<32x16xf32, #a>
    %v = tile.view_load %y[%i, %c0] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<16x32xf32, #b>
    %a = layout.shared_alloc : !layout.buffer<32x16xf32, #s>
    layout.shared_store %a, %u : !layout.buffer<32x16xf32, #s>, tensor<32x16xf32, #a>
    %b = layout.shared_alloc : !layout.buffer<16x32xf32, #t>
    layout.shared_store %b, %v : !layout.buffer<16x32xf32, #t>, tensor<16x32xf32, #b>
    %s = layout.shared_dot %a, %b, %acc
        : !layout.buffer<32x16xf32, #s>, !layout.buffer<16x32xf32, #t>, tensor<32x32xf32, #c>
    layout.shared_free %a : !layout.buffer<32x16xf32, #s>
    layout.shared_free %b : !layout.buffer<16x32xf32, #t>
    %seen = tile.atomic_load acquire device %flag : !tile.ptr<i32>
    scf.yield %s : tensor<32x32xf32, #c>
  }
  tile.view_store %out[%c0, %c0], %sum : !tile.view<f32, 2>, tensor<32x32xf32, #c>
  tile.return
}

// -----

#a = #layout.tile<32x16, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#b = #layout.tile<16x32, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (0, 16), (1, 0), (2, 0)], warp = [(4, 0), (8, 0)]>
#c = #layout.tile<32x32, register = [(0, 1), (0, 2), (0, 4)], lane = [(0, 8), (0, 16), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#s = #layout.shared<32x16>
#t = #layout.shared<16x32>

// Such loads are made where they stand.
// CHECK-LABEL: tile.kernel @negative_reload(
//       CHECK: scf.for
//   CHECK-NOT: async_copy
//       CHECK: tile.return
tile.kernel @negative_reload(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %r: !tile.ptr<f32>, %n: i64)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %x = tile.make_view %p, [%c16, %n], [%n, %c1] : !tile.view<f32, 2>
  %y = tile.make_view %q, [%n, %c16], [%c16, %c1] : !tile.view<f32, 2>
  %out = tile.make_view %r, [%c16, %c16], [%c16, %c1] : !tile.view<f32, 2>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #c>
  %sum = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %zero) -> (tensor<32x32xf32, #c>) : i64 {
    %u = tile.view_load %x[%c0, %i] reload {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<32x16xf32, #a>
    %v = tile.view_load %y[%i, %c0] reload {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<16x32xf32, #b>
    %a = layout.shared_alloc : !layout.buffer<32x16xf32, #s>
    layout.shared_store %a, %u : !layout.buffer<32x16xf32, #s>, tensor<32x16xf32, #a>
    %b = layout.shared_alloc : !layout.buffer<16x32xf32, #t>
    layout.shared_store %b, %v : !layout.buffer<16x32xf32, #t>, tensor<16x32xf32, #b>
    %s = layout.shared_dot %a, %b, %acc
        : !layout.buffer<32x16xf32, #s>, !layout.buffer<16x32xf32, #t>, tensor<32x32xf32, #c>
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
#s = #layout.shared<32x16>
#t = #layout.shared<16x32>

// The product of a round is waited for in the next one, and its slots are filled after that.
// CHECK-LABEL: tile.kernel @flying(
//       CHECK: scf.for
//       CHECK: scf.for {{.*}} iter_args(%[[ACC:[^ ]*]] =
//  CHECK-NEXT:   layout.async_wait pending 1
//  CHECK-NEXT:   layout.proxy_fence shared
//   CHECK-NOT:   layout.proxy_fence
//       CHECK:   %[[D:[^ ,]*]] = layout.async_dot %{{.*}}, %{{.*}}, %[[ACC]]
//  CHECK-NEXT:   layout.async_dot_commit
//  CHECK-NEXT:   %[[W:[^ ,]*]] = layout.async_dot_wait %[[D]] pending 1
//       CHECK:   layout.view_async_copy
//       CHECK:   layout.async_commit
//       CHECK:   scf.yield %[[W]]
//       CHECK: %[[ALL:[^ ,]*]] = layout.async_dot_wait %{{.*}} pending 0
//       CHECK: layout.shared_free
//       CHECK: tile.view_store %{{.*}}, %[[ALL]]
tile.kernel @flying(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %r: !tile.ptr<f32>, %n: i64)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %x = tile.make_view %p, [%c16, %n], [%n, %c1] : !tile.view<f32, 2>
  %y = tile.make_view %q, [%n, %c16], [%c16, %c1] : !tile.view<f32, 2>
  %out = tile.make_view %r, [%c16, %c16], [%c16, %c1] : !tile.view<f32, 2>
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
#s = #layout.shared<32x16>
#t = #layout.shared<16x32>

// A ring is a ring under any name.
// CHECK-LABEL: tile.kernel @renamed(
//       CHECK: %[[B:[^ ,]*]] = layout.shared_alloc : !layout.buffer<3x16x32xf32
//       CHECK: scf.for
//       CHECK: scf.for
//       CHECK:   %[[AT:[^ ,]*]] = layout.shared_slot %[[B]]
//       CHECK:   %[[NAME:[^ ,]*]] = layout.shared_subview %[[AT]]
//       CHECK:   layout.async_dot %{{.*}}, %[[NAME]]
//       CHECK:   layout.async_dot_wait %{{.*}} pending 1
tile.kernel @renamed(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %r: !tile.ptr<f32>, %n: i64)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %x = tile.make_view %p, [%c16, %n], [%n, %c1] : !tile.view<f32, 2>
  %y = tile.make_view %q, [%n, %c16], [%c16, %c1] : !tile.view<f32, 2>
  %out = tile.make_view %r, [%c16, %c16], [%c16, %c1] : !tile.view<f32, 2>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #c>
  %sum = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %zero) -> (tensor<32x32xf32, #c>) : i64 {
    %u = tile.view_load %x[%c0, %i] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<32x16xf32, #a>
    %v = tile.view_load %y[%i, %c0] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<16x32xf32, #b>
    %a = layout.shared_alloc : !layout.buffer<32x16xf32, #s>
    layout.shared_store %a, %u : !layout.buffer<32x16xf32, #s>, tensor<32x16xf32, #a>
    %b = layout.shared_alloc : !layout.buffer<16x32xf32, #t>
    layout.shared_store %b, %v : !layout.buffer<16x32xf32, #t>, tensor<16x32xf32, #b>
    layout.proxy_fence shared
    %bn = layout.shared_subview %b [0, 0] : !layout.buffer<16x32xf32, #t> -> !layout.buffer<16x32xf32, #t>
    %d = layout.async_dot %a, %bn, %acc
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
#s = #layout.shared<32x16>
#t = #layout.shared<16x32>

// A buffer that rounds fill themselves has two slots: the product of the last round still reads one.
// CHECK-LABEL: tile.kernel @flying_computed(
//       CHECK: %[[TWO:[^ ,]*]] = layout.shared_alloc : !layout.buffer<2x16x32xf32
//       CHECK: scf.for
//       CHECK: scf.for {{.*}}, %[[HALF:[^ ]*]] = %{{[^ ]*}}) ->
//       CHECK:   %[[B:[^ ,]*]] = layout.shared_slot %[[TWO]][%[[HALF]]]
//       CHECK:   layout.shared_store %[[B]]
//  CHECK-NEXT:   layout.proxy_fence shared
//       CHECK:   layout.async_dot %{{.*}}, %[[B]]
//       CHECK:   %[[OTHER:[^ ,]*]] = arith.xori %[[HALF]]
//       CHECK:   scf.yield {{.*}}, %[[OTHER]]
tile.kernel @flying_computed(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %r: !tile.ptr<f32>, %n: i64)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %x = tile.make_view %p, [%c16, %n], [%n, %c1] : !tile.view<f32, 2>
  %y = tile.make_view %q, [%n, %c16], [%c16, %c1] : !tile.view<f32, 2>
  %out = tile.make_view %r, [%c16, %c16], [%c16, %c1] : !tile.view<f32, 2>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #c>
  %sum = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %zero) -> (tensor<32x32xf32, #c>) : i64 {
    %u = tile.view_load %x[%c0, %i] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<32x16xf32, #a>
    %v = tile.view_load %y[%i, %c0] {layout.vector = 4 : i64} : !tile.view<f32, 2> -> tensor<16x32xf32, #b>
    %w = arith.addf %v, %v : tensor<16x32xf32, #b>
    %a = layout.shared_alloc : !layout.buffer<32x16xf32, #s>
    layout.shared_store %a, %u : !layout.buffer<32x16xf32, #s>, tensor<32x16xf32, #a>
    %b = layout.shared_alloc : !layout.buffer<16x32xf32, #t>
    layout.shared_store %b, %w : !layout.buffer<16x32xf32, #t>, tensor<16x32xf32, #b>
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
#s = #layout.shared<32x16>
#t = #layout.shared<16x32>

// The round needs its product; the slots are filled at its start.
// CHECK-LABEL: tile.kernel @negative_used(
//       CHECK: scf.for
//       CHECK: scf.for
//       CHECK:   layout.view_async_copy
//       CHECK:   layout.async_dot
//       CHECK:   layout.async_dot_wait %{{.*}} pending 0
//       CHECK:   arith.addf
//   CHECK-NOT:   layout.async_dot_wait
//       CHECK: tile.return
tile.kernel @negative_used(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %r: !tile.ptr<f32>, %n: i64)
    attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %x = tile.make_view %p, [%c16, %n], [%n, %c1] : !tile.view<f32, 2>
  %y = tile.make_view %q, [%n, %c16], [%c16, %c1] : !tile.view<f32, 2>
  %out = tile.make_view %r, [%c16, %c16], [%c16, %c1] : !tile.view<f32, 2>
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
    %s0 = layout.async_dot_wait %d pending 0 : tensor<32x32xf32, #c>
    layout.shared_free %a : !layout.buffer<32x16xf32, #s>
    layout.shared_free %b : !layout.buffer<16x32xf32, #t>
    %s = arith.addf %s0, %s0 : tensor<32x32xf32, #c>
    scf.yield %s : tensor<32x32xf32, #c>
  }
  tile.view_store %out[%c0, %c0], %sum : !tile.view<f32, 2>, tensor<32x32xf32, #c>
  tile.return
}
