// RUN: tessera-opt %s -split-input-file -layout-expand-dots -layout-allocate-shared -convert-layout-to-llvm | FileCheck %s

#acc = #layout.tile<8x8, register = [(0, 1), (4, 0)], lane = [(0, 2), (0, 4), (1, 0), (2, 0)]>
#op = #layout.tile<8x8, register = [(0, 1), (0, 2)], lane = [(0, 4), (1, 0), (2, 0), (4, 0)]>

// four elements of k at a time; two rows and two columns in each step
// CHECK-LABEL: llvm.func @fma(
//       CHECK:   scf.for
// CHECK-COUNT-2: llvm.load %{{.*}} : !llvm.ptr<3> -> vector<4xi32>
// CHECK-COUNT-2: llvm.load %{{.*}} : !llvm.ptr<3> -> i32
// CHECK-COUNT-4: math.fma
tile.kernel @fma(%s: f32, %p: !tile.ptr<f32>) attributes {layout.num_warps = 1, layout.warp_size = 16} {
  %a = tile.splat %s : tensor<8x8xf32, #op>
  %c = tile.splat %s : tensor<8x8xf32, #acc>
  %d = tile.dot %a, %a, %c : tensor<8x8xf32, #op>, tensor<8x8xf32, #op> -> tensor<8x8xf32, #acc>
  %q = tile.splat %p : tensor<8x8x!tile.ptr<f32>, #acc>
  tile.store %q, %d : tensor<8x8x!tile.ptr<f32>, #acc>
  tile.return
}
