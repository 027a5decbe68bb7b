// RUN: not tessera-opt %s 2>&1 | FileCheck %s
// Text that MLIR's parser would crash on is refused before it.

// CHECK: hazards.mlir:8:71: error: expected the elements of `array<...>` to be integers or floats
// CHECK-NOT: tile.kernel
tile.kernel @array_of_index(%s: f32) {
  %x = tile.splat %s : tensor<4x4xf32>
  %t = "tile.slice"(%x) <{offsets = array<i64: 0, 0>}> {more = array< index : 0>} : (tensor<4x4xf32>) -> tensor<2x2xf32>
  tile.return
}
