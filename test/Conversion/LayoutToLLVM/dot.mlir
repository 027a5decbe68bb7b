// RUN: tessera-opt %s -split-input-file -layout-expand-dots -layout-allocate-shared -convert-layout-to-llvm | FileCheck %s

#acc = #layout.tile<8x8, register = [(0, 1), (4, 0)], lane = [(0, 2), (0, 4), (1, 0), (2, 0)]>
#op = #layout.tile<8x8, register = [(0, 1), (0, 2)], lane = [(0, 4), (1, 0), (2, 0), (4, 0)]>

// in each step one access to both rows and one to both columns; those of the next step start between products
// CHECK-LABEL: llvm.func @fma(
//   CHECK-NOT:   scf.for
// CHECK-COUNT-3: llvm.load %{{.*}} : !llvm.ptr<3> -> vector<2xi32>
//   CHECK-NOT:   llvm.load
// CHECK-COUNT-2: math.fma
//       CHECK:   llvm.load %{{.*}} : !llvm.ptr<3> -> vector<2xi32>
// CHECK-COUNT-2: math.fma
//       CHECK:   llvm.load %{{.*}} : !llvm.ptr<3> -> vector<2xi32>
tile.kernel @fma(%s: f32, %p: !tile.ptr<f32>) attributes {layout.num_warps = 1, layout.warp_size = 16} {
  %a = tile.splat %s : tensor<8x8xf32, #op>
  %c = tile.splat %s : tensor<8x8xf32, #acc>
  %d = tile.dot %a, %a, %c : tensor<8x8xf32, #op>, tensor<8x8xf32, #op> -> tensor<8x8xf32, #acc>
  %q = tile.splat %p : tensor<8x8x!tile.ptr<f32>, #acc>
  tile.store %q, %d : tensor<8x8x!tile.ptr<f32>, #acc>
  tile.return
}

// -----

#acc = #layout.tile<4x4, lane = [(0, 1), (0, 2), (1, 0), (2, 0)]>
#a = #layout.tile<4x64, register = [(0, 1), (0, 2), (0, 4), (0, 8)], lane = [(0, 16), (0, 32), (1, 0), (2, 0)]>
#b = #layout.tile<64x4, register = [(1, 0), (2, 0), (4, 0), (8, 0)], lane = [(16, 0), (32, 0), (0, 1), (0, 2)]>

// more steps than the code of a turn has
// CHECK-LABEL: llvm.func @turns(
//       CHECK:   %[[TURNS:.*]] = arith.constant 2 : i32
//       CHECK:   scf.for %{{.*}} = %{{.*}} to %[[TURNS]]
// CHECK-COUNT-32: math.fma
//   CHECK-NOT:   math.fma
tile.kernel @turns(%s: f32, %p: !tile.ptr<f32>) attributes {layout.num_warps = 1, layout.warp_size = 16} {
  %a = tile.splat %s : tensor<4x64xf32, #a>
  %b = tile.splat %s : tensor<64x4xf32, #b>
  %c = tile.splat %s : tensor<4x4xf32, #acc>
  %d = tile.dot %a, %b, %c : tensor<4x64xf32, #a>, tensor<64x4xf32, #b> -> tensor<4x4xf32, #acc>
  %q = tile.splat %p : tensor<4x4x!tile.ptr<f32>, #acc>
  tile.store %q, %d : tensor<4x4x!tile.ptr<f32>, #acc>
  tile.return
}
