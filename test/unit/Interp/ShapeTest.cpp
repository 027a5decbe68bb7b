//===- ShapeTest.cpp - moving elements without computing on them ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Interp/Harness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace tessera::ir::interp {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using I32 = std::vector<std::int32_t>;

/// Runs `body`, which makes %r of type tensor<$outx i32> (rank 1) from %x, arange 0 to \p in as i32.
I32 shape(int in, int out, std::string_view body, std::int64_t index = 0, Faults *found = nullptr) {
  TestKernel kernel(
      substitute(R"(
tile.kernel @k(%out: !tile.ptr<i32>, %i: i64) {
  %x = tile.arange 0 to $I : tensor<$Ixi32>
  $BODY
  %lane = tile.arange 0 to $O : tensor<$Oxi32>
  %s = tile.splat %out : tensor<$Ox!tile.ptr<i32>>
  %q = tile.addptr %s, %lane : tensor<$Ox!tile.ptr<i32>>, tensor<$Oxi32>
  tile.store %q, %r : tensor<$Ox!tile.ptr<i32>>
  tile.return
})",
                 {{"$BODY", std::string(body)}, {"$I", std::to_string(in)}, {"$O", std::to_string(out)}}));
  Memory<std::int32_t> memory(static_cast<std::size_t>(out));
  const Faults faults = kernel.run1(memory, index);
  if (found)
    *found = faults;
  else
    expectNoFaults(faults);
  return memory.values;
}

// SEMANTICS S1: reshape keeps row-major order
TEST(Shape, reshapeAndTrans) {
  EXPECT_THAT(shape(8, 8, R"(
    %a = tile.reshape %x : tensor<8xi32> -> tensor<2x4xi32>
    %b = tile.trans %a [1, 0] : tensor<2x4xi32> -> tensor<4x2xi32>
    %r = tile.reshape %b : tensor<4x2xi32> -> tensor<8xi32>)"),
              ElementsAre(0, 4, 1, 5, 2, 6, 3, 7));
}

// SEMANTICS S1: a permutation of three axes
TEST(Shape, transOfRankThree) {
  const I32 r = shape(64, 64, R"(
    %a = tile.reshape %x : tensor<64xi32> -> tensor<2x4x8xi32>
    %b = tile.trans %a [2, 0, 1] : tensor<2x4x8xi32> -> tensor<8x2x4xi32>
    %r = tile.reshape %b : tensor<8x2x4xi32> -> tensor<64xi32>)");
  for (int k = 0; k != 8; ++k)
    for (int i = 0; i != 2; ++i)
      for (int j = 0; j != 4; ++j)
        EXPECT_EQ(r[(k * 2 + i) * 4 + j], (i * 4 + j) * 8 + k);
}

// SEMANTICS M2
TEST(Shape, broadcast) {
  EXPECT_THAT(shape(4, 16, R"(
    %col = tile.expand_dims %x axis 1 : tensor<4xi32> -> tensor<4x1xi32>
    %row = tile.expand_dims %x axis 0 : tensor<4xi32> -> tensor<1x4xi32>
    %a = tile.broadcast %col : tensor<4x1xi32> -> tensor<4x4xi32>
    %b = tile.broadcast %row : tensor<1x4xi32> -> tensor<4x4xi32>
    %ten = arith.constant dense<10> : tensor<4x4xi32>
    %c = arith.muli %a, %ten : tensor<4x4xi32>
    %d = arith.addi %c, %b : tensor<4x4xi32>
    %r = tile.reshape %d : tensor<4x4xi32> -> tensor<16xi32>)"),
              ElementsAre(0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23, 30, 31, 32, 33));
}

// SEMANTICS S1
TEST(Shape, joinAndSplit) {
  EXPECT_THAT(shape(4, 8, R"(
    %ten = arith.constant dense<10> : tensor<4xi32>
    %y = arith.addi %x, %ten : tensor<4xi32>
    %j = tile.join %x, %y : tensor<4xi32> -> tensor<4x2xi32>
    %r = tile.reshape %j : tensor<4x2xi32> -> tensor<8xi32>)"),
              ElementsAre(0, 10, 1, 11, 2, 12, 3, 13));
  EXPECT_THAT(shape(8, 4, R"(
    %p = tile.reshape %x : tensor<8xi32> -> tensor<4x2xi32>
    %even, %odd = tile.split %p : tensor<4x2xi32> -> tensor<4xi32>
    %r = arith.subi %odd, %even : tensor<4xi32>)"),
              ElementsAre(1, 1, 1, 1));
}

// SEMANTICS S1
TEST(Shape, catAndFlip) {
  EXPECT_THAT(shape(4, 8, R"(
    %f = tile.flip %x axis 0 : tensor<4xi32>
    %r = tile.cat %x, %f axis 0 : tensor<4xi32> -> tensor<8xi32>)"),
              ElementsAre(0, 1, 2, 3, 3, 2, 1, 0));
  EXPECT_THAT(shape(4, 8, R"(
    %a = tile.reshape %x : tensor<4xi32> -> tensor<2x2xi32>
    %f = tile.flip %a axis 0 : tensor<2x2xi32>
    %c = tile.cat %a, %f axis 1 : tensor<2x2xi32> -> tensor<2x4xi32>
    %r = tile.reshape %c : tensor<2x4xi32> -> tensor<8xi32>)"),
              ElementsAre(0, 1, 2, 3, 2, 3, 0, 1));
}

// SEMANTICS S3
TEST(Shape, sliceAndInsert) {
  EXPECT_THAT(shape(16, 4, R"(
    %a = tile.reshape %x : tensor<16xi32> -> tensor<4x4xi32>
    %b = tile.slice %a [1, 2] : tensor<4x4xi32> -> tensor<2x2xi32>
    %r = tile.reshape %b : tensor<2x2xi32> -> tensor<4xi32>)"),
              ElementsAre(6, 7, 10, 11));
  EXPECT_THAT(shape(8, 8, R"(
    %a = tile.reshape %x : tensor<8xi32> -> tensor<2x4xi32>
    %n = arith.constant dense<-1> : tensor<2x1xi32>
    %b = tile.insert %n into %a [0, 2] : tensor<2x1xi32> into tensor<2x4xi32>
    %r = tile.reshape %b : tensor<2x4xi32> -> tensor<8xi32>)"),
              ElementsAre(0, 1, -1, 3, 4, 5, -1, 7));
}

// SEMANTICS S3: a run-time index
TEST(Shape, extractAtAndInsertAt) {
  constexpr std::string_view extract = R"(
    %a = tile.reshape %x : tensor<16xi32> -> tensor<4x4xi32>
    %r = tile.extract_at %a[%i] axis 1 : tensor<4x4xi32> -> tensor<4xi32>)";
  EXPECT_THAT(shape(16, 4, extract, 2), ElementsAre(2, 6, 10, 14));
  constexpr std::string_view insert = R"(
    %v = arith.constant -5 : i32
    %r = tile.insert_at %v into %x[%i] axis 0 : i32 into tensor<4xi32>)";
  EXPECT_THAT(shape(4, 4, insert, 3), ElementsAre(0, 1, 2, -5));
  EXPECT_THAT(
      shape(4, 4, "%e = tile.extract_at %x[%i] axis 0 : tensor<4xi32> -> i32\n%r = tile.splat %e : tensor<4xi32>", 1),
      ElementsAre(1, 1, 1, 1));

  Faults faults;
  EXPECT_THAT(shape(4, 4, insert, 4, &faults), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(faults.text(), HasSubstr("index 4 is outside an axis of extent 4"));
  EXPECT_THAT(shape(16, 4, extract, -1, &faults), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(faults.text(), HasSubstr("index -1 is outside an axis of extent 4"));
}

// SEMANTICS T2: rank 5 and extents of 1
TEST(Shape, rankFive) {
  const I32 r = shape(32, 32, R"(
    %a = tile.reshape %x : tensor<32xi32> -> tensor<2x2x2x2x2xi32>
    %b = tile.trans %a [4, 3, 2, 1, 0] : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x2xi32>
    %r = tile.reshape %b : tensor<2x2x2x2x2xi32> -> tensor<32xi32>)");
  for (int i = 0; i != 32; ++i) {
    const int reversed = (i & 1) << 4 | (i & 2) << 2 | (i & 4) | (i & 8) >> 2 | (i & 16) >> 4;
    EXPECT_EQ(r[i], reversed);
  }
}

// Reported: flip of data holding inf produced NaN
TEST(Shape, flipMovesBits) {
  const auto r = elementwise<float>("%r = tile.flip %a axis 0 : $A", std::vector<float>{HUGE_VALF, 1, -HUGE_VALF, 2});
  EXPECT_THAT(r, ElementsAre(2, -HUGE_VALF, 1, HUGE_VALF));
}

} // namespace
} // namespace tessera::ir::interp
