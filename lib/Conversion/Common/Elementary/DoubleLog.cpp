//===- DoubleLog.cpp - the logarithm in f64 ------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// x = 2^e (1 + f) with 1 + f between the roots of 1/2 and 2. With s = f / (2 + f), log(1 + f) = 2 atanh s, and since
// 2s = f - sf and sf = f^2/2 - s f^2/2, that is f - (f^2/2 - s (f^2/2 + p(s^2))), whose largest term is exact.
//
//===---------------------------------------------------------------------===//

#include "Conversion/Common/Elementary/Parts.h"

#include <limits>

namespace tessera::ir::elementary {

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
static constexpr double kLn2High = 0x1.62e42fefa4p-1; ///< so short that its product with an exponent is exact
static constexpr double kLn2Low = -0x1.8432a1b0e2634p-43;
static constexpr std::int64_t kRootHalf = 0x3fe6a09e667f3bcd; ///< the bits of the root of 1/2

Float log64(Float x) {
  const Bool denormal = x < 0x1p-1022;
  const Int offset = bits(select(denormal, x * 0x1p54, x)) - kRootHalf;
  const Int e = shrS(offset, 52);
  const Float f = fromBits((offset & 0xfffffffffffff) + kRootHalf) - 1.0;
  const Float n = toFloat(e - select(denormal, e.constant(54), e.constant(0)));
  const Float s = f / (2.0 + f);
  const Float z = s * s;
  const Float p =
      z * polynomial(z, {0x1.2f103aed59c0bp-3, 0x1.39a0b4d8dc91ep-3, 0x1.74664887e9802p-3, 0x1.c71c51dcf7784p-3,
                         0x1.2492494224e8ap-2, 0x1.999999997fa39p-2, 0x1.5555555555593p-1});
  const Float halfSquare = f * 0.5 * f;
  const Float small = fma(s, halfSquare + p, n * kLn2Low);
  Float v = n * kLn2High - ((halfSquare - small) - f);
  v = select(x == 0.0, -kInfinity, v);
  v = select(x < 0.0, kNaN, v);
  return select(x < kInfinity, v, x * x);
}

} // namespace tessera::ir::elementary
