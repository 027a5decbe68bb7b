//===- Power.cpp - powers and the reciprocal root ------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/Common/Elementary/Elementary.h"
#include "Conversion/Common/Elementary/Parts.h"

#include <limits>

namespace tessera::ir::elementary {

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Value rsqrt(MathBuilder &b, Value x) { return (1.0 / sqrt(Float(b, x))).value; }

/// |x|^y in f64, rounded to f32, where nothing is special. 2 / ln 2 times atanh s is log2((1 + s) / (1 - s)).
static Float powerOfMagnitude(Float x, Float y) {
  const Int offset = bits(toF64(abs(x))) - 0x3fe6a09e667f3bcd; // the bits of the root of 1/2
  const Int e = shrS(offset, 52);
  const Float m = fromBits((offset & 0xfffffffffffff) + 0x3fe6a09e667f3bcd);
  const Float f = m - 1.0, s = f / (m + 1.0), z = s * s;
  Float p = z.constant(1.0 / 15);
  for (const int odd : {13, 11, 9, 7, 5, 3, 1})
    p = p * z + 1.0 / odd;
  const Float log2 = toFloat(e) + s * p * 2.8853900817779268;
  const Float t = clampTo(toF64(y) * log2, -200, 200);
  const Float n = roundEven(t), r = t - n;
  Float q = r.constant(1.5252733804059840e-05); // ln^k 2 / k!
  for (const double c : {1.5403530393381606e-04, 1.3333558146428443e-03, 9.6181291076284772e-03, 5.5504108664821580e-02,
                         2.4022650695910072e-01, 6.9314718055994531e-01, 1.0})
    q = q * r + c;
  return toF32(q * powerOfTwo(wholeOrZero(n)));
}

/// What C's pow gives; \p v where its arguments are ordinary, computed from |x|.
static Float withSpecials(Float x, Float y, Float v) {
  const Float ax = abs(x), ay = abs(y);
  const double evenFrom = x.isF64() ? 0x1p53 : 0x1p24;
  const Bool whole = trunc(y) == y;
  const Bool odd = whole & (ay < evenFrom) & ((toInt(select(ay < evenFrom, ay, 0.0)) & 1) != 0);
  const Float zero = x.constant(0.0), infinity = x.constant(kInfinity), one = x.constant(1.0);
  const Bool growing = !((ax > 1.0) ^ (y > 0.0));
  v = select(ax == 0.0, select(y < 0.0, infinity, zero), v);
  v = select(ax == kInfinity, select(y < 0.0, zero, infinity), v);
  v = select(ay == kInfinity, select(ax == 1.0, one, select(growing, infinity, zero)), v);
  const Bool negative = isNegative(x);
  v = select(negative & odd, -v, v);
  const Bool finite = (ax != 0.0) & (ax != kInfinity) & (ay != kInfinity);
  v = select(negative & !whole & finite, kNaN, v);
  v = select(isNaN(x) | isNaN(y), x + y, v);
  return select((y == 0.0) | (x == 1.0), 1.0, v);
}

Value pow(MathBuilder &b, Value base, Value exponent) {
  const Float x(b, base), y(b, exponent);
  return withSpecials(x, y, x.isF64() ? powerOfMagnitude64(x, y) : powerOfMagnitude(x, y)).value;
}

} // namespace tessera::ir::elementary
