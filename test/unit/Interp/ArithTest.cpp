//===- ArithTest.cpp - arithmetic of every type, at odd values --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Interp/Harness.h"

#include "Target/Interp/Float.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tessera::ir::interp {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

constexpr float kInf = HUGE_VALF, kNan = NAN;

template <class T> using Limits = std::numeric_limits<T>;
using I8 = std::vector<std::int8_t>;
using I16 = std::vector<std::int16_t>;
using I32 = std::vector<std::int32_t>;
using I64 = std::vector<std::int64_t>;
using Floats = std::vector<float>;

std::vector<Bool> bools(std::initializer_list<int> values) {
  std::vector<Bool> v;
  for (int x : values)
    v.push_back({static_cast<std::uint8_t>(x)});
  return v;
}
std::vector<int> ints(const std::vector<Bool> &values) {
  std::vector<int> v;
  for (Bool x : values)
    v.push_back(x.bits);
  return v;
}

template <class T> class IntArith : public ::testing::Test {};
using IntTypes = ::testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(IntArith, IntTypes);

// SEMANTICS T5: integers wrap
TYPED_TEST(IntArith, addSubMulWrap) {
  using T = TypeParam;
  using U = std::make_unsigned_t<T>;
  const std::vector<T> a{Limits<T>::max(), Limits<T>::min(), T(-1), T(7), T(100), Limits<T>::max()};
  const std::vector<T> b{T(1), T(-1), Limits<T>::min(), T(-9), T(100), Limits<T>::max()};
  const auto sum = elementwise<T>("%r = arith.addi %a, %b : $A", a, b);
  const auto difference = elementwise<T>("%r = arith.subi %a, %b : $A", a, b);
  const auto product = elementwise<T>("%r = arith.muli %a, %b : $A", a, b);
  for (std::size_t i = 0; i != a.size(); ++i) {
    const std::uint64_t x = static_cast<std::uint64_t>(a[i]), y = static_cast<std::uint64_t>(b[i]);
    EXPECT_EQ(sum[i], static_cast<T>(static_cast<U>(x + y)));
    EXPECT_EQ(difference[i], static_cast<T>(static_cast<U>(x - y)));
    EXPECT_EQ(product[i], static_cast<T>(static_cast<U>(x * y)));
  }
}

// SEMANTICS A1: quotients toward zero, down and up, with all signs
TYPED_TEST(IntArith, divisionRoundsAsAsked) {
  using T = TypeParam;
  const std::vector<T> a{T(7), T(-7), T(7), T(-7), T(6), T(-6), T(0), T(1)};
  const std::vector<T> b{T(2), T(2), T(-2), T(-2), T(3), T(3), T(-5), Limits<T>::min()};
  EXPECT_THAT(elementwise<T>("%r = tile.idiv %a, %b : $A", a, b), ElementsAre(3, -3, -3, 3, 2, -2, 0, 0));
  EXPECT_THAT(elementwise<T>("%r = tile.idiv %a, %b rounding floor : $A", a, b),
              ElementsAre(3, -4, -4, 3, 2, -2, 0, -1));
  EXPECT_THAT(elementwise<T>("%r = tile.idiv %a, %b rounding ceil : $A", a, b), ElementsAre(4, -3, -3, 4, 2, -2, 0, 0));
  EXPECT_THAT(elementwise<T>("%r = tile.irem %a, %b : $A", a, b), ElementsAre(1, -1, 1, -1, 0, 0, 0, 1));
  EXPECT_THAT(elementwise<T>("%r = tile.irem %a, %b rounding floor : $A", a, b),
              ElementsAre(1, 1, -1, -1, 0, 0, 0, T(Limits<T>::min() + 1)));
}

// SEMANTICS A1
TYPED_TEST(IntArith, unsignedDivision) {
  using T = TypeParam;
  const T big = T(-1); // the largest unsigned value
  const std::vector<T> a{big, big, T(7), Limits<T>::min()}, b{T(2), big, big, T(3)};
  using U = std::make_unsigned_t<T>;
  const auto q = elementwise<T>("%r = tile.idiv %a, %b unsigned : $A", a, b);
  const auto c = elementwise<T>("%r = tile.idiv %a, %b rounding ceil unsigned : $A", a, b);
  const auto r = elementwise<T>("%r = tile.irem %a, %b unsigned : $A", a, b);
  for (std::size_t i = 0; i != a.size(); ++i) {
    const U x = static_cast<U>(a[i]), y = static_cast<U>(b[i]);
    EXPECT_EQ(static_cast<U>(q[i]), static_cast<U>(x / y));
    EXPECT_EQ(static_cast<U>(c[i]), static_cast<U>(x / y + (x % y != 0)));
    EXPECT_EQ(static_cast<U>(r[i]), static_cast<U>(x % y));
  }
}

// SEMANTICS A2: >> is arithmetic on signed, logical on unsigned
TYPED_TEST(IntArith, shifts) {
  using T = TypeParam;
  constexpr int width = 8 * sizeof(T);
  const std::vector<T> a{T(-1), T(-8), T(5), Limits<T>::min()}, b{T(1), T(2), T(0), T(width - 1)};
  EXPECT_THAT(elementwise<T>("%r = tile.shr %a, %b : $A", a, b), ElementsAre(T(-1), T(-2), T(5), T(-1)));
  EXPECT_THAT(elementwise<T>("%r = tile.shr %a, %b unsigned : $A", a, b),
              ElementsAre(Limits<T>::max(), T(std::make_unsigned_t<T>(-8) >> 2), T(5), T(1)));
  EXPECT_THAT(elementwise<T>("%r = tile.shl %a, %b : $A", a, b), ElementsAre(T(-2), T(-32), T(5), T(0)));
}

// SEMANTICS A2: a shift by the width or more gives something, and faults nothing
TYPED_TEST(IntArith, oversizedShiftsFaultNothing) {
  using T = TypeParam;
  const std::vector<T> a{T(1), T(-1)}, b{T(8 * sizeof(T)), T(-1)};
  elementwise<T>("%r = tile.shl %a, %b : $A", a, b);
  elementwise<T>("%r = tile.shr %a, %b : $A", a, b);
  elementwise<T>("%r = tile.shr %a, %b unsigned : $A", a, b);
}

// SEMANTICS A4, A6: exact integer functions
TYPED_TEST(IntArith, bitFunctions) {
  using T = TypeParam;
  constexpr T width = 8 * sizeof(T);
  const std::vector<T> a{T(0), T(1), T(-1), Limits<T>::min(), T(6)};
  EXPECT_THAT(elementwise<T>("%r = math.ctpop %a : $A", a), ElementsAre(T(0), T(1), width, T(1), T(2)));
  EXPECT_THAT(elementwise<T>("%r = math.ctlz %a : $A", a), ElementsAre(width, T(width - 1), T(0), T(0), T(width - 3)));
  EXPECT_THAT(elementwise<T>("%r = math.absi %a : $A", a), ElementsAre(T(0), T(1), T(1), Limits<T>::min(), T(6)));
  EXPECT_THAT(elementwise<T>("%r = tile.umulhi %a, %b : $A", a, std::vector<T>{T(3), T(-1), T(-1), T(4), T(2)}),
              ElementsAre(T(0), T(0), T(-2), T(2), T(0)));
}

TYPED_TEST(IntArith, minMaxAndBits) {
  using T = TypeParam;
  const std::vector<T> a{T(-1), T(3)}, b{T(2), T(2)};
  EXPECT_THAT(elementwise<T>("%r = arith.minsi %a, %b : $A", a, b), ElementsAre(T(-1), T(2)));
  EXPECT_THAT(elementwise<T>("%r = arith.maxsi %a, %b : $A", a, b), ElementsAre(T(2), T(3)));
  EXPECT_THAT(elementwise<T>("%r = arith.minui %a, %b : $A", a, b), ElementsAre(T(2), T(2)));
  EXPECT_THAT(elementwise<T>("%r = arith.maxui %a, %b : $A", a, b), ElementsAre(T(-1), T(3)));
  EXPECT_THAT(elementwise<T>("%r = arith.andi %a, %b : $A", a, b), ElementsAre(T(2), T(2)));
  EXPECT_THAT(elementwise<T>("%r = arith.ori %a, %b : $A", a, b), ElementsAre(T(-1), T(3)));
  EXPECT_THAT(elementwise<T>("%r = arith.xori %a, %b : $A", a, b), ElementsAre(T(-3), T(1)));
}

TYPED_TEST(IntArith, comparisons) {
  using T = TypeParam;
  const std::vector<T> a{T(-1), T(3), T(2)}, b{T(2), T(2), T(2)};
  const auto compare = [&](const std::string &predicate) {
    return ints(elementwise<Bool>("%r = arith.cmpi " + predicate + ", %a, %b : $A", a, b));
  };
  EXPECT_THAT(compare("eq"), ElementsAre(0, 0, 1));
  EXPECT_THAT(compare("ne"), ElementsAre(1, 1, 0));
  EXPECT_THAT(compare("slt"), ElementsAre(1, 0, 0));
  EXPECT_THAT(compare("sle"), ElementsAre(1, 0, 1));
  EXPECT_THAT(compare("sgt"), ElementsAre(0, 1, 0));
  EXPECT_THAT(compare("sge"), ElementsAre(0, 1, 1));
  EXPECT_THAT(compare("ult"), ElementsAre(0, 0, 0));
  EXPECT_THAT(compare("ule"), ElementsAre(0, 0, 1));
  EXPECT_THAT(compare("ugt"), ElementsAre(1, 1, 0));
  EXPECT_THAT(compare("uge"), ElementsAre(1, 1, 1));
}

// SEMANTICS T4: i1 takes & | ^; a set i1 is one bit
TEST(Arith, i1) {
  const auto a = bools({0, 0, 1, 1}), b = bools({0, 1, 0, 1});
  EXPECT_THAT(ints(elementwise<Bool>("%r = arith.andi %a, %b : $A", a, b)), ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(ints(elementwise<Bool>("%r = arith.ori %a, %b : $A", a, b)), ElementsAre(0, 1, 1, 1));
  EXPECT_THAT(ints(elementwise<Bool>("%r = arith.xori %a, %b : $A", a, b)), ElementsAre(0, 1, 1, 0));
  EXPECT_THAT(ints(elementwise<Bool>("%r = arith.addi %a, %b : $A", a, b)), ElementsAre(0, 1, 1, 0));
  EXPECT_THAT(ints(elementwise<Bool>("%r = arith.cmpi ult, %a, %b : $A", a, b)), ElementsAre(0, 1, 0, 0));
}

template <class T> class FloatArith : public ::testing::Test {};
using FloatTypes = ::testing::Types<F16, BF16, float, double>;
TYPED_TEST_SUITE(FloatArith, FloatTypes);

template <class T> std::vector<T> of(const std::vector<double> &values) {
  std::vector<T> v;
  for (double x : values)
    v.push_back(fromDouble<T>(x));
  return v;
}
template <class T> std::vector<double> doubles(const std::vector<T> &values) {
  std::vector<double> v;
  for (T x : values)
    v.push_back(toDouble(x));
  return v;
}

// SEMANTICS A3: computed in f32, rounded once
TYPED_TEST(FloatArith, arithmeticRoundsOnce) {
  using T = TypeParam;
  const auto a = of<T>({1, 1.0 / 3, 1000, -0.0, 60000, 1e-7}), b = of<T>({3, 0.1, 0.001, 0.0, 60000, 3});
  const auto sum = elementwise<T>("%r = arith.addf %a, %b : $A", a, b),
             difference = elementwise<T>("%r = arith.subf %a, %b : $A", a, b),
             product = elementwise<T>("%r = arith.mulf %a, %b : $A", a, b),
             quotient = elementwise<T>("%r = arith.divf %a, %b : $A", a, b);
  for (std::size_t i = 0; i != a.size(); ++i) {
    const auto x = widen(a[i]), y = widen(b[i]);
    EXPECT_EQ(toDouble(sum[i]), toDouble(narrow<T>(x + y)));
    EXPECT_EQ(toDouble(difference[i]), toDouble(narrow<T>(x - y)));
    EXPECT_EQ(toDouble(product[i]), toDouble(narrow<T>(x * y)));
    if (y != 0) {
      EXPECT_EQ(toDouble(quotient[i]), toDouble(narrow<T>(x / y)));
    }
  }
  EXPECT_TRUE(std::isnan(toDouble(quotient[3])));
}

// SEMANTICS A6
TYPED_TEST(FloatArith, negationFlipsTheSignOfZero) {
  using T = TypeParam;
  const auto r = elementwise<T>("%r = arith.negf %a : $A", of<T>({0.0, -0.0, 1.5, -HUGE_VAL}));
  EXPECT_TRUE(std::signbit(toDouble(r[0])));
  EXPECT_FALSE(std::signbit(toDouble(r[1])));
  EXPECT_EQ(toDouble(r[2]), -1.5);
  EXPECT_EQ(toDouble(r[3]), HUGE_VAL);
}

// SEMANTICS A4: exact functions
TYPED_TEST(FloatArith, exactFunctions) {
  using T = TypeParam;
  const auto a = of<T>({2.5, -2.5, 3.5, -0.25, 0.5, HUGE_VAL});
  EXPECT_THAT(doubles(elementwise<T>("%r = math.floor %a : $A", a)), ElementsAre(2, -3, 3, -1, 0, HUGE_VAL));
  EXPECT_THAT(doubles(elementwise<T>("%r = math.ceil %a : $A", a)), ElementsAre(3, -2, 4, 0, 1, HUGE_VAL));
  EXPECT_THAT(doubles(elementwise<T>("%r = math.trunc %a : $A", a)), ElementsAre(2, -2, 3, 0, 0, HUGE_VAL));
  EXPECT_THAT(doubles(elementwise<T>("%r = math.round %a : $A", a)), ElementsAre(3, -3, 4, 0, 1, HUGE_VAL));
  EXPECT_THAT(doubles(elementwise<T>("%r = math.roundeven %a : $A", a)), ElementsAre(2, -2, 4, 0, 0, HUGE_VAL));
  EXPECT_THAT(doubles(elementwise<T>("%r = math.absf %a : $A", a)), ElementsAre(2.5, 2.5, 3.5, 0.25, 0.5, HUGE_VAL));
  EXPECT_THAT(doubles(elementwise<T>("%r = math.copysign %a, %b : $A", a, of<T>({-1, -1, -0.0, 1, 1, -1}))),
              ElementsAre(-2.5, -2.5, -3.5, 0.25, 0.5, -HUGE_VAL));
  EXPECT_THAT(doubles(elementwise<T>("%r = arith.remf %a, %b : $A", a, of<T>({2, 2, -2, 1, HUGE_VAL, 1}))),
              ElementsAre(0.5, -0.5, 1.5, -0.25, 0.5, ::testing::IsNan()));
  EXPECT_THAT(doubles(elementwise<T>("%r = math.sqrt %a : $A", of<T>({4, 2.25, 0, -1}))),
              ElementsAre(2, 1.5, 0, ::testing::IsNan()));
}

// SEMANTICS A4: ldexp and ilogb are exact, denormals included
TYPED_TEST(FloatArith, ldexpAndIlogb) {
  using T = TypeParam;
  const double tiny = decode(1, FormatOf<T>::value); // the smallest denormal
  const int low = std::ilogb(tiny);
  EXPECT_THAT(doubles(elementwise<T>("%r = tile.ldexp %a, %b : $A", of<T>({1.5, 1.0, 1.0, 0.75, -3}),
                                     I32{3, low, 100000, low, -2})),
              ElementsAre(12, tiny, HUGE_VAL, tiny, -0.75));
  EXPECT_THAT(elementwise<std::int32_t>("%r = tile.ilogb %a : $A", of<T>({8, 0.75, tiny, 0, HUGE_VAL, -5, NAN})),
              ElementsAre(3, -1, low, Limits<std::int32_t>::min(), Limits<std::int32_t>::max(), 2,
                          Limits<std::int32_t>::max()));
}

// SEMANTICS A5
TYPED_TEST(FloatArith, maximumAndMinimum) {
  using T = TypeParam;
  const auto a = of<T>({1, NAN, -0.0, 0.0, NAN}), b = of<T>({NAN, 2, 0.0, -0.0, NAN});
  const auto max = doubles(elementwise<T>("%r = tile.maxnum %a, %b : $A", a, b));
  const auto min = doubles(elementwise<T>("%r = tile.minnum %a, %b : $A", a, b));
  EXPECT_THAT(max, ElementsAre(1, 2, 0, 0, ::testing::IsNan()));
  EXPECT_THAT(min, ElementsAre(1, 2, 0, 0, ::testing::IsNan()));
  for (int i : {2, 3}) {
    EXPECT_FALSE(std::signbit(max[i]));
    EXPECT_TRUE(std::signbit(min[i]));
  }
  EXPECT_THAT(doubles(elementwise<T>("%r = arith.maximumf %a, %b : $A", a, b)),
              ElementsAre(::testing::IsNan(), ::testing::IsNan(), 0, 0, ::testing::IsNan()));
  EXPECT_THAT(doubles(elementwise<T>("%r = arith.minimumf %a, %b : $A", a, b)),
              ElementsAre(::testing::IsNan(), ::testing::IsNan(), 0, 0, ::testing::IsNan()));
}

// SEMANTICS A5: a constant operand changes nothing
TYPED_TEST(FloatArith, maximumAndMinimumOfConstants) {
  using T = TypeParam;
  const auto a = of<T>({NAN, -HUGE_VAL, -2, -0.0, 0.0, 1.5, 2, HUGE_VAL});
  for (const char *constant : {"0.0", "-0.0", "1.5", "-2.0"})
    for (const char *op : {"tile.maxnum", "tile.minnum", "arith.maximumf", "arith.minimumf"}) {
      const auto b = of<T>(std::vector<double>(a.size(), std::stod(constant)));
      const auto expected = elementwise<T>(std::string("%r = ") + op + " %a, %b : $A", a, b);
      const auto found = elementwise<T>(
          std::string("%c = arith.constant dense<") + constant + "> : $A\n%r = " + op + " %a, %c : $A", a);
      for (std::size_t i = 0; i != a.size(); ++i) {
        const double x = toDouble(expected[i]), y = toDouble(found[i]);
        EXPECT_TRUE((std::isnan(x) && std::isnan(y)) || (x == y && std::signbit(x) == std::signbit(y)))
            << op << " of " << toDouble(a[i]) << " and " << constant << " is " << y << ", not " << x;
      }
    }
}

// SEMANTICS A5: comparisons with NaN are false except !=
TYPED_TEST(FloatArith, comparisons) {
  using T = TypeParam;
  const auto a = of<T>({1, 2, 1, NAN}), b = of<T>({2, 1, 1, 1});
  const auto compare = [&](const std::string &predicate) {
    return ints(elementwise<Bool>("%r = arith.cmpf " + predicate + ", %a, %b : $A", a, b));
  };
  EXPECT_THAT(compare("oeq"), ElementsAre(0, 0, 1, 0));
  EXPECT_THAT(compare("une"), ElementsAre(1, 1, 0, 1));
  EXPECT_THAT(compare("olt"), ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(compare("ole"), ElementsAre(1, 0, 1, 0));
  EXPECT_THAT(compare("ogt"), ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(compare("oge"), ElementsAre(0, 1, 1, 0));
  EXPECT_THAT(compare("one"), ElementsAre(1, 1, 0, 0));
  EXPECT_THAT(compare("ueq"), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(compare("ult"), ElementsAre(1, 0, 0, 1));
  EXPECT_THAT(compare("uge"), ElementsAre(0, 1, 1, 1));
  EXPECT_THAT(compare("ord"), ElementsAre(1, 1, 1, 0));
  EXPECT_THAT(compare("uno"), ElementsAre(0, 0, 0, 1));
}

TYPED_TEST(FloatArith, classification) {
  using T = TypeParam;
  const auto a = of<T>({1, NAN, HUGE_VAL, -HUGE_VAL});
  EXPECT_THAT(ints(elementwise<Bool>("%r = math.isnan %a : $A", a)), ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(ints(elementwise<Bool>("%r = math.isinf %a : $A", a)), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(ints(elementwise<Bool>("%r = math.isfinite %a : $A", a)), ElementsAre(1, 0, 0, 0));
}

/// One elementary function and the C function it must agree with.
struct Elementary {
  const char *op;
  double (*reference)(double);
  std::vector<double> at;
};

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double softplus(double x) { return x > 30 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }
double rsqrt(double x) { return 1 / std::sqrt(x); }

// SEMANTICS A4: within the bound of the double reference, special values as C's
TYPED_TEST(FloatArith, elementaryFunctions) {
  using T = TypeParam;
  const std::vector<double> line{-HUGE_VAL, -100, -1, -0.5, -1e-3, -0.0, 0, 1e-3, 0.5, 1, 3, 11, HUGE_VAL, NAN};
  const Elementary functions[] = {
      {"math.exp", std::exp, line},     {"math.exp2", std::exp2, line},  {"math.expm1", std::expm1, line},
      {"math.log", std::log, line},     {"math.log2", std::log2, line},  {"math.log10", std::log10, line},
      {"math.log1p", std::log1p, line}, {"math.sin", std::sin, line},    {"math.cos", std::cos, line},
      {"math.tan", std::tan, line},     {"math.tanh", std::tanh, line},  {"math.erf", std::erf, line},
      {"math.rsqrt", rsqrt, line},      {"tile.sigmoid", sigmoid, line}, {"tile.softplus", softplus, line}};
  for (const Elementary &f : functions) {
    std::vector<T> in;
    for (double x : f.at)
      in.push_back(fromDouble<T>(x));
    const auto out = elementwise<T>("%r = " + std::string(f.op) + " %a : $A", in);
    for (std::size_t i = 0; i != in.size(); ++i) {
      const double want = toDouble(narrow<T>(static_cast<Compute<T>>(f.reference(toDouble(in[i]))))),
                   got = toDouble(out[i]);
      if (std::isnan(want))
        EXPECT_TRUE(std::isnan(got)) << f.op << " of " << toDouble(in[i]);
      else if (std::is_same_v<T, double>)
        EXPECT_DOUBLE_EQ(got, want) << f.op << " of " << toDouble(in[i]);
      else
        EXPECT_EQ(got, want) << f.op << " of " << toDouble(in[i]);
    }
  }
}

// SEMANTICS A4
TYPED_TEST(FloatArith, powAndAtan2) {
  using T = TypeParam;
  EXPECT_THAT(doubles(elementwise<T>("%r = math.powf %a, %b : $A", of<T>({2, -2, 0, 1, -1, NAN, 4}),
                                     of<T>({10, 3, 0, NAN, HUGE_VAL, 0, 0.5}))),
              ElementsAre(1024, -8, 1, 1, 1, 1, 2));
  const auto angle =
      doubles(elementwise<T>("%r = math.atan2 %a, %b : $A", of<T>({0, 0, 1, -0.0}), of<T>({1, -1, 0, -1})));
  EXPECT_EQ(angle[0], 0);
  EXPECT_EQ(angle[1], toDouble(narrow<T>(static_cast<Compute<T>>(M_PI))));
  EXPECT_EQ(angle[2], toDouble(narrow<T>(static_cast<Compute<T>>(M_PI / 2))));
  EXPECT_EQ(angle[3], -angle[1]);
}

// SEMANTICS A3: f32 keeps denormals
TEST(Arith, denormalsAreKept) {
  const auto r = elementwise<float>("%r = arith.mulf %a, %b : $A", Floats{0x1p-126f, 0x1p-149f}, Floats{0.5f, 1.0f});
  EXPECT_THAT(r, ElementsAre(0x1p-127f, 0x1p-149f));
}

// SEMANTICS A4: large arguments keep their meaning
TEST(Arith, softplusAndSigmoidOfLargeValues) {
  EXPECT_THAT(elementwise<float>("%r = tile.softplus %a : $A", Floats{1000.0f, -80.0f, 1e38f}),
              ElementsAre(1000.0f, float(std::exp(-80.0)), 1e38f));
  EXPECT_THAT(elementwise<float>("%r = tile.sigmoid %a : $A", Floats{1000.0f, -1000.0f, -80.0f}),
              ElementsAre(1.0f, 0.0f, float(std::exp(-80.0))));
}

// SEMANTICS A7
TEST(Arith, select) {
  EXPECT_THAT(elementwise<float>("%z = arith.constant dense<0.0> : $A\n%c = arith.cmpf ogt, %a, %z : $A\n%r = "
                                 "arith.select %c, %a, %b : tensor<$Nxi1>, $A",
                                 Floats{1, -1, kNan, kInf}, Floats{9, 8, 7, 6}),
              ElementsAre(1, 8, 7, kInf));
  EXPECT_THAT(
      elementwise<std::int16_t>("%c = arith.constant false\n%r = arith.select %c, %a, %b : $A", I16{1, 2}, I16{3, 4}),
      ElementsAre(3, 4));
}

// SEMANTICS A3: the fused form differs from the two roundings of a product and a sum
TEST(Arith, fma) {
  EXPECT_THAT(elementwise<float>("%r = math.fma %a, %b, %c : $A", Floats{4097, 4097}, Floats{4097, 4097},
                                 Floats{0x1p-30f, -16785409.0f}),
              ElementsAre(16785410.0f, 1.0f)); // 4097 * 4097 is odd and does not fit f32
}

} // namespace
} // namespace tessera::ir::interp
