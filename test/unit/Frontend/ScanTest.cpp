//===- ScanTest.cpp - running sums and their kin -------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Expect.h"

#include "tessera/lang/Scan.h"

#include <gtest/gtest.h>

using namespace tessera;
using test::expectIR;

// SEMANTICS R1a, R1
TEST(Scan, cumsumAccumulatesLikeSum) {
  expectIR([] { EXPECT_EQ(cumsum(zeros(f16, {4, 64})).dtype(), f16); },
           {"tile.convert_float %", "tensor<4x64xf32>", "tile.scan %", "axis 1 : tensor<4x64xf32> by arith.addf",
            "tile.convert_float %", "tensor<4x64xf16>"});
  expectIR([] { EXPECT_EQ(cumsum(zeros(u8, {64})).dtype(), u32); }, {"arith.extui", "tensor<64xi32> by arith.addi"});
  expectIR([] { EXPECT_EQ(cumsum(zeros(i1, {64})).dtype(), i32); }, {"arith.extui", "tensor<64xi32> by arith.addi"});
  expectIR([] { EXPECT_EQ(cumsum(zeros(i32, {64}), {.dtype = i64}).dtype(), i64); },
           {"arith.extsi", "tensor<64xi64> by arith.addi"});
}

// SEMANTICS R1a
TEST(Scan, reverseAndExclusive) {
  expectIR([] { cumsum(zeros(f32, {4, 64}), {.axis = 0, .reverse = true}); },
           {"tile.scan %", "axis 0 reverse : tensor<4x64xf32> by arith.addf"});
  expectIR([] { cumsum(zeros(i32, {64}), {.exclusive = true}); }, {"exclusive identity [0 : i32]", "by arith.addi"});
  expectIR([] { cumprod(zeros(f16, {64}), {.exclusive = true}); },
           {"exclusive identity [1.000000e+00 : f32]", "by arith.mulf"});
}

// SEMANTICS R4
TEST(Scan, deterministic) {
  expectIR([] { cumsum(zeros(f32, {64}), {.deterministic = true}); }, {"tile.scan %", "axis 0 deterministic :"});
  expectIR([] { cumprod(zeros(f32, {64}), {.exclusive = true, .deterministic = true}); },
           {"exclusive identity [1.000000e+00 : f32] deterministic :"});
  expectIR([] { scan(zeros(f32, {64}), 0, [](Tile a, Tile b) { return a + b; }, {.deterministic = true}); },
           {"tile.scan %", "axis 0 deterministic :"});
  expectIR([] { cumsum(zeros(f32, {64})); }, {"tile.scan %", "not deterministic", "arith.addf"});
}

// SEMANTICS R3, R2
TEST(Scan, cummax) {
  expectIR([] { EXPECT_EQ(cummax(zeros(bf16, {64})).dtype(), bf16); }, {"tensor<64xbf16> by tile.maxnum"});
  expectIR([] { cummax(zeros(f32, {64}), {.exclusive = true, .nan = Nan::propagate}); },
           {"exclusive identity [0xFF800000 : f32]", "by arith.maximumf"});
  expectIR([] { cummax(zeros(i8, {64}), {.exclusive = true}); }, {"identity [-128 : i8]", "by arith.maxsi"});
  expectIR([] { cummin(zeros(u8, {64}), {.exclusive = true}); }, {"identity [-1 : i8]", "by arith.minui"});
  expectIR([] { cummin(zeros(e5m2, {64})); },
           {"tile.convert_float", "tensor<64xf32> by tile.minnum", "tile.convert_float"});
}

// SEMANTICS R3
TEST(Scan, byAFunction) {
  expectIR([] { scan(zeros(f32, {64}), 0, [](Tile a, Tile b) { return a * b; }, {.reverse = true}); },
           {"tile.scan %", "axis 0 reverse : tensor<64xf32> by arith.mulf"});
  expectIR([] { scan(zeros(i16, {64}), 0, [](Tile a, Tile b) { return a | b; }, {.exclusive = true, .identity = 0}); },
           {"exclusive identity [0 : i16]", "by arith.ori"});
}

// SEMANTICS R3
TEST(Scan, linearRecurrence) {
  expectIR(
      [] {
        Tile a = zeros(f32, {4, 64}), b = zeros(f32, {4, 64});
        auto [p, h] =
            scan(std::tuple{a, b}, 1, [](F32 a0, F32 b0, F32 a1, F32 b1) { return std::tuple{a0 * a1, a1 * b0 + b1}; },
                 {.exclusive = true, .identity = {1.0, 0}});
        EXPECT_EQ(h.shape(), Shape({4, 64}));
      },
      {"tile.scan %", "axis 1 exclusive identity [1.000000e+00 : f32, 0.000000e+00 : f32]", "by (%", "arith.mulf",
       "arith.mulf", "arith.addf", "tile.yield"});
}
