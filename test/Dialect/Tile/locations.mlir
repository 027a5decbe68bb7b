// RUN: tessera-opt %s -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s
// RUN: tessera-opt %s -mlir-print-debuginfo | tessera-opt -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s
// RUN: tessera-opt %s | FileCheck %s --check-prefix=WITHOUT
// Locations are shown on request, those in combine regions included.

// CHECK-LABEL: tile.kernel @locations(
//       CHECK:   tile.program_id x loc("row"("k.cpp":2:13))
//       CHECK:   arith.subf %{{.*}} : f32 loc("k.cpp":5:7)
//       CHECK:   tile.return loc("k.cpp":9:1)
// WITHOUT-NOT: k.cpp
tile.kernel @locations(%s: f32) {
  %0 = tile.program_id x loc("row"("k.cpp":2:13))
  %x = tile.splat %s : tensor<4xf32>
  %r = tile.reduce %x axis 0 : tensor<4xf32> -> f32 by (%a: f32, %b: f32) {
    %d = arith.subf %a, %b : f32 loc("k.cpp":5:7)
    tile.yield %d : f32
  }
  tile.return loc("k.cpp":9:1)
}
