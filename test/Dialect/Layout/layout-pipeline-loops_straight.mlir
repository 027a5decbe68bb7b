// RUN: tessera-opt %s -split-input-file -layout-pipeline-loops="target=hip:gfx950" | FileCheck %s
// RUN: tessera-opt %s -split-input-file -layout-pipeline-loops="target=hip:gfx942" | FileCheck %s --check-prefix=WORDS

#a = #layout.tile<64x32, register = [(0, 1), (0, 2), (0, 4)], lane = [(0, 8), (0, 16), (1, 0), (2, 0), (4, 0), (8, 0)], warp = [(16, 0), (32, 0)]>
#b = #layout.tile<32x64, register = [(0, 1), (0, 2), (0, 4)], lane = [(0, 8), (0, 16), (0, 32), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]>
#c = #layout.tile<64x64, register = [(0, 1), (0, 2), (0, 4), (0, 8)], lane = [(0, 16), (0, 32), (1, 0), (2, 0), (4, 0), (8, 0)], warp = [(16, 0), (32, 0)]>
// Pieces of 8 are swizzled: piece p of row r lies at p ^ (r / 4).
#s = #layout.shared<64x32, offsets = [1, 2, 4, 8, 16, 32, 64, 136, 272, 512, 1024]>
#t = #layout.shared<32x64>

// Lanes follow the buffer, and the swizzle is in what they copy. Each round copies, the last ones nothing but zeros, and
// waits for all accesses of a warp but those of the rounds after it.
// CHECK-DAG: #[[A:[a-z0-9]*]] = #layout.tile<64x32, register = [(0, 1), (0, 2), (0, 4)], lane = [(0, 8), (0, 16), (1, 0), (2, 0), (4, 8), (8, 16)], warp = [(16, 0), (32, 0)]
// CHECK-DAG: #[[B:[a-z0-9]*]] = #layout.tile<32x64, register = [(0, 1), (0, 2), (0, 4)], lane = [(0, 8), (0, 16), (0, 32), (1, 0), (2, 0), (4, 0)], warp = [(8, 0), (16, 0)]
// CHECK-LABEL: tile.kernel @copies(
//       CHECK: %[[RING:[^ ,]*]] = layout.shared_alloc : !layout.buffer<3x64x32xf16
//       CHECK: layout.shared_alloc : !layout.buffer<3x32x64xf16
//       CHECK: scf.for
//   CHECK-NOT:   scf.if
//       CHECK:   %[[IS:[^ ,]*]] = arith.cmpi ne
//       CHECK:   layout.view_async_copy %{{.*}} by #[[A]] when %[[IS]] into %{{.*}} {layout.vector = 8 : i64}
//       CHECK:   layout.view_async_copy %{{.*}} by #[[B]] when %[[IS]] into %{{.*}} {layout.vector = 8 : i64}
//       CHECK:   layout.async_commit
//       CHECK: scf.for
//  CHECK-NEXT:   layout.async_wait pending 1 accesses 2
//   CHECK-NOT:   scf.if
//       CHECK:   layout.view_async_copy
//       CHECK:   layout.view_async_copy
//       CHECK:   layout.shared_dot
//       CHECK: layout.async_wait pending 0{{$}}
//       CHECK: layout.shared_free %[[RING]]

// Chips with copies of 4 bytes load 16 into registers.
// WORDS-LABEL: tile.kernel @copies(
//   WORDS-NOT:   view_async_copy
//       WORDS:   tile.view_load
tile.kernel @copies(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %r: !tile.ptr<f32>, %n: i64)
    attributes {layout.num_warps = 4, layout.warp_size = 64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %c64 = arith.constant 64 : i64
  %x = tile.make_view %p, [%c64, %n], [%n, %c1] : !tile.view<f16, 2>
  %y = tile.make_view %q, [%n, %c64], [%c64, %c1] : !tile.view<f16, 2>
  %out = tile.make_view %r, [%c64, %c64], [%c64, %c1] : !tile.view<f32, 2>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #c>
  %sum = scf.for %i = %c0 to %n step %c32 iter_args(%acc = %zero) -> (tensor<64x64xf32, #c>) : i64 {
    %u = tile.view_load %x[%c0, %i] {layout.vector = 8 : i64} : !tile.view<f16, 2> -> tensor<64x32xf16, #a>
    %v = tile.view_load %y[%i, %c0] {layout.vector = 8 : i64} : !tile.view<f16, 2> -> tensor<32x64xf16, #b>
    %a = layout.shared_alloc : !layout.buffer<64x32xf16, #s>
    layout.shared_store %a, %u : !layout.buffer<64x32xf16, #s>, tensor<64x32xf16, #a>
    %b = layout.shared_alloc : !layout.buffer<32x64xf16, #t>
    layout.shared_store %b, %v : !layout.buffer<32x64xf16, #t>, tensor<32x64xf16, #b>
    %s = layout.shared_dot %a, %b, %acc
        : !layout.buffer<64x32xf16, #s>, !layout.buffer<32x64xf16, #t>, tensor<64x64xf32, #c>
    layout.shared_free %a : !layout.buffer<64x32xf16, #s>
    layout.shared_free %b : !layout.buffer<32x64xf16, #t>
    scf.yield %s : tensor<64x64xf32, #c>
  }
  tile.view_store %out[%c0, %c0], %sum : !tile.view<f32, 2>, tensor<64x64xf32, #c>
  tile.return
}

// -----

#a = #layout.tile<16x32, register = [(0, 1)], lane = [(0, 2), (0, 4), (0, 8), (0, 16), (1, 0), (2, 0)], warp = [(4, 0), (8, 0)]>
#b = #layout.tile<32x16, register = [(1, 0)], lane = [(2, 0), (4, 0), (8, 0), (16, 0), (0, 1), (0, 2)], warp = [(0, 4), (0, 8)]>
#c = #layout.tile<16x16, lane = [(0, 1), (0, 2), (0, 4), (0, 8), (1, 0), (2, 0)], warp = [(4, 0), (8, 0)]>
#s = #layout.shared<16x32>
#t = #layout.shared<32x16>

// Where threads load words, copies of words take their place on all chips that have them; what lies across the buffer
// goes through registers.
// CHECK-LABEL: tile.kernel @words(
//       CHECK:   layout.view_async_copy {{.*}} {layout.vector = 2 : i64}
//       CHECK: layout.async_wait pending 1 accesses 1
//       CHECK: layout.view_async_copy
//       CHECK: tile.view_load
// WORDS-LABEL: tile.kernel @words(
//       WORDS:   layout.view_async_copy {{.*}} {layout.vector = 2 : i64}
//       WORDS: layout.async_wait pending 1 accesses 1
tile.kernel @words(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %r: !tile.ptr<f32>, %n: i64)
    attributes {layout.num_warps = 4, layout.warp_size = 64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %c32 = arith.constant 32 : i64
  %x = tile.make_view %p, [%c16, %n], [%n, %c1] : !tile.view<f16, 2>
  %y = tile.make_view %q, [%n, %c16], [%c1, %n] : !tile.view<f16, 2>
  %out = tile.make_view %r, [%c16, %c16], [%c16, %c1] : !tile.view<f32, 2>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32, #c>
  %sum = scf.for %i = %c0 to %n step %c32 iter_args(%acc = %zero) -> (tensor<16x16xf32, #c>) : i64 {
    %u = tile.view_load %x[%c0, %i] {layout.vector = 2 : i64} : !tile.view<f16, 2> -> tensor<16x32xf16, #a>
    %v = tile.view_load %y[%i, %c0] {layout.vector = 2 : i64} : !tile.view<f16, 2> -> tensor<32x16xf16, #b>
    %a = layout.shared_alloc : !layout.buffer<16x32xf16, #s>
    layout.shared_store %a, %u : !layout.buffer<16x32xf16, #s>, tensor<16x32xf16, #a>
    %b = layout.shared_alloc : !layout.buffer<32x16xf16, #t>
    layout.shared_store %b, %v : !layout.buffer<32x16xf16, #t>, tensor<32x16xf16, #b>
    %s = layout.shared_dot %a, %b, %acc
        : !layout.buffer<16x32xf16, #s>, !layout.buffer<32x16xf16, #t>, tensor<16x16xf32, #c>
    layout.shared_free %a : !layout.buffer<16x32xf16, #s>
    layout.shared_free %b : !layout.buffer<32x16xf16, #t>
    scf.yield %s : tensor<16x16xf32, #c>
  }
  tile.view_store %out[%c0, %c0], %sum : !tile.view<f32, 2>, tensor<16x16xf32, #c>
  tile.return
}
