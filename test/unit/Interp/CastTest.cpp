//===- CastTest.cpp - conversions between element types ---------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Interp/Harness.h"

#include "Target/Interp/Float.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace tessera::ir::interp {
namespace {

using ::testing::ElementsAre;

template <class T> using Limits = std::numeric_limits<T>;

template <class To, class From> void expectConvertsLikeDouble(const std::vector<From> &in) {
  const auto out = elementwise<To>("%r = tile.convert_float %a : $A -> $R", in);
  for (std::size_t i = 0; i != in.size(); ++i) {
    const double want = toDouble(fromDouble<To>(toDouble(in[i])));
    if (std::isnan(want))
      ASSERT_TRUE(std::isnan(toDouble(out[i]))) << i;
    else
      ASSERT_EQ(toDouble(out[i]), want) << toDouble(in[i]);
  }
}

template <class T> std::vector<T> everyEncoding() {
  std::vector<T> all;
  for (std::uint32_t bits = 0; bits != 1u << FormatOf<T>::value.bits; ++bits)
    all.push_back({static_cast<decltype(T::bits)>(bits)});
  return all;
}

template <class From> void expectAllTargets(const std::vector<From> &in) {
  expectConvertsLikeDouble<F16>(in);
  expectConvertsLikeDouble<BF16>(in);
  expectConvertsLikeDouble<float>(in);
  expectConvertsLikeDouble<double>(in);
  expectConvertsLikeDouble<E4M3>(in);
  expectConvertsLikeDouble<E5M2>(in);
  expectConvertsLikeDouble<E4M3Fnuz>(in);
  expectConvertsLikeDouble<E5M2Fnuz>(in);
}

// SEMANTICS C1, C3. Reported: all 65536 f16 to e5m2, all 256 fp8 to wider, fp8 NaN and inf to bf16
TEST(Cast, everyF16) { expectAllTargets(everyEncoding<F16>()); }
TEST(Cast, everyBF16) { expectAllTargets(everyEncoding<BF16>()); }
TEST(Cast, everyE4M3) { expectAllTargets(everyEncoding<E4M3>()); }
TEST(Cast, everyE5M2) { expectAllTargets(everyEncoding<E5M2>()); }
TEST(Cast, everyE4M3Fnuz) { expectAllTargets(everyEncoding<E4M3Fnuz>()); }
TEST(Cast, everyE5M2Fnuz) { expectAllTargets(everyEncoding<E5M2Fnuz>()); }
TEST(Cast, someF32AndF64) {
  std::mt19937_64 random(1);
  std::vector<float> floats;
  std::vector<double> doubles;
  for (int i = 0; i != 4096; ++i) {
    floats.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(random())));
    doubles.push_back(std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 200) - 130));
  }
  expectAllTargets(floats);
  expectAllTargets(doubles);
}

// SEMANTICS C1: no double rounding from f64
TEST(Cast, doubleToHalfRoundsOnce) {
  EXPECT_EQ(
      widen(elementwise<F16>("%r = tile.convert_float %a : $A -> $R", std::vector<double>{1.0 + 0x1p-11 + 0x1p-40})[0]),
      1.0f + 0x1p-10f);
}

// SEMANTICS C1: options
TEST(Cast, roundingOptions) {
  const std::vector<float> x{300.0f, 500.0f, -1e9f, 1.06f};
  const auto values = [](const auto &v) {
    std::vector<float> r;
    for (auto e : v)
      r.push_back(widen(e));
    return r;
  };
  EXPECT_THAT(values(elementwise<E4M3>("%r = tile.convert_float %a : $A -> $R", x)),
              ElementsAre(288.0f, ::testing::IsNan(), ::testing::IsNan(), 1.0f));
  EXPECT_THAT(values(elementwise<E4M3>("%r = tile.convert_float %a saturate : $A -> $R", x)),
              ElementsAre(288.0f, 448.0f, -448.0f, 1.0f));
  EXPECT_THAT(values(elementwise<E4M3>("%r = tile.convert_float %a rounding toward_zero : $A -> $R", x)),
              ElementsAre(288.0f, 448.0f, -448.0f, 1.0f));
  EXPECT_THAT(values(elementwise<E5M2>("%r = tile.convert_float %a rounding stochastic random %b : $A -> $R",
                                       std::vector<float>{1.0625f, 1.0625f},
                                       std::vector<std::int32_t>{std::int32_t(0xBFFFFFFF), std::int32_t(0xC0000000)})),
              ElementsAre(1.0f, 1.25f));
  EXPECT_EQ(
      elementwise<float>("%r = tile.convert_float %a rounding toward_zero : $A -> $R", std::vector<double>{0.1})[0],
      std::nextafter(0.1f, 0.0f));
}

// SEMANTICS C2
TEST(Cast, floatToIntSaturatesOnEveryWidth) {
  const std::vector<float> x{NAN, HUGE_VALF, -HUGE_VALF, -1.9f, 1e10f, 3.99f, -1e30f, 200.0f};
  EXPECT_THAT(elementwise<std::int8_t>("%r = tile.float_to_int %a : $A -> $R", x),
              ElementsAre(0, 127, -128, -1, 127, 3, -128, 127));
  EXPECT_THAT(
      elementwise<std::int32_t>("%r = tile.float_to_int %a : $A -> $R", x),
      ElementsAre(0, Limits<int>::max(), Limits<int>::min(), -1, Limits<int>::max(), 3, Limits<int>::min(), 200));
  EXPECT_THAT(elementwise<std::int64_t>("%r = tile.float_to_int %a : $A -> $R", x),
              ElementsAre(0, Limits<std::int64_t>::max(), Limits<std::int64_t>::min(), -1, 10000000000, 3,
                          Limits<std::int64_t>::min(), 200));
  EXPECT_THAT(elementwise<std::int8_t>("%r = tile.float_to_int %a unsigned : $A -> $R", x),
              ElementsAre(0, -1, 0, 0, -1, 3, 0, std::int8_t(200)));
  EXPECT_THAT(elementwise<std::int16_t>("%r = tile.float_to_int %a : $A -> $R",
                                        std::vector<E5M2>{narrow<E5M2>(57344.0f), narrow<E5M2>(-3.0f)}),
              ElementsAre(32767, -3));
}

// SEMANTICS C2. Reported: log(float(int64 x)) with x > 0 gave NaN
TEST(Cast, intToFloat) {
  EXPECT_THAT(elementwise<float>("%r = arith.sitofp %a : $A to $R",
                                 std::vector<std::int64_t>{Limits<std::int64_t>::max(), -1, 16777217, (1ll << 40) + 1}),
              ElementsAre(0x1p63f, -1.0f, 16777216.0f, 0x1p40f));
  EXPECT_THAT(elementwise<float>("%r = arith.uitofp %a : $A to $R", std::vector<std::int8_t>{-1, 1}),
              ElementsAre(255.0f, 1.0f));
  EXPECT_THAT(elementwise<double>("%r = arith.uitofp %a : $A to $R", std::vector<std::int64_t>{-1}),
              ElementsAre(0x1p64));
  EXPECT_THAT(elementwise<float>("%r = arith.uitofp %a : $A to $R", std::vector<Bool>{{1}, {0}}),
              ElementsAre(1.0f, 0.0f));
  EXPECT_EQ(
      widen(elementwise<BF16>("%r = arith.sitofp %a : $A to $R", std::vector<std::int64_t>{(257ll << 54) + 1})[0]),
      258.0f * 0x1p54f);
  const auto logs = elementwise<float>("%f = arith.sitofp %a : $A to $R\n%r = math.log %f : $R",
                                       std::vector<std::int64_t>{1, 2, 1ll << 62});
  EXPECT_THAT(logs, ElementsAre(0.0f, float(std::log(2.0)), float(62 * std::log(2.0))));
}

// SEMANTICS C3
TEST(Cast, intToInt) {
  const std::vector<std::int32_t> x{-1, 300, 128, Limits<int>::min()};
  EXPECT_THAT(elementwise<std::int8_t>("%r = arith.trunci %a : $A to $R", x), ElementsAre(-1, 44, -128, 0));
  EXPECT_THAT(elementwise<std::int64_t>("%r = arith.extsi %a : $A to $R", x),
              ElementsAre(-1, 300, 128, Limits<int>::min()));
  EXPECT_THAT(elementwise<std::int64_t>("%r = arith.extui %a : $A to $R", x),
              ElementsAre(4294967295, 300, 128, 2147483648));
  EXPECT_THAT(elementwise<std::int32_t>("%r = arith.extui %a : $A to $R", std::vector<Bool>{{1}, {0}}),
              ElementsAre(1, 0));
  EXPECT_THAT(elementwise<std::int32_t>("%r = arith.extsi %a : $A to $R", std::vector<Bool>{{1}, {0}}),
              ElementsAre(-1, 0));
}

// SEMANTICS C3: equal widths, or a last axis split and joined, lowest bits first
TEST(Cast, bitcast) {
  EXPECT_THAT(elementwise<std::int32_t>("%r = tile.bitcast %a : $A -> $R", std::vector<float>{1.0f, -0.0f}),
              ElementsAre(0x3f800000, Limits<int>::min()));
  TestKernel split(R"(
tile.kernel @k(%p: !tile.ptr<i32>, %out: !tile.ptr<f16>) {
  %x = tile.load %p : !tile.ptr<i32>
  %t = tile.splat %x : tensor<2xi32>
  %h = tile.bitcast %t : tensor<2xi32> -> tensor<2x2xf16>
  %back = tile.bitcast %h : tensor<2x2xf16> -> tensor<2xi32>
  %again = tile.bitcast %back : tensor<2xi32> -> tensor<2x2xf16>
  %flat = tile.reshape %again : tensor<2x2xf16> -> tensor<4xf16>
  %lane = tile.arange 0 to 4 : tensor<4xi32>
  %s = tile.splat %out : tensor<4x!tile.ptr<f16>>
  %q = tile.addptr %s, %lane : tensor<4x!tile.ptr<f16>>, tensor<4xi32>
  tile.store %q, %flat : tensor<4x!tile.ptr<f16>>
  tile.return
})");
  Memory<std::int32_t> in{0x40003c00};
  Memory<F16> out(4);
  expectNoFaults(split.run1(in, out));
  EXPECT_EQ(out[0].bits, 0x3c00);
  EXPECT_EQ(out[1].bits, 0x4000);
  EXPECT_EQ(out[2].bits, 0x3c00);
  EXPECT_EQ(out[3].bits, 0x4000);
}

// SEMANTICS C3: pointers and i64; the same memory under another element type
TEST(Cast, pointers) {
  TestKernel kernel(R"(
tile.kernel @k(%p: !tile.ptr<i32>, %out: !tile.ptr<i64>) {
  %a = tile.ptr_to_int %p : !tile.ptr<i32>
  %four = arith.constant 4 : i64
  %b = arith.addi %a, %four : i64
  %q = tile.int_to_ptr %b : !tile.ptr<i32>
  %h = tile.ptr_cast %q : !tile.ptr<i32> -> !tile.ptr<i16>
  %x = tile.load %h : !tile.ptr<i16>
  %y = arith.extsi %x : i16 to i64
  tile.store %out, %y : !tile.ptr<i64>
  tile.return
})");
  Memory<std::int32_t> in{1, 0x00050007};
  Memory<std::int64_t> out(1);
  expectNoFaults(kernel.run1(in, out));
  EXPECT_EQ(out[0], 7);
}

} // namespace
} // namespace tessera::ir::interp
