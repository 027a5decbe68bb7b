// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS P1b, P2

// CHECK-LABEL: tile.kernel @plain(
tile.kernel @plain() {
  tile.return
}

// CHECK-LABEL: tile.kernel @parameters(
tile.kernel @parameters(%p: !tile.ptr<f32> {tile.may_alias, tile.multiple_of = 16 : i64}, %q: !tile.ptr<i32> {tile.zeroed}, %n: i64 {tile.multiple_of = 3 : i64}) {
  // CHECK-SAME: !tile.ptr<f32> {tile.may_alias, tile.multiple_of = 16 : i64}, {{.*}}: !tile.ptr<i32> {tile.zeroed}, {{.*}}: i64 {tile.multiple_of = 3 : i64})
  tile.return
}
