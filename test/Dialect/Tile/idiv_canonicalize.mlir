// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s
// SEMANTICS A1

// CHECK-LABEL: tile.kernel @trunc(
//       CHECK: %[[C:.*]] = arith.constant -3 : i32
// CHECK-NOT: tile.idiv
//       CHECK: tile.print "" %[[C]]
tile.kernel @trunc() {
  %a = arith.constant -7 : i32
  %b = arith.constant 2 : i32
  %c = tile.idiv %a, %b : i32
  tile.print "" %c : i32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @floor(
//       CHECK: %[[C:.*]] = arith.constant -4 : i32
// CHECK-NOT: tile.idiv
//       CHECK: tile.print "" %[[C]]
tile.kernel @floor() {
  %a = arith.constant -7 : i32
  %b = arith.constant 2 : i32
  %c = tile.idiv %a, %b rounding floor : i32
  tile.print "" %c : i32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @ceil(
//       CHECK: %[[C:.*]] = arith.constant -3 : i32
// CHECK-NOT: tile.idiv
//       CHECK: tile.print "" %[[C]]
tile.kernel @ceil() {
  %a = arith.constant -7 : i32
  %b = arith.constant 2 : i32
  %c = tile.idiv %a, %b rounding ceil : i32
  tile.print "" %c : i32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @ceil_positive(
//       CHECK: %[[C:.*]] = arith.constant 4 : i32
// CHECK-NOT: tile.idiv
//       CHECK: tile.print "" %[[C]]
tile.kernel @ceil_positive() {
  %a = arith.constant 7 : i32
  %b = arith.constant 2 : i32
  %c = tile.idiv %a, %b rounding ceil : i32
  tile.print "" %c : i32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @floor_of_two_negatives(
//       CHECK: %[[C:.*]] = arith.constant 3 : i32
// CHECK-NOT: tile.idiv
//       CHECK: tile.print "" %[[C]]
tile.kernel @floor_of_two_negatives() {
  %a = arith.constant -7 : i32
  %b = arith.constant -2 : i32
  %c = tile.idiv %a, %b rounding floor : i32
  tile.print "" %c : i32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @ceil_of_two_negatives(
//       CHECK: %[[C:.*]] = arith.constant 4 : i32
// CHECK-NOT: tile.idiv
//       CHECK: tile.print "" %[[C]]
tile.kernel @ceil_of_two_negatives() {
  %a = arith.constant -7 : i32
  %b = arith.constant -2 : i32
  %c = tile.idiv %a, %b rounding ceil : i32
  tile.print "" %c : i32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @unsigned(
//       CHECK: %[[C:.*]] = arith.constant 127 : i8
// CHECK-NOT: tile.idiv
//       CHECK: tile.print "" %[[C]]
tile.kernel @unsigned() {
  %a = arith.constant -1 : i8
  %b = arith.constant 2 : i8
  %c = tile.idiv %a, %b unsigned : i8
  tile.print "" %c : i8
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @unsigned_ceil(
//       CHECK: %[[C:.*]] = arith.constant -128 : i8
// CHECK-NOT: tile.idiv
//       CHECK: tile.print "" %[[C]]
tile.kernel @unsigned_ceil() {
  %a = arith.constant -1 : i8
  %b = arith.constant 2 : i8
  %c = tile.idiv %a, %b rounding ceil unsigned : i8
  tile.print "" %c : i8
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @by_one(
//       CHECK: tile.print "" %arg0
tile.kernel @by_one(%a: i64) {
  %o = arith.constant 1 : i64
  %c = tile.idiv %a, %o rounding ceil : i64
  tile.print "" %c : i64
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @unsigned_floor(
//       CHECK: tile.idiv %arg0, %arg1 unsigned : i64
tile.kernel @unsigned_floor(%a: i64, %b: i64) {
  %c = tile.idiv %a, %b rounding floor unsigned : i64
  tile.print "" %c : i64
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_signed_floor(
//       CHECK: tile.idiv %arg0, %arg1 rounding floor : i64
tile.kernel @negative_signed_floor(%a: i64, %b: i64) {
  %c = tile.idiv %a, %b rounding floor : i64
  tile.print "" %c : i64
  tile.return
}

// -----

// Checked execution must see a division by zero.
// CHECK-LABEL: tile.kernel @negative_by_zero(
//       CHECK: tile.idiv
tile.kernel @negative_by_zero() {
  %a = arith.constant 5 : i32
  %b = arith.constant 0 : i32
  %c = tile.idiv %a, %b : i32
  tile.print "" %c : i32
  tile.return
}

// -----

// ... and INT_MIN / -1.
// CHECK-LABEL: tile.kernel @negative_overflow(
//       CHECK: tile.idiv
tile.kernel @negative_overflow() {
  %a = arith.constant -2147483648 : i32
  %b = arith.constant -1 : i32
  %c = tile.idiv %a, %b : i32
  tile.print "" %c : i32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @unsigned_of_the_same_bits(
//       CHECK: %[[C:.*]] = arith.constant 0 : i32
// CHECK-NOT: tile.idiv
//       CHECK: tile.print "" %[[C]]
tile.kernel @unsigned_of_the_same_bits() {
  %a = arith.constant -2147483648 : i32
  %b = arith.constant -1 : i32
  %c = tile.idiv %a, %b unsigned : i32
  tile.print "" %c : i32
  tile.return
}

// -----

// In i1, -1 is 1 and INT_MIN at once.
// CHECK-LABEL: tile.kernel @negative_bool(
//       CHECK: tile.idiv
tile.kernel @negative_bool() {
  %a = arith.constant true
  %c = tile.idiv %a, %a : i1
  tile.print "" %c : i1
  tile.return
}
