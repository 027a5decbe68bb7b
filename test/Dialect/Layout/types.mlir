// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s

// CHECK-DAG: #[[ROWS:s[0-9]*]] = #layout.shared<64x32>
// CHECK-DAG: #[[SWIZZLED:s[0-9]*]] = #layout.shared<4x4, offsets = [1, 2, 5, 10]>

// CHECK-LABEL: tile.kernel @types(
tile.kernel @types() {
  // CHECK: a = !layout.buffer<64x32xf16, #[[ROWS]]>
  // CHECK-SAME: b = !layout.buffer<3x4x4xi1, #[[SWIZZLED]]>
  // CHECK-SAME: c = !layout.token
  // CHECK-SAME: d = !layout.mbarrier,
  // CHECK-SAME: e = !layout.mbarrier<4>
  tile.return {
    a = !layout.buffer<64x32xf16, #layout.shared<64x32, offsets = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]>>,
    b = !layout.buffer<3x4x4xi1, #layout.shared<4x4, offsets = [1, 2, 5, 10]>>,
    c = !layout.token, d = !layout.mbarrier<1>, e = !layout.mbarrier<4>}
}
