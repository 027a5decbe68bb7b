// RUN: tessera-opt %s -split-input-file -tile-verify-stage | FileCheck %s

// CHECK-LABEL: tile.kernel @all_kinds(
tile.kernel @all_kinds(%p: !tile.ptr<f32>, %n: i64, %h: f8E4M3FN) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %v = tile.make_view %p, [%n], [%one] : !tile.view<f32, 1>
  %init = arith.constant dense<0.0> : tensor<8xf32>
  %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %init) -> (tensor<8xf32>) : i64 {
    %x = tile.view_load %v[%i] : !tile.view<f32, 1> -> tensor<8xf32>
    %e = math.exp2 %x fastmath<afn> : tensor<8xf32>
    %next = arith.divf %acc, %e fastmath<arcp, afn> : tensor<8xf32>
    scf.yield %next : tensor<8xf32>
  }
  %last = scf.while (%k = %n) : (i64) -> i64 {
    %more = arith.cmpi sgt, %k, %zero : i64
    scf.condition(%more) %k : i64
  } do {
  ^bb0(%k: i64):
    %less = arith.subi %k, %one : i64
    scf.yield %less : i64
  }
  %c = arith.cmpi eq, %last, %zero : i64
  scf.if %c {
    tile.view_store %v[%last], %sum : !tile.view<f32, 1>, tensor<8xf32>
  }
  %s = arith.select %c, %h, %h : f8E4M3FN
  %f = arith.sitofp %n : i64 to f8E5M2
  tile.return
}
