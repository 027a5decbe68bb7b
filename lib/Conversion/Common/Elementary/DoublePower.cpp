//===- DoublePower.cpp - powers in f64 -----------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// |x|^y = e^(y log |x|). The product may reach 745, so its relative error is magnified as much: the logarithm and the
// product are carried in two parts, to about 2^-65. log((1 + s) / (1 - s)) = 2 s (1 + z/3 + z^2 p(z)) with z = s^2,
// where only the last term is small enough to be computed in one part.
//
//===---------------------------------------------------------------------===//

#include "Conversion/Common/Elementary/Parts.h"

namespace tessera::ir::elementary {

/// a + b in two parts; |a| is the greater, or both are alike.
static Parts fastSum(Float a, Float b) {
  const Float sum = a + b;
  return {sum, b - (sum - a)};
}
/// a * b in two parts.
static Parts product(Float a, Float b) {
  const Float p = a * b;
  return {p, fma(a, b, -p)};
}
static Parts product(Parts a, Parts b) {
  const Parts p = product(a.high, b.high);
  return fastSum(p.high, p.low + fma(a.high, b.low, a.low * b.high));
}

/// log |x| for normal and denormal x.
static Parts logOfMagnitude(Float x) {
  const std::int64_t rootHalf = 0x3fe6a09e667f3bcd;
  const Float a = abs(x);
  const Bool denormal = a < 0x1p-1022;
  const Int offset = bits(select(denormal, a * 0x1p54, a)) - rootHalf;
  const Int e = shrS(offset, 52);
  const Float f = fromBits((offset & 0xfffffffffffff) + rootHalf) - 1.0; // exact
  const Float n = toFloat(e - select(denormal, e.constant(54), e.constant(0)));

  // s = f / (2 + f)
  const Parts d = fastSum(f.constant(2.0), f);
  const Float s0 = f / d.high;
  const Float remainder = fma(-s0, d.low, fma(-s0, d.high, f));
  const Parts s = {s0, remainder / d.high};

  const Parts z = product(s, s);
  const Float tail =
      z.high * z.high *
      polynomial(z.high, {0x1.0e4c0c630b574p-4, 0x1.0f7ef257e43b5p-4, 0x1.3b1ef62450547p-4, 0x1.745ce9ae525a5p-4,
                          0x1.c71c722df7e32p-4, 0x1.249249245774dp-3, 0x1.9999999999b33p-3});
  const Parts third = {f.constant(0x1.5555555555555p-2), f.constant(0x1.5555555555555p-56)};
  const Parts first = product(z, third);
  const Parts rest = fastSum(first.high, first.low + tail); // z/3 + z^2 p
  const Parts series = product(s, rest);
  const Parts largest = fastSum(s.high, series.high);
  const Parts mantissa = fastSum(largest.high, largest.low + (series.low + s.low));
  const Parts logMantissa = {mantissa.high * 2.0, mantissa.low * 2.0};

  // n ln 2, the product with the first part being exact
  const Float whole = n * 0x1.62e42fefa4p-1;
  const Parts sum = fastSum(whole, logMantissa.high); // |whole| is the greater, or 0
  return fastSum(sum.high, sum.low + fma(n, -0x1.8432a1b0e2634p-43, logMantissa.low));
}

Float powerOfMagnitude64(Float x, Float y) {
  const Parts log = logOfMagnitude(x);
  const Float high = y * log.high;
  const Float low = fma(y, log.low, fma(y, log.high, -high));
  const Bool inRange = abs(high) < 2000.0; // beyond, the result is 0 or infinite and `low` may be NaN
  return accurateExp64({high, select(inRange, low, 0.0)});
}

} // namespace tessera::ir::elementary
