// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s

#acc = #layout.tile<4x8, register = [(0, 1), (0, 2), (0, 4)], lane = [(1, 0), (2, 0)]>
#op = #layout.tile<4x4, register = [(0, 1), (0, 2)], lane = [(1, 0), (2, 0)]>
#a = #layout.shared<4x4>
#b = #layout.shared<4x8>

// CHECK-LABEL: tile.kernel @products(
tile.kernel @products(%x: f32, %h: f16, %c: i1) {
  %acc = tile.splat %x : tensor<4x8xf32, #acc>
  %ra = tile.splat %h : tensor<4x4xf16, #op>
  %a = layout.shared_alloc : !layout.buffer<4x4xf16, #a>
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #b>
  // CHECK: %[[R:.*]] = layout.async_dot %{{.*}}, %{{.*}}, %{{.*}} : !layout.buffer<4x4xf16, #[[A:s[0-9]*]]>, !layout.buffer<4x8xf16, #[[B:s[0-9]*]]>, tensor<4x8xf32, #[[ACC:l[0-9]*]]>
  %r = layout.async_dot %a, %b, %acc : !layout.buffer<4x4xf16, #a>, !layout.buffer<4x8xf16, #b>, tensor<4x8xf32, #acc>
  // CHECK: %[[S:.*]] = layout.async_dot %{{.*}}, %{{.*}}, %{{.*}} accumulate %{{.*}} : tensor<4x4xf16, #[[OP:l[0-9]*]]>, !layout.buffer<4x8xf16, #[[B]]>, tensor<4x8xf32, #[[ACC]]>
  %s = layout.async_dot %ra, %b, %acc accumulate %c : tensor<4x4xf16, #op>, !layout.buffer<4x8xf16, #b>, tensor<4x8xf32, #acc>
  // CHECK: layout.async_dot_commit
  layout.async_dot_commit
  // CHECK: %{{.*}}:2 = layout.async_dot_wait %[[R]], %[[S]] pending 1 : tensor<4x8xf32, #[[ACC]]>, tensor<4x8xf32, #[[ACC]]>
  %t:2 = layout.async_dot_wait %r, %s pending 1 : tensor<4x8xf32, #acc>, tensor<4x8xf32, #acc>
  // CHECK: layout.async_dot_wait pending 0{{$}}
  layout.async_dot_wait pending 0
  layout.shared_free %a : !layout.buffer<4x4xf16, #a>
  layout.shared_free %b : !layout.buffer<4x8xf16, #b>
  tile.return
}
