// RUN: tessera-opt %s -split-input-file -convert-layout-to-llvm | FileCheck %s

#a = #layout.tile<8, register = [(1)], lane = [(2), (4)]>

// the mirror image is the other register of the lane that differs in all bits
// CHECK-LABEL: llvm.func @flip(
//       CHECK:   call @tessera.gpu.shuffle.xor(%{{.*}}, %c3
//       CHECK:   call @tessera.gpu.shuffle.xor(%{{.*}}, %c3
tile.kernel @flip(%p: !tile.ptr<i32>) attributes {layout.num_warps = 1, layout.warp_size = 4} {
  %x = tile.arange 0 to 8 : tensor<8xi32, #a>
  %y = tile.flip %x axis 0 : tensor<8xi32, #a>
  %q = tile.splat %p : tensor<8x!tile.ptr<i32>, #a>
  tile.store %q, %y : tensor<8x!tile.ptr<i32>, #a>
  tile.return
}

// -----

#whole = #layout.tile<4x2, register = [(0, 1), (2, 0)], lane = [(1, 0)]>
#half = #layout.tile<4, register = [(2)], lane = [(1)]>

// CHECK-LABEL: llvm.func @renames(
//  CHECK-SAME:   %[[X:[^:]*]]: i32, %[[Y:[^:]*]]: i32
//   CHECK-NOT:   shuffle
//       CHECK:   llvm.store %[[X]]
//       CHECK:   llvm.store %[[X]]
//       CHECK:   llvm.store %[[Y]]
//       CHECK:   llvm.store %[[Y]]
tile.kernel @renames(%s: i32, %t: i32, %p: !tile.ptr<i32>) attributes {layout.num_warps = 1, layout.warp_size = 2} {
  %x = tile.splat %s : tensor<4xi32, #half>
  %y = tile.splat %t : tensor<4xi32, #half>
  %pairs = tile.join %y, %x : tensor<4xi32, #half> -> tensor<4x2xi32, #whole>
  %a, %b = tile.split %pairs : tensor<4x2xi32, #whole> -> tensor<4xi32, #half>
  %q = tile.splat %p : tensor<4x!tile.ptr<i32>, #half>
  tile.store %q, %b : tensor<4x!tile.ptr<i32>, #half>
  tile.store %q, %a : tensor<4x!tile.ptr<i32>, #half>
  tile.return
}

// -----

#words = #layout.tile<2, lane = [(1)]>
#halves = #layout.tile<2x2, register = [(0, 1)], lane = [(1, 0)]>

// part 0 holds the lowest bits
// CHECK-LABEL: llvm.func @split_words(
//  CHECK-SAME:   %[[X:[^:]*]]: i32
//       CHECK:   arith.trunci %[[X]] : i32 to i16
//       CHECK:   %[[HIGH:.*]] = arith.shrui %[[X]]
//       CHECK:   arith.trunci %[[HIGH]] : i32 to i16
tile.kernel @split_words(%s: i32, %p: !tile.ptr<i16>) attributes {layout.num_warps = 1, layout.warp_size = 2} {
  %x = tile.splat %s : tensor<2xi32, #words>
  %y = tile.bitcast %x : tensor<2xi32, #words> -> tensor<2x2xi16, #halves>
  %q = tile.splat %p : tensor<2x2x!tile.ptr<i16>, #halves>
  tile.store %q, %y : tensor<2x2x!tile.ptr<i16>, #halves>
  tile.return
}

// -----

#word = #layout.tile<1, lane = [(0)]>
#bytes = #layout.tile<1x8, register = [(0, 1), (0, 2), (0, 4)], lane = [(0, 0)]>

// one word of 64 bits is two of 32 where its parts are narrow
// CHECK-LABEL: llvm.func @split_wide_word(
//       CHECK:   llvm.bitcast %{{.*}} : i64 to vector<2xi32>
tile.kernel @split_wide_word(%s: i64, %p: !tile.ptr<i8>) attributes {layout.num_warps = 1, layout.warp_size = 2} {
  %x = tile.splat %s : tensor<1xi64, #word>
  %y = tile.bitcast %x : tensor<1xi64, #word> -> tensor<1x8xi8, #bytes>
  %q = tile.splat %p : tensor<1x8x!tile.ptr<i8>, #bytes>
  tile.store %q, %y : tensor<1x8x!tile.ptr<i8>, #bytes>
  tile.return
}
