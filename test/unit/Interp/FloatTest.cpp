//===- FloatTest.cpp - exact conversions between float formats ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The judge of every conversion is LLVM's APFloat, which shares no code with ours.
//
//===---------------------------------------------------------------------===//

#include "Target/Interp/Float.h"

#include "llvm/ADT/APFloat.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace tessera::ir::interp {
namespace {

using llvm::APFloat;
using llvm::APInt;

template <class T> const llvm::fltSemantics &semantics();
template <> const llvm::fltSemantics &semantics<F16>() { return APFloat::IEEEhalf(); }
template <> const llvm::fltSemantics &semantics<BF16>() { return APFloat::BFloat(); }
template <> const llvm::fltSemantics &semantics<E4M3>() { return APFloat::Float8E4M3FN(); }
template <> const llvm::fltSemantics &semantics<E5M2>() { return APFloat::Float8E5M2(); }
template <> const llvm::fltSemantics &semantics<E4M3Fnuz>() { return APFloat::Float8E4M3FNUZ(); }
template <> const llvm::fltSemantics &semantics<E5M2Fnuz>() { return APFloat::Float8E5M2FNUZ(); }

template <class T> std::uint64_t bitsOf(T x) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<std::uint32_t>(x);
  else
    return x.bits;
}

/// The encoding APFloat gives for \p x, to nearest even.
template <class T> APFloat judged(double x) {
  APFloat f(x);
  bool lost;
  f.convert(semantics<T>(), APFloat::rmNearestTiesToEven, &lost);
  return f;
}

template <class T> void expectNearest(double x) {
  const APFloat want = judged<T>(x);
  const T got = fromDouble<T>(x);
  if (want.isNaN())
    ASSERT_TRUE(std::isnan(widen(got))) << x;
  else
    ASSERT_EQ(bitsOf(got), want.bitcastToAPInt().getZExtValue()) << x;
}

template <class T> double valueOf(std::uint64_t bits) {
  APFloat f(semantics<T>(), APInt(FormatOf<T>::value.bits, bits));
  bool lost;
  f.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
  return f.convertToDouble();
}

template <class T> class Narrow : public ::testing::Test {};
using NarrowTypes = ::testing::Types<F16, BF16, E4M3, E5M2, E4M3Fnuz, E5M2Fnuz>;
TYPED_TEST_SUITE(Narrow, NarrowTypes);

// SEMANTICS C3: fp8 (and 16-bit) to wider is an exact table
TYPED_TEST(Narrow, everyEncodingDecodes) {
  for (std::uint32_t bits = 0; bits != 1u << FormatOf<TypeParam>::value.bits; ++bits) {
    const TypeParam x{static_cast<decltype(TypeParam::bits)>(bits)};
    const double want = valueOf<TypeParam>(bits);
    if (std::isnan(want)) {
      ASSERT_TRUE(std::isnan(widen(x))) << bits;
    } else {
      ASSERT_EQ(widen(x), want) << bits;
      ASSERT_EQ(std::signbit(widen(x)), std::signbit(want)) << bits;
    }
    ASSERT_TRUE(std::isnan(want) ? std::isnan(decode(bits, FormatOf<TypeParam>::value))
                                 : decode(bits, FormatOf<TypeParam>::value) == want);
  }
}

// SEMANTICS C1: every value, every midpoint between neighbours, and what lies just beside it
TYPED_TEST(Narrow, everyValueAndMidpointRoundsToNearestEven) {
  const Format format = FormatOf<TypeParam>::value;
  std::vector<double> values;
  for (std::uint64_t bits = 0; bits <= format.maxFinite(); ++bits)
    values.push_back(valueOf<TypeParam>(bits));
  values.push_back(2 * values.back() - values[values.size() - 2]); // where the next one would lie
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    const double middle = (values[i] + values[i + 1]) / 2;
    for (double x : {values[i], middle, std::nextafter(middle, 0.0), std::nextafter(middle, HUGE_VAL)}) {
      expectNearest<TypeParam>(x);
      expectNearest<TypeParam>(-x);
    }
  }
  for (double x : {0.0, -0.0, HUGE_VAL, -HUGE_VAL, 1e300, -1e300, 1e-300, -1e-300, 5e-324, double(NAN)})
    expectNearest<TypeParam>(x);
}

// SEMANTICS C1: the paths f32 takes, on all kinds of f32
TYPED_TEST(Narrow, f32RoundsToNearestEven) {
  std::mt19937 random(1);
  for (int i = 0; i != 2'000'000; ++i) {
    const float x = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    const APFloat want = judged<TypeParam>(x);
    const TypeParam got = narrow<TypeParam>(x);
    if (std::isnan(x) || want.isNaN())
      ASSERT_TRUE(std::isnan(widen(got))) << x;
    else
      ASSERT_EQ(bitsOf(got), want.bitcastToAPInt().getZExtValue()) << x;
  }
}

// SEMANTICS C1: toward zero keeps the smaller neighbour, and a finite value finite
TYPED_TEST(Narrow, towardZero) {
  const Format format = FormatOf<TypeParam>::value;
  for (std::uint64_t bits = 0; bits < format.maxFinite(); ++bits) {
    const double low = valueOf<TypeParam>(bits), high = valueOf<TypeParam>(bits + 1);
    for (double x : {low, (low + high) / 2, std::nextafter(high, 0.0)})
      ASSERT_EQ(widen(fromDouble<TypeParam>(x, Rounding::TowardZero)), low);
  }
  EXPECT_EQ(bitsOf(fromDouble<TypeParam>(1e300, Rounding::TowardZero)), format.maxFinite());
}

// SEMANTICS C1: saturate clamps, infinities too; NaN stays NaN
TYPED_TEST(Narrow, saturate) {
  const Format format = FormatOf<TypeParam>::value;
  const double largest = valueOf<TypeParam>(format.maxFinite());
  for (double x : {1e300, HUGE_VAL, largest * 1.01, largest}) {
    EXPECT_EQ(widen(fromDouble<TypeParam>(x, Rounding::Nearest, true)), largest);
    EXPECT_EQ(widen(fromDouble<TypeParam>(-x, Rounding::Nearest, true)), -largest);
  }
  EXPECT_TRUE(std::isnan(widen(fromDouble<TypeParam>(NAN, Rounding::Nearest, true))));
}

// SEMANTICS C1: stochastic rounding goes up in proportion to what is cut off, and leaves exact values alone
TYPED_TEST(Narrow, stochastic) {
  std::mt19937 random(2);
  for (std::uint64_t bits : {std::uint64_t(1), std::uint64_t(5), FormatOf<TypeParam>::value.maxFinite() / 2}) {
    const double low = valueOf<TypeParam>(bits), high = valueOf<TypeParam>(bits + 1);
    for (int i = 0; i != 100; ++i)
      ASSERT_EQ(widen(fromDouble<TypeParam>(low, Rounding::Stochastic, false, random())), low);
    int ups = 0;
    const double x = low + 0.75 * (high - low);
    for (int i = 0; i != 10000; ++i) {
      const double r = widen(fromDouble<TypeParam>(x, Rounding::Stochastic, false, random()));
      ASSERT_TRUE(r == low || r == high);
      ups += r == high;
    }
    EXPECT_NEAR(ups, 7500, 300);
    EXPECT_EQ(widen(fromDouble<TypeParam>(x, Rounding::Stochastic, false, 0x3fffffffu)), low);
    EXPECT_EQ(widen(fromDouble<TypeParam>(x, Rounding::Stochastic, false, 0x40000000u)), high);
  }
}

// Reported: fp16 9.0 to e5m2 gave 10
TEST(Float, halfNineToE5M2IsEight) { EXPECT_EQ(widen(narrow<E5M2>(widen(narrowToF16(9.0f)))), 8.0f); }

// SEMANTICS A6: fnuz types have no negative zero
TEST(Float, fnuzHasNoNegativeZero) {
  EXPECT_EQ(narrow<E4M3Fnuz>(-0.0f).bits, 0);
  EXPECT_EQ(narrow<E5M2Fnuz>(-1e-30f).bits, 0);
  EXPECT_EQ(narrow<E4M3>(-0.0f).bits, 0x80);
}

// SEMANTICS C1: f64 to f16 directly; through f32 this one would round twice
TEST(Float, doubleRoundsOnce) {
  const double x = 1.0 + 0x1p-11 + 0x1p-40; // just above a midpoint of f16
  EXPECT_EQ(widen(fromDouble<F16>(x)), 1.0f + 0x1p-10f);
  EXPECT_EQ(widen(narrowToF16(static_cast<float>(x))), 1.0f);
}

/// a * b + c by APFloat, exactly rounded.
template <class T> APFloat judgedFma(T a, T b, T c) {
  const auto load = [](T x) { return APFloat(semantics<T>(), APInt(FormatOf<T>::value.bits, bitsOf(x))); };
  APFloat r = load(a);
  r.fusedMultiplyAdd(load(b), load(c), APFloat::rmNearestTiesToEven);
  return r;
}

template <class T> void expectFmaRoundsOnce() {
  std::mt19937 random(3);
  for (int i = 0; i != 500'000; ++i) {
    const T a{static_cast<std::uint16_t>(random())}, b{static_cast<std::uint16_t>(random())};
    T c{static_cast<std::uint16_t>(random())};
    if (i % 2) // near the product, so that bits cancel
      c = narrow<T>(-widen(a) * widen(b) * (1.0f + 0x1p-9f * static_cast<float>(random() % 5)));
    const APFloat want = judgedFma(a, b, c);
    const T got = fusedMultiplyAdd(a, b, c);
    if (want.isNaN())
      ASSERT_TRUE(std::isnan(widen(got)));
    else
      ASSERT_EQ(got.bits, want.bitcastToAPInt().getZExtValue()) << widen(a) << " " << widen(b) << " " << widen(c);
  }
}

// SEMANTICS A3
TEST(Float, fmaRoundsOnceInF16) { expectFmaRoundsOnce<F16>(); }
TEST(Float, fmaRoundsOnceInBF16) { expectFmaRoundsOnce<BF16>(); }
// Reported: fma(4097, 4097, 2^-30) in f32
TEST(Float, fmaRoundsOnceInF32) { EXPECT_EQ(fusedMultiplyAdd(4097.0f, 4097.0f, 0x1p-30f), 16785410.0f); }

// SEMANTICS C2: 64-bit integers to narrow floats round once
TEST(Float, integersRoundOnce) {
  std::mt19937_64 random(4);
  for (int i = 0; i != 300'000; ++i) {
    const auto x = static_cast<std::int64_t>(random() >> (random() % 64)) * (random() % 2 ? 1 : -1);
    APFloat want(APFloat::BFloat());
    want.convertFromAPInt(APInt(64, static_cast<std::uint64_t>(x)), true, APFloat::rmNearestTiesToEven);
    ASSERT_EQ(fromDouble<BF16>(toDoubleSticky(x)).bits, want.bitcastToAPInt().getZExtValue()) << x;
    const std::uint64_t u = random() >> (random() % 64);
    APFloat half(APFloat::IEEEhalf());
    half.convertFromAPInt(APInt(64, u), false, APFloat::rmNearestTiesToEven);
    ASSERT_EQ(fromDouble<F16>(toDoubleSticky(u)).bits, half.bitcastToAPInt().getZExtValue()) << u;
  }
  const std::int64_t midpoint = (std::int64_t(257) << 54) + 1; // beyond 53 bits, just above a midpoint of bf16
  EXPECT_EQ(toDouble(fromDouble<BF16>(toDoubleSticky(midpoint))), 258.0 * 0x1p54);
}

// SEMANTICS C2
TEST(Float, floatToIntegerSaturates) {
  EXPECT_EQ(truncateSaturating<std::int32_t>(NAN), 0);
  EXPECT_EQ(truncateSaturating<std::int32_t>(-1.9), -1);
  EXPECT_EQ(truncateSaturating<std::int32_t>(2147483647.0), 2147483647);
  EXPECT_EQ(truncateSaturating<std::int32_t>(2147483648.0), 2147483647);
  EXPECT_EQ(truncateSaturating<std::int32_t>(-2147483649.0), -2147483647 - 1);
  EXPECT_EQ(truncateSaturating<std::int64_t>(9.3e18), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(truncateSaturating<std::int64_t>(-HUGE_VAL), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(truncateSaturating<std::uint64_t>(1.8e19), 18000000000000000000u);
  EXPECT_EQ(truncateSaturating<std::uint64_t>(HUGE_VAL), ~std::uint64_t(0));
  EXPECT_EQ(truncateSaturating<std::uint8_t>(-3.0), 0);
  EXPECT_EQ(truncateSaturating<std::uint8_t>(255.9), 255);
  EXPECT_EQ(truncateSaturating<std::int8_t>(-128.5), -128);
}

// SEMANTICS A5
TEST(Float, maximumDropsNanAndOrdersZeros) {
  EXPECT_EQ(maximumNumber(1.0f, float(NAN)), 1.0f);
  EXPECT_EQ(minimumNumber(float(NAN), -HUGE_VALF), -HUGE_VALF);
  EXPECT_TRUE(std::isnan(maximumNumber(float(NAN), float(NAN))));
  EXPECT_FALSE(std::signbit(maximumNumber(-0.0f, 0.0f)));
  EXPECT_FALSE(std::signbit(maximumNumber(0.0f, -0.0f)));
  EXPECT_TRUE(std::signbit(minimumNumber(0.0f, -0.0f)));
  EXPECT_TRUE(std::signbit(minimumNumber(-0.0f, 0.0f)));
  EXPECT_TRUE(std::isnan(maximumPropagate(1.0, double(NAN))));
  EXPECT_TRUE(std::isnan(minimumPropagate(double(NAN), 1.0)));
}

} // namespace
} // namespace tessera::ir::interp
