// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s
// SEMANTICS C2

// CHECK-LABEL: tile.kernel @truncates(
//       CHECK: arith.constant -2 : i32
// CHECK-NOT: tile.float_to_int
tile.kernel @truncates() {
  %c = arith.constant -2.9 : f32
  %a = tile.float_to_int %c : f32 -> i32
  tile.print "" %a : i32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @not_a_number(
//       CHECK: arith.constant 0 : i32
// CHECK-NOT: tile.float_to_int
tile.kernel @not_a_number() {
  %c = arith.constant 0x7FC00000 : f32
  %a = tile.float_to_int %c : f32 -> i32
  tile.print "" %a : i32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @too_large(
//       CHECK: arith.constant 2147483647 : i32
// CHECK-NOT: tile.float_to_int
tile.kernel @too_large() {
  %c = arith.constant 3.0e9 : f32
  %a = tile.float_to_int %c : f32 -> i32
  tile.print "" %a : i32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @too_small(
//       CHECK: arith.constant -2147483648 : i32
// CHECK-NOT: tile.float_to_int
tile.kernel @too_small() {
  %c = arith.constant -3.0e9 : f32
  %a = tile.float_to_int %c : f32 -> i32
  tile.print "" %a : i32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @unsigned_negative(
//       CHECK: arith.constant 0 : i8
// CHECK-NOT: tile.float_to_int
tile.kernel @unsigned_negative() {
  %c = arith.constant -1.5 : f32
  %a = tile.float_to_int %c unsigned : f32 -> i8
  tile.print "" %a : i8
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @unsigned_large(
//       CHECK: arith.constant -1 : i8
// CHECK-NOT: tile.float_to_int
tile.kernel @unsigned_large() {
  %c = arith.constant 255.9 : f32
  %a = tile.float_to_int %c unsigned : f32 -> i8
  tile.print "" %a : i8
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @infinity(
//       CHECK: arith.constant 9223372036854775807 : i64
// CHECK-NOT: tile.float_to_int
tile.kernel @infinity() {
  %c = arith.constant 0x7F800000 : f32
  %a = tile.float_to_int %c : f32 -> i64
  tile.print "" %a : i64
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_argument(
//       CHECK: tile.float_to_int
tile.kernel @negative_argument(%s: f32) {
  %a = tile.float_to_int %s : f32 -> i32
  tile.print "" %a : i32
  tile.return
}
