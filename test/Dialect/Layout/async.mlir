// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s

#a = #layout.tile<4x8, register = [(0, 1)], lane = [(0, 2), (0, 4), (1, 0), (2, 0)]>
#s = #layout.shared<4x8>

// CHECK-LABEL: tile.kernel @copies(
tile.kernel @copies(%p: !tile.ptr<f16>, %n: i64, %c: i1, %k: i32) {
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f16, 2>
  %q = tile.splat %p : tensor<4x8x!tile.ptr<f16>, #a>
  %m = tile.splat %c : tensor<4x8xi1, #a>
  %r = layout.shared_alloc : !layout.buffer<2x4x8xf16, #s>
  %b = layout.shared_slot %r[%k] : !layout.buffer<2x4x8xf16, #s>, i32
  // CHECK: %[[T:.*]] = layout.async_copy %{{.*}} into %{{.*}} : tensor<4x8x!tile.ptr<f16>, #[[A:l[0-9]*]]>, !layout.buffer<4x8xf16, #[[S:s[0-9]*]]>
  %t = layout.async_copy %q into %b : tensor<4x8x!tile.ptr<f16>, #a>, !layout.buffer<4x8xf16, #s>
  // CHECK: %[[U:.*]] = layout.async_copy %{{.*}} mask %{{.*}} into %{{.*}} : tensor<4x8x!tile.ptr<f16>, #[[A]]>, !layout.buffer<4x8xf16, #[[S]]>
  %u = layout.async_copy %q mask %m into %b : tensor<4x8x!tile.ptr<f16>, #a>, !layout.buffer<4x8xf16, #s>
  // CHECK: layout.view_async_copy %{{.*}}[%{{.*}}, %{{.*}}] by #[[A]] into %{{.*}} : !tile.view<f16, 2>, !layout.buffer<4x8xf16, #[[S]]>
  %w = layout.view_async_copy %v[%n, %n] by #a into %b : !tile.view<f16, 2>, !layout.buffer<4x8xf16, #s>
  // CHECK: layout.view_async_copy %{{.*}}[%{{.*}}, %{{.*}}] by #[[A]] when %{{.*}} into %{{.*}} : !tile.view<f16, 2>, !layout.buffer<4x8xf16, #[[S]]>
  %x = layout.view_async_copy %v[%n, %n] by #a when %c into %b : !tile.view<f16, 2>, !layout.buffer<4x8xf16, #s>
  // CHECK: %[[G:.*]] = layout.async_commit %[[T]], %[[U]]
  %g = layout.async_commit %t, %u
  // CHECK: layout.async_commit{{$}}
  %h = layout.async_commit
  // CHECK: layout.async_wait pending 1 of %[[G]]
  layout.async_wait pending 1 of %g
  // CHECK: layout.async_wait pending 1 accesses 8 of %[[G]]
  layout.async_wait pending 1 accesses 8 of %g
  // CHECK: layout.async_wait pending 0{{$}}
  layout.async_wait pending 0
  layout.shared_free %r : !layout.buffer<2x4x8xf16, #s>
  tile.return
}

// CHECK-LABEL: tile.kernel @boxes(
tile.kernel @boxes(%p: !tile.ptr<f16>, %n: i64, %i: i32, %parity: i1) {
  %v = tile.make_view %p, [%n, %n], [%n, %n] : !tile.view<f16, 2>
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  // CHECK: %[[FULL:.*]] = layout.mbarrier_alloc : !layout.mbarrier<4>
  %full = layout.mbarrier_alloc : !layout.mbarrier<4>
  // CHECK: %[[ONE:.*]] = layout.mbarrier_alloc offset 64 : !layout.mbarrier
  %one = layout.mbarrier_alloc offset 64 : !layout.mbarrier
  // CHECK: layout.mbarrier_init %[[FULL]] count 1 : !layout.mbarrier<4>
  layout.mbarrier_init %full count 1 : !layout.mbarrier<4>
  // CHECK: layout.mbarrier_expect %[[FULL]][%{{.*}}] bytes 64 : !layout.mbarrier<4>
  layout.mbarrier_expect %full[%i] bytes 64 : !layout.mbarrier<4>
  // CHECK: layout.tensor_load %{{.*}}[%{{.*}}, %{{.*}}] into %{{.*}} signals %[[FULL]][%{{.*}}] : !tile.view<f16, 2>, !layout.buffer<4x8xf16, #[[S:s[0-9]*]]>, !layout.mbarrier<4>
  layout.tensor_load %v[%n, %n] into %b signals %full[%i] : !tile.view<f16, 2>, !layout.buffer<4x8xf16, #s>, !layout.mbarrier<4>
  // CHECK: layout.tensor_load %{{.*}}[%{{.*}}, %{{.*}}] into %{{.*}} signals %[[ONE]] multicast %{{.*}} : !tile.view<f16, 2>, !layout.buffer<4x8xf16, #[[S]]>, !layout.mbarrier
  layout.tensor_load %v[%n, %n] into %b signals %one multicast %i : !tile.view<f16, 2>, !layout.buffer<4x8xf16, #s>, !layout.mbarrier
  // CHECK: layout.tensor_load {{.*}} evict first : !tile.view<f16, 2>
  layout.tensor_load %v[%n, %n] into %b signals %one evict first : !tile.view<f16, 2>, !layout.buffer<4x8xf16, #s>, !layout.mbarrier
  // CHECK: layout.mbarrier_wait %[[FULL]][%{{.*}}] parity %{{.*}} : !layout.mbarrier<4>
  layout.mbarrier_wait %full[%i] parity %parity : !layout.mbarrier<4>
  // CHECK: layout.mbarrier_arrive %[[FULL]][%{{.*}}] peer %{{.*}} : !layout.mbarrier<4>
  layout.mbarrier_arrive %full[%i] peer %i : !layout.mbarrier<4>
  // CHECK: layout.mbarrier_arrive %[[ONE]] : !layout.mbarrier
  layout.mbarrier_arrive %one : !layout.mbarrier
  // CHECK: layout.proxy_fence shared
  layout.proxy_fence shared
  // CHECK: layout.tensor_store %{{.*}} into %{{.*}}[%{{.*}}, %{{.*}}] : !layout.buffer<4x8xf16, #[[S]]>, !tile.view<f16, 2>
  layout.tensor_store %b into %v[%n, %n] : !layout.buffer<4x8xf16, #s>, !tile.view<f16, 2>
  // CHECK: %[[G:.*]] = layout.tensor_commit
  %g = layout.tensor_commit
  // CHECK: layout.tensor_wait pending 1 read of %[[G]]
  layout.tensor_wait pending 1 read of %g
  // CHECK: layout.tensor_wait pending 0{{$}}
  layout.tensor_wait pending 0
  // CHECK: layout.proxy_fence global
  layout.proxy_fence global
  layout.shared_free %b : !layout.buffer<4x8xf16, #s>
  tile.return
}
