// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s
// SEMANTICS T5, C1 to C3 hold through the folders of arith and math, which we borrow.

// SEMANTICS T5
// CHECK-LABEL: tile.kernel @wraps(
//       CHECK: %[[C:.*]] = arith.constant -2147483648 : i32
//       CHECK: tile.print "" %[[C]]
tile.kernel @wraps(%x: f32) {
  %a = arith.constant 2147483647 : i32
  %b = arith.constant 1 : i32
  %r = arith.addi %a, %b : i32
  tile.print "" %r : i32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @product_wraps(
//       CHECK: %[[C:.*]] = arith.constant 0 : i8
//       CHECK: tile.print "" %[[C]]
tile.kernel @product_wraps(%x: f32) {
  %a = arith.constant 16 : i8
  %r = arith.muli %a, %a : i8
  tile.print "" %r : i8
  tile.return
}

// -----

// SEMANTICS A6
// CHECK-LABEL: tile.kernel @absolute_value_wraps(
//       CHECK: %[[C:.*]] = arith.constant -128 : i8
//       CHECK: tile.print "" %[[C]]
tile.kernel @absolute_value_wraps(%x: f32) {
  %a = arith.constant -128 : i8
  %r = math.absi %a : i8
  tile.print "" %r : i8
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @leading_zeros_of_zero(
//       CHECK: %[[C:.*]] = arith.constant 32 : i32
//       CHECK: tile.print "" %[[C]]
tile.kernel @leading_zeros_of_zero(%x: f32) {
  %a = arith.constant 0 : i32
  %r = math.ctlz %a : i32
  tile.print "" %r : i32
  tile.return
}

// -----

// SEMANTICS C3
// CHECK-LABEL: tile.kernel @truncation_is_modulo(
//       CHECK: %[[C:.*]] = arith.constant 1 : i8
//       CHECK: tile.print "" %[[C]]
tile.kernel @truncation_is_modulo(%x: f32) {
  %a = arith.constant 257 : i32
  %r = arith.trunci %a : i32 to i8
  tile.print "" %r : i8
  tile.return
}

// -----

// SEMANTICS C2
// CHECK-LABEL: tile.kernel @int_to_float_to_even(
//       CHECK: %[[C:.*]] = arith.constant 0x4B800000 : f32
//       CHECK: tile.print "" %[[C]]
tile.kernel @int_to_float_to_even(%x: f32) {
  %a = arith.constant 16777217 : i32
  %r = arith.sitofp %a : i32 to f32
  tile.print "" %r : f32
  tile.return
}

// -----

// SEMANTICS C1
// CHECK-LABEL: tile.kernel @int_to_fp8_without_infinity(
//       CHECK: %[[C:.*]] = arith.constant 0x7F : f8E4M3FN
//       CHECK: tile.print "" %[[C]]
tile.kernel @int_to_fp8_without_infinity(%x: f32) {
  %a = arith.constant 100000 : i32
  %r = arith.sitofp %a : i32 to f8E4M3FN
  tile.print "" %r : f8E4M3FN
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @sign_extended_twice(
//       CHECK: arith.extsi %arg0 : i8 to i64
tile.kernel @sign_extended_twice(%a: i8) {
  %b = arith.extsi %a : i8 to i16
  %r = arith.extsi %b : i16 to i64
  tile.print "" %r : i64
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_sign_then_zero_extended(
//       CHECK: arith.extsi
//       CHECK: arith.extui
tile.kernel @negative_sign_then_zero_extended(%a: i8) {
  %b = arith.extsi %a : i8 to i16
  %r = arith.extui %b : i16 to i64
  tile.print "" %r : i64
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @extended_and_truncated(
//       CHECK: tile.print "" %arg0
tile.kernel @extended_and_truncated(%a: i8) {
  %b = arith.extui %a : i8 to i64
  %r = arith.trunci %b : i64 to i8
  tile.print "" %r : i8
  tile.return
}
