//===- ReportedFamiliesTest.cpp - reported mistakes of reductions, scans, dots and atomics ---===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Small kernels that other compilers were reported to get wrong. Matrices live in memory row by row.
//
//===---------------------------------------------------------------------===//

#include "unit/Interp/Harness.h"

#include "Target/Interp/Float.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace tessera::ir::interp {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Pointwise;

/// Text that loads a tile from a row-major array: %NAME of `tensor<SHAPExT>` from pointer %pNAME.
std::string load(std::string_view name, std::string_view shape, std::size_t count, std::string_view type) {
  return substitute(R"(
  %iN0 = tile.arange 0 to COUNT : tensor<COUNTxi32>
  %iN = tile.reshape %iN0 : tensor<COUNTxi32> -> tensor<SHAPExi32>
  %sN = tile.splat %pN : tensor<SHAPEx!tile.ptr<TYPE>>
  %qN = tile.addptr %sN, %iN : tensor<SHAPEx!tile.ptr<TYPE>>, tensor<SHAPExi32>
  %N = tile.load %qN : tensor<SHAPEx!tile.ptr<TYPE>>
)",
                    {{"COUNT", std::to_string(count)},
                     {"SHAPE", std::string(shape)},
                     {"TYPE", std::string(type)},
                     {"N", std::string(name)}});
}

/// Text that stores %VALUE to a row-major array behind %pout.
std::string store(std::string_view value, std::string_view shape, std::size_t count, std::string_view type) {
  return substitute(R"(
  %io0 = tile.arange 0 to COUNT : tensor<COUNTxi32>
  %io = tile.reshape %io0 : tensor<COUNTxi32> -> tensor<SHAPExi32>
  %so = tile.splat %pout : tensor<SHAPEx!tile.ptr<TYPE>>
  %qo = tile.addptr %so, %io : tensor<SHAPEx!tile.ptr<TYPE>>, tensor<SHAPExi32>
  tile.store %qo, %VALUE : tensor<SHAPEx!tile.ptr<TYPE>>
  tile.return
}
)",
                    {{"COUNT", std::to_string(count)},
                     {"SHAPE", std::string(shape)},
                     {"TYPE", std::string(type)},
                     {"VALUE", std::string(value)}});
}

// SEMANTICS R1: the sum of row sums
TEST(Reported, sumOfRowSums) {
  TestKernel kernel(R"(
tile.kernel @k(%pout: !tile.ptr<f32>) {
  %x = arith.constant dense<0.0078125> : tensor<128x128xf32>
  %rows = tile.reduce %x axis 1 : tensor<128x128xf32> -> tensor<128xf32> by arith.addf
  %sum = tile.reduce %rows axis 0 : tensor<128xf32> -> f32 by arith.addf
  %r = tile.splat %sum : tensor<128xf32>
)" + store("r", "128", 128, "f32"));
  Memory<float> out(128);
  expectNoFaults(kernel.run1(out));
  EXPECT_THAT(out.values, Each(128.0f));
}

// SEMANTICS R2: the maximum over axis 0 of a column made by reshaping row sums
TEST(Reported, maximumOfAColumn) {
  TestKernel kernel("tile.kernel @k(%px: !tile.ptr<f32>, %pout: !tile.ptr<f32>) {" + load("x", "16x8", 128, "f32") + R"(
  %rows = tile.reduce %x axis 1 : tensor<16x8xf32> -> tensor<16xf32> by arith.addf
  %col = tile.reshape %rows : tensor<16xf32> -> tensor<16x1xf32>
  %max = tile.reduce %col axis 0 : tensor<16x1xf32> -> tensor<1xf32> by tile.maxnum
)" + store("max", "1", 1, "f32"));
  Memory<float> x(128), out(1);
  for (int i = 0; i != 128; ++i)
    x[i] = i / 8 == 5 ? 0.218125f : 0.1255f;
  expectNoFaults(kernel.run1(x, out));
  EXPECT_NEAR(out[0], 1.745f, 1e-5f);
}

// SEMANTICS R1a: windows [H, W, k, k] summed over axis 2 twice
TEST(Reported, slidingWindowSums) {
  TestKernel kernel("tile.kernel @k(%px: !tile.ptr<f32>, %pout: !tile.ptr<f32>) {" + load("x", "4x2x2x2", 32, "f32") +
                    R"(
  %a = tile.reduce %x axis 2 : tensor<4x2x2x2xf32> -> tensor<4x2x2xf32> by arith.addf
  %b = tile.reduce %a axis 2 : tensor<4x2x2xf32> -> tensor<4x2xf32> by arith.addf
)" + store("b", "4x2", 8, "f32"));
  Memory<float> x(32), out(8);
  std::iota(x.values.begin(), x.values.end(), 0.0f);
  expectNoFaults(kernel.run1(x, out));
  for (int i = 0; i != 8; ++i)
    EXPECT_EQ(out[i], 16.0f * i + 6.0f);
}

// Row sums gathered in a loop, stored per row, and used twice
TEST(Reported, loopOfRowSumsUsedTwice) {
  TestKernel kernel("tile.kernel @k(%px: !tile.ptr<f32>, %pout: !tile.ptr<f32>, %n: i64) {" +
                    load("x", "256x4", 1024, "f32") + R"(
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %acc0 = arith.constant dense<0.0> : tensor<256xf32>
  %acc = scf.for %i = %zero to %n step %one iter_args(%s = %acc0) -> (tensor<256xf32>) : i64 {
    %rows = tile.reduce %x axis 1 : tensor<256x4xf32> -> tensor<256xf32> by arith.addf
    %t = arith.addf %s, %rows : tensor<256xf32>
    scf.yield %t : tensor<256xf32>
  }
  %twice = arith.addf %acc, %acc : tensor<256xf32>
)" + store("twice", "256", 256, "f32"));
  Memory<float> x(1024), out(256);
  for (int i = 0; i != 1024; ++i)
    x[i] = static_cast<float>(i / 4);
  expectNoFaults(kernel.run1(x, out, std::int64_t(3)));
  for (int r = 0; r != 256; ++r)
    ASSERT_EQ(out[r], 24.0f * r);
}

// SEMANTICS R2: max of NaN and inf
TEST(Reported, maximumOfNanAndInfinity) {
  const auto max = [](std::string_view combine) {
    TestKernel kernel("tile.kernel @k(%px: !tile.ptr<f32>, %pout: !tile.ptr<f32>) {" + load("x", "2", 2, "f32") +
                      "%m = tile.reduce %x axis 0 : tensor<2xf32> -> f32 by " + std::string(combine) +
                      "\n%r = tile.splat %m : tensor<1xf32>\n" + store("r", "1", 1, "f32"));
    Memory<float> x{NAN, HUGE_VALF}, out(1);
    expectNoFaults(kernel.run1(x, out));
    return out[0];
  };
  EXPECT_EQ(max("tile.maxnum"), HUGE_VALF);
  EXPECT_TRUE(std::isnan(max("arith.maximumf")));
}

// SEMANTICS R1a: sums along an axis of ones, in a loop of one trip; sums of bools count
TEST(Reported, cumulativeSums) {
  for (int n : {8, 32}) {
    TestKernel kernel(substitute(R"(
tile.kernel @k(%pout: !tile.ptr<i32>, %trips: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %ones = arith.constant dense<1> : tensor<1xNxi32>
  %r = scf.for %i = %zero to %trips step %one iter_args(%s = %ones) -> (tensor<1xNxi32>) : i64 {
    %c = tile.scan %s axis 1 : tensor<1xNxi32> by arith.addi
    scf.yield %c : tensor<1xNxi32>
  }
)",
                                 {{"N", std::to_string(n)}}) +
                      store("r", "1x" + std::to_string(n), static_cast<std::size_t>(n), "i32"));
    Memory<std::int32_t> out(static_cast<std::size_t>(n));
    expectNoFaults(kernel.run1(out, std::int64_t(1)));
    for (int i = 0; i != n; ++i)
      EXPECT_EQ(out[i], i + 1);
  }
  const std::vector<Bool> all(4, Bool{1});
  EXPECT_THAT(
      elementwise<std::int32_t>("%w = arith.extui %a : $A to $R\n%r = tile.scan %w axis 0 : $R by arith.addi", all),
      ElementsAre(1, 2, 3, 4));
}

// SEMANTICS R5: a sort is a permutation, NaN included
TEST(Reported, descendingSortKeepsEveryValue) {
  const auto r =
      elementwise<float>("%r = tile.sort %a axis 0 descending : $A", std::vector<float>{HUGE_VALF, 3.14159f, NAN, -1});
  EXPECT_TRUE(std::isnan(r[0]));
  EXPECT_THAT(std::vector<float>(r.begin() + 1, r.end()), ElementsAre(HUGE_VALF, 3.14159f, -1));
}

// SEMANTICS R5: one bin beside a sentinel; 128 equal bytes
TEST(Reported, smallHistograms) {
  TestKernel kernel(R"(
tile.kernel @k(%pout: !tile.ptr<i32>) {
  %x = arith.constant dense<0> : tensor<128xi8>
  %h = tile.histogram %x : tensor<128xi8> -> tensor<1xi32>
)" + store("h", "1", 1, "i32"));
  Memory<std::int32_t> out{-7, -7};
  expectNoFaults(kernel.run1(out));
  EXPECT_THAT(out.values, ElementsAre(128, -7));
}

/// a * b of row-major square matrices in double.
std::vector<double> product(const std::vector<double> &a, const std::vector<double> &b, int n) {
  std::vector<double> c(a.size());
  for (int i = 0; i != n; ++i)
    for (int j = 0; j != n; ++j)
      for (int k = 0; k != n; ++k)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
  return c;
}

struct Matrices {
  Memory<F16> a = Memory<F16>(256), b = Memory<F16>(256), c = Memory<F16>(256);
  Memory<float> out = Memory<float>(256);
  std::vector<double> da, db, dc;
  Matrices() {
    for (int i = 0; i != 256; ++i) {
      a[i] = narrowToF16(static_cast<float>(i * 7 % 5 - 2));
      b[i] = narrowToF16(static_cast<float>(i * 3 % 7 - 3));
      c[i] = narrowToF16(static_cast<float>(i % 3 - 1));
      da.push_back(widen(a[i]));
      db.push_back(widen(b[i]));
      dc.push_back(widen(c[i]));
    }
  }
  std::vector<double> got() const { return {out.values.begin(), out.values.end()}; }
};

// SEMANTICS D1: a chain of two products
TEST(Reported, chainedDots) {
  TestKernel kernel(
      "tile.kernel @k(%pa: !tile.ptr<f16>, %pb: !tile.ptr<f16>, %pc: !tile.ptr<f16>, %pout: !tile.ptr<f32>) {" +
      load("a", "16x16", 256, "f16") + load("b", "16x16", 256, "f16") + load("c", "16x16", 256, "f16") + R"(
  %z = arith.constant dense<0.0> : tensor<16x16xf32>
  %d = tile.dot %a, %b, %z : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  %h = tile.convert_float %d : tensor<16x16xf32> -> tensor<16x16xf16>
  %e = tile.dot %h, %c, %z : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
)" + store("e", "16x16", 256, "f32"));
  Matrices m;
  expectNoFaults(kernel.run1(m.a, m.b, m.c, m.out));
  EXPECT_EQ(m.got(), product(product(m.da, m.db, 16), m.dc, 16));
}

// SEMANTICS D1, S1: transposed right and left sides
TEST(Reported, transposedDots) {
  const auto transposed = [](const std::vector<double> &x) {
    std::vector<double> t(256);
    for (int i = 0; i != 256; ++i)
      t[i % 16 * 16 + i / 16] = x[i];
    return t;
  };
  const auto kernelOf = [](std::string_view a, std::string_view b) {
    return TestKernel("tile.kernel @k(%pa: !tile.ptr<f16>, %pb: !tile.ptr<f16>, %pout: !tile.ptr<f32>) {" +
                      load("a", "16x16", 256, "f16") + load("b", "16x16", 256, "f16") +
                      substitute(R"(
  %at = tile.trans %a [1, 0] : tensor<16x16xf16> -> tensor<16x16xf16>
  %bt = tile.trans %b [1, 0] : tensor<16x16xf16> -> tensor<16x16xf16>
  %z = arith.constant dense<0.0> : tensor<16x16xf32>
  %d = tile.dot %LEFT, %RIGHT, %z : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
)",
                                 {{"LEFT", std::string(a)}, {"RIGHT", std::string(b)}}) +
                      store("d", "16x16", 256, "f32"));
  };
  Matrices m;
  expectNoFaults(kernelOf("a", "bt").run1(m.a, m.b, m.out));
  EXPECT_EQ(m.got(), product(m.da, transposed(m.db), 16));
  expectNoFaults(kernelOf("at", "b").run1(m.a, m.b, m.out));
  EXPECT_EQ(m.got(), product(transposed(m.da), m.db, 16));
}

// SEMANTICS D2: f32 products by hand and by dot are those of f32
TEST(Reported, f32Products) {
  const std::string loads = load("a", "2x2", 4, "f32") + load("b", "2x2", 4, "f32");
  TestKernel byDot("tile.kernel @k(%pa: !tile.ptr<f32>, %pb: !tile.ptr<f32>, %pout: !tile.ptr<f32>) {" + loads + R"(
  %z = arith.constant dense<0.0> : tensor<2x2xf32>
  %d = tile.dot %a, %b, %z : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
)" + store("d", "2x2", 4, "f32"));
  TestKernel byHand("tile.kernel @k(%pa: !tile.ptr<f32>, %pb: !tile.ptr<f32>, %pout: !tile.ptr<f32>) {" + loads + R"(
  %ac = tile.expand_dims %a axis 2 : tensor<2x2xf32> -> tensor<2x2x1xf32>
  %bc = tile.expand_dims %b axis 0 : tensor<2x2xf32> -> tensor<1x2x2xf32>
  %ab = tile.broadcast %ac : tensor<2x2x1xf32> -> tensor<2x2x2xf32>
  %bb = tile.broadcast %bc : tensor<1x2x2xf32> -> tensor<2x2x2xf32>
  %p = arith.mulf %ab, %bb : tensor<2x2x2xf32>
  %d = tile.reduce %p axis 1 : tensor<2x2x2xf32> -> tensor<2x2xf32> by arith.addf
)" + store("d", "2x2", 4, "f32"));
  const float x = 1.0f + 0x1p-20f; // tf32 would lose the last bits
  Memory<float> a{x, 0, 0, 1}, b{1, 2, 3, x}, out(4);
  for (TestKernel *kernel : {&byDot, &byHand}) {
    expectNoFaults(kernel->run1(a, b, out));
    EXPECT_THAT(out.values, ElementsAre(x, 2 * x, 3, x));
  }
}

// SEMANTICS M5: the old value of a counter as a row number
TEST(Reported, atomicAsRowIndex) {
  TestKernel kernel(R"(
tile.kernel @k(%count: !tile.ptr<i32>, %out: !tile.ptr<i32>) {
  %one = arith.constant 1 : i32
  %row = tile.atomic_rmw add relaxed device %count, %one : !tile.ptr<i32>
  %eight = arith.constant 8 : i32
  %start = arith.muli %row, %eight : i32
  %p = tile.addptr %out, %start : !tile.ptr<i32>, i32
  %lane = tile.arange 0 to 8 : tensor<8xi32>
  %s = tile.splat %p : tensor<8x!tile.ptr<i32>>
  %q = tile.addptr %s, %lane : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
  tile.store %q, %lane : tensor<8x!tile.ptr<i32>>
  tile.return
})");
  Memory<std::int32_t> count{1}, out(16, -1);
  expectNoFaults(kernel.run1(count, out));
  for (int i = 0; i != 16; ++i)
    EXPECT_EQ(out[i], i < 8 ? -1 : i - 8);
  EXPECT_EQ(count[0], 2);
}

// SEMANTICS M5: duplicate indices each count, masked lanes do not
TEST(Reported, atomicAddOfDuplicates) {
  TestKernel kernel("tile.kernel @k(%px: !tile.ptr<i32>, %out: !tile.ptr<f32>) {" + load("x", "8", 8, "i32") + R"(
  %zero = arith.constant dense<0> : tensor<8xi32>
  %in = arith.cmpi sge, %x, %zero : tensor<8xi32>
  %s = tile.splat %out : tensor<8x!tile.ptr<f32>>
  %q = tile.addptr %s, %x : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %old = tile.atomic_rmw fadd relaxed device %q, %one mask %in : tensor<8x!tile.ptr<f32>>
  tile.return
})");
  Memory<std::int32_t> x{0, 3, 3, -1, 0, 3, 1, -100};
  Memory<float> out(4);
  expectNoFaults(kernel.run1(x, out));
  EXPECT_THAT(out.values, ElementsAre(2, 1, 0, 3));
}

// SEMANTICS M5: a dimension of the grid that the address does not use
TEST(Reported, atomicOverAnUnusedAxis) {
  TestKernel kernel(R"(
tile.kernel @k(%out: !tile.ptr<i32>) {
  %x = tile.program_id x
  %y = tile.program_id y
  %two = arith.constant 2 : i64
  %a = arith.muli %x, %two : i64
  %b = arith.addi %a, %y : i64
  %q = tile.addptr %out, %b : !tile.ptr<i32>, i64
  %one = arith.constant 1 : i32
  %old = tile.atomic_rmw add relaxed device %q, %one : !tile.ptr<i32>
  tile.return
})");
  Memory<std::int32_t> out(4);
  expectNoFaults(kernel.run({2, 2, 3}, out));
  EXPECT_THAT(out.values, Each(3));
}

} // namespace
} // namespace tessera::ir::interp
