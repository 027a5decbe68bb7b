// RUN: tessera-opt %s -split-input-file "-layout-expand-dots=target=cuda:sm_90a" "-layout-pipeline-loops=target=cuda:sm_90a boxes=true" | FileCheck %s
// Products that others of their round need, begun a round ahead.

#v = #layout.tile<64x64, register = [(0, 1), (0, 2), (0, 4), (16, 0), (32, 0)], lane = [(0, 8), (0, 16), (0, 32), (1, 0), (2, 0)], warp = [(4, 0), (8, 0)]>
#t = #layout.tile<64x64, register = [(1, 0), (2, 0), (4, 0), (0, 16), (0, 32)], lane = [(8, 0), (16, 0), (32, 0), (0, 1), (0, 2)], warp = [(0, 4), (0, 8)]>
#c = #layout.tile<64x64, register = [(0, 1), (8, 0), (0, 8), (0, 16), (0, 32)], lane = [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)], warp = [(16, 0), (32, 0)]>

// The first round's product stands before the loop, if there is a round, and each round begins the next one's behind
// the wait for the last round's sum, which was under way until then.
// CHECK-LABEL: tile.kernel @early(
//       CHECK:   layout.shared_store %{{.*}}, %[[X:.*]]
//       CHECK:   %[[FIRST:.*]] = scf.if
//       CHECK:     tile.view_load
//       CHECK:     layout.async_dot
//       CHECK:     %[[W:.*]] = layout.async_dot_wait %{{.*}} pending 0
//       CHECK:     scf.yield %[[W]]
//       CHECK:   } else {
//       CHECK:   layout.tensor_load
//       CHECK:   scf.for %{{.*}} iter_args(%[[ACC:.*]] = %{{[^,]*}}, %[[S:[^ ]*]] = %[[FIRST]],
//   CHECK-NOT:     tile.view_load
//       CHECK:     %[[P:.*]] = tile.convert_float %[[S]]
//       CHECK:     %[[L:.*]] = layout.async_dot_wait %[[ACC]] pending 0
//       CHECK:     layout.tensor_load
//       CHECK:     %[[H:.*]] = arith.addf %[[L]], %[[L]]
//       CHECK:     %[[N:[^ ,]*]] = layout.async_dot {{.*}} accumulate
//  CHECK-NEXT:     layout.async_dot_commit
//       CHECK:     %[[D:[^ ,]*]] = layout.async_dot %[[P]], %{{.*}}, %[[H]]
//  CHECK-NEXT:     layout.async_dot_commit
//       CHECK:     %[[NEXT:.*]] = layout.async_dot_wait %[[N]] pending 1
//   CHECK-NOT:     layout.async_dot_wait
//       CHECK:     scf.yield %[[D]], %[[NEXT]],
//       CHECK:   layout.async_dot_wait %{{.*}} pending 0
tile.kernel @early(%q: !tile.ptr<f16>, %k: !tile.ptr<f16> {tile.multiple_of = 16 : i64}, %v: !tile.ptr<f16> {tile.multiple_of = 16 : i64}, %n: i64 {tile.multiple_of = 8 : i64}, %out: !tile.ptr<f32>)
    attributes {layout.num_warps = 4 : i64, layout.warp_size = 32 : i64} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %step = arith.constant 64 : i64
  %none = arith.constant dense<0.0> : tensor<64x64xf32, #c>
  %K = tile.make_view %k, [%n, %step], [%step, %one] : !tile.view<f16, 2>
  %V = tile.make_view %v, [%n, %step], [%step, %one] : !tile.view<f16, 2>
  %qs = tile.splat %q : tensor<64x64x!tile.ptr<f16>, #v>
  %x = tile.load %qs : tensor<64x64x!tile.ptr<f16>, #v>
  %r = scf.for %i = %zero to %n step %step iter_args(%acc = %none) -> (tensor<64x64xf32, #c>) : i64 {
    %a = tile.view_load %K[%i, %zero] : !tile.view<f16, 2> -> tensor<64x64xf16, #v>
    %b = tile.view_load %V[%i, %zero] : !tile.view<f16, 2> -> tensor<64x64xf16, #v>
    %at = tile.trans %a [1, 0] : tensor<64x64xf16, #v> -> tensor<64x64xf16, #t>
    %s = tile.dot %x, %at, %none : tensor<64x64xf16, #v>, tensor<64x64xf16, #t> -> tensor<64x64xf32, #c>
    %half = arith.addf %acc, %acc : tensor<64x64xf32, #c>
    %p = tile.convert_float %s : tensor<64x64xf32, #c> -> tensor<64x64xf16, #c>
    %d = tile.dot %p, %b, %half : tensor<64x64xf16, #c>, tensor<64x64xf16, #v> -> tensor<64x64xf32, #c>
    scf.yield %d : tensor<64x64xf32, #c>
  }
  %to = tile.splat %out : tensor<64x64x!tile.ptr<f32>, #c>
  tile.store %to, %r : tensor<64x64x!tile.ptr<f32>, #c>
  tile.return
}

// -----

#v = #layout.tile<64x64, register = [(0, 1), (0, 2), (0, 4), (16, 0), (32, 0)], lane = [(0, 8), (0, 16), (0, 32), (1, 0), (2, 0)], warp = [(4, 0), (8, 0)]>
#c = #layout.tile<64x64, register = [(0, 1), (8, 0), (0, 8), (0, 16), (0, 32)], lane = [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)], warp = [(16, 0), (32, 0)]>

// What a load of pointers reads in a round that is none is not known to be there.
// CHECK-LABEL: tile.kernel @negative_pointers(
//   CHECK-NOT:   scf.if {{.*}} -> (tensor
//       CHECK:   scf.for %{{.*}} iter_args(%{{.*}} = %{{[^,]*}},
//       CHECK:     %[[S:[^ ,]*]] = layout.async_dot {{.*}} accumulate
//       CHECK:     layout.async_dot_wait %[[S]] pending 0
tile.kernel @negative_pointers(%q: !tile.ptr<f16>, %k: !tile.ptr<f16>, %n: i64, %out: !tile.ptr<f32>)
    attributes {layout.num_warps = 4 : i64, layout.warp_size = 32 : i64} {
  %zero = arith.constant 0 : i64
  %step = arith.constant 64 : i64
  %none = arith.constant dense<0.0> : tensor<64x64xf32, #c>
  %qs = tile.splat %q : tensor<64x64x!tile.ptr<f16>, #v>
  %x = tile.load %qs : tensor<64x64x!tile.ptr<f16>, #v>
  %r = scf.for %i = %zero to %n step %step iter_args(%acc = %none) -> (tensor<64x64xf32, #c>) : i64 {
    %at = tile.addptr %k, %i : !tile.ptr<f16>, i64
    %ks = tile.splat %at : tensor<64x64x!tile.ptr<f16>, #v>
    %a = tile.load %ks : tensor<64x64x!tile.ptr<f16>, #v>
    %s = tile.dot %x, %a, %none : tensor<64x64xf16, #v>, tensor<64x64xf16, #v> -> tensor<64x64xf32, #c>
    %p = tile.convert_float %s : tensor<64x64xf32, #c> -> tensor<64x64xf16, #c>
    %d = tile.dot %p, %a, %acc : tensor<64x64xf16, #c>, tensor<64x64xf16, #v> -> tensor<64x64xf32, #c>
    scf.yield %d : tensor<64x64xf32, #c>
  }
  %to = tile.splat %out : tensor<64x64x!tile.ptr<f32>, #c>
  tile.store %to, %r : tensor<64x64x!tile.ptr<f32>, #c>
  tile.return
}
