//===- ElementaryTest.cpp - the definitions of elementary functions ------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Every definition is executed on numbers and compared with the C library in a wider type: functions of one f32 at
// every 1009th bit pattern, the others at samples and at all combinations of special values (A4).
//
//===---------------------------------------------------------------------===//

#include "Conversion/Common/Elementary/Elementary.h"
#include "unit/Conversion/Common/Definitions.h"
#include "unit/Conversion/ConstMathBuilder.h"

#include "tools/math/Reference.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

using namespace tessera::ir;
using namespace tessera::ir::elementary_test;

namespace {

using tessera::reference::hexadecimal;
constexpr unsigned kLanes = ConstMathBuilder::kLanes;

/// Compares a definition with a reference, a batch at a time.
template <class F, class W> class Comparison {
public:
  Comparison() : context(MLIRContext::Threading::DISABLED), builder(context) {}

  void compare(Define1 define, W (*exact)(W), std::span<const F> arguments) {
    builder.clear();
    const auto results = builder.lanes<F>(define(builder, builder.make<F>(arguments)));
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const F x = arguments[i];
      errors.add(results[i], exact(x), [=] { return hexadecimal(x); });
    }
  }
  void compare(Define2 define, W (*exact)(W, W), std::span<const F> a, std::span<const F> b) {
    builder.clear();
    const auto results = builder.lanes<F>(define(builder, builder.make<F>(a), builder.make<F>(b)));
    for (std::size_t i = 0; i < a.size(); ++i) {
      const F x = a[i], y = b[i];
      errors.add(results[i], exact(x, y), [=] { return hexadecimal(x) + ", " + hexadecimal(y); });
    }
  }
  void expect(double bound) const {
    EXPECT_LE(errors.greatest(), bound) << "at " << errors.greatestWhere();
    EXPECT_EQ(errors.wrong(), 0u) << "first at " << errors.firstWrong();
  }

  tessera::reference::Errors<F, W> errors;

private:
  MLIRContext context;
  ConstMathBuilder builder;
};

/// Collects pairs into batches for a function of two arguments.
template <class F, class W> class Pairs {
public:
  Pairs(Define2 define, W (*exact)(W, W)) : define(define), exact(exact) {}
  void add(F x, F y) {
    a[count] = x, b[count] = y;
    if (++count == kLanes)
      flush();
  }
  void expect(double bound) {
    flush();
    comparison.expect(bound);
  }

private:
  void flush() {
    if (count > 0)
      comparison.compare(define, exact, std::span(a).first(count), std::span(b).first(count));
    count = 0;
  }
  Define2 define;
  W (*exact)(W, W);
  std::array<F, kLanes> a, b;
  std::size_t count = 0;
  Comparison<F, W> comparison;
};

class Unary32 : public testing::TestWithParam<tessera::reference::Unary<double>> {};

/// One argument in so many; a prime, so that every exponent and every low bit pattern is met.
constexpr std::uint64_t kStep = 1009;

} // namespace

TEST_P(Unary32, A4_everyNthArgument) {
  const auto &[name, bound, exact] = GetParam();
  const Define1 define = definitionOf(name);
  ASSERT_TRUE(define);
  Comparison<float, double> comparison;
  std::array<float, kLanes> batch;
  for (std::uint64_t next = 0; next < std::uint64_t(1) << 32;) {
    unsigned count = 0;
    for (; count < kLanes && next < std::uint64_t(1) << 32; next += kStep)
      batch[count++] = std::bit_cast<float>(static_cast<std::uint32_t>(next));
    comparison.compare(define, exact, std::span(batch).first(count));
  }
  comparison.compare(define, exact, specials<float>());
  comparison.expect(bound);
}

INSTANTIATE_TEST_SUITE_P(Elementary, Unary32, testing::ValuesIn(tessera::reference::kUnary32),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(Elementary, A4_pow32) {
  Pairs<float, double> pairs(elementary::pow, [](double x, double y) { return std::pow(x, y); });
  for (const float x : specials<float>())
    for (const float y : specials<float>())
      pairs.add(x, y);
  std::mt19937_64 random(7);
  for (int i = 0; i < 1000000; ++i) {
    const std::uint64_t word = random();
    const auto low = static_cast<std::uint32_t>(word), high = static_cast<std::uint32_t>(word >> 32);
    float x = std::bit_cast<float>(low), y = std::bit_cast<float>(high);
    if (i % 4 != 0) { // a result within the range
      x = std::fabs(x);
      y = static_cast<float>(static_cast<std::int32_t>(high) * 0x1p-31 * 150 / std::log2(static_cast<double>(x)));
    }
    pairs.add(x, y);
  }
  pairs.expect(0.59);
}

TEST(Elementary, A4_atan2) {
  Pairs<float, double> pairs(elementary::atan2, [](double y, double x) { return std::atan2(y, x); });
  for (const float y : specials<float>())
    for (const float x : specials<float>())
      pairs.add(y, x);
  std::mt19937_64 random(7);
  for (int i = 0; i < 1000000; ++i) {
    const std::uint64_t word = random();
    auto low = static_cast<std::uint32_t>(word), high = static_cast<std::uint32_t>(word >> 32);
    if (i % 4 != 0) { // of like magnitudes
      low = (low & 0x81ffffff) + 0x3f000000;
      high = (high & 0x81ffffff) + 0x3f000000;
    }
    pairs.add(std::bit_cast<float>(low), std::bit_cast<float>(high));
  }
  pairs.expect(1.05);
}

namespace {

/// f64 arguments: bit patterns at random, and magnitudes between 2^\p low and 2^\p high of either sign.
std::vector<double> arguments64(int low, int high) {
  std::mt19937_64 random(11);
  std::vector<double> values = specials<double>();
  for (int i = 0; i < 200000; ++i) {
    values.push_back(std::bit_cast<double>(random()));
    const double mantissa = 1 + static_cast<double>(random() >> 12) * 0x1p-52;
    const int exponent = low + static_cast<int>(random() % static_cast<unsigned>(high - low));
    values.push_back(std::ldexp(random() & 1 ? -mantissa : mantissa, exponent));
  }
  return values;
}

void test64(Define1 define, long double (*exact)(long double), const std::vector<double> &arguments, double bound) {
  Comparison<double, long double> comparison;
  for (std::size_t i = 0; i < arguments.size(); i += kLanes)
    comparison.compare(define, exact,
                       std::span(arguments).subspan(i, std::min<std::size_t>(kLanes, arguments.size() - i)));
  comparison.expect(bound);
}

} // namespace

TEST(Elementary, A4_exp64) {
  test64(elementary::exp, [](long double x) { return std::exp(x); }, arguments64(-60, 10), 1.1);
}
TEST(Elementary, A4_log64) {
  std::vector<double> arguments = arguments64(-3, 3);
  for (double x : arguments64(-54, -1)) // near 1
    arguments.push_back(1 + x);
  test64(elementary::log, [](long double x) { return std::log(x); }, arguments, 1.0);
}

/// Multiples of pi/2 and their neighbours, where reduction cancels most.
static std::vector<double> arguments64NearQuadrants() {
  std::vector<double> arguments = arguments64(-30, 64);
  arguments.push_back(0x1.6ac5b262ca1ffp+849); // the f64 that lies closest to a multiple of pi/2
  for (int i = 1; i < 20000; ++i) {
    const double multiple = static_cast<double>(i * 1.57079632679489661923L);
    for (const double scale : {1.0, 0x1p10, 0x1p40, 0x1p300})
      arguments.push_back(std::nextafter(multiple * scale, i & 1 ? 0 : 1e300));
    arguments.push_back(multiple);
  }
  return arguments;
}

TEST(Elementary, A4_sin64) {
  test64(elementary::sin, [](long double x) { return std::sin(x); }, arguments64NearQuadrants(), 0.9);
}
TEST(Elementary, A4_cos64) {
  test64(elementary::cos, [](long double x) { return std::cos(x); }, arguments64NearQuadrants(), 0.9);
}

TEST(Elementary, A4_pow64) {
  Pairs<double, long double> pairs(elementary::pow, [](long double x, long double y) { return std::pow(x, y); });
  for (const double x : specials<double>())
    for (const double y : specials<double>())
      pairs.add(x, y);
  std::mt19937_64 random(13);
  for (int i = 0; i < 300000; ++i) {
    double x = std::bit_cast<double>(random()), y = std::bit_cast<double>(random());
    const double part = static_cast<double>(random() >> 11) * 0x1p-53; // in [0, 1)
    if (i % 4 != 0) {                                                  // a result within the range
      x = i % 4 == 1 ? std::fabs(x) : i % 4 == 2 ? 0.5 + part : 1 + part * 0x1p-20;
      y = (static_cast<double>(random() >> 11) * 0x1p-52 - 1) * 1080 / std::log2(x);
    }
    pairs.add(x, y);
  }
  pairs.expect(1.0);
}
