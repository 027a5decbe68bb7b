//===- SpeedTest.cpp - checked execution is fast enough to be the default ----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Interp/Harness.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdio>

namespace tessera::ir::interp {
namespace {

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
#else
constexpr bool kSanitized = false;
#endif

constexpr std::string_view kSoftmax = R"(
tile.kernel @softmax(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>, %stride: i64, %cols: i64) {
  %row = tile.program_id x
  %start = arith.muli %row, %stride : i64
  %lane = tile.arange 0 to 1024 : tensor<1024xi32>
  %col = arith.extsi %lane : tensor<1024xi32> to tensor<1024xi64>
  %colss = tile.splat %cols : tensor<1024xi64>
  %mask = arith.cmpi slt, %col, %colss : tensor<1024xi64>
  %xr = tile.addptr %x, %start : !tile.ptr<f32>, i64
  %or = tile.addptr %out, %start : !tile.ptr<f32>, i64
  %xs = tile.splat %xr : tensor<1024x!tile.ptr<f32>>
  %os = tile.splat %or : tensor<1024x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %col : tensor<1024x!tile.ptr<f32>>, tensor<1024xi64>
  %op = tile.addptr %os, %col : tensor<1024x!tile.ptr<f32>>, tensor<1024xi64>
  %inf = arith.constant dense<0xFF800000> : tensor<1024xf32>
  %v = tile.load %xp mask %mask other %inf : tensor<1024x!tile.ptr<f32>>
  %max = tile.reduce %v axis 0 : tensor<1024xf32> -> f32 by tile.maxnum
  %maxs = tile.splat %max : tensor<1024xf32>
  %d = arith.subf %v, %maxs : tensor<1024xf32>
  %e = math.exp %d : tensor<1024xf32>
  %sum = tile.reduce %e axis 0 : tensor<1024xf32> -> f32 by arith.addf
  %sums = tile.splat %sum : tensor<1024xf32>
  %r = arith.divf %e, %sums : tensor<1024xf32>
  tile.store %op, %r mask %mask : tensor<1024x!tile.ptr<f32>>
  tile.return
})";

double millisecondsOf(auto &&work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

TEST(Speed, softmaxOf256Rows) {
  constexpr std::int64_t rows = 256, cols = 1000, stride = 1024;
  TestKernel kernel(kSoftmax);
  Memory<float> x(rows * stride), out(rows * stride);
  for (std::size_t i = 0; i != x.size(); ++i)
    x[i] = static_cast<float>(i * 2654435761u % 1000) / 100.0f;
  const double checked =
      millisecondsOf([&] { expectNoFaults(kernel.threads(2).run({rows, 1, 1}, x, out, stride, cols)); });
  for (std::int64_t r : {0, 17, 255}) {
    double sum = 0;
    for (std::int64_t c = 0; c != cols; ++c)
      sum += std::exp(double(x[r * stride + c]) - 9.99);
    for (std::int64_t c = 0; c != cols; ++c)
      ASSERT_NEAR(out[r * stride + c], std::exp(double(x[r * stride + c]) - 9.99) / sum, 1e-8);
    ASSERT_EQ(out[r * stride + cols], 0);
  }
  const double unchecked = millisecondsOf([&] { kernel.checks(false).run({rows, 1, 1}, x, out, stride, cols); });
  RecordProperty("checked_ms", std::to_string(checked));
  RecordProperty("unchecked_ms", std::to_string(unchecked));
  std::printf("softmax 256 x 1024 on two threads: %.1f ms with checks, %.1f ms without\n", checked, unchecked);
  if (!kSanitized)
    EXPECT_LT(checked, 500);
}

} // namespace
} // namespace tessera::ir::interp
