// RUN: tessera-opt %s -split-input-file | tessera-opt -split-input-file | FileCheck %s
// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s
// SEMANTICS T5: how a sum, difference or product was written stands on it, and stays there while it does

// CHECK-LABEL: tile.kernel @marked(
tile.kernel @marked(%p: !tile.ptr<i32>, %a: i32, %b: i32, %c: i32) {
  // CHECK: arith.addi %{{.*}}, %{{.*}} {tile.unsigned} : i32
  %s = arith.addi %a, %b {tile.unsigned} : i32
  // CHECK: arith.subi %{{.*}}, %{{.*}} {tile.unsigned} : i32
  %d = arith.subi %s, %c {tile.unsigned} : i32
  // CHECK: arith.muli %{{.*}}, %{{.*}} {tile.unsigned} : i32
  %m = arith.muli %d, %a {tile.unsigned} : i32
  // CHECK: arith.muli %{{.*}}, %{{.*}} : i32
  %n = arith.muli %d, %a : i32
  tile.store %p, %m : !tile.ptr<i32>
  tile.store %p, %n : !tile.ptr<i32>
  tile.return
}
