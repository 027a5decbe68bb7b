// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS R3: a region of one plain op on its arguments, in their order, is printed as the name of that op.

// CHECK-LABEL: tile.kernel @names(
tile.kernel @names(%s: f32) {
  // CHECK: tile.splat %{{.*}} : tensor<64xf32>
  %x = tile.splat %s : tensor<64xf32>
  // CHECK: tile.arange 0 to 64 : tensor<64xi32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // CHECK: tile.reduce %{{.*}} axis 0 : tensor<64xf32> -> f32 by arith.addf
  %f0 = tile.reduce %x axis 0 : tensor<64xf32> -> f32 by arith.addf
  // CHECK: tile.reduce %{{.*}} axis 0 : tensor<64xf32> -> f32 by arith.mulf
  %f1 = tile.reduce %x axis 0 : tensor<64xf32> -> f32 by arith.mulf
  // CHECK: tile.reduce %{{.*}} axis 0 : tensor<64xf32> -> f32 by arith.maximumf
  %f2 = tile.reduce %x axis 0 : tensor<64xf32> -> f32 by arith.maximumf
  // CHECK: tile.reduce %{{.*}} axis 0 : tensor<64xf32> -> f32 by arith.minimumf
  %f3 = tile.reduce %x axis 0 : tensor<64xf32> -> f32 by arith.minimumf
  // CHECK: tile.reduce %{{.*}} axis 0 : tensor<64xf32> -> f32 by tile.maxnum
  %g0 = tile.reduce %x axis 0 : tensor<64xf32> -> f32 by tile.maxnum
  // CHECK: tile.reduce %{{.*}} axis 0 : tensor<64xf32> -> f32 by tile.minnum
  %g1 = tile.reduce %x axis 0 : tensor<64xf32> -> f32 by tile.minnum
  // CHECK: tile.reduce %{{.*}} axis 0 : tensor<64xi32> -> i32 by arith.addi
  %h0 = tile.reduce %i axis 0 : tensor<64xi32> -> i32 by arith.addi
  // CHECK: tile.reduce %{{.*}} axis 0 : tensor<64xi32> -> i32 by arith.muli
  %h1 = tile.reduce %i axis 0 : tensor<64xi32> -> i32 by arith.muli
  // CHECK: tile.reduce %{{.*}} axis 0 : tensor<64xi32> -> i32 by arith.maxsi
  %h2 = tile.reduce %i axis 0 : tensor<64xi32> -> i32 by arith.maxsi
  // CHECK: tile.reduce %{{.*}} axis 0 : tensor<64xi32> -> i32 by arith.minsi
  %h3 = tile.reduce %i axis 0 : tensor<64xi32> -> i32 by arith.minsi
  // CHECK: tile.reduce %{{.*}} axis 0 : tensor<64xi32> -> i32 by arith.maxui
  %h4 = tile.reduce %i axis 0 : tensor<64xi32> -> i32 by arith.maxui
  // CHECK: tile.reduce %{{.*}} axis 0 : tensor<64xi32> -> i32 by arith.minui
  %h5 = tile.reduce %i axis 0 : tensor<64xi32> -> i32 by arith.minui
  // CHECK: tile.reduce %{{.*}} axis 0 : tensor<64xi32> -> i32 by arith.andi
  %h6 = tile.reduce %i axis 0 : tensor<64xi32> -> i32 by arith.andi
  // CHECK: tile.reduce %{{.*}} axis 0 : tensor<64xi32> -> i32 by arith.ori
  %h7 = tile.reduce %i axis 0 : tensor<64xi32> -> i32 by arith.ori
  // CHECK: tile.reduce %{{.*}} axis 0 : tensor<64xi32> -> i32 by arith.xori
  %h8 = tile.reduce %i axis 0 : tensor<64xi32> -> i32 by arith.xori
  tile.return
}

// CHECK-LABEL: tile.kernel @axes(
tile.kernel @axes(%s: f32) {
  // CHECK: tile.splat %{{.*}} : tensor<8x64xf32>
  %w = tile.splat %s : tensor<8x64xf32>
  // CHECK: tile.reduce %{{.*}} axis 0 : tensor<8x64xf32> -> tensor<64xf32> by arith.addf
  %a = tile.reduce %w axis 0 : tensor<8x64xf32> -> tensor<64xf32> by arith.addf
  // CHECK: tile.reduce %{{.*}} axis 1 deterministic : tensor<8x64xf32> -> tensor<8xf32> by arith.addf
  %b = tile.reduce %w axis 1 deterministic : tensor<8x64xf32> -> tensor<8xf32> by arith.addf
  tile.return
}

// CHECK-LABEL: tile.kernel @region(
tile.kernel @region(%s: f32) {
  // CHECK: tile.splat %{{.*}} : tensor<64xf32>
  %x = tile.splat %s : tensor<64xf32>
  // CHECK: tile.arange 0 to 64 : tensor<64xi32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // CHECK: tile.reduce %{{.*}}, %{{.*}} axis 0 : tensor<64xf32>, tensor<64xi32> -> f32, i32 by (%{{.*}}: f32, %{{.*}}: i32, %{{.*}}: f32, %{{.*}}: i32) {
  %v, %j = tile.reduce %x, %i axis 0 : tensor<64xf32>, tensor<64xi32> -> f32, i32 by (%lv: f32, %li: i32, %rv: f32, %ri: i32) {
  // CHECK: arith.cmpf oge, %{{.*}}, %{{.*}} : f32
    %left = arith.cmpf oge, %lv, %rv : f32
  // CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : f32
    %bv = arith.select %left, %lv, %rv : f32
  // CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : i32
    %bi = arith.select %left, %li, %ri : i32
  // CHECK: tile.yield %{{.*}}, %{{.*}} : f32, i32
    tile.yield %bv, %bi : f32, i32
  }
  tile.return
}

// CHECK-LABEL: tile.kernel @region_of_one_op(
tile.kernel @region_of_one_op(%s: f32) {
  // CHECK: tile.splat %{{.*}} : tensor<64xf32>
  %x = tile.splat %s : tensor<64xf32>
  // CHECK: tile.arange 0 to 64 : tensor<64xi32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // CHECK: tile.reduce %{{.*}} axis 0 : tensor<64xf32> -> f32 by (%{{.*}}: f32, %{{.*}}: f32) {
  %a = tile.reduce %x axis 0 : tensor<64xf32> -> f32 by (%l: f32, %r: f32) {
  // CHECK: arith.addf %{{.*}}, %{{.*}} : f32
    %t = arith.addf %r, %l : f32
  // CHECK: tile.yield %{{.*}} : f32
    tile.yield %t : f32
  }
  // CHECK: tile.reduce %{{.*}} axis 0 : tensor<64xf32> -> f32 by (%{{.*}}: f32, %{{.*}}: f32) {
  %b = tile.reduce %x axis 0 : tensor<64xf32> -> f32 by (%l: f32, %r: f32) {
  // CHECK: arith.addf %{{.*}}, %{{.*}} fastmath<contract> : f32
    %t = arith.addf %l, %r fastmath<contract> : f32
  // CHECK: tile.yield %{{.*}} : f32
    tile.yield %t : f32
  }
  // CHECK: tile.reduce %{{.*}} axis 0 : tensor<64xf32> -> f32 by (%{{.*}}: f32, %{{.*}}: f32) {
  %c = tile.reduce %x axis 0 : tensor<64xf32> -> f32 by (%l: f32, %r: f32) {
  // CHECK: arith.subf %{{.*}}, %{{.*}} : f32
    %t = arith.subf %l, %r : f32
  // CHECK: tile.yield %{{.*}} : f32
    tile.yield %t : f32
  }
  // CHECK: tile.reduce %{{.*}} axis 0 : tensor<64xf32> -> f32 by (%{{.*}}: f32, %{{.*}}: f32) {
  %d = tile.reduce %x axis 0 : tensor<64xf32> -> f32 by (%l: f32, %r: f32) {
  // CHECK: tile.yield %{{.*}} : f32
    tile.yield %l : f32
  }
  tile.return
}

// CHECK-LABEL: tile.kernel @scalar_from_outside(
tile.kernel @scalar_from_outside(%s: f32, %k: f32) {
  // CHECK: tile.splat %{{.*}} : tensor<64xf32>
  %x = tile.splat %s : tensor<64xf32>
  // CHECK: tile.arange 0 to 64 : tensor<64xi32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // CHECK: tile.reduce %{{.*}} axis 0 : tensor<64xf32> -> f32 by (%{{.*}}: f32, %{{.*}}: f32) {
  %a = tile.reduce %x axis 0 : tensor<64xf32> -> f32 by (%l: f32, %r: f32) {
  // CHECK: math.fma %{{.*}}, %{{.*}}, %{{.*}} : f32
    %t = math.fma %l, %k, %r : f32
  // CHECK: tile.yield %{{.*}} : f32
    tile.yield %t : f32
  }
  tile.return
}
