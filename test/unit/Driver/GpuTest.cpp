//===- GpuTest.cpp - what the launcher provides to kernels on GPUs --------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Hidden arguments of kernels compiled for GPUs: records of prints and checks, workspaces, grids.
//
//===---------------------------------------------------------------------===//

#include "unit/Driver/Kernels.h"
#include "unit/Expect.h"
#include "unit/PrintedLines.h"

#include <algorithm>
#include <numeric>

using namespace tessera;
using namespace tessera::test;
using testing::AllOf;
using testing::HasSubstr;

namespace {

class Gpu : public testing::TestWithParam<const char *> {
protected:
  static Device gpu() { return Device::get(GetParam()); }
};

} // namespace

INSTANTIATE_TEST_SUITE_P(Simulated, Gpu, testing::Values("sim:sm_80", "sim:sm_90a"),
                         [](const auto &info) { return std::string(info.param).substr(4); });

// Programs run in any order, so do the lines.
TEST_P(Gpu, printsWhatTheInterpreterPrints) {
  const auto show = kernel("show", {"x"}, [](Ptr<f32> x) {
    Int row = program_id(0) + num_programs(0) * program_id(1);
    Tile v = load(x + row * 4 + arange(0, 4));
    device_print("row", {v, row}, {.when = v > 5});
    device_print("some", {}, {.when = v > 21});
    device_print("done");
  });
  std::vector<std::string> lines[2];
  for (const Device &device : {Device::get("interp"), gpu()}) {
    std::vector<float> values(24);
    std::iota(values.begin(), values.end(), 0.0F);
    const Buffer<f32> x = device.upload(values);
    PrintedLines printed;
    show.launch(device, {3, 2}, x);
    device.synchronize();
    lines[device.name() != "interp"] = printed.lines;
    std::sort(lines[device.name() != "interp"].begin(), lines[device.name() != "interp"].end());
  }
  EXPECT_EQ(lines[1].size(), 18U + 1U + 6U);
  EXPECT_EQ(lines[1], lines[0]);
}

TEST_P(Gpu, checksOnRequest) {
  const auto check = kernel("check", {"x", "n"}, [](Ptr<i32> x, Int n) {
    Tile i = program_id(0) * 16 + arange(0, 16);
    device_assert(i < n, "i is too large");
    store(x + i, i.to(i32), {.mask = i < n});
  });
  Buffer<i32> x = gpu().buffer<i32>(64);
  check.launch(gpu(), {4}, x, 39); // without checks an assertion costs nothing
  gpu().synchronize();
  const auto checked = check.with({}, {.checks = true});
  checked.launch(gpu(), {4}, x, 64);
  gpu().synchronize();
  checked.launch(gpu(), {3}, x, 47);
  EXPECT_THAT(wordsOf<DeviceError>([] { gpu().synchronize(); }),
              AllOf(HasSubstr("GpuTest.cpp:"), HasSubstr("kernel `check`: device_assert failed: i is too large"),
                    HasSubstr("in program (2, 0, 0) at (15)")));
  gpu().synchronize(); // a fault is reported once
}

TEST_P(Gpu, workspacesAndZeroedMemory) {
  const auto reverse = kernel("reverse", {"x", "sum"}, [](Ptr<i32> x, Zeroed<i32> sum) {
    Int first = program_id(0) * 64;
    Tile i = arange(0, 64);
    Ptr<i32> scratch = workspace<i32>(num_programs(0) * 64);
    store(scratch + (first + i), load(x + (first + i)));
    store(x + (first + i), load(scratch + (first + 63 - i)));
    atomic_add(sum, 1);
  });
  std::vector<std::int32_t> values(256), expected(256);
  std::iota(values.begin(), values.end(), 0);
  for (std::size_t i = 0; i != 256; ++i)
    expected[i] = static_cast<std::int32_t>(i / 64 * 64 + 63 - i % 64);
  Buffer<i32> x = gpu().upload(values), sum = gpu().upload(std::vector<std::int32_t>{77});
  reverse.launch(gpu(), {4}, x, sum);
  EXPECT_EQ(x.download(), expected);
  EXPECT_EQ(sum.download(), std::vector<std::int32_t>{4});
}

// SEMANTICS P1a: an axis beyond the device's limit.
TEST_P(Gpu, foldsGrids) {
  const auto mark = kernel("mark", {"out"}, [](Ptr<i64> out) {
    Int y = program_id(1), z = program_id(2);
    store(out + (z * num_programs(1) + y), program_id(0) + y * 10 + z, {.mask = program_id(0) == 1});
  });
  constexpr std::int64_t kRows = 70000;
  Buffer<i64> out = gpu().buffer<i64>(kRows);
  mark.with({}, {.num_warps = 1}).launch(gpu(), {2, kRows, 1}, out);
  const std::vector<std::int64_t> result = out.download();
  for (std::int64_t y = 0; y != kRows; ++y)
    ASSERT_EQ(result[static_cast<std::size_t>(y)], 1 + y * 10);
}

// Rows of a length that accesses do not divide take the other variant, and only they.
TEST_P(Gpu, rowsOfOddLengthsTakeTheGeneralVariant) {
  const auto twice = kernel("twice", {"x", "out", "cols"}, [](Ptr<f32> x, Ptr<f32> out, Int cols) {
    Tile col = arange(0, 1024);
    store(out + col, 2 * load(x + col, {.mask = col < cols}), {.mask = col < cols});
  });
  std::vector<float> values(1024);
  std::iota(values.begin(), values.end(), 1.0F);
  const Buffer<f32> x = gpu().upload(values);
  for (const std::int64_t cols : {1000, 1001, 1002, 4, 1024}) {
    Buffer<f32> out = gpu().buffer<f32>(1024);
    out.fill(-1);
    twice.launch(gpu().stream(), {1}, x, out, cols);
    const std::vector<float> found = out.download();
    for (std::size_t i = 0; i != found.size(); ++i)
      ASSERT_EQ(found[i], static_cast<std::int64_t>(i) < cols ? 2 * values[i] : -1) << cols << ", " << i;
  }
  ASSERT_EQ(twice.compilations().size(), 2u);
  EXPECT_EQ(twice.compilations()[0].variant, "aligned");
  EXPECT_EQ(twice.compilations()[1].variant, "general");
  EXPECT_EQ(twice.compilations()[1].reason, "arguments break a requirement of the aligned variant");
}

// One number may bound axes of different extents.
TEST_P(Gpu, oneBoundOfTwoAxes) {
  const auto square = kernel("square", {"out", "n"}, [](Ptr<i32> out, Int n) {
    Tile row = arange(0, 4).col(), col = arange(0, 64).row();
    store(out + row * 64 + col, 1, {.mask = (row < n) & (col < n)});
  });
  for (const std::int64_t n : {3, 10}) {
    Buffer<i32> out = gpu().buffer<i32>(4 * 64);
    out.fill(0);
    square.launch(gpu().stream(), {1}, out, n);
    const std::vector<std::int32_t> found = out.download();
    for (std::int64_t i = 0; i != 4 * 64; ++i)
      ASSERT_EQ(found[static_cast<std::size_t>(i)], i / 64 < n && i % 64 < n) << n << ", " << i;
  }
}
