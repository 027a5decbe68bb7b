// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s
// SEMANTICS A2

// CHECK-LABEL: tile.kernel @left(
//       CHECK: %[[C:.*]] = arith.constant -12 : i32
// CHECK-NOT: tile.shl
//       CHECK: tile.print "" %[[C]]
tile.kernel @left() {
  %a = arith.constant -3 : i32
  %b = arith.constant 2 : i32
  %c = tile.shl %a, %b : i32
  tile.print "" %c : i32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @right(
//       CHECK: %[[C:.*]] = arith.constant -4 : i8
// CHECK-NOT: tile.shr
//       CHECK: tile.print "" %[[C]]
tile.kernel @right() {
  %a = arith.constant -8 : i8
  %b = arith.constant 1 : i8
  %c = tile.shr %a, %b : i8
  tile.print "" %c : i8
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @right_unsigned(
//       CHECK: %[[C:.*]] = arith.constant 124 : i8
// CHECK-NOT: tile.shr
//       CHECK: tile.print "" %[[C]]
tile.kernel @right_unsigned() {
  %a = arith.constant -8 : i8
  %b = arith.constant 1 : i8
  %c = tile.shr %a, %b unsigned : i8
  tile.print "" %c : i8
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @by_zero(
//       CHECK: tile.print "" %arg0
tile.kernel @by_zero(%a: i64) {
  %o = arith.constant 0 : i64
  %c = tile.shl %a, %o : i64
  %d = tile.shr %c, %o unsigned : i64
  tile.print "" %d : i64
  tile.return
}

// -----

// A shift by the width is unspecified.
// CHECK-LABEL: tile.kernel @negative_by_width(
//       CHECK: tile.shl
tile.kernel @negative_by_width() {
  %a = arith.constant 1 : i32
  %b = arith.constant 32 : i32
  %c = tile.shl %a, %b : i32
  tile.print "" %c : i32
  tile.return
}

// -----

// The amount is unsigned, so this is 4294967295.
// CHECK-LABEL: tile.kernel @negative_by_more(
//       CHECK: tile.shr
tile.kernel @negative_by_more() {
  %a = arith.constant 1 : i32
  %b = arith.constant -1 : i32
  %c = tile.shr %a, %b : i32
  tile.print "" %c : i32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @umulhi(
//       CHECK: %[[C:.*]] = arith.constant -2 : i32
// CHECK-NOT: tile.umulhi
//       CHECK: tile.print "" %[[C]]
tile.kernel @umulhi() {
  %a = arith.constant -1 : i32
  %b = arith.constant -1 : i32
  %c = tile.umulhi %a, %b : i32
  tile.print "" %c : i32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @umulhi_by_one(
//       CHECK: arith.constant 0 : i64
// CHECK-NOT: tile.umulhi
tile.kernel @umulhi_by_one(%a: i64) {
  %o = arith.constant 1 : i64
  %c = tile.umulhi %o, %a : i64
  tile.print "" %c : i64
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_umulhi_by_two(
//       CHECK: tile.umulhi
tile.kernel @negative_umulhi_by_two(%a: i64) {
  %o = arith.constant 2 : i64
  %c = tile.umulhi %a, %o : i64
  tile.print "" %c : i64
  tile.return
}
