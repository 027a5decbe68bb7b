//===- RunOperatorsTest.cpp - operators and casts, traced and executed ---===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "../Interp/Harness.h"
#include "TraceSupport.h"

#include "tessera/lang/Lang.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace tessera;
using ir::interp::Memory;
using ir::interp::TestKernel;
using test::trace;

/// f(a, b) of eight lanes of T, written as R.
template <DType T, DType R, class C, class D, class Body>
static std::vector<D> lanes(Body body, std::vector<C> a, std::vector<C> b) {
  TestKernel kernel(trace([body](Ptr<T> a, Ptr<T> b, Ptr<R> out) {
    Tile at = arange(0, 8);
    store(out + at, body(load(a + at), load(b + at)));
  }));
  a.resize(8, a.back());
  b.resize(8, b.back());
  Memory<C> first(a), second(b);
  Memory<D> out(8);
  ir::interp::expectNoFaults(kernel.run1(first, second, out));
  return out.values;
}

using I32s = std::vector<std::int32_t>;
using F32s = std::vector<float>;

// SEMANTICS A1
TEST(RunOperators, integerDivisionInThreeRoundings) {
  const I32s a{7, -7, 7, -7, 6, -6, 0, 5}, b{2, 2, -2, -2, 3, 3, 4, 7};
  EXPECT_EQ((lanes<i32, i32, std::int32_t, std::int32_t>([](Tile x, Tile y) { return x / y; }, a, b)),
            (I32s{3, -3, -3, 3, 2, -2, 0, 0}));
  EXPECT_EQ((lanes<i32, i32, std::int32_t, std::int32_t>([](Tile x, Tile y) { return x % y; }, a, b)),
            (I32s{1, -1, 1, -1, 0, 0, 0, 5}));
  EXPECT_EQ((lanes<i32, i32, std::int32_t, std::int32_t>([](Tile x, Tile y) { return floor_div(x, y); }, a, b)),
            (I32s{3, -4, -4, 3, 2, -2, 0, 0}));
  EXPECT_EQ((lanes<i32, i32, std::int32_t, std::int32_t>([](Tile x, Tile y) { return floor_mod(x, y); }, a, b)),
            (I32s{1, 1, -1, -1, 0, 0, 0, 5}));
  EXPECT_EQ((lanes<i32, i32, std::int32_t, std::int32_t>([](Tile x, Tile y) { return cdiv(x, y); }, a, b)),
            (I32s{4, -3, -3, 4, 2, -2, 0, 1}));
}

// SEMANTICS T3
TEST(RunOperators, floatLiteralsWithIntegersGiveF32) {
  EXPECT_EQ((lanes<i32, f32, std::int32_t, float>([](Tile x, Tile) { return 1.0 / x; }, {1, 2, 4, 8}, {0})),
            (F32s{1, .5, .25, .125, .125, .125, .125, .125}));
  EXPECT_EQ((lanes<i32, f32, std::int32_t, float>([](Tile x, Tile y) { return fdiv(x, y); }, {1, 3}, {2})),
            (F32s{.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5}));
}

// SEMANTICS A2
TEST(RunOperators, shiftsFollowSignedness) {
  EXPECT_EQ((lanes<i32, i32, std::int32_t, std::int32_t>([](Tile x, Tile) { return x >> 1; }, {-8, 8}, {0}))[0], -4);
  EXPECT_EQ((lanes<u32, u32, std::uint32_t, std::uint32_t>([](Tile x, Tile) { return x >> 1; }, {0xFFFFFFF8u}, {0}))[0],
            0x7FFFFFFCu);
  EXPECT_EQ((lanes<u32, u32, std::uint32_t, std::uint32_t>([](Tile x, Tile) { return ~(x << 4); }, {1}, {0}))[0],
            0xFFFFFFEFu);
}

// SEMANTICS T5
TEST(RunOperators, smallIntegersWrapInTheirOwnType) {
  EXPECT_EQ((lanes<i8, i8, std::int8_t, std::int8_t>([](Tile x, Tile y) { return x + y; }, {100, -100}, {100}))[0],
            -56);
  EXPECT_EQ((lanes<u8, u8, std::uint8_t, std::uint8_t>([](Tile x, Tile y) { return x * y; }, {200}, {2}))[0], 144);
}

// SEMANTICS A5
TEST(RunOperators, comparisonsWithNan) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const F32s a{nan, 1, nan, 2}, b{1, nan, nan, 2};
  const auto count = [&](auto op) {
    return lanes<f32, i32, float, std::int32_t>([op](Tile x, Tile y) { return op(x, y).to(i32); }, a, b);
  };
  EXPECT_EQ(count([](Tile x, Tile y) { return x == y; }), (I32s{0, 0, 0, 1, 1, 1, 1, 1}));
  EXPECT_EQ(count([](Tile x, Tile y) { return x != y; }), (I32s{1, 1, 1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(count([](Tile x, Tile y) { return x <= y; }), (I32s{0, 0, 0, 1, 1, 1, 1, 1}));
  EXPECT_EQ(count([](Tile x, Tile y) { return x < y; }), (I32s(8, 0)));
}

// SEMANTICS A5
TEST(RunOperators, maximumMinimumClamp) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const F32s a{nan, 1, nan, -0.f}, b{1, nan, nan, 0.f};
  F32s got = lanes<f32, f32, float, float>([](Tile x, Tile y) { return maximum(x, y); }, a, b);
  EXPECT_EQ(got[0], 1);
  EXPECT_EQ(got[1], 1);
  EXPECT_TRUE(std::isnan(got[2]));
  EXPECT_FALSE(std::signbit(got[3]));
  got = lanes<f32, f32, float, float>([](Tile x, Tile y) { return minimum(x, y, {.nan = Nan::propagate}); }, a, b);
  EXPECT_TRUE(std::isnan(got[0]) && std::isnan(got[1]) && std::isnan(got[2]));
  EXPECT_TRUE(std::signbit(got[3]));
  got = lanes<f32, f32, float, float>([](Tile x, Tile) { return clamp(x, -2, 3.0); }, {nan, 9, -9, 1}, {0});
  EXPECT_EQ((F32s{got[0], got[1], got[2], got[3]}), (F32s{-2, 3, -2, 1}));
  got = lanes<f32, f32, float, float>([](Tile x, Tile) { return clamp(x, 5, 3); }, {nan, 9, -9, 1}, {0});
  EXPECT_EQ(got, (F32s(8, 3)));
  EXPECT_EQ((lanes<u32, u32, std::uint32_t, std::uint32_t>([](Tile x, Tile y) { return maximum(x, y); }, {0xF0000000u},
                                                           {3}))[0],
            0xF0000000u);
}

// SEMANTICS A6
TEST(RunOperators, negationFlipsTheSignOfZero) {
  const F32s got = lanes<f32, f32, float, float>([](Tile x, Tile) { return -x; }, {0.f, 1.f}, {0});
  EXPECT_TRUE(std::signbit(got[0]));
  EXPECT_EQ((lanes<i32, i32, std::int32_t, std::int32_t>([](Tile x, Tile) { return abs(x); },
                                                         {std::numeric_limits<std::int32_t>::min(), -5}, {0})),
            (I32s{std::numeric_limits<std::int32_t>::min(), 5, 5, 5, 5, 5, 5, 5}));
  // a fnuz type has no -0
  EXPECT_EQ((lanes<e4m3fnuz, u8, std::uint8_t, std::uint8_t>([](Tile x, Tile) { return (-x).bitcast(u8); }, {0, 0x38},
                                                             {0}))[0],
            0);
}

// SEMANTICS T4
TEST(RunOperators, fp8ComputesInF32AndRoundsOnce) {
  // 1.125 * 1.125 = 1.265625, between 1.25 and 1.375 in e4m3
  const auto got =
      lanes<e4m3, u8, std::uint8_t, std::uint8_t>([](Tile x, Tile y) { return (x * y).bitcast(u8); }, {0x39}, {0x39});
  EXPECT_EQ(got[0], 0x3A);
}

// SEMANTICS C2
TEST(RunOperators, floatToIntSaturatesAndNanIsZero) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const F32s x{nan, 1e20f, -1e20f, -1.9f, 300.7f, -5.f, 127.5f, 0.f};
  EXPECT_EQ((lanes<f32, i32, float, std::int32_t>([](Tile v, Tile) { return v.to(i32); }, x, {0})),
            (I32s{0, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min(), -1, 300, -5,
                  127, 0}));
  EXPECT_EQ((lanes<f32, u8, float, std::uint8_t>([](Tile v, Tile) { return v.to(u8); }, x, {0})),
            (std::vector<std::uint8_t>{0, 255, 0, 0, 255, 0, 127, 0}));
  EXPECT_EQ((lanes<f32, i32, float, std::int32_t>([](Tile v, Tile) { return v.to(i1).to(i32); }, x, {0})),
            (I32s{1, 1, 1, 1, 1, 1, 1, 0}));
}

// SEMANTICS C3
TEST(RunOperators, integerCastsExtendByTheSourceAndWrap) {
  EXPECT_EQ((lanes<i8, i32, std::int8_t, std::int32_t>([](Tile v, Tile) { return v.to(u32).to(i32); }, {-1}, {0}))[0],
            -1);
  EXPECT_EQ((lanes<u8, i32, std::uint8_t, std::int32_t>([](Tile v, Tile) { return v.to(i32); }, {255}, {0}))[0], 255);
  EXPECT_EQ((lanes<i32, i8, std::int32_t, std::int8_t>([](Tile v, Tile) { return v.to(i8); }, {0x1FF}, {0}))[0], -1);
}

// SEMANTICS C2, C3: a truth value, not the lowest bit
TEST(RunOperators, anIntegerToI1AsksWhetherItIsZero) {
  EXPECT_EQ((lanes<i32, i32, std::int32_t, std::int32_t>([](Tile v, Tile) { return v.to(i1).to(i32); },
                                                         {0, 1, 2, 3, 4, -2, 1 << 30, -1}, {0})),
            (I32s{0, 1, 1, 1, 1, 1, 1, 1}));
}

// SEMANTICS C3
TEST(RunOperators, bitcastsSplitAndJoinTheLastAxis) {
  const auto got = lanes<u32, u32, std::uint32_t, std::uint32_t>(
      [](Tile x, Tile) {
        Tile halves = x.bitcast(u16);
        EXPECT_EQ(halves.shape(), (Shape{8, 2}));
        return (halves + 1).bitcast(u32);
      },
      {0x0001FFFFu}, {0});
  EXPECT_EQ(got[0], 0x00020000u);
}

// SEMANTICS C1
TEST(RunOperators, roundingOptions) {
  const F32s x{1.3f, -1.3f, 1e9f};
  const auto bits = lanes<f32, u8, float, std::uint8_t>(
      [](Tile v, Tile) { return v.to(e4m3, {.rounding = Rounding::toward_zero, .saturate = true}).bitcast(u8); }, x,
      {0});
  EXPECT_EQ(bits[0], 0x3A); // 1.25
  EXPECT_EQ(bits[1], 0xBA);
  EXPECT_EQ(bits[2], 0x7E); // 448
  const auto plain = lanes<f32, u8, float, std::uint8_t>([](Tile v, Tile) { return v.to(e4m3).bitcast(u8); }, x, {0});
  EXPECT_EQ(plain[2] & 0x7F, 0x7F); // NaN: there is no infinity
}

// SEMANTICS A7
TEST(RunOperators, whereAndItsLiterals) {
  EXPECT_EQ((lanes<i32, f32, std::int32_t, float>([](Tile x, Tile y) { return where(x < y, 1.5, 2.5); }, {1, 3}, {2})),
            (F32s{1.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5}));
  EXPECT_EQ((lanes<i32, i64, std::int32_t, std::int64_t>(
                [](Tile x, Tile y) { return where(x < y, 1, 2, {.dtype = i64}); }, {1, 3}, {2}))[1],
            2);
}

// SEMANTICS M2
TEST(RunOperators, broadcastingIsNumPys) {
  TestKernel kernel(trace([](Ptr<i32> out) {
    Tile i = arange(0, 4), j = arange(0, 8);
    store(out + (i.col() * 8 + j.row()), i.col() * 100 + j + 1);
  }));
  Memory<std::int32_t> out(32);
  ir::interp::expectNoFaults(kernel.run1(out));
  for (std::int32_t i = 0; i < 4; ++i)
    for (std::int32_t j = 0; j < 8; ++j)
      EXPECT_EQ(out[static_cast<std::size_t>(i * 8 + j)], i * 100 + j + 1);
}

// SEMANTICS M1
TEST(RunOperators, maskedLanesYieldOtherOrZero) {
  TestKernel kernel(trace([](Ptr<f32> x, Ptr<f32> out, Int n) {
    Tile at = arange(0, 8);
    Tile mask = at < n;
    store(out + at, load(x + at, {.mask = mask}));
    store(out + 8 + at, load(x + at, {.mask = mask, .other = 7}));
    store(out + 16 + at, 1.0, {.mask = ~mask});
  }));
  Memory<float> x{1, 2, 3}, out(24, -1);
  ir::interp::expectNoFaults(kernel.run1(x, out, std::int64_t(3)));
  EXPECT_EQ(out.values, (F32s{1, 2, 3, 0, 0, 0, 0, 0, 1, 2, 3, 7, 7, 7, 7, 7, -1, -1, -1, 1, 1, 1, 1, 1}));
}

// SEMANTICS P1, P1b
TEST(RunOperators, groupedProgramsVisitEveryBlockOnce) {
  for (const std::int64_t group : {1, 2, 3, 8}) {
    TestKernel kernel(trace([](Ptr<i64> out, Int m, Int n, Int group) {
      auto [pm, pn] = grouped_program_id(m, n, group);
      store(out + pm * n + pn, program_id(0));
    }));
    const std::int64_t m = 5, n = 3;
    Memory<std::int64_t> out(15, -1);
    ir::interp::expectNoFaults(kernel.run({m * n, 1, 1}, out, m, n, group));
    for (std::int64_t id = 0; id < m * n; ++id) {
      const std::int64_t per = group * n, first = id / per * group, rows = std::min(m - first, group);
      EXPECT_EQ(out[static_cast<std::size_t>((first + id % per % rows) * n + id % per / rows)], id);
    }
  }
}
