//===- BasicTest.cpp - grids, loops, loads and stores ---------------------------------===//
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
using ::testing::HasSubstr;

constexpr std::string_view kVectorAdd = R"(
tile.kernel @vector_add(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %out: !tile.ptr<f32>, %n: i64) {
  %block = arith.constant 64 : i64
  %pid = tile.program_id x
  %start = arith.muli %pid, %block : i64
  %lane = tile.arange 0 to 64 : tensor<64xi32>
  %lane64 = arith.extsi %lane : tensor<64xi32> to tensor<64xi64>
  %s = tile.splat %start : tensor<64xi64>
  %offs = arith.addi %s, %lane64 : tensor<64xi64>
  %ns = tile.splat %n : tensor<64xi64>
  %mask = arith.cmpi slt, %offs, %ns : tensor<64xi64>
  %xs = tile.splat %x : tensor<64x!tile.ptr<f32>>
  %ys = tile.splat %y : tensor<64x!tile.ptr<f32>>
  %os = tile.splat %out : tensor<64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %offs : tensor<64x!tile.ptr<f32>>, tensor<64xi64>
  %yp = tile.addptr %ys, %offs : tensor<64x!tile.ptr<f32>>, tensor<64xi64>
  %op = tile.addptr %os, %offs : tensor<64x!tile.ptr<f32>>, tensor<64xi64>
  %a = tile.load %xp mask %mask : tensor<64x!tile.ptr<f32>>
  %b = tile.load %yp mask %mask : tensor<64x!tile.ptr<f32>>
  %r = arith.addf %a, %b : tensor<64xf32>
  tile.store %op, %r mask %mask : tensor<64x!tile.ptr<f32>>
  tile.return
}
)";

// SEMANTICS P1, M1
TEST(Basic, vectorAdd) {
  TestKernel kernel(kVectorAdd);
  const std::int64_t n = 1000;
  Memory<float> x(n), y(n), out(n);
  std::iota(x.values.begin(), x.values.end(), 0.0f);
  std::iota(y.values.begin(), y.values.end(), 0.5f);
  for (unsigned threads : {1u, 2u, 3u}) {
    std::fill(out.values.begin(), out.values.end(), -1.0f);
    expectNoFaults(kernel.threads(threads).run({(n + 63) / 64, 1, 1}, x, y, out, n));
    for (std::int64_t i = 0; i != n; ++i)
      ASSERT_EQ(out[i], 2.0f * i + 0.5f) << i;
  }
}

// SEMANTICS P1a
TEST(Basic, emptyGridRunsNothing) {
  TestKernel kernel(kVectorAdd);
  Memory<float> x(4), y(4), out(4, 7.0f);
  expectNoFaults(kernel.run({1, 0, 1}, x, y, out, std::int64_t(4)));
  EXPECT_THAT(out.values, ElementsAre(7, 7, 7, 7));
}

TEST(Basic, outOfBoundsIsReportedWithBufferProgramAndCoordinates) {
  TestKernel kernel(kVectorAdd);
  Memory<float> x(100), y(128), out(128);
  const Faults faults = kernel.run({2, 1, 1}, x, y, out, std::int64_t(128));
  EXPECT_EQ(faults.total, 1u);
  EXPECT_THAT(faults.text(), HasSubstr("load of element 100 of `argument 0`, which has 100, "));
  EXPECT_THAT(faults.text(), HasSubstr("in program (1, 0, 0) at [36] and 27 more lanes"));
  EXPECT_EQ(out[99], 0.0f);
}

} // namespace
} // namespace tessera::ir::interp
