//===- ShapeTest.cpp - moving elements without computing on them ---------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Expect.h"

#include "tessera/lang/Shape.h"

#include <gtest/gtest.h>

using namespace tessera;
using test::expectIR;

// SEMANTICS S1
TEST(Shape, reshapeKeepsRowMajorOrder) {
  expectIR([] { reshape(zeros(f32, {64, 32}), {8, 256}); },
           {"tile.reshape %", "tensor<64x32xf32> -> tensor<8x256xf32>"});
  expectIR([] { F32 s = reshape(zeros(f32, {1, 1}), {}); }, {"tile.reshape %", "tensor<1x1xf32> -> f32"});
  expectIR([](F32 s) { reshape(s, {1}); }, {"tile.reshape %", "f32 -> tensor<1xf32>"});
  expectIR([] { reshape(zeros(f32, {8}), {8}); }, {"not tile.reshape"});
}

// SEMANTICS S1
TEST(Shape, transSwapsTheLastTwoAxes) {
  expectIR([] { trans(zeros(f32, {64, 32})); }, {"tile.trans %", "[1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>"});
  expectIR([] { trans(zeros(f32, {2, 64, 32})); },
           {"tile.trans %", "[0, 2, 1] : tensor<2x64x32xf32> -> tensor<2x32x64xf32>"});
  expectIR([] { trans(zeros(f32, {2, 4, 8}), {-1, 0, 1}); },
           {"tile.trans %", "[2, 0, 1] : tensor<2x4x8xf32> -> tensor<8x2x4xf32>"});
}

// SEMANTICS S1, M2, T4
TEST(Shape, joinAddsAnAxisOfTwo) {
  expectIR([] { join(zeros(f32, {64}), ones(f32, {64})); }, {"tile.join %", "tensor<64xf32> -> tensor<64x2xf32>"});
  expectIR([](F32 s) { join(zeros(f16, {64}), s); },
           {"tile.convert_float", "tile.splat", "tile.join %", "tensor<64xf32> -> tensor<64x2xf32>"});
  expectIR([](Int n) { join(n, 0); }, {"tile.join %", "i64 -> tensor<2xi64>"});
}

// SEMANTICS S1
TEST(Shape, splitDropsAnAxisOfTwo) {
  expectIR(
      [] {
        auto [even, odd] = split(zeros(f32, {64, 2}));
        reshape(odd, {8, 8});
      },
      {"tile.split %", "tensor<64x2xf32> -> tensor<64xf32>", "tile.reshape %"});
  expectIR(
      [] {
        auto [a, b] = split(zeros(i32, {2}));
        I32 sum = a + b;
      },
      {"tile.split %", "tensor<2xi32> -> i32", "arith.addi"});
}

// SEMANTICS S1
TEST(Shape, catDoublesAnAxis) {
  expectIR([] { cat(zeros(f32, {64, 8}), ones(f32, {64, 8}), 0); },
           {"tile.cat %", "axis 0 : tensor<64x8xf32> -> tensor<128x8xf32>"});
  expectIR([] { cat(zeros(f32, {64, 8}), ones(f16, {64, 8}), -1); },
           {"tile.convert_float", "tile.cat %", "axis 1 : tensor<64x8xf32> -> tensor<64x16xf32>"});
}

// SEMANTICS S1
TEST(Shape, flipReversesTheLastAxis) {
  expectIR([] { flip(zeros(f32, {64, 8})); }, {"tile.flip %", "axis 1 : tensor<64x8xf32>"});
  expectIR([] { flip(zeros(f32, {64, 8}), 0); }, {"tile.flip %", "axis 0 : tensor<64x8xf32>"});
}

// SEMANTICS S3
TEST(Shape, sliceAndInsertTakeBoxes) {
  expectIR([] { slice(zeros(f32, {64, 64}), {0, 32}, {64, 32}); },
           {"tile.slice %", "[0, 32] : tensor<64x64xf32> -> tensor<64x32xf32>"});
  expectIR([] { slice(zeros(f32, {64}), {3}, {4}); }, {"tile.slice %", "[3] : tensor<64xf32> -> tensor<4xf32>"});
  expectIR([] { insert(zeros(f32, {64, 64}), zeros(f16, {64, 32}), {0, 32}); },
           {"tile.convert_float", "tile.insert %", "[0, 32] : tensor<64x32xf32> into tensor<64x64xf32>"});
}

// SEMANTICS S3
TEST(Shape, gatherPicksAlongAnAxis) {
  expectIR([] { gather(zeros(f32, {64, 32}), zeros(i64, {8, 32}), 0); },
           {"tile.gather %", "axis 0 : tensor<64x32xf32>, tensor<8x32xi64> -> tensor<8x32xf32>"});
  // unsigned indices become signed ones, extents of 1 repeat
  expectIR([] { gather(zeros(f32, {64, 32}), zeros(u32, {8, 1}), -2); },
           {"tile.broadcast", "arith.extui", "tile.gather %",
            "axis 0 : tensor<64x32xf32>, tensor<8x32xi64> -> tensor<8x32xf32>"});
}

// SEMANTICS S3
TEST(Shape, partsAtRunTimeIndices) {
  expectIR([](I32 i) { extract_at(zeros(f32, {64, 32}), 0, i); },
           {"arith.extsi", "tile.extract_at %", "axis 0 : tensor<64x32xf32> -> tensor<32xf32>"});
  expectIR([](Int i) { F32 s = extract_at(zeros(f32, {64}), 0, i); }, {"tile.extract_at %", "tensor<64xf32> -> f32"});
  expectIR([](Int i) { insert_at(zeros(f32, {64, 32}), 1, i, 1.5); },
           {"tile.splat", "tile.insert_at %", "axis 1 : tensor<64xf32> into tensor<64x32xf32>"});
  expectIR([] { insert_at(zeros(i8, {64}), 0, 63, -1); }, {"tile.insert_at %", "i8 into tensor<64xi8>"});
}

// SEMANTICS S3
TEST(Shape, interleaveAlternates) {
  expectIR([] { interleave(zeros(f32, {4, 64}), ones(f32, {4, 64})); },
           {"tile.join %", "tensor<4x64x2xf32>", "tile.reshape %", "tensor<4x64x2xf32> -> tensor<4x128xf32>"});
  expectIR([](F32 a, F32 b) { interleave(a, b); }, {"tile.join %", "f32 -> tensor<2xf32>", "not tile.reshape"});
}

TEST(Shape, expandDimsInsertsAnAxis) {
  expectIR([] { expand_dims(zeros(f32, {64}), 0); },
           {"tile.expand_dims %", "axis 0 : tensor<64xf32> -> tensor<1x64xf32>"});
  expectIR([] { expand_dims(zeros(f32, {64}), -1); },
           {"tile.expand_dims %", "axis 1 : tensor<64xf32> -> tensor<64x1xf32>"});
  expectIR([](F32 s) { expand_dims(s, 0); }, {"tile.splat %", ": tensor<1xf32>"});
}

// SEMANTICS M2
TEST(Shape, broadcastToRepeats) {
  expectIR([] { broadcast_to(zeros(f32, {32}), {64, 32}); },
           {"tile.expand_dims %", "tile.broadcast %", "tensor<1x32xf32> -> tensor<64x32xf32>"});
  expectIR([](Ptr<f32> p) { broadcast_to(p, {4}); }, {"tile.splat %", "tensor<4x!tile.ptr<f32>>"});
  expectIR([] { broadcast_to(2.5, {4}); }, {"tile.splat %", ": tensor<4xf32>"});
}
