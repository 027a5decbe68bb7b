//===- Log.cpp - logarithms ----------------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// x = 2^e (1 + f) with 1 + f between the roots of 1/2 and 2, and log(1 + f) = f - f^2/2 + f^3 p(f). Other bases take
// the logarithm in two parts before they multiply, so that the product loses nothing.
//
//===---------------------------------------------------------------------===//

#include "Conversion/Common/Elementary/Elementary.h"
#include "Conversion/Common/Elementary/Parts.h"

#include <limits>

namespace tessera::ir::elementary {

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
static constexpr double kLn2High = 0x1.62e43p-1;
static constexpr double kLn2Low = -0x1.05c61p-29;
static constexpr std::int64_t kRootHalf = 0x3f3504f3; ///< the bits of the root of 1/2

namespace {

struct Split {
  Float f, e;
};

} // namespace

/// Of the bits of a normal x above 0.
static Int exponentOf(Int bits) { return shrS(bits - kRootHalf, 23); }
static Float mantissaOf(Int bits) { return fromBits(((bits - kRootHalf) & 0x7fffff) + kRootHalf); }

static Split split(Float x) {
  const Bool denormal = x < 0x1p-126;
  const Int all = bits(select(denormal, x * 0x1p23, x));
  const Int e = exponentOf(all);
  return {mantissaOf(all) - 1.0, toFloat(e - select(denormal, e.constant(23), e.constant(0)))};
}

/// (log(1 + f) - f + f^2/2) / f^3
static Float logTail(Float f) {
  return polynomial(f, {0x1.13be0cp-4, -0x1.dd992ap-4, 0x1.e6dd24p-4, -0x1.fc3e3ap-4, 0x1.233af6p-3, -0x1.555b8cp-3,
                        0x1.99a478p-3, -0x1.000008p-2, 0x1.555548p-2});
}

/// log(1 + f) in two parts.
static Parts logOfMantissa(Float f) {
  const Float square = f * f;
  const Float h = fma(square, -0.5, f);
  const Float lost = fma(square, -0.5, f - h); // in h
  const Float squareLost = fma(f, f, -square); // in the square
  const Float low = fma(square * f, logTail(f), fma(squareLost, -0.5, lost));
  const Float high = h + low;
  return {high, low - (high - h)};
}

/// What a logarithm gives outside the positive numbers; \p v elsewhere.
static Float special(Float x, Float v) {
  v = select(x == 0.0, -kInfinity, v);
  v = select(x < 0.0, kNaN, v);
  return select(x < kInfinity, v, x * x);
}

Value log(MathBuilder &b, Value argument) {
  const Float x(b, argument);
  if (x.isF64())
    return log64(x).value;
  const auto [f, e] = split(x);
  const Float square = f * f;
  Float t = fma(square * f, logTail(f), e * kLn2Low);
  t = fma(square, -0.5, t);
  return special(x, fma(e, kLn2High, f + t)).value;
}

Value log2(MathBuilder &b, Value argument) {
  const Float x(b, argument);
  const double log2E = 0x1.715476p0, log2ELow = 0x1.4ae0cp-26;
  const auto [f, e] = split(x);
  const Parts m = logOfMantissa(f);
  const Float p = m.high * log2E;
  Float rest = fma(m.high, log2E, -p);
  rest = fma(m.high, log2ELow, rest);
  rest = fma(m.low, log2E, rest);
  const Float sum = e + p;
  const Float lost = p - (sum - e);
  return special(x, sum + (lost + rest)).value;
}

Value log10(MathBuilder &b, Value argument) {
  const Float x(b, argument);
  const double log10E = 0x1.bcb7b2p-2, log10ELow = -0x1.5b235ep-27;
  const double log10Two = 0x1.344p-2, log10TwoLow = 0x1.3509f8p-18; // the first so short that e times it is exact
  const auto [f, e] = split(x);
  const Parts m = logOfMantissa(f);
  const Float p = m.high * log10E;
  Float rest = fma(m.high, log10E, -p);
  rest = fma(m.high, log10ELow, rest);
  rest = fma(m.low, log10E, rest);
  const Float whole = e * log10Two;
  const Float sum = whole + p;
  const Float lost = (whole - sum) + p; // exact: `whole` is the greater or 0
  return special(x, sum + (fma(e, log10TwoLow, lost) + rest)).value;
}

Float log1p32(Float x) {
  const Float u = 1.0 + x;
  const Float lost = select(u > 0x1p100, 0.0, select(x >= 1.0, 1.0 - (u - x), x - (u - 1.0)));
  const Int all = bits(u);
  const Int e = exponentOf(all);
  const Float fe = toFloat(e);
  const Float m = mantissaOf(all) - 1.0;
  const Int unscale = (127 - e) << 23u; // of 2^-e
  const Float scaled = lost * fromBits(select(gtS(unscale, 0), unscale, unscale.constant(0)));
  const Float f = m + scaled;
  const Float rest = scaled - (f - m);
  const Float square = f * f;
  Float t = fma(square * f, logTail(f), fma(fe, kLn2Low, rest));
  t = fma(square, -0.5, t);
  Float v = fma(fe, kLn2High, f + t);
  v = select(x == 0.0, x, v);
  v = select(x == -1.0, -kInfinity, v);
  v = select(x < -1.0, kNaN, v);
  return select(x < kInfinity, v, x * x);
}

Value log1p(MathBuilder &b, Value x) { return log1p32({b, x}).value; }

} // namespace tessera::ir::elementary
