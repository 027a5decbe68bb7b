//===- NativeMathTest.cpp - the error of exp beside 1 ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What LayoutToNVVM/NativeMath.cpp says of its arithmetic, with an ex2 that is rounded correctly.
//
//===---------------------------------------------------------------------===//

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace {

/// The largest f32 not above a * b, which is exact in double.
float productDown(float a, float b) {
  const double product = double(a) * b;
  const auto nearest = static_cast<float>(product);
  return nearest > product ? std::nextafter(nearest, -INFINITY) : nearest;
}

float saturated(float x) { return x > 0 ? std::min(x, 1.0F) : 0.0F; }

float flushed(float x) { return std::fabs(x) < std::numeric_limits<float>::min() ? 0.0F : x; }

float expBesideOne(float x) {
  const float t = productDown(x, 0x1.715478p0F), d = saturated(std::fma(t, -0x1.62e43p-1F, x));
  const float power = flushed(static_cast<float>(std::exp2(static_cast<double>(t))));
  return std::fma(power, d, power);
}

/// Calls \p fn with numbers from \p first down, each of the \p step-th encodings.
template <class Fn> void forNumbersDown(float first, float last, std::uint32_t step, Fn fn) {
  for (std::uint32_t bits = std::bit_cast<std::uint32_t>(first); bits < std::bit_cast<std::uint32_t>(last);
       bits += step)
    fn(std::bit_cast<float>(bits));
}

} // namespace

/// The greatest error, in ULP, of numbers between 0 and \p last.
static double worstUntil(float last) {
  double worst = 0;
  forNumbersDown(-0x1p-40F, last, 97, [&](float x) {
    const double exact = std::exp(static_cast<double>(x));
    const double ulp = std::ldexp(1.0, std::ilogb(exact) - 23);
    worst = std::max(worst, std::fabs(expBesideOne(x) - exact) / ulp);
  });
  return worst;
}

TEST(ExpBesideOne, isCloseWhereItIsTold) {
  EXPECT_LT(worstUntil(-18.03F), 1.75);
  EXPECT_LT(worstUntil(-5.55F), 1.25);
}

TEST(ExpBesideOne, isCloseToZeroElsewhere) {
  forNumbersDown(-18.03F, -INFINITY, 997, [&](float x) {
    const double error = std::fabs(expBesideOne(x) - std::exp(static_cast<double>(x)));
    EXPECT_LT(error, 0x1p-49) << x;
  });
}

TEST(ExpBesideOne, ends) {
  EXPECT_EQ(expBesideOne(0.0F), 1);
  EXPECT_EQ(expBesideOne(-0.0F), 1);
  EXPECT_EQ(expBesideOne(-std::numeric_limits<float>::denorm_min()), 1);
  EXPECT_EQ(expBesideOne(std::numeric_limits<float>::lowest()), 0);
  EXPECT_EQ(expBesideOne(-INFINITY), 0);
  EXPECT_FALSE(std::signbit(expBesideOne(-INFINITY)));
  EXPECT_TRUE(std::isnan(expBesideOne(NAN)));
}
