//===- ReduceTest.cpp - combining elements along axes --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Expect.h"

#include "tessera/lang/Memory.h"
#include "tessera/lang/Reduce.h"

#include <gtest/gtest.h>

using namespace tessera;
using test::expectIR;

// SEMANTICS R1
TEST(Reduce, narrowFloatsSumInF32) {
  for (const DType dtype : {f16, bf16, e4m3, e5m2}) {
    expectIR([dtype] { EXPECT_EQ(sum(zeros(dtype, {64})).dtype(), dtype); },
             {"tile.convert_float %", "-> tensor<64xf32>", "tile.reduce %",
              "axis 0 : tensor<64xf32> -> f32 by arith.addf", "tile.convert_float %", "f32 ->"});
  }
  expectIR([] { EXPECT_EQ(sum(zeros(f32, {64})).dtype(), f32); },
           {"not convert", "tensor<64xf32> -> f32 by arith.addf"});
  expectIR([] { EXPECT_EQ(sum(zeros(f64, {64})).dtype(), f64); },
           {"not convert", "tensor<64xf64> -> f64 by arith.addf"});
}

// SEMANTICS R1
TEST(Reduce, narrowIntegersSumIn32Bits) {
  expectIR([] { EXPECT_EQ(sum(zeros(i8, {64})).dtype(), i32); },
           {"arith.extsi", "tensor<64xi32> -> i32 by arith.addi"});
  expectIR([] { EXPECT_EQ(sum(zeros(u16, {64})).dtype(), u32); },
           {"arith.extui", "tensor<64xi32> -> i32 by arith.addi"});
  expectIR([] { EXPECT_EQ(sum(zeros(i64, {64})).dtype(), i64); }, {"not ext", "tensor<64xi64> -> i64 by arith.addi"});
}

// SEMANTICS R1
TEST(Reduce, sumOfBoolsCounts) {
  expectIR([] { EXPECT_EQ(sum(zeros(i1, {64})).dtype(), i32); },
           {"arith.extui", "tensor<64xi32> -> i32 by arith.addi"});
}

// SEMANTICS R1
TEST(Reduce, dtypeChoosesTheResult) {
  expectIR([] { EXPECT_EQ(sum(zeros(f16, {64}), {.dtype = f32}).dtype(), f32); },
           {"tile.convert_float", "f32 by arith.addf", "not convert"});
  expectIR([] { EXPECT_EQ(sum(zeros(f32, {64}), {.dtype = f16}).dtype(), f16); },
           {"f32 by arith.addf", "tile.convert_float %", "f32 -> f16"});
  expectIR([] { EXPECT_EQ(sum(zeros(i32, {64}), {.dtype = i64}).dtype(), i64); },
           {"arith.extsi", "tensor<64xi64> -> i64 by arith.addi"});
  expectIR([] { EXPECT_EQ(sum(zeros(i32, {64}), {.dtype = f16}).dtype(), f16); },
           {"arith.sitofp", "tensor<64xf32> -> f32 by arith.addf", "tile.convert_float %", "f32 -> f16"});
  expectIR([] { EXPECT_EQ(sum(zeros(f32, {64}), {.dtype = f64}).dtype(), f64); },
           {"tile.convert_float", "tensor<64xf64> -> f64 by arith.addf"});
  expectIR([] { EXPECT_EQ(sum(zeros(u32, {64}), {.dtype = i32}).dtype(), i32); },
           {"not convert", "tensor<64xi32> -> i32 by arith.addi"});
}

// SEMANTICS R1a
TEST(Reduce, axes) {
  expectIR([] { EXPECT_EQ(sum(zeros(f32, {2, 4, 8}), {.axis = 1}).shape(), Shape({2, 8})); },
           {"tile.reduce %", "axis 1 : tensor<2x4x8xf32> -> tensor<2x8xf32> by arith.addf"});
  expectIR([] { EXPECT_EQ(sum(zeros(f32, {2, 4, 8}), {.axis = {0, -1}}).shape(), Shape({4})); },
           {"axis 2 : tensor<2x4x8xf32> -> tensor<2x4xf32>", "axis 0 : tensor<2x4xf32> -> tensor<4xf32>"});
  expectIR([] { EXPECT_EQ(sum(zeros(f32, {4, 8})).shape(), Shape()); },
           {"axis 1 : tensor<4x8xf32> -> tensor<4xf32>", "axis 0 : tensor<4xf32> -> f32"});
}

// SEMANTICS R1a
TEST(Reduce, keepDims) {
  expectIR([] { EXPECT_EQ(sum(zeros(f32, {2, 4, 8}), {.axis = 1, .keep_dims = true}).shape(), Shape({2, 1, 8})); },
           {"tile.expand_dims %", "axis 1 : tensor<2x8xf32> -> tensor<2x1x8xf32>"});
  expectIR([] { EXPECT_EQ(max(zeros(f32, {4, 8}), {.keep_dims = true}).shape(), Shape({1, 1})); },
           {"tile.splat %", ": tensor<1xf32>", "tile.expand_dims %", "tensor<1x1xf32>"});
  expectIR([] { EXPECT_EQ(argmax(zeros(f32, {4, 8}), {.axis = 0, .keep_dims = true}).shape(), Shape({1, 8})); },
           {"tile.expand_dims"});
}

// SEMANTICS R1, R1a
TEST(Reduce, ofScalarsIsTheScalar) {
  expectIR([](F32 s) { F32 same = sum(s); }, {"not tile.reduce"});
  expectIR([](F32 s) { I32 place = argmax(s); }, {"not tile.reduce"});
}

// SEMANTICS R1a
TEST(Reduce, prod) {
  expectIR([] { prod(zeros(f16, {64})); }, {"tile.convert_float", "f32 by arith.mulf", "tile.convert_float"});
  expectIR([] { prod(zeros(i8, {64})); }, {"arith.extsi", "i32 by arith.muli"});
}

// SEMANTICS R1a
TEST(Reduce, logic) {
  expectIR([] { Bool b = any(zeros(i1, {64})); }, {"tensor<64xi1> -> i1 by arith.ori"});
  expectIR([] { any(zeros(i1, {4, 64}), {.axis = 1}); }, {"tensor<4x64xi1> -> tensor<4xi1> by arith.ori"});
  expectIR([] { Bool b = all(zeros(i1, {64})); }, {"tensor<64xi1> -> i1 by arith.andi"});
  expectIR([] { xor_sum(zeros(u8, {64})); }, {"tensor<64xi8> -> i8 by arith.xori"});
  expectIR([] { Bool parity = xor_sum(zeros(i1, {64})); }, {"tensor<64xi1> -> i1 by arith.xori"});
}

// SEMANTICS R2, A5
TEST(Reduce, maxAndMinDropNaN) {
  expectIR([] { max(zeros(f32, {64})); }, {"f32 by tile.maxnum"});
  expectIR([] { min(zeros(f16, {64})); }, {"f16 by tile.minnum"});
  expectIR([] { max(zeros(f32, {64}), {.nan = Nan::propagate}); }, {"f32 by arith.maximumf"});
  expectIR([] { min(zeros(f32, {64}), {.nan = Nan::propagate}); }, {"f32 by arith.minimumf"});
  expectIR([] { EXPECT_EQ(max(zeros(e4m3, {64})).dtype(), e4m3); },
           {"tile.convert_float", "f32 by tile.maxnum", "tile.convert_float %", "f32 -> f8E4M3FN"});
  expectIR([] { max(zeros(i8, {64})); }, {"i8 by arith.maxsi"});
  expectIR([] { min(zeros(u8, {64})); }, {"i8 by arith.minui"});
}

// SEMANTICS R2
TEST(Reduce, argmaxCarriesTheIndex) {
  expectIR([] { EXPECT_EQ(argmax(zeros(f32, {4, 64}), {.axis = 1}).dtype(), i32); },
           {"tile.arange 0 to 64", "tile.broadcast %", "tensor<4x64xi32>", "tile.reduce %",
            "axis 1 : tensor<4x64xf32>, tensor<4x64xi32> -> tensor<4xf32>, tensor<4xi32> by", "arith.cmpi slt",
            "arith.cmpf ogt", "arith.cmpf oeq", "arith.cmpf uno", "arith.select", "tile.yield %"});
  expectIR([] { argmin(zeros(u16, {64})); }, {"not cmpf", "arith.cmpi ult", "arith.cmpi eq", "tile.yield"});
  // over all axes the place is that in row-major order
  expectIR([] { argmax(zeros(f32, {4, 8})); },
           {"tile.reshape %", "tensor<4x8xf32> -> tensor<32xf32>", "tile.arange 0 to 32", "-> f32, i32 by"});
}

// SEMANTICS R4
TEST(Reduce, deterministic) {
  expectIR([] { sum(zeros(f32, {64}), {.deterministic = true}); }, {"tile.reduce %", "axis 0 deterministic"});
  expectIR([] { reduce(zeros(f32, {64}), 0, [](Tile a, Tile b) { return a + b; }, {.deterministic = true}); },
           {"tile.reduce %", "axis 0 deterministic"});
}

// SEMANTICS R3
TEST(Reduce, byAFunction) {
  expectIR([] { EXPECT_EQ(reduce(zeros(f32, {4, 64}), 1, [](Tile a, Tile b) { return a + b; }).shape(), Shape({4})); },
           {"axis 1 : tensor<4x64xf32> -> tensor<4xf32> by arith.addf"});
  expectIR([] { reduce(zeros(i32, {64}), -1, [](I32 a, I32 b) { return maximum(a, b) ^ 1; }, {.keep_dims = true}); },
           {"tile.reduce %", "by (%", "arith.maxsi", "arith.xori", "tile.yield %", "tile.splat %", ": tensor<1xi32>"});
}

// SEMANTICS R3
TEST(Reduce, byAFunctionOfSeveralValues) {
  expectIR(
      [](Ptr<f32> p) {
        Tile value = load(p + arange(0, 64)), index = arange(0, 64);
        auto [v, i] = reduce(std::tuple{value, index}, 0, [](Tile a, Tile ai, Tile b, Tile bi) {
          Tile left = a >= b;
          return std::tuple{where(left, a, b), where(left, ai, bi)};
        });
        F32 best = v;
        I32 place = i;
      },
      {"tile.reduce %", "tensor<64xf32>, tensor<64xi32> -> f32, i32 by", "arith.cmpf oge", "arith.select",
       "arith.select", "tile.yield %", "f32, i32"});
  // tiles broadcast to one shape; a pair and std::tie serve too
  expectIR(
      [] {
        Tile a = zeros(f32, {64}), b = zeros(i32, {1});
        std::tie(a, b) = reduce(std::pair{a, b}, 0, [](F32 x, I32 i, F32 y, I32 j) { return std::pair{x + y, i + j}; });
      },
      {"tile.broadcast", "tile.reduce %", "-> f32, i32 by"});
}

// SEMANTICS R3
TEST(Reduce, aFunctionMayUseNumbersAndScalars) {
  expectIR([](F32 s) { reduce(zeros(f32, {64}), 0, [&](Tile a, Tile b) { return a * s + b * 0.5; }); },
           {"tile.reduce %", "arith.mulf %", "%arg0", "arith.constant 5.000000e-01 : f32", "tile.yield"});
  expectIR([] { reduce(zeros(f32, {64}), 0, [](Tile, Tile) { return 0; }); },
           {"tile.reduce %", "arith.constant 0.000000e+00 : f32", "tile.yield"});
}

// SEMANTICS L1, R3
TEST(Reduce, aFunctionInsideALoop) {
  expectIR(
      [](Int n) {
        Tile total = zeros(f32, {});
        for_range(0, n, [&](Int) { total += reduce(ones(f32, {64}), 0, [](Tile a, Tile b) { return a + b; }); });
      },
      {"scf.for", "iter_args", "tile.reduce %", "by arith.addf", "arith.addf", "scf.yield"});
}

// SEMANTICS R3
TEST(Reduce, aFunctionThatThrowsLeavesNothing) {
  expectIR(
      [] {
        const Tile x = zeros(f32, {64});
        EXPECT_THROW(reduce(x, 0,
                            [](Tile a, Tile b) -> Tile {
                              const Tile product = a * b;
                              throw UsageError("enough");
                            }),
                     UsageError);
        EXPECT_THROW(reduce(x, 0, [&](Tile a, Tile) { return a + x; }), UsageError);
        reduce(x, 0, [](Tile a, Tile b) { return a + b; });
      },
      {"tile.kernel", "not arith.mulf", "tile.reduce %", "by arith.addf", "not tile.reduce", "tile.return"});
}
