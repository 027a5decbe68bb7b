//===- ReduceTest.cpp - reductions -------------------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Interp/TileCase.h"

#include "Target/Interp/Float.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace tessera::ir::interp {
namespace {

using ::testing::ElementsAre;

constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();

/// Reduces \p x of \p shape along \p axis by the named op.
template <class T>
std::vector<T> reduced(const std::vector<T> &x, Extents shape, unsigned axis, const std::string &combine) {
  Extents rest = shape;
  rest.erase(rest.begin() + axis);
  const std::string op = "%r = tile.reduce %x axis " + std::to_string(axis) + " : " + tileType(shape, irType<T>()) +
                         " -> " + tileType(rest, irType<T>()) + " by " + combine;
  TestKernel kernel(TileCase().in("x", irType<T>(), shape).out("r", irType<T>(), rest).text(op));
  Memory<T> in(x), out(static_cast<std::size_t>(countOf(rest)));
  expectNoFaults(kernel.run1(in, out));
  return out.values;
}

/// The same in plain words: `fn` from left to right.
template <class T, class Fn>
std::vector<T> expected(const std::vector<T> &x, const Extents &shape, unsigned axis, Fn &&fn) {
  std::int64_t outer = 1, inner = 1;
  for (unsigned i = 0; i != shape.size(); ++i)
    (i < axis ? outer : inner) *= i == axis ? 1 : shape[i];
  const std::int64_t n = shape[axis];
  std::vector<T> r;
  for (std::int64_t o = 0; o != outer; ++o)
    for (std::int64_t i = 0; i != inner; ++i) {
      T sum = x[o * n * inner + i];
      for (std::int64_t j = 1; j != n; ++j)
        sum = fn(sum, x[(o * n + j) * inner + i]);
      r.push_back(sum);
    }
  return r;
}

template <class T> class ReduceInt : public ::testing::Test {};
using Ints = ::testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(ReduceInt, Ints);

// SEMANTICS R3, T5
TYPED_TEST(ReduceInt, everyKindAlongEveryAxis) {
  using T = TypeParam;
  using U = std::make_unsigned_t<T>;
  const Extents shape{4, 8, 16};
  const std::vector<T> x = anyBits<T>(512, 1);
  for (unsigned axis = 0; axis != 3; ++axis) {
    const auto check = [&](const std::string &op, auto fn) {
      EXPECT_EQ(reduced(x, shape, axis, op), expected(x, shape, axis, fn)) << op << " along " << axis;
    };
    check("arith.addi", [](T a, T b) { return static_cast<T>(std::uint64_t(a) + std::uint64_t(b)); });
    check("arith.muli", [](T a, T b) { return static_cast<T>(std::uint64_t(a) * std::uint64_t(b)); });
    check("arith.maxsi", [](T a, T b) { return std::max(a, b); });
    check("arith.minsi", [](T a, T b) { return std::min(a, b); });
    check("arith.maxui", [](T a, T b) { return U(a) > U(b) ? a : b; });
    check("arith.minui", [](T a, T b) { return U(a) < U(b) ? a : b; });
    check("arith.andi", [](T a, T b) { return static_cast<T>(a & b); });
    check("arith.ori", [](T a, T b) { return static_cast<T>(a | b); });
    check("arith.xori", [](T a, T b) { return static_cast<T>(a ^ b); });
  }
}

// SEMANTICS R1a
TEST(Reduce, bools) {
  const std::vector<Bool> x{{1}, {1}, {0}, {1}, {0}, {0}, {0}, {0}};
  const auto bits = [&](const std::string &op) { return reduced(x, {2, 4}, 1, op); };
  EXPECT_THAT(bits("arith.andi"), ElementsAre(Bool{0}, Bool{0}));
  EXPECT_THAT(bits("arith.ori"), ElementsAre(Bool{1}, Bool{0}));
  EXPECT_THAT(bits("arith.xori"), ElementsAre(Bool{1}, Bool{0}));
  EXPECT_THAT(bits("arith.addi"), ElementsAre(Bool{1}, Bool{0}));  // modulo 2
  EXPECT_THAT(bits("arith.maxsi"), ElementsAre(Bool{0}, Bool{0})); // a set i1 is -1 when signed
  EXPECT_THAT(bits("arith.maxui"), ElementsAre(Bool{1}, Bool{0}));
}

template <class T> class ReduceFloat : public ::testing::Test {};
using Floats = ::testing::Types<F16, BF16, float, double>;
TYPED_TEST_SUITE(ReduceFloat, Floats);

template <class T> std::vector<T> smallNumbers(std::size_t n) {
  std::mt19937 random(7);
  std::vector<T> x(n);
  for (T &v : x)
    v = fromDouble<T>(double(random() % 2000) / 64 - 15);
  return x;
}

/// The tree of the documented order: neighbours first.
template <class T> T pairwise(const T *x, std::int64_t n) {
  if (n == 1)
    return *x;
  return narrow<T>(widen(pairwise(x, n / 2)) + widen(pairwise(x + n / 2, n / 2)));
}

// SEMANTICS R4: the order is a tree over neighbours, for every other axis at once; bits are fixed by the extent alone.
TYPED_TEST(ReduceFloat, sumsInTheDocumentedOrder) {
  using T = TypeParam;
  for (std::int64_t n : {2, 8, 64, 1024}) {
    const std::vector<T> x = smallNumbers<T>(static_cast<std::size_t>(4 * n));
    const std::vector<T> rows = reduced(x, {4, n}, 1, "arith.addf");
    std::vector<T> transposed(x.size());
    for (std::int64_t r = 0; r != 4; ++r)
      for (std::int64_t i = 0; i != n; ++i)
        transposed[i * 4 + r] = x[r * n + i];
    const std::vector<T> columns = reduced(transposed, {n, 4}, 0, "arith.addf");
    for (std::int64_t r = 0; r != 4; ++r) {
      const double want = widen(pairwise(&x[r * n], n));
      EXPECT_EQ(widen(rows[r]), want);
      EXPECT_EQ(widen(columns[r]), want);
    }
  }
}

// SEMANTICS A5, R2
TYPED_TEST(ReduceFloat, extremaDropNanUnlessToldOtherwise) {
  using T = TypeParam;
  const auto value = [](double x) { return fromDouble<T>(x); };
  const std::vector<T> x{value(nan), value(1),   value(-inf), value(3), value(nan), value(nan),
                         value(nan), value(nan), value(-0.0), value(0), value(0),   value(-0.0)};
  std::vector<T> padded = x;
  padded.resize(16, value(2));
  const auto asDoubles = [&](const std::string &op) {
    std::vector<double> r;
    for (T v : reduced(padded, {4, 4}, 1, op))
      r.push_back(widen(v));
    return r;
  };
  const std::vector<double> most = asDoubles("tile.maxnum"), least = asDoubles("tile.minnum"),
                            mostOrNan = asDoubles("arith.maximumf"), leastOrNan = asDoubles("arith.minimumf");
  EXPECT_EQ(most[0], 3);
  EXPECT_EQ(least[0], -inf);
  EXPECT_TRUE(std::isnan(mostOrNan[0]) && std::isnan(leastOrNan[0]));
  EXPECT_TRUE(std::isnan(most[1]) && std::isnan(least[1]));
  EXPECT_FALSE(std::signbit(most[2]) || std::signbit(mostOrNan[2])); // -0 < +0
  EXPECT_TRUE(std::signbit(least[2]) && std::signbit(leastOrNan[2]));
  EXPECT_EQ(most[3], 2);
}

TYPED_TEST(ReduceFloat, products) {
  using T = TypeParam;
  const std::vector<T> x{fromDouble<T>(2), fromDouble<T>(-3), fromDouble<T>(0.5), fromDouble<T>(4)};
  EXPECT_EQ(widen(reduced(x, {4}, 0, "arith.mulf")[0]), -12);
  EXPECT_EQ(widen(reduced(x, {1, 4}, 0, "arith.mulf")[1]), -3); // an axis of one
}

constexpr std::string_view kArgMax = R"(
  %most, %at = tile.reduce %x, %i axis $AXIS : $X, $I -> $RX, $RI by
    (%lv: f32, %li: i32, %rv: f32, %ri: i32) {
      %l_nan = arith.cmpf uno, %lv, %lv : f32
      %r_nan = arith.cmpf uno, %rv, %rv : f32
      %gt = arith.cmpf ogt, %lv, %rv : f32
      %eq = arith.cmpf oeq, %lv, %rv : f32
      %both = arith.andi %l_nan, %r_nan : i1
      %tie = arith.ori %eq, %both : i1
      %lower = arith.cmpi slt, %li, %ri : i32
      %first = arith.andi %tie, %lower : i1
      %true = arith.constant true
      %l_num = arith.xori %l_nan, %true : i1
      %only = arith.andi %l_num, %r_nan : i1
      %a = arith.ori %gt, %first : i1
      %left = arith.ori %a, %only : i1
      %v = arith.select %left, %lv, %rv : f32
      %j = arith.select %left, %li, %ri : i32
      tile.yield %v, %j : f32, i32
    })";

std::string argMax(unsigned axis, const Extents &shape) {
  Extents rest = shape;
  rest.erase(rest.begin() + axis);
  return substitute(kArgMax, {{"$AXIS", std::to_string(axis)},
                              {"$X", tileType(shape, "f32")},
                              {"$I", tileType(shape, "i32")},
                              {"$RX", tileType(rest, "f32")},
                              {"$RI", tileType(rest, "i32")}});
}

// SEMANTICS R2, R3: two values at once, any axis, more pairs than lanes of the combine.
TEST(Reduce, argMaxAlongEveryAxis) {
  std::mt19937 random(3);
  for (const Extents &shape : {Extents{64}, Extents{16, 4}, Extents{4, 64, 32}, Extents{1, 8192}, Extents{8192, 2}}) {
    std::vector<float> x(countOf(shape));
    for (float &v : x)
      v = random() % 7 == 0 ? nan : float(random() % 50);
    for (unsigned axis = 0; axis != shape.size(); ++axis) {
      Extents rest = shape;
      rest.erase(rest.begin() + axis);
      std::vector<std::int32_t> index(x.size());
      std::int64_t inner = 1;
      for (unsigned i = axis + 1; i != shape.size(); ++i)
        inner *= shape[i];
      for (std::size_t i = 0; i != index.size(); ++i)
        index[i] = static_cast<std::int32_t>(i / inner % shape[axis]);
      TestKernel kernel(TileCase()
                            .in("x", "f32", shape)
                            .in("i", "i32", shape)
                            .out("most", "f32", rest)
                            .out("at", "i32", rest)
                            .text(argMax(axis, shape)));
      Memory<float> mx(x), most(countOf(rest));
      Memory<std::int32_t> mi(index), at(countOf(rest));
      expectNoFaults(kernel.run1(mx, mi, most, at));
      for (std::int64_t k = 0; k != countOf(rest); ++k) {
        const std::int64_t start = k / inner * inner * shape[axis] + k % inner;
        std::int32_t best = -1;
        for (std::int32_t j = 0; j != shape[axis]; ++j)
          if (const float v = x[start + j * inner]; !std::isnan(v) && (best < 0 || v > x[start + best * inner]))
            best = j;
        ASSERT_EQ(at[k], std::max(best, 0)) << "axis " << axis << ", result " << k; // all NaN: index 0
        if (best >= 0)
          ASSERT_EQ(most[k], x[start + best * inner]);
        else
          ASSERT_TRUE(std::isnan(most[k]));
      }
    }
  }
}

// A combine that is not commutative shows that operands keep their sides.
TEST(Reduce, leftStaysLeft) {
  const Extents shape{8, 4};
  const std::string op = R"(%r = tile.reduce %x axis 0 : tensor<8x4xi32> -> tensor<4xi32> by (%a: i32, %b: i32) {
    tile.yield %a : i32
  }
  %s = tile.reduce %x axis 0 : tensor<8x4xi32> -> tensor<4xi32> by (%a: i32, %b: i32) {
    tile.yield %b : i32
  })";
  TestKernel kernel(TileCase().in("x", "i32", shape).out("r", "i32", {4}).out("s", "i32", {4}).text(op));
  Memory<std::int32_t> x(32), r(4), s(4);
  std::iota(x.values.begin(), x.values.end(), 0);
  expectNoFaults(kernel.run1(x, r, s));
  EXPECT_THAT(r.values, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(s.values, ElementsAre(28, 29, 30, 31));
}

// Mean and variance in one pass, and a scalar from outside the region.
TEST(Reduce, threeValuesAndAScalarFromOutside) {
  const std::string op = R"(
    %one = arith.constant dense<1.0> : tensor<256xf32>
    %zero = arith.constant dense<0.0> : tensor<256xf32>
    %mean, %m2, %n = tile.reduce %x, %zero, %one axis 0 : tensor<256xf32>, tensor<256xf32>, tensor<256xf32>
        -> f32, f32, f32 by (%ma: f32, %sa: f32, %na: f32, %mb: f32, %sb: f32, %nb: f32) {
      %n = arith.addf %na, %nb : f32
      %d = arith.subf %mb, %ma : f32
      %w = arith.divf %nb, %n : f32
      %dw = arith.mulf %d, %w : f32
      %m = arith.addf %ma, %dw : f32
      %dd = arith.mulf %d, %d : f32
      %ddn = arith.mulf %dd, %na : f32
      %t = arith.mulf %ddn, %w : f32
      %u = arith.mulf %t, %scale : f32
      %s = arith.addf %sa, %sb : f32
      %v = arith.addf %s, %u : f32
      tile.yield %m, %v, %n : f32, f32, f32
    })";
  TestKernel kernel(TileCase()
                        .in("x", "f32", {256})
                        .scalar("scale", "f32")
                        .out("mean", "f32", {})
                        .out("m2", "f32", {})
                        .out("n", "f32", {})
                        .text(op));
  Memory<float> x(256), mean(1), m2(1), n(1);
  std::iota(x.values.begin(), x.values.end(), 1.0f);
  expectNoFaults(kernel.run1(x, 1.0f, mean, m2, n));
  EXPECT_FLOAT_EQ(mean[0], 128.5f);
  EXPECT_FLOAT_EQ(m2[0], 256.0f * (256.0f * 256.0f - 1) / 12);
  EXPECT_EQ(n[0], 256.0f);
  expectNoFaults(kernel.run1(x, 0.0f, mean, m2, n));
  EXPECT_EQ(m2[0], 0.0f);
}

// A combine that branches takes its lanes one at a time.
TEST(Reduce, branchesInTheCombine) {
  const std::string op = R"(%r = tile.reduce %x axis 0 : tensor<8x4xi32> -> tensor<4xi32> by (%a: i32, %b: i32) {
    %less = arith.cmpi slt, %a, %b : i32
    %m = scf.if %less -> i32 {
      scf.yield %b : i32
    } else {
      scf.yield %a : i32
    }
    tile.yield %m : i32
  }
  %s = tile.scan %x axis 0 : tensor<8x4xi32> by (%a: i32, %b: i32) {
    %less = arith.cmpi slt, %a, %b : i32
    %m = scf.if %less -> i32 {
      scf.yield %b : i32
    } else {
      scf.yield %a : i32
    }
    tile.yield %m : i32
  })";
  TestKernel kernel(TileCase().in("x", "i32", {8, 4}).out("r", "i32", {4}).out("s", "i32", {8, 4}).text(op));
  const std::vector<std::int32_t> values = anyBits<std::int32_t>(32, 8);
  Memory<std::int32_t> x(values), r(4), s(32);
  expectNoFaults(kernel.run1(x, r, s));
  for (int c = 0; c != 4; ++c) {
    std::int32_t most = values[c];
    for (int i = 0; i != 8; ++i) {
      most = std::max(most, values[i * 4 + c]);
      EXPECT_EQ(s[i * 4 + c], most);
    }
    EXPECT_EQ(r[c], most);
  }
}

// SEMANTICS P1: results do not depend on the number of threads.
TEST(Reduce, sameBitsWithAnyNumberOfThreads) {
  const std::string text = R"(tile.kernel @k(%p: !tile.ptr<f32>, %out: !tile.ptr<f32>) {
    %pid = tile.program_id x
    %lane = tile.arange 0 to 1024 : tensor<1024xi32>
    %n = arith.constant 1024 : i64
    %start = arith.muli %pid, %n : i64
    %q = tile.addptr %p, %start : !tile.ptr<f32>, i64
    %s = tile.splat %q : tensor<1024x!tile.ptr<f32>>
    %a = tile.addptr %s, %lane : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
    %x = tile.load %a : tensor<1024x!tile.ptr<f32>>
    %r = tile.reduce %x axis 0 deterministic : tensor<1024xf32> -> f32 by arith.addf
    %o = tile.addptr %out, %pid : !tile.ptr<f32>, i64
    tile.store %o, %r : !tile.ptr<f32>
    tile.return
  })";
  TestKernel kernel(text);
  Memory<float> x(1024 * 32), first(32), r(32);
  std::mt19937 random(5);
  for (float &v : x.values)
    v = float(random()) * 1e-9f;
  expectNoFaults(kernel.threads(1).run({32, 1, 1}, x, first));
  for (unsigned threads : {2u, 5u}) {
    expectNoFaults(kernel.threads(threads).run({32, 1, 1}, x, r));
    EXPECT_EQ(r.values, first.values);
  }
}

} // namespace
} // namespace tessera::ir::interp
