//===- CpuTest.cpp - kernels through the compiled device `cpu` ------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/CPU/HostFeatures.h"
#include "Runtime/Image.h"
#include "Runtime/LaunchPlan.h"
#include "Runtime/Registry.h"
#include "unit/Driver/Kernels.h"
#include "unit/Expect.h"
#include "unit/PrintedLines.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

using namespace tessera;
using namespace tessera::test;
using testing::AllOf;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

Device cpu() { return Device::get("cpu"); }

std::vector<float> ramp(std::size_t n) {
  std::vector<float> values(n);
  std::iota(values.begin(), values.end(), 0.0f);
  return values;
}

} // namespace

TEST(Cpu, launches) {
  const std::int64_t n = 10'001;
  const Buffer<f32> x = cpu().upload(ramp(n)), y = cpu().upload(ramp(n));
  Buffer<f32> out = cpu().buffer<f32>(n);
  const auto add = makeAdd<f32>();
  add.launch(cpu().stream(), {cdiv(n, 64)}, x, y, out, n);
  const std::vector<float> result = out.download();
  for (std::int64_t i = 0; i != n; ++i)
    ASSERT_EQ(result[static_cast<std::size_t>(i)], 2 * static_cast<float>(i));
  const std::vector<CompileRecord> records = add.compilations();
  ASSERT_EQ(records.size(), 1u);
  std::vector<std::string> stages;
  for (const auto &[stage, ms] : records[0].stages)
    stages.push_back(stage);
  EXPECT_THAT(stages, ElementsAreArray({"trace", "find", "tile", "host", "llvm", "asm", "binary", "load"}));
}

TEST(Cpu, gridsOfThreeAxes) {
  Buffer<i64> out = cpu().buffer<i64>(5 * 7 * 3);
  makeCoordinates().launch(cpu(), {5, 7, 3}, out);
  const std::vector<std::int64_t> result = out.download();
  for (std::int64_t x = 0; x != 5; ++x)
    for (std::int64_t y = 0; y != 7; ++y)
      for (std::int64_t z = 0; z != 3; ++z)
        ASSERT_EQ(result[static_cast<std::size_t>((z * 7 + y) * 5 + x)], x * 10000 + y * 100 + z);
}

// A kernel that prints runs its programs in order, so that its text is the interpreter's.
TEST(Cpu, printsWhatTheInterpreterPrints) {
  const auto show = kernel("show", {"x"}, [](Ptr<f32> x) {
    Int row = program_id(0) + num_programs(0) * program_id(1);
    Tile v = load(x + row * 4 + arange(0, 4));
    device_print("row", {v}, {.when = v > 5});
    device_print("done");
  });
  std::vector<std::string> lines[2];
  for (const Device &device : {Device::get("interp"), cpu()}) {
    const Buffer<f32> x = device.upload(ramp(24));
    PrintedLines printed;
    show.launch(device, {3, 2}, x);
    device.synchronize();
    lines[device.name() == "cpu"] = printed.lines;
  }
  EXPECT_EQ(lines[1].size(), 18u + 6u);
  EXPECT_EQ(lines[1], lines[0]);
}

TEST(Cpu, checksOnRequest) {
  const auto check = kernel("check", {"x", "n"}, [](Ptr<i32> x, Int n) {
    Tile i = program_id(0) * 16 + arange(0, 16);
    device_assert(i < n, "i is too large");
    store(x + i, i.to(i32), {.mask = i < n});
  });
  Buffer<i32> x = cpu().buffer<i32>(64);
  check.launch(cpu(), {4}, x, 39); // without checks an assertion costs nothing
  cpu().synchronize();
  const auto checked = check.with({}, {.checks = true});
  checked.launch(cpu(), {4}, x, 64);
  cpu().synchronize();
  checked.launch(cpu(), {3}, x, 39);
  EXPECT_THAT(wordsOf<DeviceError>([] { cpu().synchronize(); }),
              AllOf(HasSubstr("CpuTest.cpp:"), HasSubstr("kernel `check`: device_assert failed: i is too large"),
                    HasSubstr("in program (2, 0, 0) at (7)")));
  cpu().synchronize(); // a fault is reported once
}

TEST(Cpu, workspacesAndZeroedMemory) {
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
  Buffer<i32> x = cpu().upload(values), sum = cpu().upload(std::vector<std::int32_t>{77});
  reverse.launch(cpu(), {4}, x, sum);
  EXPECT_EQ(x.download(), expected);
  EXPECT_EQ(sum.download(), std::vector<std::int32_t>{4});
}

TEST(Cpu, chipsOfTheTableRunHere) {
  const auto add = makeAdd<f32>();
  for (const char *name : {"cpu:x86-64-v2", "cpu:x86-64-v3", "cpu:x86-64-v4"}) {
    const Binary binary = add.compile(Target(name));
    EXPECT_EQ(binary.format(), "shared-object");
    const rt::Image image = rt::Image::deserialize(binary.serialize());
    if (!rt::cpu::missingFeatures(*image.fact("cpu_features")).empty())
      continue; // this machine cannot
    rt::DeviceState &device = *rt::Registry::get().find("cpu");
    const rt::LaunchPlan plan(device, image);
    alignas(64) float x[64], y[64], out[64];
    for (int i = 0; i != 64; ++i)
      x[i] = static_cast<float>(i), y[i] = 1, out[i] = -1;
    const auto pointer = [](float *memory) {
      rt::CallArgument argument;
      argument.bits = reinterpret_cast<std::uint64_t>(memory);
      return argument;
    };
    rt::CallArgument count;
    count.bits = 61;
    const rt::CallArgument arguments[] = {pointer(x), pointer(y), pointer(out), count};
    ASSERT_TRUE(plan.launch(*device.defaultStream, {1, 1, 1}, arguments)) << name;
    for (int i = 0; i != 64; ++i)
      ASSERT_EQ(out[i], i < 61 ? static_cast<float>(i) + 1 : -1) << name << ", element " << i;
  }
}

TEST(Cpu, launchesOfOneKernelOnManyThreads) {
  const auto add = makeAdd<f32>();
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t != 4; ++t)
    threads.emplace_back([&] {
      const Buffer<f32> x = cpu().upload(ramp(5000)), y = cpu().upload(ramp(5000));
      for (int i = 0; i != 20; ++i) {
        Buffer<f32> out = cpu().buffer<f32>(5000);
        add.launch(cpu().stream(), {cdiv(5000, 64)}, x, y, out, 5000);
        const std::vector<float> result = out.download();
        for (std::size_t j = 0; j != result.size(); ++j)
          wrong += result[j] != 2 * static_cast<float>(j);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Cpu, emptyLaunchesAreCheap) {
  const auto empty = kernel("empty", {"x"}, [](Ptr<f32>) {});
  const Buffer<f32> x = cpu().buffer<f32>(1);
  const Stream stream = cpu().stream();
  double best = 1e9;
  for (int i = 0; i != 2000; ++i) {
    const auto start = std::chrono::steady_clock::now();
    empty.launch(stream, {16}, x);
    best = std::min(best, std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  EXPECT_LT(best, 5) << "microseconds";
}

// The time to compile depends on the operations, not on how many elements a block has.
TEST(Cpu, blocksOfAnySizeCompileAlike) {
  const auto compile = [](int block) {
    const auto add = makeAdd<f32>(); // a new one has compiled nothing yet
    const auto start = std::chrono::steady_clock::now();
    const Binary binary = add.with({.block = block}).compile(Target("cpu"));
    return std::pair(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count(),
                     binary.bytes().size());
  };
  compile(64);
  double small = 1e9, large = 1e9;
  for (int i = 0; i != 9; ++i) {
    small = std::min(small, compile(1024).first);
    large = std::min(large, compile(65536).first);
  }
  EXPECT_LT(large, 1.2 * small) << small << " ms for blocks of 1024, " << large << " for 65536";
  const auto smallBytes = static_cast<double>(compile(1024).second),
             largeBytes = static_cast<double>(compile(65536).second);
  EXPECT_LT(largeBytes, 1.2 * smallBytes);
}

TEST(Cpu, tilesThatTakeTooMuchMemoryAreRefused) {
  const auto huge = kernel("huge", {"x"}, [](Ptr<f64> x) {
    Tile i = arange(0, 1 << 20), total = zeros(f64, {1 << 20});
    std::vector<Tile> sums;
    for (int j = 0; j != 140; ++j)
      sums.push_back(cumsum(load(x + (i + j))));
    for (const Tile &sum : sums)
      total += sum;
    store(x + i, total);
  });
  EXPECT_THAT(wordsOf<CompileError>([&] { huge.compile(Target("cpu")); }),
              AllOf(HasSubstr("CpuTest.cpp:"), HasSubstr("bytes for its tiles"), HasSubstr("take smaller blocks")));
}
