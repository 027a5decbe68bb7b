// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s
// SEMANTICS A1

// CHECK-LABEL: tile.kernel @trunc(
//       CHECK: %[[C:.*]] = arith.constant -1 : i32
// CHECK-NOT: tile.irem
//       CHECK: tile.print "" %[[C]]
tile.kernel @trunc() {
  %a = arith.constant -7 : i32
  %b = arith.constant 2 : i32
  %c = tile.irem %a, %b : i32
  tile.print "" %c : i32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @floor(
//       CHECK: %[[C:.*]] = arith.constant 1 : i32
// CHECK-NOT: tile.irem
//       CHECK: tile.print "" %[[C]]
tile.kernel @floor() {
  %a = arith.constant -7 : i32
  %b = arith.constant 2 : i32
  %c = tile.irem %a, %b rounding floor : i32
  tile.print "" %c : i32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @floor_negative_divisor(
//       CHECK: %[[C:.*]] = arith.constant -1 : i32
// CHECK-NOT: tile.irem
//       CHECK: tile.print "" %[[C]]
tile.kernel @floor_negative_divisor() {
  %a = arith.constant 7 : i32
  %b = arith.constant -2 : i32
  %c = tile.irem %a, %b rounding floor : i32
  tile.print "" %c : i32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @exact(
//       CHECK: %[[C:.*]] = arith.constant 0 : i32
// CHECK-NOT: tile.irem
//       CHECK: tile.print "" %[[C]]
tile.kernel @exact() {
  %a = arith.constant -8 : i32
  %b = arith.constant 2 : i32
  %c = tile.irem %a, %b rounding floor : i32
  tile.print "" %c : i32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @unsigned(
//       CHECK: %[[C:.*]] = arith.constant 15 : i8
// CHECK-NOT: tile.irem
//       CHECK: tile.print "" %[[C]]
tile.kernel @unsigned() {
  %a = arith.constant -1 : i8
  %b = arith.constant 16 : i8
  %c = tile.irem %a, %b unsigned : i8
  tile.print "" %c : i8
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @by_one(
//       CHECK: arith.constant 0 : i64
// CHECK-NOT: tile.irem
tile.kernel @by_one(%a: i64) {
  %o = arith.constant 1 : i64
  %c = tile.irem %a, %o : i64
  tile.print "" %c : i64
  tile.return
}

// -----

// Checked execution must see a division by zero.
// CHECK-LABEL: tile.kernel @negative_by_zero(
//       CHECK: tile.irem
tile.kernel @negative_by_zero() {
  %a = arith.constant 5 : i32
  %b = arith.constant 0 : i32
  %c = tile.irem %a, %b : i32
  tile.print "" %c : i32
  tile.return
}

// -----

// ... and INT_MIN % -1.
// CHECK-LABEL: tile.kernel @negative_overflow(
//       CHECK: tile.irem
tile.kernel @negative_overflow() {
  %a = arith.constant -128 : i8
  %b = arith.constant -1 : i8
  %c = tile.irem %a, %b : i8
  tile.print "" %c : i8
  tile.return
}

// -----

// For INT_MIN this must be seen.
// CHECK-LABEL: tile.kernel @negative_by_minus_one(
//       CHECK: tile.irem
tile.kernel @negative_by_minus_one(%a: i64) {
  %o = arith.constant -1 : i64
  %c = tile.irem %a, %o : i64
  tile.print "" %c : i64
  tile.return
}
