// RUN: tessera-opt %s -split-input-file -convert-host-to-llvm -verify-diagnostics | FileCheck %s

// CHECK-LABEL: llvm.func @loop_of_vectors(
//  CHECK-SAME:   attributes {host.arena_bytes = 64 : i64}
//   CHECK-NOT:   scf.
//       CHECK:   llvm.icmp "slt"
//       CHECK:   llvm.cond_br
//       CHECK:   llvm.load {{.*}} -> vector<4xf32>
//       CHECK:   llvm.intr.fma
//       CHECK:   llvm.shufflevector
//       CHECK:   llvm.store
//       CHECK:   llvm.br
llvm.func @loop_of_vectors(%p: !llvm.ptr, %n: i64) attributes {host.arena_bytes = 64 : i64} {
  %zero = arith.constant 0 : i64
  %four = arith.constant 4 : i64
  %twos = arith.constant dense<2.0> : vector<4xf32>
  scf.for %i = %zero to %n step %four : i64 {
    %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v = llvm.load %q {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
    %w = math.fma %v, %twos, %twos : vector<4xf32>
    %r = vector.shuffle %w, %w [3, 2, 1, 0] : vector<4xf32>, vector<4xf32>
    llvm.store %r, %q {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr
  }
  llvm.return
}

// -----

// CHECK-LABEL: llvm.func @keeps_flags(
//       CHECK:   llvm.fmul {{.*}} {fastmathFlags = #llvm.fastmath<contract>}
//       CHECK:   llvm.fadd %{{[^{]*$}}
llvm.func @keeps_flags(%a: f32, %b: f32) -> f32 {
  %p = arith.mulf %a, %b fastmath<contract> : f32
  %s = arith.addf %p, %b : f32
  llvm.return %s : f32
}

// -----

llvm.func @negative_tensor(%p: !llvm.ptr) {
  // expected-error @below {{failed to legalize operation 'arith.constant'}}
  %t = arith.constant dense<1> : tensor<4xi32>
  llvm.return
}
