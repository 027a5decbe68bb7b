//===- ScanTest.cpp - prefix combinations -------------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Interp/TileCase.h"

#include "Target/Interp/Float.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tessera::ir::interp {
namespace {

using ::testing::ElementsAre;

/// `options` stands between axis and types: "reverse exclusive identity [0 : i32]".
template <class T>
std::vector<T> scanned(const std::vector<T> &x, const Extents &shape, unsigned axis, const std::string &combine,
                       const std::string &options = "") {
  const std::string op = "%r = tile.scan %x axis " + std::to_string(axis) + " " + options + " : " +
                         tileType(shape, irType<T>()) + " by " + combine;
  TestKernel kernel(TileCase().in("x", irType<T>(), shape).out("r", irType<T>(), shape).text(op));
  Memory<T> in(x), out(x.size());
  expectNoFaults(kernel.run1(in, out));
  return out.values;
}

/// The same in plain words.
template <class T, class Fn>
std::vector<T> expected(const std::vector<T> &x, const Extents &shape, unsigned axis, bool reverse, const T *identity,
                        Fn &&fn) {
  std::int64_t inner = 1;
  for (unsigned i = axis + 1; i != shape.size(); ++i)
    inner *= shape[i];
  const std::int64_t n = shape[axis];
  std::vector<T> r(x.size());
  for (std::int64_t line = 0; line != countOf(shape) / n; ++line) {
    const std::int64_t start = line / inner * inner * n + line % inner;
    T sum{};
    for (std::int64_t j = 0; j != n; ++j) {
      const std::int64_t at = start + (reverse ? n - 1 - j : j) * inner;
      if (identity)
        r[at] = j == 0 ? *identity : sum;
      sum = j == 0 ? x[at] : fn(sum, x[at]);
      if (!identity)
        r[at] = sum;
    }
  }
  return r;
}

template <class T> class ScanInt : public ::testing::Test {};
using Ints = ::testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(ScanInt, Ints);

// SEMANTICS R1a, R3
TYPED_TEST(ScanInt, everyKindAxisAndDirection) {
  using T = TypeParam;
  using U = std::make_unsigned_t<T>;
  const Extents shape{4, 8, 16};
  const std::vector<T> x = anyBits<T>(512, 2);
  const T seven = 7;
  for (unsigned axis = 0; axis != 3; ++axis)
    for (bool reverse : {false, true})
      for (const T *identity : {static_cast<const T *>(nullptr), &seven}) {
        std::string options = reverse ? "reverse " : "";
        if (identity)
          options += "exclusive identity [7 : " + std::string(irType<T>()) + "]";
        const auto check = [&](const std::string &op, auto fn) {
          EXPECT_EQ(scanned(x, shape, axis, op, options), expected(x, shape, axis, reverse, identity, fn))
              << op << " along " << axis << " " << options;
        };
        check("arith.addi", [](T a, T b) { return static_cast<T>(std::uint64_t(a) + std::uint64_t(b)); });
        check("arith.muli", [](T a, T b) { return static_cast<T>(std::uint64_t(a) * std::uint64_t(b)); });
        check("arith.maxsi", [](T a, T b) { return std::max(a, b); });
        check("arith.minui", [](T a, T b) { return U(a) < U(b) ? a : b; });
        check("arith.xori", [](T a, T b) { return static_cast<T>(a ^ b); });
      }
}

template <class T> class ScanFloat : public ::testing::Test {};
using Floats = ::testing::Types<F16, BF16, float, double>;
TYPED_TEST_SUITE(ScanFloat, Floats);

// SEMANTICS R1a: small integers are exact in every float type.
TYPED_TEST(ScanFloat, sumsAndExtrema) {
  using T = TypeParam;
  std::vector<T> x(64);
  for (std::size_t i = 0; i != x.size(); ++i)
    x[i] = fromDouble<T>(double(i * 37 % 11) - 5);
  const T zero = fromDouble<T>(0.0);
  const auto equal = [](const std::vector<T> &a, const std::vector<T> &b) {
    return std::equal(a.begin(), a.end(), b.begin(), [](T p, T q) { return widen(p) == widen(q); });
  };
  const auto add = [](T a, T b) { return fromDouble<T>(toDouble(a) + toDouble(b)); };
  const auto most = [](T a, T b) { return toDouble(a) < toDouble(b) ? b : a; };
  for (bool reverse : {false, true}) {
    const std::string r = reverse ? "reverse " : "";
    EXPECT_TRUE(equal(scanned(x, {4, 16}, 1, "arith.addf", r), expected<T>(x, {4, 16}, 1, reverse, nullptr, add)));
    EXPECT_TRUE(equal(scanned(x, {16, 4}, 0, "tile.maxnum", r), expected<T>(x, {16, 4}, 0, reverse, nullptr, most)));
    const std::string exclusive = r + "exclusive identity [0.0 : " + std::string(irType<T>()) + "]";
    EXPECT_TRUE(equal(scanned(x, {64}, 0, "arith.addf", exclusive), expected<T>(x, {64}, 0, reverse, &zero, add)));
  }
}

// SEMANTICS R4: the total has the bits of the reduction, whatever the axis.
TEST(Scan, lastElementIsTheReduction) {
  std::vector<float> x(1024);
  std::mt19937 random(9);
  for (float &v : x)
    v = float(random()) * 1e-9f - 1;
  TestKernel kernel(TileCase()
                        .in("x", "f32", {1024})
                        .out("s", "f32", {1024})
                        .out("r", "f32", {})
                        .text("%s = tile.scan %x axis 0 : tensor<1024xf32> by arith.addf\n"
                              "%r = tile.reduce %x axis 0 : tensor<1024xf32> -> f32 by arith.addf"));
  Memory<float> in(x), s(1024), r(1);
  expectNoFaults(kernel.run1(in, s, r));
  EXPECT_EQ(s[1023], r[0]);
  double sum = 0;
  for (std::size_t i = 0; i != x.size(); ++i) {
    sum += x[i];
    EXPECT_NEAR(s[i], sum, 1e-4);
  }
}

// SEMANTICS R1a, R2, R4
TEST(Scan, theIdentityIsCombinedWithNothing) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), least = -std::numeric_limits<float>::infinity();
  const std::vector<float> r =
      scanned<float>({nan, nan, 3, nan}, {4}, 0, "tile.maxnum", "exclusive identity [0xFF800000 : f32]");
  EXPECT_EQ(r[0], least);
  EXPECT_TRUE(std::isnan(r[1]));
  EXPECT_TRUE(std::isnan(r[2]));
  EXPECT_EQ(r[3], 3);
  EXPECT_EQ(scanned<float>({1, 2, 3, 4}, {4}, 0, "arith.addf", "deterministic"), (std::vector<float>{1, 3, 6, 10}));
}

// SEMANTICS R1a
TEST(Scan, axisOfOne) {
  const std::vector<float> x{1, 2, 3, 4};
  EXPECT_EQ(scanned(x, {1, 4}, 0, "arith.addf"), x);
  EXPECT_THAT(scanned(x, {1, 4}, 0, "arith.addf", "exclusive identity [0.0 : f32]"), ElementsAre(0, 0, 0, 0));
}

/// Composition of x -> a x + b, which is associative and not commutative: the linear recurrence.
constexpr std::string_view kAffine = R"(
  %p, %q = tile.scan %a, %b axis $AXIS $OPTIONS : $T, $T by (%la: i32, %lb: i32, %ra: i32, %rb: i32) {
    %na = arith.muli %la, %ra : i32
    %t = arith.muli %lb, %ra : i32
    %nb = arith.addi %t, %rb : i32
    tile.yield %na, %nb : i32, i32
  })";

// SEMANTICS R3: left to right, with several values, along any axis and in both directions.
TEST(Scan, keepsTheOrderOfOperands) {
  for (const Extents &shape : {Extents{16}, Extents{8, 4}, Extents{2, 4, 8}, Extents{4, 4096}, Extents{4096, 4}}) {
    std::vector<std::int32_t> a = anyBits<std::int32_t>(countOf(shape), 4),
                              b = anyBits<std::int32_t>(countOf(shape), 5);
    for (unsigned axis = 0; axis != shape.size(); ++axis)
      for (bool reverse : {false, true})
        for (bool exclusive : {false, true}) {
          const std::string options =
              std::string(reverse ? "reverse " : "") + (exclusive ? "exclusive identity [1 : i32, 0 : i32]" : "");
          const std::string op = substitute(
              kAffine, {{"$AXIS", std::to_string(axis)}, {"$OPTIONS", options}, {"$T", tileType(shape, "i32")}});
          TestKernel kernel(TileCase()
                                .in("a", "i32", shape)
                                .in("b", "i32", shape)
                                .out("p", "i32", shape)
                                .out("q", "i32", shape)
                                .text(op));
          Memory<std::int32_t> ma(a), mb(b), p(a.size()), q(a.size());
          expectNoFaults(kernel.run1(ma, mb, p, q));
          std::int64_t inner = 1;
          for (unsigned i = axis + 1; i != shape.size(); ++i)
            inner *= shape[i];
          const std::int64_t n = shape[axis];
          for (std::int64_t line = 0; line != countOf(shape) / n; ++line) {
            std::uint32_t na = 1, nb = 0;
            for (std::int64_t j = 0; j != n; ++j) {
              const std::int64_t at = line / inner * inner * n + line % inner + (reverse ? n - 1 - j : j) * inner;
              const auto step = [&] {
                na *= static_cast<std::uint32_t>(a[at]);
                nb = nb * static_cast<std::uint32_t>(a[at]) + static_cast<std::uint32_t>(b[at]);
              };
              if (!exclusive)
                step();
              ASSERT_EQ(static_cast<std::uint32_t>(p[at]), na) << options << " along " << axis << " at " << at;
              ASSERT_EQ(static_cast<std::uint32_t>(q[at]), nb) << options << " along " << axis << " at " << at;
              if (exclusive)
                step();
            }
          }
        }
  }
}

} // namespace
} // namespace tessera::ir::interp
