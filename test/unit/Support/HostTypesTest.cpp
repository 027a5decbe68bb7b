//===- HostTypesTest.cpp - narrow floats on the host -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "tessera/core/HostTypes.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

using namespace tessera;

namespace {

/// All patterns of \p N as doubles.
template <class N> std::vector<double> valuesOf() {
  std::vector<double> values;
  for (std::uint32_t bits = 0; bits != 1u << 8 * sizeof(N); ++bits)
    values.push_back(static_cast<float>(N::from_bits(static_cast<decltype(N::bits)>(bits))));
  return values;
}

template <class N> class NarrowFloatTest : public testing::Test {};
using Kinds = testing::Types<half, bfloat16, float8_e4m3, float8_e5m2, float8_e4m3fnuz, float8_e5m2fnuz>;
TYPED_TEST_SUITE(NarrowFloatTest, Kinds);

template <class N> double largestOf() {
  double largest = 0;
  for (double value : valuesOf<N>())
    if (std::isfinite(value))
      largest = std::max(largest, value);
  return largest;
}

} // namespace

// SEMANTICS T1 C3: every value survives the way to float and back.
TYPED_TEST(NarrowFloatTest, roundTripsEveryPattern) {
  for (std::uint32_t bits = 0; bits != 1u << 8 * sizeof(TypeParam); ++bits) {
    const auto value = TypeParam::from_bits(static_cast<decltype(TypeParam::bits)>(bits));
    const float wide = value;
    if (std::isnan(wide))
      EXPECT_TRUE(std::isnan(static_cast<float>(TypeParam(wide))));
    else
      EXPECT_EQ(TypeParam(wide).bits, value.bits) << wide;
  }
}

// SEMANTICS C1: halfway between neighbours goes to the even one, everything else to the nearer.
TYPED_TEST(NarrowFloatTest, roundsToNearestEven) {
  const unsigned signBit = 1u << (8 * sizeof(TypeParam) - 1);
  for (unsigned bits = 0; bits + 1 < signBit; ++bits) {
    const auto low = TypeParam::from_bits(static_cast<decltype(TypeParam::bits)>(bits));
    const auto high = TypeParam::from_bits(static_cast<decltype(TypeParam::bits)>(bits + 1));
    const double a = static_cast<float>(low), b = static_cast<float>(high);
    if (!std::isfinite(a) || !std::isfinite(b))
      continue;
    const double middle = (a + b) / 2;
    const auto even = bits % 2 == 0 ? low : high;
    EXPECT_EQ(TypeParam(middle).bits, even.bits) << middle;
    EXPECT_EQ(TypeParam(std::nextafter(middle, 0.0)).bits, low.bits) << middle;
    EXPECT_EQ(TypeParam(std::nextafter(middle, 1e300)).bits, high.bits) << middle;
    if (bits) { // −0 is not in every kind
      EXPECT_EQ(static_cast<float>(TypeParam(-middle)), -static_cast<float>(even));
    }
  }
}

// SEMANTICS C1: what is too large gives infinity, or NaN where there is none.
TYPED_TEST(NarrowFloatTest, overflows) {
  const double largest = largestOf<TypeParam>();
  const bool hasInfinity = std::isinf(static_cast<float>(TypeParam(std::numeric_limits<double>::infinity())));
  constexpr bool ieee =
      std::is_same_v<TypeParam, half> || std::is_same_v<TypeParam, bfloat16> || std::is_same_v<TypeParam, float8_e5m2>;
  EXPECT_EQ(hasInfinity, ieee);
  for (double value : {largest * 2, 1e300, std::numeric_limits<double>::infinity()})
    for (double sign : {1.0, -1.0}) {
      const float narrow = TypeParam(sign * value);
      if (ieee)
        EXPECT_EQ(narrow, sign * std::numeric_limits<float>::infinity());
      else
        EXPECT_TRUE(std::isnan(narrow));
    }
  EXPECT_EQ(static_cast<float>(TypeParam(largest)), largest);
}

TYPED_TEST(NarrowFloatTest, keepsNanAndSmallNumbers) {
  EXPECT_TRUE(std::isnan(static_cast<float>(TypeParam(std::nan("")))));
  EXPECT_EQ(static_cast<float>(TypeParam(1e-300)), 0.0f);
  EXPECT_EQ(static_cast<float>(TypeParam(std::numeric_limits<double>::denorm_min())), 0.0f);
  EXPECT_EQ(static_cast<float>(TypeParam(1)), 1.0f);
  EXPECT_EQ(static_cast<float>(TypeParam()), 0.0f);
}

// SEMANTICS A6: the fnuz kinds have no −0.
TEST(NarrowFloat, signOfZero) {
  EXPECT_TRUE(std::signbit(static_cast<float>(half(-0.0f))));
  EXPECT_TRUE(std::signbit(static_cast<float>(float8_e4m3(-0.0f))));
  EXPECT_FALSE(std::signbit(static_cast<float>(float8_e4m3fnuz(-0.0f))));
  EXPECT_EQ(float8_e5m2fnuz(-1e-30f).bits, 0);
}

TEST(NarrowFloat, knownValues) {
  EXPECT_EQ(half(65504.0f).bits, 0x7bff);
  EXPECT_EQ(half(65520.0f).bits, 0x7c00);
  EXPECT_EQ(half(1.0f / 16777216).bits, 0x0001);
  EXPECT_EQ(bfloat16(3.0f).bits, 0x4040);
  EXPECT_EQ(float8_e4m3(448.0f).bits, 0x7e);
  EXPECT_EQ(float8_e5m2(57344.0f).bits, 0x7b);
  EXPECT_EQ(float8_e4m3fnuz(240.0f).bits, 0x7f);
  EXPECT_EQ(float8_e5m2fnuz(57344.0f).bits, 0x7f);
  static_assert(half(1.5f).bits == 0x3e00, "conversion works in constant expressions");
}

// SEMANTICS C1: directly from the source, not through float.
TEST(NarrowFloat, roundsDoubleOnce) {
  // Just above the middle of 1 and the next half; as a float it would be the middle itself and go down to 1.
  const double value = 1.0 + 1.0 / 2048 + 1e-12;
  EXPECT_EQ(static_cast<float>(value), 1.0f + 1.0f / 2048);
  EXPECT_EQ(half(value).bits, half(1.0f).bits + 1);
}

TEST(HostTypes, mapBothWays) {
  static_assert(std::is_same_v<host_type<f32>, float> && std::is_same_v<host_type<bf16>, bfloat16>);
  static_assert(std::is_same_v<host_type<i1>, std::uint8_t> && std::is_same_v<host_type<ptr_to(f32)>, void *>);
  static_assert(std::is_same_v<host_type<u64>, std::uint64_t> && std::is_same_v<host_type<i8>, std::int8_t>);
  static_assert(dtype_of<float> == f32 && dtype_of<const half> == f16 && dtype_of<bool> == i1);
  static_assert(dtype_of<long long> == i64 && dtype_of<unsigned char> == u8 && dtype_of<float *> == ptr_to(f32));
  static_assert(dtype_of<std::vector<float>>.kind == Kind::None);
  static_assert(sizeof(half) == 2 && sizeof(float8_e5m2) == 1 && std::is_trivially_copyable_v<bfloat16>);
}

TEST(HostTypes, namesOfDtypes) {
  EXPECT_EQ(f32.name(), "f32");
  EXPECT_EQ(ptr_to(ptr_to(e4m3fnuz)).name(), "ptr_to(ptr_to(e4m3fnuz))");
  EXPECT_EQ(DType{}.name(), "none");
  EXPECT_EQ(DType{Kind::Any}.name(), "any");
}
