// RUN: tessera-opt %s -split-input-file -layout-expand-shared -layout-allocate-shared -convert-layout-to-llvm | FileCheck %s

#a = #layout.tile<256, register = [(1), (2)], lane = [(4), (8), (16), (32), (64)], warp = [(128)]>
#b = #layout.tile<256, register = [(1), (2)], lane = [(8), (16), (32), (64), (128)], warp = [(4)]>

// CHECK-LABEL: llvm.func @through_a_buffer(
//       CHECK:   llvm.store %{{.*}} : vector<4xi32>, !llvm.ptr<3>
//       CHECK:   llvm.load %{{.*}} : !llvm.ptr<3> -> vector<4xi32>
tile.kernel @through_a_buffer(%s: i32, %p: !tile.ptr<i32>) attributes {layout.num_warps = 2, layout.warp_size = 32} {
  %x = tile.arange 0 to 256 : tensor<256xi32, #a>
  %w = arith.addi %x, %x : tensor<256xi32, #a>
  %y = layout.convert %w : tensor<256xi32, #a> -> tensor<256xi32, #b>
  %q = tile.splat %p : tensor<256x!tile.ptr<i32>, #b>
  tile.store %q, %y : tensor<256x!tile.ptr<i32>, #b>
  tile.return
}

// -----

#a = #layout.tile<64, register = [(1)], lane = [(2), (4), (8), (16), (32)]>
#b = #layout.tile<64, register = [(32)], lane = [(1), (2), (4), (8), (16)]>

// two values change places with those of another lane
// CHECK-LABEL: llvm.func @by_shuffles(
// CHECK-COUNT-2: call @tessera.gpu.shuffle
//   CHECK-NOT:   call @tessera.gpu.shuffle
//       CHECK:   llvm.return
tile.kernel @by_shuffles(%s: i32, %p: !tile.ptr<i32>) attributes {layout.num_warps = 1, layout.warp_size = 32} {
  %x = tile.arange 0 to 64 : tensor<64xi32, #a>
  %w = arith.addi %x, %x : tensor<64xi32, #a>
  %y = layout.convert %w : tensor<64xi32, #a> -> tensor<64xi32, #b>
  %q = tile.splat %p : tensor<64x!tile.ptr<i32>, #b>
  tile.store %q, %y : tensor<64x!tile.ptr<i32>, #b>
  tile.return
}

// -----

#a = #layout.tile<64, register = [(1)], lane = [(2), (4), (8), (16), (32)]>

// an index outside adds nothing
// CHECK-LABEL: llvm.func @histogram(
//       CHECK:   llvm.call @tessera.gpu.shared_store
//       CHECK:   %[[INSIDE:.*]] = arith.cmpi ult, %[[BIN:.*]], %c16
//       CHECK:   llvm.call @tessera.gpu.shared_atomic.add.i32.relaxed.block(%{{.*}}, %c1_i32, %[[INSIDE]])
tile.kernel @histogram(%s: i32, %p: !tile.ptr<i32>) attributes {layout.num_warps = 1, layout.warp_size = 32} {
  %x = tile.splat %s : tensor<64xi32, #a>
  %y = tile.histogram %x : tensor<64xi32, #a> -> tensor<16xi32, #layout.tile<16, lane = [(1), (2), (4), (8), (0)]>>
  %q = tile.splat %p : tensor<16x!tile.ptr<i32>, #layout.tile<16, lane = [(1), (2), (4), (8), (0)]>>
  tile.store %q, %y : tensor<16x!tile.ptr<i32>, #layout.tile<16, lane = [(1), (2), (4), (8), (0)]>>
  tile.return
}
