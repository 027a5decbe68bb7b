//===- Trig.cpp - sine, cosine and tangent -------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The argument less its multiple of pi/2 comes in two parts, and both enter the polynomials: the argument may lie so
// near a zero that the second part decides the result's last bits.
//
//===---------------------------------------------------------------------===//

#include "Conversion/Common/Elementary/Elementary.h"
#include "Conversion/Common/Elementary/Parts.h"

#include <limits>

namespace tessera::ir::elementary {

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

static Parts sineOfRest(Parts r) {
  const Float z = r.high * r.high;
  const Float q = polynomial(z, {0x1.77dbfep-19, -0x1.a0485ap-13, 0x1.111164p-7, -0x1.555556p-3});
  const Float u = fma(q * z, r.high, r.low);
  const Float s = r.high + u;
  return {s, (r.high - s) + u};
}

static Parts cosineOfRest(Parts r) {
  const Float z = r.high * r.high;
  const Float q = polynomial(z, {-0x1.32ca9ep-22, 0x1.a063fep-16, -0x1.6c175p-10, 0x1.555556p-5});
  const Float h = fma(z, -0.5, 1.0);
  const Float lost = fma(z, -0.5, 1.0 - h);
  const Float w = fma(-r.high, r.low, fma(q * z, z, lost));
  const Float c = h + w;
  return {c, (h - c) + w};
}

/// NaN of infinities and NaN, else \p v.
static Float finiteOnly(Float x, Float v) { return select(abs(x) < kInfinity, v, x - x); }

/// The sine of x plus some quadrants.
static Float sineOf(Float x, std::int64_t addQuadrants) {
  const Reduced reduced = reduceByHalfPi(x);
  const Int quadrant = addQuadrants ? reduced.quadrant + addQuadrants : reduced.quadrant;
  const Float s = x.isF64() ? sineOfRest64(reduced.rest) : sineOfRest(reduced.rest).high;
  const Float c = x.isF64() ? cosineOfRest64(reduced.rest) : cosineOfRest(reduced.rest).high;
  const Float v = select((quadrant & 1) != 0, c, s);
  return select((quadrant & 2) != 0, -v, v);
}

Value sin(MathBuilder &b, Value argument) {
  const Float x(b, argument);
  return finiteOnly(x, select(x == 0.0, x, sineOf(x, 0))).value;
}

Value cos(MathBuilder &b, Value argument) {
  const Float x(b, argument);
  return finiteOnly(x, sineOf(x, 1)).value;
}

Value tan(MathBuilder &b, Value argument) {
  const Float x(b, argument);
  const Reduced reduced = reduceByHalfPi(x);
  const Parts s = sineOfRest(reduced.rest), c = cosineOfRest(reduced.rest);
  const Bool odd = (reduced.quadrant & 1) != 0; // the tangent is -c / s
  const Parts n = {select(odd, -c.high, s.high), select(odd, -c.low, s.low)};
  const Parts d = {select(odd, s.high, c.high), select(odd, s.low, c.low)};
  const Float k = 1.0 / d.high;
  const Float v = n.high * k;
  Float e = fma(-v, d.high, n.high);
  e = e + fma(-v, d.low, n.low);
  return finiteOnly(x, select(x == 0.0, x, fma(e, k, v))).value;
}

} // namespace tessera::ir::elementary
