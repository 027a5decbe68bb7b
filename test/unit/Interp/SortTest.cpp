//===- SortTest.cpp - sorting, counting, gathering ------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Interp/TileCase.h"

#include "Target/Interp/Float.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tessera::ir::interp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();

template <class T> struct Sorted {
  std::vector<T> keys;
  std::vector<std::int32_t> order; ///< the place on the axis each key came from
};

/// Sorts with the place as payload. `options` stands behind the axis: "descending".
template <class T>
Sorted<T> sorted(const std::vector<T> &x, const Extents &shape, unsigned axis, const std::string &options = "",
                 const std::vector<Bool> &valid = {}) {
  std::vector<std::int32_t> place(x.size());
  std::int64_t inner = 1;
  for (unsigned i = axis + 1; i != shape.size(); ++i)
    inner *= shape[i];
  for (std::size_t i = 0; i != x.size(); ++i)
    place[i] = static_cast<std::int32_t>(i / inner % shape[axis]);
  const std::string key = tileType(shape, irType<T>()), moved = tileType(shape, "i32");
  TileCase text;
  text.in("x", irType<T>(), shape).in("i", "i32", shape);
  if (!valid.empty())
    text.in("m", "i1", shape);
  text.out("k", irType<T>(), shape).out("o", "i32", shape);
  TestKernel kernel(text.text("%k, %o = tile.sort %x, %i axis " + std::to_string(axis) + " " + options +
                              (valid.empty() ? "" : " valid %m") + " : " + key + ", " + moved));
  Memory<T> in(x), keys(x.size());
  Memory<std::int32_t> places(place), order(x.size());
  if (valid.empty()) {
    expectNoFaults(kernel.run1(in, places, keys, order));
  } else {
    Memory<Bool> mask(valid);
    expectNoFaults(kernel.run1(in, places, mask, keys, order));
  }
  return {keys.values, order.values};
}

/// A double in the order of the key; NaN is above infinity, -0 equals 0.
template <class T> long double rank(T x, bool isUnsigned) {
  if constexpr (std::is_same_v<T, Bool>)
    return isUnsigned ? x.bits : -x.bits;
  else if constexpr (std::is_integral_v<T>)
    return isUnsigned ? static_cast<long double>(static_cast<std::make_unsigned_t<T>>(x)) : static_cast<long double>(x);
  else
    return std::isnan(toDouble(x)) ? 1e4000L
           : toDouble(x) == inf    ? 1e3000L
           : toDouble(x) == -inf   ? -1e3000L
                                   : toDouble(x);
}

template <class T> class Sort : public ::testing::Test {};
using Keys = ::testing::Types<Bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, F16, BF16, float, double,
                              E4M3, E5M2, E4M3Fnuz, E5M2Fnuz>;
TYPED_TEST_SUITE(Sort, Keys);

// SEMANTICS R5: every key type, axis and direction against the standard library's stable sort.
TYPED_TEST(Sort, isStableAlongEveryAxis) {
  using T = TypeParam;
  const Extents shape{4, 32, 8};
  std::vector<T> x = anyBits<T>(1024, 11);
  for (std::size_t i = 0; i + 5 < x.size(); i += 3)
    x[i] = x[i + 5]; // ties
  const std::vector<Bool> valid = anyBits<Bool>(1024, 12);
  constexpr bool isInt = std::is_integral_v<T> || std::is_same_v<T, Bool>;
  for (unsigned axis = 0; axis != 3; ++axis)
    for (bool descending : {false, true})
      for (bool isUnsigned : {false, isInt})
        for (bool masked : {false, true}) {
          const std::string options = std::string(descending ? "descending " : "") + (isUnsigned ? "unsigned" : "");
          const Sorted<T> got = sorted(x, shape, axis, options, masked ? valid : std::vector<Bool>());
          std::int64_t inner = 1;
          for (unsigned i = axis + 1; i != 3; ++i)
            inner *= shape[i];
          const std::int64_t n = shape[axis];
          for (std::int64_t line = 0; line != countOf(shape) / n; ++line) {
            const std::int64_t start = line / inner * inner * n + line % inner;
            std::vector<std::int32_t> order(n);
            std::iota(order.begin(), order.end(), 0);
            const auto key = [&](std::int32_t j) { return rank(x[start + j * inner], isUnsigned); };
            const auto out = [&](std::int32_t j) { return masked && !valid[start + j * inner].bits; };
            // Insertion sort is stable and plainly right.
            for (std::size_t i = 1; i < order.size(); ++i)
              for (std::size_t j = i; j != 0; --j) {
                const std::int32_t a = order[j - 1], b = order[j];
                const bool swap =
                    out(a) != out(b) ? out(a) : !out(a) && (descending ? key(a) < key(b) : key(a) > key(b));
                if (!swap)
                  break;
                std::swap(order[j - 1], order[j]);
              }
            for (std::int64_t j = 0; j != n; ++j) {
              const std::int64_t at = start + j * inner;
              ASSERT_EQ(got.order[at], order[j])
                  << options << " along " << axis << ", line " << line << ", place " << j;
              ASSERT_EQ(std::memcmp(&got.keys[at], &x[start + order[j] * inner], sizeof(T)), 0);
            }
          }
        }
}

// SEMANTICS R5
TEST(Sort, nanLastAndZerosTied) {
  const std::vector<float> x{nan, 1, -inf, 0.0f, -0.0f, inf, -2, nan};
  EXPECT_THAT(sorted(x, {8}, 0).order, ElementsAre(2, 6, 3, 4, 1, 5, 0, 7));
  EXPECT_THAT(sorted(x, {8}, 0, "descending").order, ElementsAre(0, 7, 5, 1, 3, 4, 6, 2));
}

// SEMANTICS R5: lanes that are not valid go last in both directions, in their order.
TEST(Sort, notValidLast) {
  const std::vector<std::int32_t> x{5, 9, 1, 7};
  const std::vector<Bool> valid{{1}, {0}, {1}, {0}};
  EXPECT_THAT(sorted(x, {4}, 0, "", valid).order, ElementsAre(2, 0, 1, 3));
  EXPECT_THAT(sorted(x, {4}, 0, "descending", valid).order, ElementsAre(0, 2, 1, 3));
}

// -- histogram ------------------------------------------------------------------------------------

template <class T>
std::vector<std::int32_t> histogram(const std::vector<T> &x, std::int64_t bins, const std::string &options = "") {
  const Extents shape{2, static_cast<std::int64_t>(x.size()) / 2};
  TestKernel kernel(TileCase()
                        .in("x", irType<T>(), shape)
                        .out("r", "i32", {bins})
                        .text("%r = tile.histogram %x " + options + " : " + tileType(shape, irType<T>()) + " -> " +
                              tileType({bins}, "i32")));
  Memory<T> in(x);
  Memory<std::int32_t> out(static_cast<std::size_t>(bins), -1);
  expectNoFaults(kernel.run1(in, out));
  return out.values;
}

// SEMANTICS R5: values outside are dropped.
TEST(Histogram, everyIntegerType) {
  EXPECT_THAT(histogram<std::int8_t>({0, 1, 3, 3, -1, 4, 127, -128}, 4), ElementsAre(1, 1, 0, 2));
  EXPECT_THAT(histogram<std::int16_t>({0, 1, 3, 3, -1, 4, 300, -128}, 4), ElementsAre(1, 1, 0, 2));
  EXPECT_THAT(histogram<std::int32_t>({0, 1, 3, 3, -1, 4, 1 << 30, -128}, 4), ElementsAre(1, 1, 0, 2));
  EXPECT_THAT(histogram<std::int64_t>({0, 1, 3, 3, -1, 4, std::int64_t(1) << 32, -128}, 4), ElementsAre(1, 1, 0, 2));
  EXPECT_THAT(histogram<Bool>({{1}, {1}, {0}, {1}}, 2), ElementsAre(1, 3));
  EXPECT_THAT(histogram<std::int32_t>({0, 0, 1, -1}, 1), ElementsAre(2));
}

TEST(Histogram, unsignedReadsHighValues) {
  const std::vector<std::int8_t> x{-1, -1, -128, 0};
  EXPECT_EQ(histogram(x, 256, "unsigned")[255], 2);
  EXPECT_EQ(histogram(x, 256, "unsigned")[128], 1);
  EXPECT_EQ(histogram(x, 256)[255], 0);
}

TEST(Histogram, maskedLanesDoNotCount) {
  TestKernel kernel(TileCase()
                        .in("x", "i32", {4})
                        .in("m", "i1", {4})
                        .out("r", "i32", {2})
                        .text("%r = tile.histogram %x mask %m : tensor<4xi32> -> tensor<2xi32>"));
  Memory<std::int32_t> x{0, 1, 1, 1}, r(2);
  Memory<Bool> m{{1}, {0}, {1}, {1}};
  expectNoFaults(kernel.run1(x, m, r));
  EXPECT_THAT(r.values, ElementsAre(1, 2));
}

// -- gather ---------------------------------------------------------------------------------------

template <class T, class I> void gatherEveryAxis() {
  const Extents shape{4, 8, 2};
  const std::vector<T> x = anyBits<T>(64, 21);
  for (unsigned axis = 0; axis != 3; ++axis)
    for (std::int64_t length : {1, 2, 16}) {
      Extents wanted = shape;
      wanted[axis] = length;
      std::vector<I> index(countOf(wanted));
      std::mt19937 random(22);
      for (I &i : index)
        i = static_cast<I>(random() % shape[axis]);
      TestKernel kernel(TileCase()
                            .in("x", irType<T>(), shape)
                            .in("i", irType<I>(), wanted)
                            .out("r", irType<T>(), wanted)
                            .text("%r = tile.gather %x[%i] axis " + std::to_string(axis) + " : " +
                                  tileType(shape, irType<T>()) + ", " + tileType(wanted, irType<I>()) + " -> " +
                                  tileType(wanted, irType<T>())));
      Memory<T> in(x), out(index.size());
      Memory<I> at(index);
      expectNoFaults(kernel.run1(in, at, out));
      std::int64_t lane = 0;
      for (std::int64_t a = 0; a != wanted[0]; ++a)
        for (std::int64_t b = 0; b != wanted[1]; ++b)
          for (std::int64_t c = 0; c != wanted[2]; ++c, ++lane) {
            std::int64_t from[] = {a, b, c};
            from[axis] = index[lane];
            const T want = x[(from[0] * shape[1] + from[1]) * shape[2] + from[2]];
            ASSERT_EQ(std::memcmp(&out[lane], &want, sizeof(T)), 0) << "axis " << axis << ", lane " << lane;
          }
    }
}

// SEMANTICS S3
TEST(Gather, everyWidthAxisAndIndexType) {
  gatherEveryAxis<std::int8_t, std::int8_t>();
  gatherEveryAxis<F16, std::int16_t>();
  gatherEveryAxis<float, std::int32_t>();
  gatherEveryAxis<double, std::int64_t>();
  gatherEveryAxis<Bool, std::int32_t>();
}

TEST(Gather, indexOutsideIsReportedAndGivesZero) {
  TestKernel kernel(TileCase()
                        .in("x", "f32", {2, 2})
                        .in("i", "i32", {2, 2})
                        .out("r", "f32", {2, 2})
                        .text("%r = tile.gather %x[%i] axis 1 : tensor<2x2xf32>, tensor<2x2xi32> -> tensor<2x2xf32> "
                              "loc(\"picked\"(\"kernel.cpp\":7:3))"));
  Memory<float> x{1, 2, 3, 4}, r(4);
  Memory<std::int32_t> i{1, 0, 2, -1};
  const Faults faults = kernel.run1(x, i, r);
  EXPECT_EQ(faults.total, 1u);
  EXPECT_THAT(faults.text(),
              HasSubstr("kernel.cpp:7:3: index 2 is outside an axis of extent 2, in program (0, 0, 0) at "
                        "[1, 0] and 1 more lane of `picked`; a run-time index must lie in the tile"));
  EXPECT_THAT(r.values, ElementsAre(2, 1, 0, 0));
  EXPECT_TRUE(kernel.checks(false).run1(x, i, r).none());
}

} // namespace
} // namespace tessera::ir::interp
