//===- DivisionTest.cpp - one correction makes quotients right ------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The proof by cases that Emit/Division.cpp rests on. With integers X and S of 24 bits, the quotient X / S lies close
// to the middle of two numbers where X 2^h = M S + k for an odd M of 25 bits, a small k, and h = 24, or 25 if X < S.
//
//===---------------------------------------------------------------------===//

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace {

constexpr std::int64_t kOne = std::int64_t{1} << 23; ///< the least number of 24 bits
constexpr std::int64_t kFarthest = 24;               ///< of k; the error is below 5

/// The number that \p a times it is 1 modulo \p m, which has no divisor in common with it.
std::int64_t inverseOf(std::int64_t a, std::int64_t m) {
  std::int64_t rest = m, next = a % m, x = 0, y = 1;
  while (next != 0) {
    const std::int64_t q = rest / next;
    rest = std::exchange(next, rest - q * next);
    x = std::exchange(y, x - q * y);
  }
  return (x + m) % m;
}

float corrected(float x, float s) {
  const float r = 1 / s, q = x * r;
  return std::fma(-std::fma(q, s, -x), r, q);
}

/// \p x as f16, not too large for it.
float nearestF16(float x) {
  const float step = std::ldexp(1.0F, std::max(std::ilogb(x) - 10, -24));
  return std::nearbyint(x / step) * step;
}

/// Good for f16.
float nearlyCorrected(float x, float s) {
  const float r = 1 / s, residual = std::fma(-s, r, 1.0F), q = residual * r;
  const float rest = std::fma(-std::fma(q, s, -residual), r, q);
  return std::fma(x, r, x * rest);
}

/// How many numbers were not the nearest f32, but became the nearest f16: of any exponent.
int checkF16(float x, float s) {
  const float nearly = nearlyCorrected(x, s), exact = x / s;
  if (nearly == exact)
    return 0;
  for (int exponent = 0; exponent != 27; ++exponent)
    EXPECT_EQ(nearestF16(std::ldexp(nearly, -exponent)), nearestF16(std::ldexp(exact, -exponent)))
        << x << " / " << s << " 2^-" << exponent;
  return 1;
}

int notNearestF32 = 0;

/// Divides all X by \p s whose quotients are close to a middle, and returns how many there are.
int checkDivisor(std::int64_t s) {
  int count = 0;
  const int zeros = __builtin_ctzll(static_cast<unsigned long long>(s));
  const std::int64_t odd = s >> zeros;
  if (odd == 1)
    return 0; // quotients are exact
  for (int shift : {24, 25}) {
    const std::int64_t least = shift == 24 ? s : kOne, end = shift == 24 ? 2 * kOne : s;
    const std::int64_t inverse = inverseOf((std::int64_t{1} << (shift - zeros)) % odd, odd);
    for (std::int64_t k = -kFarthest; k <= kFarthest; ++k) {
      if (k == 0 || k % (std::int64_t{1} << zeros) != 0)
        continue;
      const std::int64_t first = ((k >> zeros) % odd + odd) % odd * inverse % odd;
      for (std::int64_t x = least + ((first - least) % odd + odd) % odd; x < end; x += odd) {
        if (((x << shift) - k) / s % 2 == 0)
          continue;
        const auto xf = static_cast<float>(x), sf = static_cast<float>(s);
        EXPECT_EQ(corrected(xf, sf), xf / sf) << x << " / " << s;
        notNearestF32 += checkF16(xf, sf);
        ++count;
      }
    }
  }
  return count;
}

} // namespace

TEST(SharedDivision, oneCorrectionIsEnough) {
  int count = 0;
  for (std::int64_t s = kOne; s < 2 * kOne; s += 251) // step 1 takes ten seconds
    count += checkDivisor(s);
  for (std::int64_t s = 2 * kOne - 4096; s < 2 * kOne; ++s)
    count += checkDivisor(s);
  EXPECT_GT(count, 500000);
  EXPECT_GT(notNearestF32, 100);
}

// Zeros keep their sign; what is too large is told by a NaN.
TEST(SharedDivision, ends) {
  EXPECT_FALSE(std::signbit(corrected(0.0F, 3)));
  EXPECT_TRUE(std::signbit(corrected(-0.0F, 3)));
  EXPECT_TRUE(std::isnan(corrected(INFINITY, 3)));
  EXPECT_TRUE(std::isnan(corrected(0x1p127F, 0x1p-20F)));
}
