// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS L3

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%n: i64, %c: i1) {
  // CHECK: tile.splat %{{.*}} : tensor<64xi64>
  %x = tile.splat %n : tensor<64xi64>
  // CHECK: tile.splat %{{.*}} : tensor<64xi1>
  %m = tile.splat %c : tensor<64xi1>
  // CHECK: tile.print "here"
  tile.print "here"
  // CHECK: tile.print "row" %{{.*}}, %{{.*}} : i64, tensor<64xi64>
  tile.print "row" %n, %x : i64, tensor<64xi64>
  // CHECK: tile.print "row" %{{.*}}, %{{.*}} names ["n", "x"] : i64, tensor<64xi64>
  tile.print "row" %n, %x names ["n", "x"] : i64, tensor<64xi64>
  // CHECK: tile.print "row" %{{.*}} unsigned [true] pred %{{.*}} is tensor<64xi1> : tensor<64xi64>
  tile.print "row" %x unsigned [true] pred %m is tensor<64xi1> : tensor<64xi64>
  // CHECK: tile.print "\22quoted\22" %{{.*}} names ["n"] pred %{{.*}} is i1 : i64
  tile.print "\22quoted\22" %n names ["n"] pred %c is i1 : i64
  // CHECK: tile.print "once" pred %{{.*}} is i1
  tile.print "once" pred %c is i1
  tile.return
}
