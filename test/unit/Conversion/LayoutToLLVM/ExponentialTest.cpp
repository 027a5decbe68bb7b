//===- ExponentialTest.cpp - powers whose results are normal --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What Emit/Exponential.cpp says of its arithmetic, with a 2^t that is rounded correctly.
//
//===---------------------------------------------------------------------===//

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace {

float exponential(float x) {
  const float t = x * 0x1.715476p0F;
  const float power = static_cast<float>(std::exp2(static_cast<double>(t)));
  const float rest = std::fma(-t, -0x1.05c61p-29F, std::fma(-t, 0x1.62e43p-1F, x));
  return std::fma(power, rest, power);
}

/// The greatest error, in ULP, of every \p step-th number from -2^-40 to -87.
double worst(std::uint32_t step) {
  double worst = 0;
  const auto last = std::bit_cast<std::uint32_t>(-87.0F);
  for (auto bits = std::bit_cast<std::uint32_t>(-0x1p-40F); bits <= last; bits += step) {
    const auto x = std::bit_cast<float>(bits);
    const double exact = std::exp(static_cast<double>(x));
    worst = std::max(worst, std::fabs(exponential(x) - exact) / std::ldexp(1.0, std::ilogb(exact) - 23));
  }
  return worst;
}

} // namespace

TEST(Exponential, hasTwoRoundings) { EXPECT_LT(worst(97), 1.001); }

TEST(Exponential, ends) {
  for (const float tiny : {0.0F, -0.0F, -std::numeric_limits<float>::denorm_min(), -0x1p-126F})
    EXPECT_EQ(exponential(tiny), 1);
  EXPECT_TRUE(std::isnormal(exponential(-87)));
  EXPECT_TRUE(std::isnan(exponential(NAN)));
}
