// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s

#a = #layout.tile<4x8, register = [(0, 1)], lane = [(0, 2), (0, 4), (1, 0), (2, 0)]>
#i = #layout.tile<2x8, lane = [(0, 1), (0, 2), (0, 4), (1, 0)]>
#sq = #layout.tile<4x4, lane = [(0, 1), (0, 2), (1, 0), (2, 0)]>
#h = #layout.tile<16, lane = [(1), (2), (4), (8)]>
#s = #layout.shared<4x8>
#half = #layout.shared<2x8>
#bins = #layout.shared<32>

// CHECK-LABEL: tile.kernel @shared(
tile.kernel @shared(%x: f16, %k: i32, %l: i64, %zero: i32) {
  // CHECK: %[[B:.*]] = layout.shared_alloc : !layout.buffer<4x8xf16, #[[S:s[0-9]*]]>
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  // CHECK: %[[RING:.*]] = layout.shared_alloc offset 1024 : !layout.buffer<3x4x8xf16, #[[S]]>
  %ring = layout.shared_alloc offset 1024 : !layout.buffer<3x4x8xf16, #s>
  // CHECK: layout.shared_slot %[[RING]][%{{.*}}] : !layout.buffer<3x4x8xf16, #[[S]]>, i32
  %slot = layout.shared_slot %ring[%k] : !layout.buffer<3x4x8xf16, #s>, i32
  // CHECK: layout.shared_slot %[[RING]][%{{.*}}] : !layout.buffer<3x4x8xf16, #[[S]]>, i64
  %slot64 = layout.shared_slot %ring[%l] : !layout.buffer<3x4x8xf16, #s>, i64
  // CHECK: layout.shared_subview %[[B]] [2, 0] : !layout.buffer<4x8xf16, #[[S]]> -> !layout.buffer<2x8xf16, #{{s[0-9]*}}>
  %part = layout.shared_subview %b [2, 0] : !layout.buffer<4x8xf16, #s> -> !layout.buffer<2x8xf16, #half>
  // CHECK: layout.shared_trans %{{.*}} [1, 0] : !layout.buffer<2x8xf16, #{{s[0-9]*}}>
  %turned = layout.shared_trans %part [1, 0] : !layout.buffer<2x8xf16, #half>
  // CHECK: layout.shared_trans %{{.*}} [1, 0] : !layout.buffer<8x2xf16, #{{s[0-9]*}}>
  %back = layout.shared_trans %turned [1, 0] : !layout.buffer<8x2xf16, #layout.shared<8x2, offsets = [8, 1, 2, 4]>>
  // CHECK: layout.shared_reshape %{{.*}} : !layout.buffer<2x8xf16, #{{s[0-9]*}}> -> !layout.buffer<1x4x4xf16, #{{s[0-9]*}}>
  %same = layout.shared_reshape %part : !layout.buffer<2x8xf16, #half> -> !layout.buffer<1x4x4xf16, #layout.shared<1x4x4>>
  %v = tile.splat %x : tensor<4x8xf16, #a>
  // CHECK: layout.shared_store %[[B]], %{{.*}} : !layout.buffer<4x8xf16, #[[S]]>, tensor<4x8xf16, #[[A:l[0-9]*]]>
  layout.shared_store %b, %v : !layout.buffer<4x8xf16, #s>, tensor<4x8xf16, #a>
  // CHECK: layout.shared_load %{{.*}} : !layout.buffer<4x8xf16, #[[S]]> -> tensor<4x8xf16, #[[A]]>
  %w = layout.shared_load %slot : !layout.buffer<4x8xf16, #s> -> tensor<4x8xf16, #a>
  %n = tile.splat %k : tensor<2x8xi32, #i>
  // CHECK: layout.shared_gather %[[B]][%{{.*}}] axis 0 : !layout.buffer<4x8xf16, #[[S]]>, tensor<2x8xi32, #[[I:l[0-9]*]]> -> tensor<2x8xf16, #[[I]]>
  %g = layout.shared_gather %b[%n] axis 0 : !layout.buffer<4x8xf16, #s>, tensor<2x8xi32, #i> -> tensor<2x8xf16, #i>
  // CHECK: layout.shared_scatter %[[B]][%{{.*}}], %{{.*}} axis 0 : !layout.buffer<4x8xf16, #[[S]]>, tensor<2x8xi32, #[[I]]>, tensor<2x8xf16, #[[I]]>
  layout.shared_scatter %b[%n], %g axis 0 : !layout.buffer<4x8xf16, #s>, tensor<2x8xi32, #i>, tensor<2x8xf16, #i>
  // CHECK: layout.shared_free %[[B]] : !layout.buffer<4x8xf16, #[[S]]>
  layout.shared_free %b : !layout.buffer<4x8xf16, #s>
  %bins = layout.shared_alloc : !layout.buffer<32xi32, #bins>
  // CHECK: layout.shared_fill %{{.*}}, %{{.*}} : !layout.buffer<32xi32, #{{s[0-9]*}}>, i32
  layout.shared_fill %bins, %zero : !layout.buffer<32xi32, #bins>, i32
  %j = tile.splat %k : tensor<16xi32, #h>
  // CHECK: layout.barrier{{$}}
  layout.barrier
  // CHECK: layout.barrier shared{{$}}
  layout.barrier shared
  // CHECK: layout.shared_atomic_add %{{.*}}[%{{.*}}], %{{.*}} : !layout.buffer<32xi32, #{{s[0-9]*}}>, tensor<16xi32, #[[H:l[0-9]*]]>, tensor<16xi32, #[[H]]>
  layout.shared_atomic_add %bins[%j], %j : !layout.buffer<32xi32, #bins>, tensor<16xi32, #h>, tensor<16xi32, #h>
  // CHECK: layout.warp_sync
  layout.warp_sync
  layout.shared_free %bins : !layout.buffer<32xi32, #bins>
  layout.shared_free %ring : !layout.buffer<3x4x8xf16, #s>
  tile.return
}

// A box of rows of a swizzled buffer lies in one piece where the swizzle repeats.
// CHECK-LABEL: tile.kernel @swizzled(
tile.kernel @swizzled() {
  %b = layout.shared_alloc : !layout.buffer<8x4xf32, #layout.shared<8x4, offsets = [1, 2, 5, 10, 16]>>
  // CHECK: layout.shared_subview %{{.*}} [4, 0]
  %c = layout.shared_subview %b [4, 0] : !layout.buffer<8x4xf32, #layout.shared<8x4, offsets = [1, 2, 5, 10, 16]>>
      -> !layout.buffer<4x4xf32, #layout.shared<4x4, offsets = [1, 2, 5, 10]>>
  layout.shared_free %b : !layout.buffer<8x4xf32, #layout.shared<8x4, offsets = [1, 2, 5, 10, 16]>>
  tile.return
}

// CHECK-LABEL: tile.kernel @product(
tile.kernel @product(%x: f32, %h: f16) {
  %a = layout.shared_alloc : !layout.buffer<4x4xf16, #layout.shared<4x4>>
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #layout.shared<4x8>>
  %c = tile.splat %x : tensor<4x8xf32, #a>
  // CHECK: layout.shared_dot %{{.*}}, %{{.*}}, %{{.*}} : !layout.buffer<4x4xf16, #{{s[0-9]*}}>, !layout.buffer<4x8xf16, #{{s[0-9]*}}>, tensor<4x8xf32, #{{l[0-9]*}}>
  %d = layout.shared_dot %a, %b, %c : !layout.buffer<4x4xf16, #layout.shared<4x4>>,
      !layout.buffer<4x8xf16, #layout.shared<4x8>>, tensor<4x8xf32, #a>
  // CHECK: %[[T:.*]] = layout.shared_trans %{{.*}} [1, 0] : !layout.buffer<4x8xf16, #{{s[0-9]*}}>
  %t = layout.shared_trans %b [1, 0] : !layout.buffer<4x8xf16, #layout.shared<4x8>>
  %v = tile.splat %h : tensor<4x8xf16, #a>
  %e = tile.splat %x : tensor<4x4xf32, #sq>
  // CHECK: layout.shared_dot %{{.*}}, %[[T]], %{{.*}} : tensor<4x8xf16, #{{l[0-9]*}}>, !layout.buffer<8x4xf16, #{{s[0-9]*}}>, tensor<4x4xf32, #{{l[0-9]*}}>
  %f = layout.shared_dot %v, %t, %e : tensor<4x8xf16, #a>,
      !layout.buffer<8x4xf16, #layout.shared<8x4, offsets = [8, 16, 1, 2, 4]>>, tensor<4x4xf32, #sq>
  %g = layout.shared_alloc : !layout.buffer<4x4xf32, #layout.shared<4x4>>
  // CHECK: layout.shared_dot %{{.*}}, %{{.*}}, %{{.*}} precision tf32 :
  %i = layout.shared_dot %g, %g, %e precision tf32 : !layout.buffer<4x4xf32, #layout.shared<4x4>>,
      !layout.buffer<4x4xf32, #layout.shared<4x4>>, tensor<4x4xf32, #sq>
  layout.shared_free %g : !layout.buffer<4x4xf32, #layout.shared<4x4>>
  layout.shared_free %a : !layout.buffer<4x4xf16, #layout.shared<4x4>>
  layout.shared_free %b : !layout.buffer<4x8xf16, #layout.shared<4x8>>
  tile.return
}
