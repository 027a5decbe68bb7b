// RUN: tessera-opt %s -split-input-file -convert-layout-to-llvm | FileCheck %s

#line = #layout.tile<16, register = [(1), (8)], lane = [(2), (4)]>

// registers meet first, so that one value travels
// CHECK-LABEL: llvm.func @registers_first(
//       CHECK:   %[[A:.*]] = arith.addf
//       CHECK:   %[[B:.*]] = arith.addf
//       CHECK:   %[[ALL:.*]] = arith.addf %[[A]], %[[B]]
//       CHECK:   call @tessera.gpu.shuffle.xor(%{{.*}}, %c1
//       CHECK:   call @tessera.gpu.shuffle.xor(%{{.*}}, %c2
//   CHECK-NOT:   call @tessera.gpu.shuffle
tile.kernel @registers_first(%s: f32) attributes {layout.num_warps = 1, layout.warp_size = 4} {
  %x = tile.splat %s : tensor<16xf32, #line>
  %sum = tile.reduce %x axis 0 : tensor<16xf32, #line> -> f32 by arith.addf
  %big = arith.cmpf ogt, %sum, %s : f32
  tile.assume %big
  tile.return
}

// -----

#line = #layout.tile<16, register = [(1), (8)], lane = [(2), (4)]>

// the lowest bits of the axis first: a register, both lanes for two values, a register
// CHECK-LABEL: llvm.func @deterministic(
// CHECK-COUNT-2: arith.addf
// CHECK-COUNT-2: shuffle.xor
// CHECK-COUNT-2: arith.addf
// CHECK-COUNT-2: shuffle.xor
// CHECK-COUNT-3: arith.addf
// CHECK-NOT:   arith.addf
tile.kernel @deterministic(%s: f32) attributes {layout.num_warps = 1, layout.warp_size = 4} {
  %x = tile.splat %s : tensor<16xf32, #line>
  %sum = tile.reduce %x axis 0 deterministic : tensor<16xf32, #line> -> f32 by arith.addf
  %big = arith.cmpf ogt, %sum, %s : f32
  tile.assume %big
  tile.return
}

// -----

#copies = #layout.tile<2, register = [(0)], lane = [(0), (1)], warp = [(0)]>

// lanes and registers that hold copies count once
// CHECK-LABEL: llvm.func @copies(
//       CHECK:   shuffle.xor(%{{.*}}, %c2
//       CHECK:   arith.addi
//   CHECK-NOT:   call @tessera.gpu.shuffle
//   CHECK-NOT:   arith.addi
tile.kernel @copies(%s: i32) attributes {layout.num_warps = 2, layout.warp_size = 4} {
  %x = tile.splat %s : tensor<2xi32, #copies>
  %sum = tile.reduce %x axis 0 : tensor<2xi32, #copies> -> i32 by arith.addi
  %big = arith.cmpi sgt, %sum, %s : i32
  tile.assume %big
  tile.return
}

// -----

#line = #layout.tile<4, lane = [(1), (2)]>

// the combine may tell its sides apart by their bits: all lanes take what the first one has
// CHECK-LABEL: llvm.func @two_values(
// CHECK-COUNT-2: shuffle.xor
//       CHECK:   arith.cmpf ogt
// CHECK-COUNT-2: shuffle.xor
//       CHECK:   arith.cmpf ogt
// CHECK-COUNT-2: shuffle.idx
//   CHECK-NOT:   call @tessera.gpu.shuffle
tile.kernel @two_values(%s: f32, %i: i32) attributes {layout.num_warps = 1, layout.warp_size = 4} {
  %x = tile.splat %s : tensor<4xf32, #line>
  %y = tile.splat %i : tensor<4xi32, #line>
  %most, %at = tile.reduce %x, %y axis 0 : tensor<4xf32, #line>, tensor<4xi32, #line> -> f32, i32 by
    (%lv: f32, %li: i32, %rv: f32, %ri: i32) {
      %left = arith.cmpf ogt, %lv, %rv : f32
      %v = arith.select %left, %lv, %rv : f32
      %j = arith.select %left, %li, %ri : i32
      tile.yield %v, %j : f32, i32
    }
  %big = arith.cmpf ogt, %most, %s : f32
  tile.assume %big
  tile.return
}

// -----

#line = #layout.tile<4, lane = [(1), (2)]>

// CHECK-LABEL: llvm.func @any(
//       CHECK:   %[[LANES:.*]] = llvm.call @tessera.gpu.ballot
//       CHECK:   arith.cmpi ne, %[[LANES]]
//   CHECK-NOT:   call @tessera.gpu.shuffle
tile.kernel @any(%s: i1) attributes {layout.num_warps = 1, layout.warp_size = 4} {
  %x = tile.splat %s : tensor<4xi1, #line>
  %some = tile.reduce %x axis 0 : tensor<4xi1, #line> -> i1 by arith.ori
  tile.assume %some
  tile.return
}

// -----

#rows = #layout.tile<4x8, register = [(1, 0), (2, 0)], lane = [(0, 1), (0, 2), (0, 4)]>
#result = #layout.tile<4, register = [(1), (2)], lane = [(0), (0), (0)]>

// four results and three lane bits: 2 and 1 values travel while lanes divide the results, 1 value is combined by both,
// and 1 and 2 are told again; 12 would travel if every lane computed all
// CHECK-LABEL: llvm.func @lanes_divide_results(
// CHECK-COUNT-7: call @tessera.gpu.shuffle.xor
//   CHECK-NOT:   call @tessera.gpu.shuffle
tile.kernel @lanes_divide_results(%p: !tile.ptr<f32>, %s: f32) attributes {layout.num_warps = 1, layout.warp_size = 8} {
  %x = tile.splat %s : tensor<4x8xf32, #rows>
  %y = tile.reduce %x axis 1 : tensor<4x8xf32, #rows> -> tensor<4xf32, #result> by arith.addf
  %q = tile.splat %p : tensor<4x!tile.ptr<f32>, #result>
  tile.store %q, %y : tensor<4x!tile.ptr<f32>, #result>
  tile.return
}
