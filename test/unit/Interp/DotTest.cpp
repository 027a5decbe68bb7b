//===- DotTest.cpp - products of tiles ---------------------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Interp/TileCase.h"

#include "Target/Interp/Float.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

namespace tessera::ir::interp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Size {
  std::int64_t m, n, k, batches = 0; ///< batches 0: rank 2
};

Extents extents(const Size &s, std::int64_t rows, std::int64_t columns) {
  return s.batches ? Extents{s.batches, rows, columns} : Extents{rows, columns};
}

template <class C, class A, class B>
std::vector<C> dot(const Size &s, const std::vector<A> &a, const std::vector<B> &b, const std::vector<C> &acc,
                   const std::string &options = "") {
  const Extents left = extents(s, s.m, s.k), right = extents(s, s.k, s.n), result = extents(s, s.m, s.n);
  TestKernel kernel(TileCase()
                        .in("a", irType<A>(), left)
                        .in("b", irType<B>(), right)
                        .in("c", irType<C>(), result)
                        .out("r", irType<C>(), result)
                        .text("%r = tile.dot %a, %b, %c " + options + " : " + tileType(left, irType<A>()) + ", " +
                              tileType(right, irType<B>()) + " -> " + tileType(result, irType<C>())));
  Memory<A> ma(a);
  Memory<B> mb(b);
  Memory<C> mc(acc), r(acc.size());
  expectNoFaults(kernel.run1(ma, mb, mc, r));
  return r.values;
}

/// Numbers with all the bits of the type, in [-2, 2].
template <class T> std::vector<T> numbers(std::size_t n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<T> values(n);
  for (T &value : values)
    value = fromDouble<T>(double(random()) / 0x1p62 - 2);
  return values;
}

const Size kSizes[] = {{16, 16, 16}, {1, 1, 1},   {1, 64, 32}, {64, 1, 32},    {2, 4, 1},
                       {128, 8, 16}, {64, 8, 16}, {8, 4, 128}, {16, 32, 8, 4}, {1, 2, 4, 8}};

/// Half an ulp of f32, and what sums in double may lose.
template <class A, class B> void checkFloat(const std::string &options = "") {
  for (const Size &s : kSizes) {
    const std::int64_t batches = std::max<std::int64_t>(s.batches, 1);
    const std::vector<A> a = numbers<A>(batches * s.m * s.k, 1);
    const std::vector<B> b = numbers<B>(batches * s.k * s.n, 2);
    const std::vector<float> acc = numbers<float>(batches * s.m * s.n, 3);
    const std::vector<float> r = dot(s, a, b, acc, options);
    for (std::int64_t i = 0; i != batches * s.m * s.n; ++i) {
      const std::int64_t batch = i / (s.m * s.n), row = i / s.n % s.m, column = i % s.n;
      long double sum = acc[i], magnitude = std::fabs(acc[i]);
      for (std::int64_t k = 0; k != s.k; ++k) {
        const long double product = static_cast<long double>(toDouble(a[(batch * s.m + row) * s.k + k])) *
                                    toDouble(b[(batch * s.k + k) * s.n + column]);
        sum += product;
        magnitude += std::fabs(product);
      }
      const long double bound = std::fabs(sum) * 0x1p-24L * 1.0001L + magnitude * (s.k + 1) * 0x1p-53L + 0x1p-150L;
      ASSERT_LE(std::fabs(r[i] - sum), bound) << s.m << "x" << s.n << "x" << s.k << " at " << i;
    }
  }
}

// SEMANTICS D1, D3
TEST(Dot, f16) { checkFloat<F16, F16>(); }
TEST(Dot, bf16) { checkFloat<BF16, BF16>(); }
TEST(Dot, fp8) {
  checkFloat<E4M3, E4M3>();
  checkFloat<E5M2, E5M2>();
  checkFloat<E4M3, E5M2>(); // mixed
  checkFloat<E5M2, E4M3>();
  checkFloat<E4M3Fnuz, E4M3Fnuz>();
  checkFloat<E5M2Fnuz, E4M3Fnuz>();
}
// SEMANTICS D1a: promoting partial sums more often changes nothing where they are exact.
TEST(Dot, fp8MaxImpreciseK) { checkFloat<E4M3, E4M3>("max_imprecise_k 32"); }
// SEMANTICS D2: a more exact product serves every precision.
TEST(Dot, f32InEveryPrecision) {
  checkFloat<float, float>();
  for (const char *precision : {"ieee", "tf32", "tf32x3", "bf16x3"})
    checkFloat<float, float>(std::string("precision ") + precision);
}

// SEMANTICS D2: products of all 24 bits, which tf32 would lose.
TEST(Dot, f32KeepsEveryBit) {
  const float x = 1 + 0x1p-23f;
  EXPECT_THAT(dot<float>({1, 1, 2}, std::vector<float>{x, -1}, std::vector<float>{x, 1}, {0}),
              ElementsAre(0x1p-22f + 0x1p-46f));
}

TEST(Dot, infinityAndNan) {
  const float inf = std::numeric_limits<float>::infinity(), big = std::numeric_limits<float>::max();
  const std::vector<float> one{1, 1};
  EXPECT_EQ(dot<float>({1, 1, 2}, std::vector<float>{inf, 1}, one, {0})[0], inf);
  EXPECT_TRUE(std::isnan(dot<float>({1, 1, 2}, std::vector<float>{inf, -inf}, one, {0})[0]));
  EXPECT_EQ(dot<float>({1, 1, 2}, std::vector<float>{big, big}, one, {0})[0], inf);
  EXPECT_EQ(dot<float>({1, 1, 2}, std::vector<float>{big, big}, one, {-big})[0], big); // no overflow on the way
  const double dinf = std::numeric_limits<double>::infinity(), dbig = std::numeric_limits<double>::max();
  const std::vector<double> two{2, 1};
  EXPECT_EQ(dot<double>({1, 1, 2}, std::vector<double>{dbig, 1}, two, {0})[0], dinf);
  EXPECT_EQ(dot<double>({1, 1, 2}, std::vector<double>{-dinf, 1}, two, {0})[0], -dinf);
}

// SEMANTICS D1: sums that cancel in f64 keep the small part.
TEST(Dot, f64IsCompensated) {
  const std::vector<double> a{0x1p60, 1 + 0x1p-52, -0x1p60, 0x1p-30}, b{1, 1 - 0x1p-52, 1, 0x1p-30};
  EXPECT_THAT(dot<double>({1, 1, 4}, a, b, {0}), ElementsAre(1.0 + 0x1p-60 - 0x1p-104));
  for (const Size &s : {Size{16, 16, 64}, Size{4, 2, 32, 2}}) {
    const std::int64_t batches = std::max<std::int64_t>(s.batches, 1);
    const std::vector<double> x = numbers<double>(batches * s.m * s.k, 1), y = numbers<double>(batches * s.k * s.n, 2),
                              acc = numbers<double>(batches * s.m * s.n, 3), r = dot(s, x, y, acc);
    for (std::int64_t i = 0; i != batches * s.m * s.n; ++i) {
      const std::int64_t batch = i / (s.m * s.n), row = i / s.n % s.m, column = i % s.n;
      __float128 sum = acc[i];
      for (std::int64_t k = 0; k != s.k; ++k)
        sum += static_cast<__float128>(x[(batch * s.m + row) * s.k + k]) * y[(batch * s.k + k) * s.n + column];
      ASSERT_DOUBLE_EQ(r[i], static_cast<double>(sum));
    }
  }
}

// SEMANTICS D1, T5
TEST(Dot, i8) {
  for (const Size &s : kSizes) {
    const std::int64_t batches = std::max<std::int64_t>(s.batches, 1);
    const std::vector<std::int8_t> a = anyBits<std::int8_t>(batches * s.m * s.k, 1),
                                   b = anyBits<std::int8_t>(batches * s.k * s.n, 2);
    const std::vector<std::int32_t> acc = anyBits<std::int32_t>(batches * s.m * s.n, 3), r = dot(s, a, b, acc);
    for (std::int64_t i = 0; i != batches * s.m * s.n; ++i) {
      const std::int64_t batch = i / (s.m * s.n), row = i / s.n % s.m, column = i % s.n;
      std::int64_t sum = acc[i];
      for (std::int64_t k = 0; k != s.k; ++k)
        sum += std::int64_t(a[(batch * s.m + row) * s.k + k]) * b[(batch * s.k + k) * s.n + column];
      ASSERT_EQ(r[i], static_cast<std::int32_t>(sum)) << i; // wraps
    }
  }
}

// 128 x 128 x 64 takes well under 5 ms; the bound leaves room for sanitizers and a busy host.
TEST(Dot, isFast) {
  const std::string text = R"(tile.kernel @k(%out: !tile.ptr<f32>) {
    %a = arith.constant dense<0.5> : tensor<128x64xf16>
    %b = arith.constant dense<0.25> : tensor<64x128xf16>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %lo = arith.constant 0 : i64
    %hi = arith.constant 20 : i64
    %one = arith.constant 1 : i64
    %r = scf.for %i = %lo to %hi step %one iter_args(%acc = %zero) -> tensor<128x128xf32> : i64 {
      %d = tile.dot %a, %b, %acc : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    }
    %c = tile.slice %r [0, 0] : tensor<128x128xf32> -> tensor<1x1xf32>
    %s = tile.reshape %c : tensor<1x1xf32> -> f32
    tile.store %out, %s : !tile.ptr<f32>
    tile.return
  })";
  TestKernel kernel(text);
  Memory<float> out(1);
  const auto start = std::chrono::steady_clock::now();
  expectNoFaults(kernel.run1(out));
  const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count() / 20;
  EXPECT_EQ(out[0], 160.0f);
  RecordProperty("milliseconds", std::to_string(ms));
  EXPECT_LT(ms, 50.0);
}

} // namespace
} // namespace tessera::ir::interp
