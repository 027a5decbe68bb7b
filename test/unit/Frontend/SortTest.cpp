//===- SortTest.cpp - order along an axis, and counting ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Expect.h"

#include "tessera/lang/Math.h"
#include "tessera/lang/Sort.h"

#include <gtest/gtest.h>

using namespace tessera;
using test::expectIR;

// SEMANTICS R5
TEST(Sort, keys) {
  expectIR([] { sort(zeros(f32, {4, 64})); }, {"tile.sort %", "axis 1 : tensor<4x64xf32>"});
  expectIR([] { sort(zeros(i32, {4, 64}), {.axis = 0, .descending = true}); }, {"tile.sort %", "axis 0 descending : "});
  expectIR([] { sort(zeros(u32, {64})); }, {"axis 0 unsigned : tensor<64xi32>"});
  expectIR([] { sort(zeros(i1, {64})); }, {"axis 0 unsigned : tensor<64xi1>"});
  expectIR([] { EXPECT_EQ(sort(zeros(e4m3, {64})).dtype(), e4m3); },
           {"tile.convert_float", "tile.sort %", "tensor<64xf32>", "tile.convert_float"});
}

// SEMANTICS R5
TEST(Sort, payloads) {
  expectIR(
      [] {
        auto [k, p] = sort(zeros(f32, {4, 64}), arange(0, 64));
        EXPECT_EQ(p.shape(), Shape({4, 64}));
      },
      {"tile.broadcast", "tile.sort %", "axis 1 : tensor<4x64xf32>, tensor<4x64xi32>"});
  expectIR(
      [](Ptr<f32> q) {
        auto [k, a, b] = sort(std::tuple{zeros(f32, {64}), zeros(i8, {64}), q + arange(0, 64)}, {.descending = true});
        EXPECT_EQ(b.dtype(), ptr_to(f32));
      },
      {"tile.sort %", "descending : tensor<64xf32>, tensor<64xi8>, tensor<64x!tile.ptr<f32>>"});
}

// SEMANTICS R5
TEST(Sort, validLanes) {
  expectIR([](Int n) { sort(zeros(f32, {4, 64}), {.valid = arange(0, 64) < n}); },
           {"tile.broadcast", "tensor<4x64xi1>", "tile.sort %", "valid %"});
}

// SEMANTICS R5
TEST(Sort, argsort) {
  expectIR([] { EXPECT_EQ(argsort(zeros(f32, {4, 64}), {.axis = 0}).dtype(), i32); },
           {"tile.arange 0 to 4", "tile.sort %", "axis 0 : tensor<4x64xf32>, tensor<4x64xi32>"});
}

// SEMANTICS R5
TEST(Sort, topkKeepsTheNextPowerOfTwo) {
  expectIR(
      [] {
        auto [values, indices] = topk(zeros(f32, {4, 64}), 5);
        EXPECT_EQ(values.shape(), Shape({4, 8}));
        EXPECT_EQ(indices.dtype(), i32);
      },
      {"tile.sort %", "axis 1 descending", "tile.slice %", "[0, 0] : tensor<4x64xf32> -> tensor<4x8xf32>",
       "tile.slice %", "tensor<4x8xi32>"});
  expectIR([] { EXPECT_EQ(topk(zeros(f32, {64}), 33, {.smallest = true}).values.shape(), Shape({64})); },
           {"tile.sort %", "axis 0 : tensor<64xf32>", "not tile.slice"});
}

// SEMANTICS R5
TEST(Sort, histogram) {
  expectIR([] { EXPECT_EQ(histogram(zeros(i32, {4, 64}), 16).dtype(), i32); },
           {"tile.histogram %", "tensor<4x64xi32> -> tensor<16xi32>"});
  expectIR([](Int n) { histogram(zeros(u8, {64}), 256, {.mask = arange(0, 64) < n}); },
           {"tile.histogram %", "mask %", "unsigned : tensor<64xi8> -> tensor<256xi32>"});
}
