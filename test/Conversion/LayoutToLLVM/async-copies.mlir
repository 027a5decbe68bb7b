// RUN: tessera-opt %s -split-input-file -convert-layout-to-llvm | FileCheck %s
// GPUs that cannot copy beside the program load and store at once.

#a = #layout.tile<4x64, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (0, 16), (0, 32), (1, 0)], warp = [(2, 0)]>
#s = #layout.shared<4x64>

// CHECK-LABEL: llvm.func @view(
// CHECK-COUNT-1: llvm.call @tessera.gpu.load.v4i32
//       CHECK:   llvm.store {{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
//   CHECK-NOT:   tessera.gpu.load
tile.kernel @view(%x: !tile.ptr<f32>, %n: i64) attributes {layout.num_warps = 2, layout.warp_size = 32, layout.shared_bytes = 1024} {
  %one = arith.constant 1 : i64
  %v = tile.make_view %x, [%n, %n], [%n, %one] : !tile.view<f32, 2>
  %b = layout.shared_alloc offset 0 : !layout.buffer<4x64xf32, #s>
  layout.view_async_copy %v[%n, %n] by #a into %b {layout.vector = 4} : !tile.view<f32, 2>, !layout.buffer<4x64xf32, #s>
  layout.async_commit
  layout.async_wait pending 0
  layout.shared_free %b : !layout.buffer<4x64xf32, #s>
  tile.return
}

// -----

#a = #layout.tile<4x64, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (0, 16), (0, 32), (1, 0)], warp = [(2, 0)]>
#s = #layout.shared<4x64>

// Nothing lies outside: no masks.
// CHECK-LABEL: llvm.func @inside(
//   CHECK-NOT:   tessera.gpu.load
//       CHECK:   llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
//       CHECK:   llvm.store {{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
tile.kernel @inside(%x: !tile.ptr<f32>, %n: i64) attributes {layout.num_warps = 2, layout.warp_size = 32, layout.shared_bytes = 1024} {
  %one = arith.constant 1 : i64
  %v = tile.make_view %x, [%n, %n], [%n, %one] : !tile.view<f32, 2>
  %b = layout.shared_alloc offset 0 : !layout.buffer<4x64xf32, #s>
  layout.view_async_copy %v[%n, %n] by #a into %b {layout.vector = 4, layout.in_bounds} : !tile.view<f32, 2>, !layout.buffer<4x64xf32, #s>
  layout.shared_free %b : !layout.buffer<4x64xf32, #s>
  tile.return
}

// -----

#a = #layout.tile<4x64, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (0, 16), (0, 32), (1, 0)], warp = [(2, 0)]>
#s = #layout.shared<4x64, offsets = [1, 2, 4, 8, 16, 32, 66, 132]>

// The buffer exchanges pairs of elements: as many move at once.
// CHECK-LABEL: llvm.func @pairs(
// CHECK-COUNT-2: llvm.load {{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xi32>
tile.kernel @pairs(%x: !tile.ptr<f32>, %n: i64) attributes {layout.num_warps = 2, layout.warp_size = 32, layout.shared_bytes = 1024} {
  %one = arith.constant 1 : i64
  %v = tile.make_view %x, [%n, %n], [%n, %one] : !tile.view<f32, 2>
  %b = layout.shared_alloc offset 0 : !layout.buffer<4x64xf32, #s>
  layout.view_async_copy %v[%n, %n] by #a into %b {layout.vector = 4, layout.in_bounds} : !tile.view<f32, 2>, !layout.buffer<4x64xf32, #s>
  layout.shared_free %b : !layout.buffer<4x64xf32, #s>
  tile.return
}

// -----

#a = #layout.tile<2x64, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (0, 16), (0, 32), (1, 0)], warp = [(0, 0)]>
#s = #layout.shared<2x64>

// Two warps hold each element; one of them copies it.
// CHECK-LABEL: llvm.func @owners(
//       CHECK:   scf.if
//       CHECK:     llvm.load {{.*}} -> vector<4xi32>
tile.kernel @owners(%x: !tile.ptr<f32>) attributes {layout.num_warps = 2, layout.warp_size = 32, layout.shared_bytes = 512} {
  %p = tile.splat %x : tensor<2x64x!tile.ptr<f32>, #a>
  %b = layout.shared_alloc offset 0 : !layout.buffer<2x64xf32, #s>
  layout.async_copy %p into %b {layout.vector = 4} : tensor<2x64x!tile.ptr<f32>, #a>, !layout.buffer<2x64xf32, #s>
  layout.shared_free %b : !layout.buffer<2x64xf32, #s>
  tile.return
}

// -----

#a = #layout.tile<4x64, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (0, 16), (0, 32), (1, 0)], warp = [(2, 0)]>
#s = #layout.shared<4x64>

// Nothing is read if it is not the time.
// CHECK-LABEL: llvm.func @when(
//  CHECK-SAME:   %[[C:[^:]*]]: i8
//       CHECK:   %[[WHEN:.*]] = arith.cmpi ne, %[[C]]
//       CHECK:   llvm.call @tessera.gpu.load.v4i32(%{{.*}}, %[[WHEN]]
tile.kernel @when(%c: i1, %x: !tile.ptr<f32>, %n: i64) attributes {layout.num_warps = 2, layout.warp_size = 32, layout.shared_bytes = 1024} {
  %one = arith.constant 1 : i64
  %v = tile.make_view %x, [%n, %n], [%n, %one] : !tile.view<f32, 2>
  %b = layout.shared_alloc offset 0 : !layout.buffer<4x64xf32, #s>
  layout.view_async_copy %v[%n, %n] by #a when %c into %b {layout.vector = 4, layout.in_bounds} : !tile.view<f32, 2>, !layout.buffer<4x64xf32, #s>
  layout.shared_free %b : !layout.buffer<4x64xf32, #s>
  tile.return
}
