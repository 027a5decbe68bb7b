// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s

// Lists without columns are left out, equal maps print once, and the order of the lists is fixed.
// CHECK-DAG: #[[A:l[0-9]*]] = #layout.tile<4x128, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (0, 16), (0, 32), (0, 64)], warp = [(1, 0), (2, 0)]>
#a = #layout.tile<4x128, warp = [(1, 0), (2, 0)], block = [], register = [(0, 1), (0, 2)],
                  lane = [(0, 4), (0, 8), (0, 16), (0, 32), (0, 64)]>
// CHECK-DAG: #[[B:l[0-9]*]] = #layout.tile<8, register = [(1), (2)], lane = [(4), (0), (1)], block = [(0)]>
#b = #layout.tile<8, register = [(1), (2)], lane = [(4), (0), (1)], block = [(0)]>
// CHECK-DAG: #[[ONE:l[0-9]*]] = #layout.tile<1x1>
#one = #layout.tile<1x1>

// CHECK-LABEL: tile.kernel @tiles(
// CHECK-SAME: attributes {layout.num_blocks = 2 : i64, layout.num_warps = 4 : i64, layout.programs_per_block = 3 : i64, layout.shared_bytes = 0 : i64, layout.warp_size = 32 : i64}
tile.kernel @tiles(%s: f32) attributes {layout.num_warps = 4, layout.warp_size = 32, layout.num_blocks = 2,
                                        layout.programs_per_block = 3, layout.shared_bytes = 0} {
  // CHECK: tensor<4x128xf32, #[[A]]>
  %x = tile.splat %s : tensor<4x128xf32, #a>
  // CHECK: tensor<8xf32, #[[B]]>
  %y = tile.splat %s : tensor<8xf32, #b>
  // CHECK: tensor<1x1xf32, #[[ONE]]>
  %z = tile.splat %s : tensor<1x1xf32, #one>
  tile.return
}

// CHECK-LABEL: tile.kernel @scalar(
tile.kernel @scalar() {
  // CHECK: tile.return {a = #{{l[0-9]*}}, b = #{{l[0-9]*}}}
  tile.return {a = #layout.tile<>, b = #layout.tile<lane = [()]>}
}
