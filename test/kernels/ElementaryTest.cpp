//===- ElementaryTest.cpp - elementary functions in kernels ---------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The functions of SEMANTICS A4 on the device under test: narrow floats at all arguments, f64 and two arguments at
// samples and special values. f32 functions of one argument are tools/math/ulp's.
//
//===---------------------------------------------------------------------===//

#include "tools/math/Reference.h"

#include "tessera/tessera.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <vector>

using namespace tessera;

namespace {

using Function1 = Tile (*)(Operand, std::source_location);
using Function2 = Tile (*)(Operand, Operand, std::source_location);

struct ApplyConfig {
  int block = 256;
};

template <DType T, Function1 f>
const auto apply1 = kernel("apply1", [](const ApplyConfig &c, Ptr<T> x, Ptr<T> out, Int n) {
  Tile at = program_id(0) * c.block + arange(0, c.block);
  Tile mask = at < n;
  store(out + at, f(load(x + at, {.mask = mask}), std::source_location::current()), {.mask = mask});
});

template <DType T, Function2 f>
const auto apply2 = kernel("apply2", [](const ApplyConfig &c, Ptr<T> x, Ptr<T> y, Ptr<T> out, Int n) {
  Tile at = program_id(0) * c.block + arange(0, c.block);
  Tile mask = at < n;
  Tile r = f(load(x + at, {.mask = mask}), load(y + at, {.mask = mask}), std::source_location::current());
  store(out + at, r, {.mask = mask});
});

template <DType T, Function1 f> std::vector<host_type<T>> run(const std::vector<host_type<T>> &x) {
  const Device device = Device::current();
  const auto n = static_cast<std::int64_t>(x.size());
  const Buffer<T> in = device.upload(x), out = device.buffer<T>(n);
  apply1<T, f>.launch(device.stream(), {cdiv(n, 256)}, in, out, n);
  return out.download();
}

template <DType T, Function2 f>
std::vector<host_type<T>> run(const std::vector<host_type<T>> &x, const std::vector<host_type<T>> &y) {
  const Device device = Device::current();
  const auto n = static_cast<std::int64_t>(x.size());
  const Buffer<T> a = device.upload(x), b = device.upload(y), out = device.buffer<T>(n);
  apply2<T, f>.launch(device.stream(), {cdiv(n, 256)}, a, b, out, n);
  return out.download();
}

template <class F, class W> void expect(const reference::Errors<F, W> &errors, double bound) {
  EXPECT_LE(errors.greatest(), bound) << "at " << errors.greatestWhere();
  EXPECT_EQ(errors.wrong(), 0u) << "first at " << errors.firstWrong();
}

/// Digits of the significand and the exponent of the smallest normal number.
template <DType T> constexpr std::pair<int, int> kFormat = {11, -14};
template <> constexpr std::pair<int, int> kFormat<bf16> = {8, -126};

/// Whether \p result is \p exact but for one rounding to T, and for the little that the f32 value was off before it.
template <DType T> bool roundedOnce(host_type<T> result, double exact) {
  const auto nearest = static_cast<host_type<T>>(exact);
  const double value = static_cast<double>(result), expected = static_cast<double>(nearest);
  if (std::isnan(value) || std::isnan(expected))
    return std::isnan(value) && std::isnan(expected);
  if (std::bit_cast<std::uint16_t>(result) == std::bit_cast<std::uint16_t>(nearest))
    return true;
  const auto [digits, smallest] = kFormat<T>;
  const int exponent = std::max(exact == 0 ? smallest : std::ilogb(exact), smallest);
  return std::fabs(value - exact) <= 0.501 * std::ldexp(1.0, exponent - digits + 1);
}

template <DType T, Function1 f> void checkAllOf(const char *name) {
  const auto *function = std::ranges::find_if(reference::kUnary32,
                                              [&](const auto &known) { return std::string_view(known.name) == name; });
  ASSERT_NE(function, std::end(reference::kUnary32));
  std::vector<host_type<T>> x(1 << 16);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = std::bit_cast<host_type<T>>(static_cast<std::uint16_t>(i));
  const auto results = run<T, f>(x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double exact = function->value(static_cast<double>(x[i]));
    ASSERT_TRUE(roundedOnce<T>(results[i], exact)) << name << " of " << static_cast<double>(x[i]) << ": "
                                                   << static_cast<double>(results[i]) << " instead of " << exact;
  }
}

template <DType T> void checkAllFunctions() {
  checkAllOf<T, exp>("exp");
  checkAllOf<T, exp2>("exp2");
  checkAllOf<T, expm1>("expm1");
  checkAllOf<T, log>("log");
  checkAllOf<T, log2>("log2");
  checkAllOf<T, log10>("log10");
  checkAllOf<T, log1p>("log1p");
  checkAllOf<T, sin>("sin");
  checkAllOf<T, cos>("cos");
  checkAllOf<T, tan>("tan");
  checkAllOf<T, tanh>("tanh");
  checkAllOf<T, sigmoid>("sigmoid");
  checkAllOf<T, softplus>("softplus");
  checkAllOf<T, erf>("erf");
  checkAllOf<T, rsqrt>("rsqrt");
}

/// Special values, then numbers at random: bit patterns, and magnitudes from 2^-30 to 2^30.
std::vector<double> arguments64() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> x = {0.0,          -0.0,      1,          -1,        infinity, -infinity,
                           std::nan(""), 0x1p-1074, -0x1p-1074, 0x1p-1022, 710,      -746};
  std::mt19937_64 random(1);
  while (x.size() < 20000) {
    x.push_back(std::bit_cast<double>(random()));
    const double mantissa = 1 + static_cast<double>(random() >> 12) * 0x1p-52;
    x.push_back(std::ldexp(random() & 1 ? -mantissa : mantissa, static_cast<int>(random() % 61) - 30));
  }
  return x;
}

template <Function1 f> void check64(long double (*exact)(long double), double bound) {
  const std::vector<double> x = arguments64(), results = run<f64, f>(x);
  reference::Errors<double, long double> errors;
  for (std::size_t i = 0; i < x.size(); ++i)
    errors.add(results[i], exact(x[i]), [&] { return reference::hexadecimal(x[i]); });
  expect(errors, bound);
}

/// All pairs of special values, then pairs at random whose power is within the range of F.
template <class F> std::pair<std::vector<F>, std::vector<F>> powers() {
  using Limits = std::numeric_limits<F>;
  std::vector<F> special = {0,
                            1,
                            2,
                            3,
                            F(0.5),
                            F(1.5),
                            Limits::denorm_min(),
                            Limits::min(),
                            Limits::max(),
                            Limits::infinity(),
                            Limits::quiet_NaN(),
                            std::ldexp(F(1), Limits::digits),
                            std::ldexp(F(1), Limits::digits) - 1};
  for (std::size_t i = 0, n = special.size(); i < n; ++i)
    special.push_back(-special[i]);
  std::pair<std::vector<F>, std::vector<F>> pairs;
  for (const F x : special)
    for (const F y : special)
      pairs.first.push_back(x), pairs.second.push_back(y);
  std::mt19937_64 random(2);
  while (pairs.first.size() < 30000) {
    const auto x = static_cast<F>(0.25 + static_cast<double>(random() >> 11) * 0x1p-51);
    const double exponent = (static_cast<double>(random() >> 11) * 0x1p-52 - 1) * 1.05 * Limits::max_exponent;
    pairs.first.push_back(x);
    pairs.second.push_back(static_cast<F>(exponent / std::log2(static_cast<double>(x))));
  }
  return pairs;
}

template <DType T, class W, Function2 f>
void checkPairs(const std::vector<host_type<T>> &x, const std::vector<host_type<T>> &y, W (*exact)(W, W),
                double bound) {
  const auto results = run<T, f>(x, y);
  reference::Errors<host_type<T>, W> errors;
  for (std::size_t i = 0; i < x.size(); ++i)
    errors.add(results[i], exact(x[i], y[i]),
               [&] { return reference::hexadecimal(x[i]) + ", " + reference::hexadecimal(y[i]); });
  expect(errors, bound);
}

} // namespace

TEST(Elementary, A4_allOfF16) { checkAllFunctions<f16>(); }
TEST(Elementary, A4_allOfBf16) { checkAllFunctions<bf16>(); }

TEST(Elementary, A4_f64) {
  check64<exp>([](long double x) { return std::exp(x); }, 2);
  check64<log>([](long double x) { return std::log(x); }, 2);
  check64<sin>([](long double x) { return std::sin(x); }, 2);
  check64<cos>([](long double x) { return std::cos(x); }, 2);
}

TEST(Elementary, A4_pow) {
  const auto [x, y] = powers<float>();
  checkPairs<f32, double, pow>(x, y, [](double a, double b) { return std::pow(a, b); }, 2);
  const auto [u, v] = powers<double>();
  checkPairs<f64, long double, pow>(u, v, [](long double a, long double b) { return std::pow(a, b); }, 2);
}

TEST(Elementary, A4_atan2) {
  auto [x, y] = powers<float>(); // any pairs will do
  checkPairs<f32, double, atan2>(x, y, [](double a, double b) { return std::atan2(a, b); }, 2);
  checkPairs<f32, double, atan2>(y, x, [](double a, double b) { return std::atan2(a, b); }, 2);
}
