// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s
// SEMANTICS A4, A5

// CHECK-LABEL: tile.kernel @maxnum(
//       CHECK: %[[C:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NOT: tile.maxnum
//       CHECK: tile.print "" %[[C]]
tile.kernel @maxnum() {
  %a = arith.constant 1.0 : f32
  %b = arith.constant 2.0 : f32
  %c = tile.maxnum %a, %b : f32
  tile.print "" %c : f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @maxnum_of_zeros(
//       CHECK: %[[C:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NOT: tile.maxnum
//       CHECK: tile.print "" %[[C]]
tile.kernel @maxnum_of_zeros() {
  %a = arith.constant -0.0 : f32
  %b = arith.constant 0.0 : f32
  %c = tile.maxnum %a, %b : f32
  tile.print "" %c : f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @minnum_of_zeros(
//       CHECK: %[[C:.*]] = arith.constant -0.000000e+00 : f32
// CHECK-NOT: tile.minnum
//       CHECK: tile.print "" %[[C]]
tile.kernel @minnum_of_zeros() {
  %a = arith.constant 0.0 : f32
  %b = arith.constant -0.0 : f32
  %c = tile.minnum %a, %b : f32
  tile.print "" %c : f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @drops_nan(
//       CHECK: tile.print "" %arg0
tile.kernel @drops_nan(%a: f32) {
  %n = arith.constant 0x7FC00000 : f32
  %b = tile.maxnum %n, %a : f32
  %c = tile.minnum %b, %n : f32
  tile.print "" %c : f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @of_itself(
//       CHECK: tile.print "" %arg0
tile.kernel @of_itself(%a: f32) {
  %b = tile.maxnum %a, %a : f32
  tile.print "" %b : f32
  tile.return
}

// -----

// Of NaN and -inf it is -inf.
// CHECK-LABEL: tile.kernel @negative_with_minus_infinity(
//       CHECK: tile.maxnum
tile.kernel @negative_with_minus_infinity(%a: f32) {
  %n = arith.constant 0xFF800000 : f32
  %b = tile.maxnum %a, %n : f32
  tile.print "" %b : f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @ldexp(
//       CHECK: arith.constant 3.750000e-01 : f32
tile.kernel @ldexp() {
  %a = arith.constant 1.5 : f32
  %e = arith.constant -2 : i32
  %b = tile.ldexp %a, %e : f32
  tile.print "" %b : f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @ldexp_underflow(
//       CHECK: arith.constant 0.000000e+00 : f32
tile.kernel @ldexp_underflow() {
  %a = arith.constant 1.5 : f32
  %e = arith.constant -2147483648 : i32
  %b = tile.ldexp %a, %e : f32
  tile.print "" %b : f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @ldexp_by_zero(
//       CHECK: tile.print "" %arg0
tile.kernel @ldexp_by_zero(%a: f32) {
  %e = arith.constant 0 : i32
  %b = tile.ldexp %a, %e : f32
  tile.print "" %b : f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_ldexp(
//       CHECK: tile.ldexp
tile.kernel @negative_ldexp(%a: f32) {
  %e = arith.constant 1 : i32
  %b = tile.ldexp %a, %e : f32
  tile.print "" %b : f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @ilogb(
// CHECK-DAG: %[[A:.*]] = arith.constant -149 : i32
// CHECK-DAG: %[[Z:.*]] = arith.constant -2147483648 : i32
// CHECK-DAG: %[[N:.*]] = arith.constant 2147483647 : i32
//       CHECK: tile.print "" %[[A]], %[[Z]], %[[N]]
tile.kernel @ilogb() {
  %a = arith.constant 1.0e-45 : f32
  %z = arith.constant 0.0 : f32
  %n = arith.constant 0x7FC00000 : f32
  %b = tile.ilogb %a : f32
  %c = tile.ilogb %z : f32
  %d = tile.ilogb %n : f32
  tile.print "" %b, %c, %d : i32, i32, i32
  tile.return
}
