//===- Angle.cpp - the angle of a point ----------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/Common/Elementary/Elementary.h"
#include "Conversion/Common/Elementary/Parts.h"

namespace tessera::ir::elementary {

Value atan2(MathBuilder &b, Value ordinate, Value abscissa) {
  const Float y(b, ordinate), x(b, abscissa);
  const Float ax = abs(x), ay = abs(y);
  const Bool steep = ay > ax;
  Float larger = select(steep, ay, ax), smaller = select(steep, ax, ay);
  // Keeps the quotient away from overflow, and from denormals of the divisor.
  const Float unit = select(larger > 0x1p100, 0x1p-24, select(larger < 0x1p-100, 0x1p24, x.constant(1.0)));
  larger = larger * unit;
  smaller = smaller * unit;

  // The quotient in two parts; 1 of two infinities, 0 of two zeros.
  Float q = smaller / larger;
  Float rest = fma(-q, larger, smaller) / larger;
  const Bool equal = smaller == larger;
  q = select(equal, 1.0, q);
  rest = select(equal | (q == 0.0) | isNaN(rest), 0.0, rest);
  q = select(larger == 0.0, 0.0, q);

  // atan(q + rest) = q + u
  const Float z = q * q;
  const Float p = polynomial(z, {-0x1.d5a1aap-10, 0x1.6551e2p-7, -0x1.fe7d24p-6, 0x1.da9c2ep-5, -0x1.5825f2p-4,
                                 0x1.c0946cp-4, -0x1.24211ap-3, 0x1.9991ecp-3, -0x1.55553ep-2});
  const Float u = fma(p * z, q, rest / (1.0 + z));

  // pi/2 less that where the point is steep, pi less that on the left, each in two parts.
  const double halfPi = 0x1.921fb6p0, halfPiLow = -0x1.777a5cp-25;
  const Float flat = q + u;
  const Float h = halfPi - q;
  const Float hRest = ((halfPi - h) - q) + halfPiLow;
  const Float upright = h + (hRest - u);
  const Float angle = select(steep, upright, flat);
  const Float angleLow = select(steep, (h - upright) + (hRest - u), (q - flat) + u);
  const Float g = 2 * halfPi - angle;
  const Float gRest = (2 * halfPi - g) - angle;
  const Float left = g + ((gRest + 2 * halfPiLow) - angleLow);
  Float v = select(isNegative(x), left, angle);
  v = select(isNaN(x) | isNaN(y), x + y, v);
  return copySign(v, y).value;
}

} // namespace tessera::ir::elementary
