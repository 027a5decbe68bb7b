//===- RunReduceTest.cpp - reductions, scans and sorts, executed ---------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Recorded, run by the interpreter and compared with plain C++ loops.
//
//===---------------------------------------------------------------------===//

#include "../Interp/Harness.h"
#include "TraceSupport.h"

#include "Target/Interp/Float.h"
#include "tessera/lang/Memory.h"
#include "tessera/lang/Program.h"
#include "tessera/lang/Reduce.h"
#include "tessera/lang/Scan.h"
#include "tessera/lang/Shape.h"
#include "tessera/lang/Sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

using namespace tessera;
using ir::interp::Memory;
using ir::interp::TestKernel;
using test::trace;

using F32s = std::vector<float>;
using I32s = std::vector<std::int32_t>;

static constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
static constexpr float kInf = std::numeric_limits<float>::infinity();

/// What `make(x)` gives for the tile of `values`, each result stored in row-major order.
template <DType From, DType To, class In, class Out, class Make>
static std::vector<Out> run(Make make, const std::vector<In> &values, std::size_t results) {
  const auto count = static_cast<std::int64_t>(values.size());
  TestKernel kernel(trace([make, count](Ptr<From> in, Ptr<To> out) {
    const Tile result = make(load(in + arange(0, count)));
    const std::int64_t n = result.shape().elements();
    store(out + arange(0, n), reshape(result, {n}));
  }));
  Memory<In> in(values);
  Memory<Out> out(results);
  ir::interp::expectNoFaults(kernel.run1(in, out));
  return out.values;
}

/// Equal bits, but any NaN for a NaN.
static void expectSame(const F32s &got, const F32s &want) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    if (!(std::isnan(got[i]) && std::isnan(want[i])))
      EXPECT_EQ(std::bit_cast<std::uint32_t>(got[i]), std::bit_cast<std::uint32_t>(want[i])) << "lane " << i;
}

// SEMANTICS R1
TEST(RunReduce, sumOfF16RoundsOnce) {
  using ir::interp::F16;
  std::vector<F16> values(64, ir::interp::narrowToF16(1));
  values[0] = ir::interp::narrowToF16(2048);
  // 2048 + 63 = 2111, halfway between 2110 and 2112; adding in f16 would stay at 2048
  const auto got = run<f16, f16, F16, F16>([](Tile x) { return sum(x); }, values, 1);
  EXPECT_EQ(ir::interp::widen(got[0]), 2112.f);
  const auto running = run<f16, f16, F16, F16>([](Tile x) { return cumsum(x); }, values, 64);
  EXPECT_EQ(ir::interp::widen(running[63]), 2112.f);
  EXPECT_EQ(ir::interp::widen(running[2]), 2050.f);
}

// SEMANTICS R1
TEST(RunReduce, narrowIntegersAndBools) {
  EXPECT_EQ((run<i8, i32, std::int8_t, std::int32_t>([](Tile x) { return sum(x); }, {100, 100, 100, -1}, 1)),
            I32s{299});
  EXPECT_EQ((run<u8, u32, std::uint8_t, std::uint32_t>([](Tile x) { return sum(x); }, {200, 200, 200, 255}, 1)),
            std::vector<std::uint32_t>{855});
  EXPECT_EQ((run<i32, i32, std::int32_t, std::int32_t>([](Tile x) { return sum(x > 2); }, {1, 2, 3, 4, 5, 6, 7, 8}, 1)),
            I32s{6});
  EXPECT_EQ((run<i16, i32, std::int16_t, std::int32_t>([](Tile x) { return prod(x); }, {300, 300, 3, -1}, 1)),
            I32s{-270000});
  EXPECT_EQ((run<i32, i64, std::int32_t, std::int64_t>([](Tile x) { return sum(x, {.dtype = i64}); },
                                                       {2147483647, 2147483647}, 1)),
            std::vector<std::int64_t>{4294967294});
}

// SEMANTICS R1a
TEST(RunReduce, severalAxes) {
  I32s values(64);
  std::iota(values.begin(), values.end(), -7);
  const auto got = run<i32, i32, std::int32_t, std::int32_t>(
      [](Tile x) { return sum(reshape(x, {2, 4, 8}), {.axis = {0, 2}, .keep_dims = true}); }, values, 4);
  I32s want(4, 0);
  for (std::size_t i = 0; i < values.size(); ++i)
    want[i / 8 % 4] += values[i];
  EXPECT_EQ(got, want);
  EXPECT_EQ((run<i32, i32, std::int32_t, std::int32_t>([](Tile x) { return xor_sum(x); }, {5, 3, 12, 9}, 1)),
            I32s{5 ^ 3 ^ 12 ^ 9});
  EXPECT_EQ((run<i32, i32, std::int32_t, std::int32_t>([](Tile x) { return any(x == 3).to(i32) * 2 + all(x > 0); },
                                                       {5, 3, 12, 9}, 1)),
            I32s{3});
}

// SEMANTICS R2, A5
TEST(RunReduce, maxAndMinOfNaNAndZeros) {
  const auto greatest = [](const F32s &x, Nan nan) {
    return run<f32, f32, float, float>([nan](Tile v) { return max(v, {.nan = nan}); }, x, 1)[0];
  };
  EXPECT_EQ(greatest({kNaN, -3, kNaN, -5}, Nan::drop), -3);
  EXPECT_TRUE(std::isnan(greatest({1, -3, kNaN, -5}, Nan::propagate)));
  EXPECT_TRUE(std::isnan(greatest({kNaN, kNaN}, Nan::drop)));
  EXPECT_FALSE(std::signbit(greatest({-0.f, 0.f, -0.f, -0.f}, Nan::drop)));
  EXPECT_EQ((run<u8, u8, std::uint8_t, std::uint8_t>([](Tile v) { return min(v); }, {200, 130, 255, 129}, 1)[0]), 129);
}

/// The index that argmax must give.
static std::int32_t argmaxOf(const F32s &x, bool propagate, bool least) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < x.size(); ++i) {
    const bool oldNaN = std::isnan(x[best]), newNaN = std::isnan(x[i]);
    const bool better = oldNaN || newNaN ? (propagate ? newNaN && !oldNaN : oldNaN && !newNaN)
                                         : (least ? x[i] < x[best] : x[i] > x[best]);
    if (better)
      best = i;
  }
  return static_cast<std::int32_t>(best);
}

// SEMANTICS R2
TEST(RunReduce, argmaxAndArgminInEveryOrder) {
  F32s values{kNaN, 2, 2, -1, kInf, kNaN, -kInf, 0};
  for (int round = 0; round < 60; ++round) {
    // all orders of distinct kinds would be many: walk through some, and shrink the alphabet now and then
    std::next_permutation(values.begin(), values.end(), [](float a, float b) {
      return std::bit_cast<std::uint32_t>(a) < std::bit_cast<std::uint32_t>(b);
    });
    std::rotate(values.begin(), values.begin() + 3, values.end());
    F32s x = values;
    for (int i = 0; i < round % 8; ++i)
      x[static_cast<std::size_t>(i)] = round % 3 ? kNaN : 2.f;
    for (const Nan nan : {Nan::drop, Nan::propagate}) {
      const auto got = run<f32, i32, float, std::int32_t>(
          [nan](Tile v) { return join(argmax(v, {.nan = nan}), argmin(v, {.nan = nan})); }, x, 2);
      const bool propagate = nan == Nan::propagate;
      EXPECT_EQ(got, (I32s{argmaxOf(x, propagate, false), argmaxOf(x, propagate, true)}));
    }
  }
  EXPECT_EQ((run<f32, i32, float, std::int32_t>([](Tile v) { return argmax(v); }, {kNaN, kNaN, kNaN, kNaN}, 1)),
            I32s{0});
  EXPECT_EQ((run<u32, i32, std::uint32_t, std::int32_t>([](Tile v) { return argmax(reshape(v, {2, 2})); },
                                                        {1, 0xF0000000u, 7, 0xF0000000u}, 1)),
            I32s{1});
}

// SEMANTICS R3
TEST(RunReduce, byFunctionsOfSeveralValues) {
  const F32s x{3, -1, 4, 1, -5, 9, 2, 6};
  // mean and sum of squared differences, combined pairwise (Chan)
  const auto got = run<f32, f32, float, float>(
      [](Tile v) {
        auto [n, mean, m2] =
            reduce(std::tuple{ones(f32, {8}), v, zeros(f32, {8})}, 0,
                   [](Tile na, Tile ma, Tile sa, Tile nb, Tile mb, Tile sb) {
                     Tile total = na + nb, delta = mb - ma;
                     return std::tuple{total, ma + delta * nb / total, sa + sb + delta * delta * na * nb / total};
                   });
        return join(mean, m2);
      },
      x, 2);
  EXPECT_NEAR(got[0], 2.375, 1e-6);
  EXPECT_NEAR(got[1], 127.875, 1e-4);
}

// SEMANTICS R3, R1a
TEST(RunScan, linearRecurrenceKeepsOrder) {
  const F32s x{1, 2, 3, 4, 5, 6, 7, 8};
  for (const bool reverse : {false, true})
    for (const bool exclusive : {false, true}) {
      const auto got = run<f32, f32, float, float>(
          [&](Tile b) {
            Tile a = full(f32, {8}, 0.5);
            const ScanOptions options{
                .reverse = reverse, .exclusive = exclusive, .identity = exclusive ? Identity{1.0, 0.0} : Identity{}};
            auto [p, h] = scan(
                std::tuple{a, b}, 0,
                [](Tile a0, Tile b0, Tile a1, Tile b1) { return std::tuple{a0 * a1, a1 * b0 + b1}; }, options);
            return h;
          },
          x, 8);
      F32s want(8);
      float h = 0;
      for (std::size_t k = 0; k < 8; ++k) {
        const std::size_t i = reverse ? 7 - k : k;
        const float next = 0.5f * h + x[i];
        want[i] = exclusive ? h : next;
        h = next;
      }
      expectSame(got, want);
    }
}

// SEMANTICS R1a, R2
TEST(RunScan, cumulative) {
  EXPECT_EQ((run<i32, i32, std::int32_t, std::int32_t>(
                [](Tile x) { return cumsum(x, {.reverse = true, .exclusive = true}); }, {1, 2, 3, 4}, 4)),
            (I32s{9, 7, 4, 0}));
  EXPECT_EQ((run<i32, i32, std::int32_t, std::int32_t>([](Tile x) { return cumprod(x, {.exclusive = true}); },
                                                       {2, 3, 4, 5}, 4)),
            (I32s{1, 2, 6, 24}));
  EXPECT_EQ((run<i32, i32, std::int32_t, std::int32_t>([](Tile x) { return cumsum(reshape(x, {2, 2}), {.axis = 0}); },
                                                       {1, 2, 3, 4}, 4)),
            (I32s{1, 2, 4, 6}));
  expectSame(run<f32, f32, float, float>([](Tile x) { return cummax(x, {.exclusive = true}); }, {kNaN, 2, 1, 5}, 4),
             {-kInf, kNaN, 2, 2});
  expectSame(run<f32, f32, float, float>([](Tile x) { return cummin(x, {.nan = Nan::propagate}); }, {3, 2, kNaN, 1}, 4),
             {3, 2, kNaN, kNaN});
}

/// The places of x in sorted order: NaN above every number, equal elements in their order.
static I32s orderOf(const F32s &x, bool descending) {
  I32s order(x.size());
  std::iota(order.begin(), order.end(), 0);
  const auto less = [&](std::int32_t a, std::int32_t b) {
    const float l = x[static_cast<std::size_t>(a)], r = x[static_cast<std::size_t>(b)];
    return std::isnan(r) ? !std::isnan(l) : l < r;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int32_t a, std::int32_t b) { return descending ? less(b, a) : less(a, b); });
  return order;
}

// SEMANTICS R5
TEST(RunSort, argsortIsStableInBothDirections) {
  const F32s x{2, kNaN, -1, 2, 0.f, -0.f, kNaN, kInf, 2, -1, -kInf, 7, 0, 1, 1, 3};
  for (const bool descending : {false, true})
    EXPECT_EQ(
        (run<f32, i32, float, std::int32_t>([=](Tile v) { return argsort(v, {.descending = descending}); }, x, 16)),
        orderOf(x, descending));
}

// SEMANTICS R5
TEST(RunSort, topkGoesOnBehindK) {
  const F32s x{2, 9, -1, 2, 0, 5, 8, 7, 2, -1, -3, 7, 0, 1, 1, 3};
  const I32s order = orderOf(x, true);
  for (const int k : {1, 3, 4, 5, 16}) {
    const std::size_t lanes = std::bit_ceil(static_cast<unsigned>(k));
    const auto indices = run<f32, i32, float, std::int32_t>([k](Tile v) { return topk(v, k).indices; }, x, lanes);
    EXPECT_EQ(indices, I32s(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(lanes)));
    const auto values = run<f32, f32, float, float>([k](Tile v) { return topk(v, k).values; }, x, lanes);
    for (std::size_t i = 0; i < lanes; ++i)
      EXPECT_EQ(values[i], x[static_cast<std::size_t>(order[i])]);
  }
}

// SEMANTICS R5
TEST(RunSort, lanesThatAreNotValidGoLast) {
  const F32s x{4, 9, 1, 8, 2, 7, 3, 6};
  const auto got =
      run<f32, f32, float, float>([](Tile v) { return sort(v, {.descending = true, .valid = v < 7}); }, x, 8);
  EXPECT_EQ(got, (F32s{6, 4, 3, 2, 1, 9, 8, 7}));
}

// SEMANTICS R5
TEST(RunSort, unsignedKeysAndAxes) {
  EXPECT_EQ((run<u8, u8, std::uint8_t, std::uint8_t>([](Tile v) { return sort(reshape(v, {2, 2}), {.axis = 0}); },
                                                     {200, 3, 100, 250}, 4)),
            (std::vector<std::uint8_t>{100, 3, 200, 250}));
  EXPECT_EQ((run<i32, i32, std::int32_t, std::int32_t>(
                [](Tile v) {
                  auto [k, p] = sort(v > 2, v); // i1 keys: false before true
                  return p;
                },
                {4, 1, 3, 2}, 4)),
            (I32s{1, 2, 4, 3}));
}

// SEMANTICS R5
TEST(RunSort, histogramDropsWhatIsOutside) {
  EXPECT_EQ((run<i32, i32, std::int32_t, std::int32_t>([](Tile v) { return histogram(v, 4); },
                                                       {0, 1, 1, 3, 4, -1, 100, 3}, 4)),
            (I32s{1, 2, 0, 2}));
  EXPECT_EQ((run<u8, i32, std::uint8_t, std::int32_t>([](Tile v) { return histogram(v, 256, {.mask = v != 7}); },
                                                      {255, 7, 255, 0}, 256))[255],
            2);
}
