// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s

#a = #layout.tile<8, register = [(1)], lane = [(2), (4)]>
#b = #layout.tile<8, register = [(4)], lane = [(1), (2)]>

// CHECK-LABEL: tile.kernel @convert(
tile.kernel @convert(%s: f32, %p: !tile.ptr<f32>) {
  %x = tile.splat %s : tensor<8xf32, #a>
  // CHECK: layout.convert %{{.*}} : tensor<8xf32, #[[A:l[0-9]*]]> -> tensor<8xf32, #[[B:l[0-9]*]]>
  %y = layout.convert %x : tensor<8xf32, #a> -> tensor<8xf32, #b>
  %q = tile.splat %p : tensor<8x!tile.ptr<f32>, #a>
  // CHECK: layout.convert %{{.*}} : tensor<8x!tile.ptr<f32>, #[[A]]> -> tensor<8x!tile.ptr<f32>, #[[B]]>
  %r = layout.convert %q : tensor<8x!tile.ptr<f32>, #a> -> tensor<8x!tile.ptr<f32>, #b>
  tile.return
}
