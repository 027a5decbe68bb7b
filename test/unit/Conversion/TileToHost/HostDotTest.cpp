//===- HostDotTest.cpp - products of tiles on this machine -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Code for the host sums f32 products in f32 and f64 products in f64, in the order of k.
//
//===---------------------------------------------------------------------===//

#include "Target/Interp/Float.h"
#include "unit/Interp/TileCase.h"

#include <gtest/gtest.h>

#include <cmath>
#include <type_traits>

namespace tessera::ir::interp {
namespace {

struct Size {
  std::int64_t m, n, k, batches = 0; ///< batches 0: rank 2
};

/// Every extent alone at 1, below, at and beyond the vectors, rows and panels of the micro-kernels.
const Size kSizes[] = {{1, 1, 1},     {16, 16, 16},  {64, 128, 32}, {1, 64, 16},   {64, 1, 16},    {32, 32, 1},
                       {2, 2, 2},     {4, 64, 8},    {8, 8, 64},    {16, 4, 128},  {128, 16, 4},   {1, 1, 256},
                       {2, 32, 4, 4}, {16, 8, 2, 2}, {1, 2, 4, 8},  {1, 1, 1, 16}, {32, 64, 16, 2}};

Extents extents(const Size &s, std::int64_t rows, std::int64_t columns) {
  return s.batches ? Extents{s.batches, rows, columns} : Extents{rows, columns};
}

std::string transposed(const std::string &name, const Size &s, std::int64_t rows, std::int64_t columns,
                       std::string_view element) {
  return "%" + name + " = tile.trans %" + name + "t " + (s.batches ? "[0, 2, 1]" : "[1, 0]") + " : " +
         tileType(extents(s, rows, columns), element) + " -> " + tileType(extents(s, columns, rows), element) + "\n";
}

/// acc + a b, where a and b are loaded with their last axes swapped if asked for.
template <class C, class A, class B>
std::vector<C> dot(const Size &s, const std::vector<A> &a, const std::vector<B> &b, const std::vector<C> &acc,
                   bool transA, bool transB, const std::string &options) {
  const Extents left = extents(s, s.m, s.k), right = extents(s, s.k, s.n), result = extents(s, s.m, s.n);
  std::string text;
  if (transA)
    text += transposed("a", s, s.k, s.m, irType<A>());
  if (transB)
    text += transposed("b", s, s.n, s.k, irType<B>());
  text += "%r = tile.dot %a, %b, %c " + options + " : " + tileType(left, irType<A>()) + ", " +
          tileType(right, irType<B>()) + " -> " + tileType(result, irType<C>());
  TestKernel kernel(TileCase()
                        .in(transA ? "at" : "a", irType<A>(), transA ? extents(s, s.k, s.m) : left)
                        .in(transB ? "bt" : "b", irType<B>(), transB ? extents(s, s.n, s.k) : right)
                        .in("c", irType<C>(), result)
                        .out("r", irType<C>(), result)
                        .text(text));
  Memory<A> ma(a);
  Memory<B> mb(b);
  Memory<C> mc(acc), r(acc.size());
  expectNoFaults(kernel.run1(ma, mb, mc, r));
  return r.values;
}

/// Numbers with all the bits of the type, in [-2, 2]; of an integer type any.
template <class T> std::vector<T> numbers(std::size_t n, unsigned seed) {
  if constexpr (std::is_integral_v<T>) {
    return anyBits<T>(n, seed);
  } else {
    std::mt19937_64 random(seed);
    std::vector<T> values(n);
    for (T &value : values)
      value = fromDouble<T>(double(random()) / 0x1p62 - 2);
    return values;
  }
}

template <class T> double valueOf(T x) {
  if constexpr (std::is_integral_v<T>)
    return x;
  else
    return toDouble(x);
}

/// Sums of integers are exact; else each of the k sums and products may round once, and each product be off by \p
/// ofProduct besides. Of every four sizes, one has both operands as they are, one both with their axes swapped; \p turn
/// chooses which.
template <class C, class A, class B> void check(unsigned turn, const std::string &options = "", double ofProduct = 0) {
  constexpr double unit = std::is_same_v<C, double> ? 0x1p-53 : 0x1p-24;
  for (const Size &s : kSizes) {
    const bool transA = turn & 1, transB = turn & 2;
    ++turn;
    const std::int64_t batches = std::max<std::int64_t>(s.batches, 1);
    const std::vector<A> a = numbers<A>(static_cast<std::size_t>(batches * s.m * s.k), 1);
    const std::vector<B> b = numbers<B>(static_cast<std::size_t>(batches * s.k * s.n), 2);
    const std::vector<C> acc = numbers<C>(static_cast<std::size_t>(batches * s.m * s.n), 3);
    const std::vector<C> r = dot(s, a, b, acc, transA, transB, options);
    for (std::int64_t i = 0; i != batches * s.m * s.n; ++i) {
      const std::int64_t batch = i / (s.m * s.n), row = i / s.n % s.m, column = i % s.n;
      const auto at = [](auto &values, std::int64_t index) { return values[static_cast<std::size_t>(index)]; };
      long double sum = at(acc, i), magnitude = std::fabs(sum);
      for (std::int64_t k = 0; k != s.k; ++k) {
        const std::int64_t inA = batch * s.m * s.k + (transA ? k * s.m + row : row * s.k + k);
        const std::int64_t inB = batch * s.k * s.n + (transB ? column * s.k + k : k * s.n + column);
        const long double product = static_cast<long double>(valueOf(at(a, inA))) * valueOf(at(b, inB));
        sum += product;
        magnitude += std::fabs(product);
      }
      if constexpr (std::is_integral_v<C>)
        ASSERT_EQ(at(r, i), static_cast<C>(static_cast<std::int64_t>(sum))) << s.m << "x" << s.n << "x" << s.k;
      else
        ASSERT_LE(std::fabs(at(r, i) - sum), magnitude * (static_cast<double>(s.k + 2) * unit + ofProduct))
            << s.m << "x" << s.n << "x" << s.k << " at " << i << " in " << batches << " batches";
    }
  }
}

// SEMANTICS D1, D3
TEST(HostDot, f32) { check<float, float, float>(0); }
TEST(HostDot, f32Swapped) { check<float, float, float>(2); }
TEST(HostDot, f64) { check<double, double, double>(1); }
TEST(HostDot, f16) { check<float, F16, F16>(2); }
TEST(HostDot, bf16) { check<float, BF16, BF16>(3); }
TEST(HostDot, e4m3) { check<float, E4M3, E4M3>(0); }
TEST(HostDot, e5m2) { check<float, E5M2, E5M2>(1); }
TEST(HostDot, fp8Mixed) { check<float, E5M2, E4M3>(2); }
TEST(HostDot, fnuz) { check<float, E5M2Fnuz, E4M3Fnuz>(3, "max_imprecise_k 32"); }
// SEMANTICS D1, T5: exact, wrapping.
TEST(HostDot, i8) { check<std::int32_t, std::int8_t, std::int8_t>(0); }
TEST(HostDot, i8Swapped) { check<std::int32_t, std::int8_t, std::int8_t>(3); }
// SEMANTICS D2: a more exact product serves every precision. Where the chip has the unit, operands are sums of two
// numbers of 11 bits, but for 2^-22 of each, and the product of the second ones, 2^-22, is left out.
TEST(HostDot, tf32) { check<float, float, float>(1, "precision tf32x3", 0x1p-20); }

TEST(HostDot, infinityAndNan) {
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> one{1, 1};
  const auto product = [&](float x, float y) {
    return dot<float>({1, 1, 2}, std::vector<float>{x, y}, one, std::vector<float>{0}, false, false, "")[0];
  };
  EXPECT_EQ(product(inf, 1), inf);
  EXPECT_TRUE(std::isnan(product(inf, -inf)));
}

// One tile is the right operand of a product and the left one of another.
TEST(HostDot, bothSides) {
  for (const std::int64_t n : {1, 2, 8, 16}) {
    const std::string type = tileType({n, n}, "f32"), types = " : " + type + ", " + type + " -> " + type + "\n";
    TestKernel kernel(TileCase()
                          .in("a", "f32", {n, n})
                          .in("b", "f32", {n, n})
                          .in("c", "f32", {n, n})
                          .out("r", "f32", {n, n})
                          .out("s", "f32", {n, n})
                          .text("%r = tile.dot %a, %b, %c" + types + "%s = tile.dot %b, %c, %c" + types));
    const auto count = static_cast<std::size_t>(n * n);
    Memory<float> a(count), b(count), c(count), r(count), s(count);
    for (std::size_t i = 0; i != count; ++i) {
      a[i] = static_cast<float>(i % 7) - 3;
      b[i] = static_cast<float>(i % 5) - 1;
      c[i] = static_cast<float>(i % 3) + 1;
    }
    expectNoFaults(kernel.run1(a, b, c, r, s));
    const auto expected = [&](const Memory<float> &x, const Memory<float> &y, std::size_t i) {
      const auto width = static_cast<std::size_t>(n);
      float sum = c[i];
      for (std::size_t k = 0; k != width; ++k)
        sum += x[i / width * width + k] * y[k * width + i % width];
      return sum;
    };
    for (std::size_t i = 0; i != count; ++i) {
      ASSERT_EQ(r[i], expected(a, b, i)) << n << ": " << i;
      ASSERT_EQ(s[i], expected(b, c, i)) << n << ": " << i;
    }
  }
}

// An accumulator that a loop carries, and operands computed in the loop or before it.
TEST(HostDot, carriedAccumulator) {
  TestKernel kernel(R"(tile.kernel @k(%pa: !tile.ptr<f32>, %pb: !tile.ptr<f32>, %out: !tile.ptr<f32>) {
    %lane = tile.arange 0 to 64 : tensor<64xi32>
    %sa = tile.splat %pa : tensor<64x!tile.ptr<f32>>
    %qa = tile.addptr %sa, %lane : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %fa = tile.load %qa : tensor<64x!tile.ptr<f32>>
    %a = tile.reshape %fa : tensor<64xf32> -> tensor<8x8xf32>
    %zero = arith.constant dense<0.0> : tensor<8x8xf32>
    %lo = arith.constant 0 : i64
    %hi = arith.constant 5 : i64
    %one = arith.constant 1 : i64
    %r = scf.for %i = %lo to %hi step %one iter_args(%acc = %zero) -> tensor<8x8xf32> : i64 {
      %f = arith.sitofp %i : i64 to f32
      %sb = tile.splat %pb : tensor<64x!tile.ptr<f32>>
      %qb = tile.addptr %sb, %lane : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
      %fb = tile.load %qb : tensor<64x!tile.ptr<f32>>
      %tf = tile.splat %f : tensor<64xf32>
      %ff = arith.addf %fb, %tf : tensor<64xf32>
      %b = tile.reshape %ff : tensor<64xf32> -> tensor<8x8xf32>
      %d = tile.dot %a, %b, %acc : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
      scf.yield %d : tensor<8x8xf32>
    }
    %fr = tile.reshape %r : tensor<8x8xf32> -> tensor<64xf32>
    %so = tile.splat %out : tensor<64x!tile.ptr<f32>>
    %qo = tile.addptr %so, %lane : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    tile.store %qo, %fr : tensor<64x!tile.ptr<f32>>
    tile.return
  })");
  Memory<float> a(64), b(64), out(64);
  for (unsigned i = 0; i != 64; ++i) {
    a[i] = static_cast<float>(i % 7) - 3;
    b[i] = static_cast<float>(i % 5) - 2;
  }
  expectNoFaults(kernel.run1(a, b, out));
  for (unsigned row = 0; row != 8; ++row)
    for (unsigned column = 0; column != 8; ++column) {
      float sum = 0;
      for (unsigned turn = 0; turn != 5; ++turn)
        for (unsigned k = 0; k != 8; ++k)
          sum += a[row * 8 + k] * (b[k * 8 + column] + static_cast<float>(turn));
      ASSERT_EQ(out[row * 8 + column], sum) << row << ", " << column;
    }
}

} // namespace
} // namespace tessera::ir::interp
