//===- DotTest.cpp - products of matrices --------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Expect.h"

#include "tessera/lang/Dot.h"

#include <gtest/gtest.h>

using namespace tessera;
using test::expectIR;

// SEMANTICS D1
TEST(Dot, accumulators) {
  struct Row {
    DType a, b, acc;
  };
  for (const Row &row : {Row{f16, f16, f32}, Row{bf16, bf16, f32}, Row{e4m3, e5m2, f32}, Row{e4m3fnuz, e5m2fnuz, f32},
                         Row{e5m2, e5m2, f32}, Row{f32, f32, f32}, Row{f64, f64, f64}, Row{i8, i8, i32}}) {
    expectIR(
        [&row] {
          const Tile product = dot(zeros(row.a, {64, 32}), zeros(row.b, {32, 16}));
          EXPECT_EQ(product.dtype(), row.acc);
          EXPECT_EQ(product.shape(), Shape({64, 16}));
        },
        {"tile.dot %"});
  }
}

// SEMANTICS D1
TEST(Dot, startsAtZeroOrTheAccumulator) {
  expectIR([] { dot(zeros(f16, {16, 32}), zeros(f16, {32, 16})); },
           {"arith.constant dense<0.000000e+00> : tensor<16x16xf32>", "tile.dot %"});
  expectIR([] { dot(zeros(f16, {16, 32}), zeros(f16, {32, 16}), ones(f32, {16, 16})); },
           {"arith.constant dense<1.000000e+00> : tensor<16x16xf32>", "tile.dot %",
            "tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x16xf32>"});
}

// SEMANTICS D1
TEST(Dot, batches) {
  expectIR([] { dot(zeros(f16, {4, 16, 32}), zeros(f16, {4, 32, 8})); },
           {"tile.dot %", "tensor<4x16x32xf16>, tensor<4x32x8xf16> -> tensor<4x16x8xf32>"});
}

// SEMANTICS D2
TEST(Dot, precisionIsThatOfF32) {
  expectIR([] { dot(zeros(f32, {16, 32}), zeros(f32, {32, 16})); }, {"tile.dot %", "not precision", "->"});
  expectIR([] { dot(zeros(f32, {16, 32}), zeros(f32, {32, 16}), {.precision = Precision::tf32}); },
           {"tile.dot %", "precision tf32"});
  expectIR(
      [] { dot(zeros(f32, {16, 32}), zeros(f32, {32, 16}), zeros(f32, {16, 16}), {.precision = Precision::bf16x3}); },
      {"tile.dot %", "precision bf16x3"});
  expectIR([] { dot(zeros(f16, {16, 32}), zeros(f16, {32, 16}), {.precision = Precision::tf32}); },
           {"tile.dot %", "not precision", "->"});
}

// SEMANTICS D1a
TEST(Dot, maxImpreciseK) {
  expectIR([] { dot(zeros(e4m3, {16, 64}), zeros(e5m2, {64, 16}), {.max_imprecise_k = 32}); },
           {"tile.dot %", "max_imprecise_k 32"});
}

// SEMANTICS D3
TEST(Dot, anyPowersOfTwo) {
  expectIR([] { dot(zeros(f16, {1, 1}), zeros(f16, {1, 1})); }, {"tensor<1x1xf16> -> tensor<1x1xf32>"});
  expectIR([] { dot(zeros(f32, {1, 256}), zeros(f32, {256, 2})); }, {"-> tensor<1x2xf32>"});
}
