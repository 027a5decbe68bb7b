// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s
// SEMANTICS A3 to A7 hold through the folders of arith and math, which we borrow.

// CHECK-LABEL: tile.kernel @plus_minus_zero(
//       CHECK: tile.print "" %arg0
tile.kernel @plus_minus_zero(%x: f32) {
  %mz = arith.constant -0.0 : f32
  %r = arith.addf %x, %mz : f32
  tile.print "" %r : f32
  tile.return
}

// -----

// -0 + 0 is 0.
// CHECK-LABEL: tile.kernel @negative_plus_zero(
//       CHECK: arith.addf
tile.kernel @negative_plus_zero(%x: f32) {
  %z = arith.constant 0.0 : f32
  %r = arith.addf %x, %z : f32
  tile.print "" %r : f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @minus_zero(
//       CHECK: tile.print "" %arg0
tile.kernel @minus_zero(%x: f32) {
  %z = arith.constant 0.0 : f32
  %r = arith.subf %x, %z : f32
  tile.print "" %r : f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_minus_minus_zero(
//       CHECK: arith.subf
tile.kernel @negative_minus_minus_zero(%x: f32) {
  %mz = arith.constant -0.0 : f32
  %r = arith.subf %x, %mz : f32
  tile.print "" %r : f32
  tile.return
}

// -----

// inf - inf is NaN.
// CHECK-LABEL: tile.kernel @negative_minus_itself(
//       CHECK: arith.subf
tile.kernel @negative_minus_itself(%x: f32) {
  %r = arith.subf %x, %x : f32
  tile.print "" %r : f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @times_one(
//       CHECK: tile.print "" %arg0
tile.kernel @times_one(%x: f32) {
  %one = arith.constant 1.0 : f32
  %r = arith.mulf %x, %one : f32
  tile.print "" %r : f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_times_zero(
//       CHECK: arith.mulf
tile.kernel @negative_times_zero(%x: f32) {
  %z = arith.constant 0.0 : f32
  %r = arith.mulf %x, %z : f32
  tile.print "" %r : f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @divided_by_one(
//       CHECK: tile.print "" %arg0
tile.kernel @divided_by_one(%x: f32) {
  %one = arith.constant 1.0 : f32
  %r = arith.divf %x, %one : f32
  tile.print "" %r : f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_divided_by_itself(
//       CHECK: arith.divf
tile.kernel @negative_divided_by_itself(%x: f32) {
  %r = arith.divf %x, %x : f32
  tile.print "" %r : f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_zero_divided(
//       CHECK: arith.divf
tile.kernel @negative_zero_divided(%x: f32) {
  %z = arith.constant 0.0 : f32
  %r = arith.divf %z, %x : f32
  tile.print "" %r : f32
  tile.return
}

// -----

// SEMANTICS A6
// CHECK-LABEL: tile.kernel @negated_zero(
//       CHECK: %[[C:.*]] = arith.constant -0.000000e+00 : f32
//       CHECK: tile.print "" %[[C]]
tile.kernel @negated_zero(%x: f32) {
  %z = arith.constant 0.0 : f32
  %r = arith.negf %z : f32
  tile.print "" %r : f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @remainder_keeps_the_sign(
//       CHECK: %[[C:.*]] = arith.constant -5.000000e-01 : f32
//       CHECK: tile.print "" %[[C]]
tile.kernel @remainder_keeps_the_sign(%x: f32) {
  %m = arith.constant -2.5 : f32
  %one = arith.constant 1.0 : f32
  %r = arith.remf %m, %one : f32
  tile.print "" %r : f32
  tile.return
}

// -----

// SEMANTICS A5
// CHECK-LABEL: tile.kernel @maximum_of_zeros(
//       CHECK: %[[C:.*]] = arith.constant 0.000000e+00 : f32
//       CHECK: tile.print "" %[[C]]
tile.kernel @maximum_of_zeros(%x: f32) {
  %z = arith.constant 0.0 : f32
  %mz = arith.constant -0.0 : f32
  %r = arith.maximumf %mz, %z : f32
  tile.print "" %r : f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @minimum_of_zeros(
//       CHECK: %[[C:.*]] = arith.constant -0.000000e+00 : f32
//       CHECK: tile.print "" %[[C]]
tile.kernel @minimum_of_zeros(%x: f32) {
  %z = arith.constant 0.0 : f32
  %mz = arith.constant -0.0 : f32
  %r = arith.minimumf %z, %mz : f32
  tile.print "" %r : f32
  tile.return
}

// -----

// NaN is not equal to itself.
// CHECK-LABEL: tile.kernel @negative_equal_itself(
//       CHECK: arith.cmpf oeq
tile.kernel @negative_equal_itself(%x: f32) {
  %r = arith.cmpf oeq, %x, %x : f32
  tile.print "" %r : i1
  tile.return
}

// -----

// SEMANTICS A5: comparisons with NaN are false ...
// CHECK-LABEL: tile.kernel @less_than_nan(
//       CHECK: %[[C:.*]] = arith.constant false
//       CHECK: tile.print "" %[[C]]
tile.kernel @less_than_nan(%x: f32) {
  %nan = arith.constant 0x7FC00000 : f32
  %r = arith.cmpf olt, %x, %nan : f32
  tile.print "" %r : i1
  tile.return
}

// -----

// ... except that it differs.
// CHECK-LABEL: tile.kernel @differs_from_nan(
//       CHECK: %[[C:.*]] = arith.constant true
//       CHECK: tile.print "" %[[C]]
tile.kernel @differs_from_nan(%x: f32) {
  %nan = arith.constant 0x7FC00000 : f32
  %r = arith.cmpf une, %x, %nan : f32
  tile.print "" %r : i1
  tile.return
}

// -----

// SEMANTICS A4
// CHECK-LABEL: tile.kernel @round_half_away(
//       CHECK: %[[C:.*]] = arith.constant -3.000000e+00 : f32
//       CHECK: tile.print "" %[[C]]
tile.kernel @round_half_away(%x: f32) {
  %m = arith.constant -2.5 : f32
  %r = math.round %m : f32
  tile.print "" %r : f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @rint_half_even(
//       CHECK: %[[C:.*]] = arith.constant -2.000000e+00 : f32
//       CHECK: tile.print "" %[[C]]
tile.kernel @rint_half_even(%x: f32) {
  %m = arith.constant -2.5 : f32
  %r = math.roundeven %m : f32
  tile.print "" %r : f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @round_below_half(
//       CHECK: %[[C:.*]] = arith.constant 0.000000e+00 : f32
//       CHECK: tile.print "" %[[C]]
tile.kernel @round_below_half(%x: f32) {
  %h = arith.constant 0.49999997 : f32
  %r = math.round %h : f32
  tile.print "" %r : f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @ceil_keeps_the_sign(
//       CHECK: %[[C:.*]] = arith.constant -0.000000e+00 : f32
//       CHECK: tile.print "" %[[C]]
tile.kernel @ceil_keeps_the_sign(%x: f32) {
  %mh = arith.constant -0.5 : f32
  %r = math.ceil %mh : f32
  tile.print "" %r : f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @trunc_keeps_the_sign(
//       CHECK: %[[C:.*]] = arith.constant -0.000000e+00 : f32
//       CHECK: tile.print "" %[[C]]
tile.kernel @trunc_keeps_the_sign(%x: f32) {
  %mh = arith.constant -0.5 : f32
  %r = math.trunc %mh : f32
  tile.print "" %r : f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_logarithm_of_negative(
//       CHECK: math.log
tile.kernel @negative_logarithm_of_negative(%x: f32) {
  %m = arith.constant -2.5 : f32
  %r = math.log %m : f32
  tile.print "" %r : f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_power_of_two(
//       CHECK: math.powf
tile.kernel @negative_power_of_two(%x: f32) {
  %two = arith.constant 2.0 : f32
  %r = math.powf %x, %two : f32
  tile.print "" %r : f32
  tile.return
}

// -----

// Their last bits are the C library's choice, and the canonical text is the same on every host. The constants may be
// found only on the way.
// CHECK-LABEL: tile.kernel @negative_elementary_functions(
//   CHECK-DAG:   %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
//   CHECK-DAG:   %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
//       CHECK:   math.exp %[[TWO]] : f32
//       CHECK:   math.exp2 %[[TWO]] : f32
//       CHECK:   math.expm1 %[[TWO]] : f32
//       CHECK:   math.log %[[TWO]] : f32
//       CHECK:   math.log2 %[[TWO]] : f32
//       CHECK:   math.log10 %[[TWO]] : f32
//       CHECK:   math.log1p %[[TWO]] : f32
//       CHECK:   math.sin %[[TWO]] : f32
//       CHECK:   math.cos %[[TWO]] : f32
//       CHECK:   math.tan %[[TWO]] : f32
//       CHECK:   math.tanh %[[TWO]] : f32
//       CHECK:   math.erf %[[TWO]] : f32
//       CHECK:   math.rsqrt %[[TWO]] : f32
//       CHECK:   math.powf %[[TWO]], %[[ONE]] : f32
//       CHECK:   math.atan2 %[[TWO]], %[[ONE]] : f32
tile.kernel @negative_elementary_functions(%x: f32) {
  %one = arith.constant 1.0 : f32
  %two = arith.addf %one, %one : f32
  %a = math.exp %two : f32
  %b = math.exp2 %two : f32
  %c = math.expm1 %two : f32
  %d = math.log %two : f32
  %e = math.log2 %two : f32
  %f = math.log10 %two : f32
  %g = math.log1p %two : f32
  %h = math.sin %two : f32
  %i = math.cos %two : f32
  %j = math.tan %two : f32
  %k = math.tanh %two : f32
  %l = math.erf %two : f32
  %m = math.rsqrt %two : f32
  %n = math.powf %two, %one : f32
  %o = math.atan2 %two, %one : f32
  tile.print "" %a, %b, %c, %d, %e, %f, %g, %h, %i, %j, %k, %l, %m, %n, %o :
    f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32
  tile.return
}

// -----

// Equal ones are merged all the same, dead ones go, and functions that round correctly are folded.
// CHECK-LABEL: tile.kernel @elementary_functions_around(
//       CHECK:   %[[FOUR:.*]] = arith.constant 4.000000e+00 : f32
//   CHECK-NOT:   math.log
//       CHECK:   %[[E:.*]] = math.exp %[[FOUR]] : f32
//   CHECK-NOT:   math
//       CHECK:   tile.print "" %[[E]], %[[E]] : f32, f32
tile.kernel @elementary_functions_around(%x: f32) {
  %sixteen = arith.constant 16.0 : f32
  %four = math.sqrt %sixteen : f32
  %dead = math.log %four : f32
  %a = math.exp %four : f32
  %b = math.exp %four : f32
  tile.print "" %a, %b : f32, f32
  tile.return
}

// -----

// f16 is computed in f32 and rounded once, which no folder does.
// CHECK-LABEL: tile.kernel @negative_elementary_half(
//       CHECK: math.exp
tile.kernel @negative_elementary_half(%x: f32) {
  %h = arith.constant 1.0 : f16
  %r = math.exp %h : f16
  tile.print "" %r : f16
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @infinity_minus_infinity(
//       CHECK: %[[C:.*]] = arith.constant 0x{{[7F]}}FC00000 : f32
//       CHECK: tile.print "" %[[C]]
tile.kernel @infinity_minus_infinity(%x: f32) {
  %inf = arith.constant 0x7F800000 : f32
  %r = arith.subf %inf, %inf : f32
  tile.print "" %r : f32
  tile.return
}

// -----

// SEMANTICS A7
// CHECK-LABEL: tile.kernel @both_sides_of_where(
//       CHECK: tile.print "" %arg0
tile.kernel @both_sides_of_where(%x: f32, %c: i1) {
  %r = arith.select %c, %x, %x : f32
  tile.print "" %r : f32
  tile.return
}
