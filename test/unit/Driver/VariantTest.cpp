//===- VariantTest.cpp - what is compiled, when, and why -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Registry.h"
#include "Support/Log.h"
#include "unit/Driver/Kernels.h"
#include "unit/Expect.h"
#include "unit/Runtime/FakeDriver.h"
#include "unit/ScopedEnvironment.h"

#include <thread>

using namespace tessera;
using namespace tessera::test;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// A device whose launches can be looked at; what is compiled for "null" runs there.
FakeDriver &watched() {
  static FakeDriver *const driver = [] {
    auto fresh = std::make_unique<FakeDriver>("watched");
    FakeDriver *kept = fresh.get();
    rt::Registry::get().add(std::move(fresh));
    return kept;
  }();
  return *driver;
}

class VariantTest : public testing::Test {
protected:
  VariantTest() : driver(watched()), dev(Device::get("watched")), memory(dev.buffer<i64>(4096)) {
    driver.launches.clear();
    driver.capturing = false;
  }
  template <class K> std::vector<std::string> variants(const K &kernel) {
    std::vector<std::string> list;
    for (const CompileRecord &record : kernel.compilations())
      list.push_back(record.variant);
    return list;
  }
  template <class K> std::string lastReason(const K &kernel) { return kernel.compilations().back().reason; }

  FakeDriver &driver;
  const Device dev;
  Buffer<i64> memory;
};

} // namespace

TEST_F(VariantTest, secondLaunchCompilesNothing) {
  const auto add = makeAdd<i64>();
  for (int i = 0; i != 5; ++i)
    add.launch(dev, 1, memory, memory, memory, 16 * i + 1);
  ASSERT_EQ(add.compilations().size(), 1u);
  EXPECT_EQ(lastReason(add), "first launch");
  EXPECT_EQ(driver.launches.size(), 5u);
}

TEST_F(VariantTest, sizesDoNotMatterToMasks) {
  const auto add = makeAdd<i64>();
  for (int n : {1, 7, 16, 1000})
    add.launch(dev, 1, memory, memory, memory, n);
  EXPECT_THAT(variants(add), ElementsAre("aligned"));
}

TEST_F(VariantTest, misalignedPointersTakeTheGeneralVariant) {
  const auto add = makeAdd<i64>();
  add.launch(dev, 1, memory, memory, memory, 10);
  add.launch(dev, 1, memory.from(1), memory, memory, 10);
  add.launch(dev, 1, memory, memory.from(3), memory, 10);
  add.launch(dev, 1, memory.from(2), memory, memory, 10);
  EXPECT_THAT(variants(add), ElementsAre("aligned", "general"));
  EXPECT_EQ(lastReason(add), "other strides or alignment, or a grid to fold");
}

TEST_F(VariantTest, stridesDecideAlignment) {
  const auto strided = makeStrided();
  strided.launch(dev, 1, memory, 32);
  strided.launch(dev, 1, memory, 64);
  strided.launch(dev, 1, memory, 33);
  strided.launch(dev, 1, memory, 35);
  EXPECT_THAT(variants(strided), ElementsAre("aligned", "general"));
}

TEST_F(VariantTest, strideOfOneIsFolded) {
  const auto strided = makeStrided();
  strided.launch(dev, 1, memory, 1);
  strided.launch(dev, 1, memory, 1);
  strided.launch(dev, 1, memory, 16);
  EXPECT_THAT(variants(strided), ElementsAre("aligned, stride 1: stride", "aligned"));
}

TEST_F(VariantTest, viewsFoldTheirUnitStrides) {
  const auto copy =
      kernel("copy", {"a", "b"}, [](View<i64, 2> a, View<i64, 2> b) { b.store({0, 0}, a.load({0, 0}, {8, 8})); });
  copy.launch(dev, 1, view_arg(memory, {8, 16}), view_arg(memory, {8, 16}));
  copy.launch(dev, 1, view_arg(memory, {7, 5}, {16, 1}), view_arg(memory, {7, 5}, {32, 1}));
  EXPECT_THAT(variants(copy), ElementsAre("aligned, stride 1: a.stride1 b.stride1"));
}

TEST_F(VariantTest, ofOneInAMaskIsNotAStride) {
  const auto add = makeAdd<i64>();
  add.launch(dev, 1, memory, memory, memory, 1);
  EXPECT_THAT(variants(add), ElementsAre("aligned"));
}

TEST_F(VariantTest, configsAndOptionsAreApart) {
  const auto add = makeAdd<i64>();
  add.with({.block = 32}).launch(dev, 1, memory, memory, memory, 1);
  add.with({.block = 64}).launch(dev, 1, memory, memory, memory, 1);
  EXPECT_EQ(lastReason(add), "new config");
  add.with({.block = 64}, {.num_warps = 8}).launch(dev, 1, memory, memory, memory, 1);
  EXPECT_EQ(lastReason(add), "new options or config");
  add.with({.block = 32}).launch(dev, 1, memory, memory, memory, 1);
  EXPECT_EQ(add.compilations().size(), 3u);
  EXPECT_EQ(add.compilations()[1].config, "{block=64}");
  EXPECT_EQ(add.compilations()[2].options, "num_warps=8");
}

TEST_F(VariantTest, devicesAreApart) {
  const auto add = makeAdd<i64>();
  add.launch(dev, 1, memory, memory, memory, 1);
  const Device null = Device::get("null");
  const Buffer<i64> there = null.buffer<i64>(64);
  add.launch(null, 1, there, there, there, 1);
  EXPECT_EQ(lastReason(add), "first launch on this device");
}

TEST_F(VariantTest, manyConfigsAreFoundAgain) {
  const auto k = kernel("many", [](const AddConfig &c, Ptr<i64> out) { store(out, c.block); });
  for (int round = 0; round != 2; ++round)
    for (int i = 0; i != 40; ++i)
      k.with({.block = i}).launch(dev, 1, memory);
  EXPECT_EQ(k.compilations().size(), 40u);
  EXPECT_EQ(driver.launches.size(), 80u);
}

namespace {
struct RichConfig {
  std::string name = "plain";
  std::array<int, 2> tile{1, 2};
  DType type = f32;
  double scale = 1;
};
} // namespace

TEST_F(VariantTest, configsMayHoldAnything) {
  const auto k = kernel("rich", [](const RichConfig &c, Ptr<i64> out) { store(out, c.tile[0] + c.tile[1]); });
  k.launch(dev, 1, memory);
  k.with({.name = "other"}).launch(dev, 1, memory);
  k.with({.tile = {1, 3}}).launch(dev, 1, memory);
  k.with({.type = f16}).launch(dev, 1, memory);
  k.with({.scale = 2}).launch(dev, 1, memory);
  k.with({.name = "other"}).launch(dev, 1, memory);
  EXPECT_EQ(k.compilations().size(), 5u);
}

TEST_F(VariantTest, equalKernelsShareTheirImage) {
  const int loads = driver.loads;
  for (int i = 0; i != 3; ++i) {
    const auto add = makeAdd<u32>();
    const Buffer<u32> x = dev.buffer<u32>(64);
    add.launch(dev, 1, x, x, x, 1);
    add.launch(dev, 1, x, x, x, 1);
    EXPECT_EQ(add.compilations().size(), 1u);
    EXPECT_EQ(add.compilations()[0].origin, i == 0 ? "compiled" : "process");
  }
  EXPECT_GT(driver.loads, loads);
}

// SEMANTICS P1a
TEST_F(VariantTest, largeGridsAreFolded) {
  const auto k = makeCoordinates();
  k.launch(dev, {2, 16, 3}, memory);
  k.launch(dev, {2, 17, 3}, memory);
  EXPECT_THAT(variants(k), ElementsAre("aligned", "aligned, folded grid"));
  ASSERT_EQ(driver.launches.size(), 2u);
  EXPECT_THAT(driver.launches[0].grid, ElementsAre(2, 16, 3));
  EXPECT_THAT(driver.launches[1].grid, ElementsAre(2 * 17 * 3, 1, 1));
  EXPECT_EQ(driver.launches[1].at<std::int64_t>(8), 2) << "the extents travel as hidden arguments";
  EXPECT_EQ(driver.launches[1].at<std::int64_t>(16), 17);
}

TEST_F(VariantTest, nothingIsCompiledWhileCapturing) {
  const auto add = makeAdd<i64>();
  driver.capturing = true;
  EXPECT_THAT(
      wordsOf<UsageError>([&] { add.launch(dev, 1, memory, memory, memory, 1); }),
      HasSubstr("the stream is being captured, and this kernel is not compiled yet for these arguments; launch it "
                "once before the capture"));
  driver.capturing = false;
  add.launch(dev, 1, memory, memory, memory, 1);
  driver.capturing = true;
  add.launch(dev, 1, memory, memory, memory, 1);
  EXPECT_EQ(driver.launches.size(), 2u);
}

TEST_F(VariantTest, recordsTellTheStages) {
  const auto add = makeAdd<i64>();
  add.launch(interp(), 1, interp().buffer<i64>(64), interp().buffer<i64>(64), interp().buffer<i64>(64), 0);
  ASSERT_EQ(add.compilations().size(), 1u);
  const CompileRecord record = add.compilations()[0];
  std::vector<std::string> stages;
  for (const auto &[stage, ms] : record.stages) {
    stages.push_back(stage);
    EXPECT_GE(ms, 0);
  }
  EXPECT_THAT(stages, ElementsAre("trace", "find", "tile", "binary", "load"));
  EXPECT_GT(record.milliseconds(), 0);
  EXPECT_EQ(record.target, "interp");
  EXPECT_EQ(record.arguments, "i64*, i64*, i64*, i64");
  EXPECT_EQ(record.facts.at(0).first, "key");
}

TEST_F(VariantTest, logSaysWhatAndWhy) {
  const ScopedEnvironment set("TESSERA_LOG", "compile,launch");
  std::string seen;
  support::resetLog([&](std::string_view line) { seen += line; });
  const auto add = makeAdd<i64>();
  add.with({.block = 128}).launch(dev, 1, memory, memory, memory, 1);
  add.with({.block = 128}).launch(dev, {1, 2}, memory, memory, memory, 1);
  unsetenv("TESSERA_LOG");
  support::resetLog();
  EXPECT_THAT(
      seen,
      AllOf(HasSubstr("tessera: compile: kernel `add` for null, arguments: i64*, i64*, i64*, i64, config "
                      "{block=128}, options: defaults, variant: aligned; reason: first launch; trace "),
            HasSubstr("tessera: launch: kernel `add` on watched, arguments: i64*, i64*, i64*, i64, grid (1, 2, 1)")));
  EXPECT_EQ(seen.find("compile"), seen.rfind("compile")) << "compiled once";
}

TEST_F(VariantTest, threadsCompileOnce) {
  const auto add = makeAdd<i64>();
  std::vector<std::thread> threads;
  std::vector<Buffer<i64>> outs;
  const Device device = interp();
  const Buffer<i64> x = device.upload(std::vector<std::int64_t>(64, 3));
  for (int i = 0; i != 8; ++i)
    outs.push_back(device.buffer<i64>(64));
  for (int i = 0; i != 8; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round != 20; ++round)
        add.with({.block = 64}).launch(device, 1, x, x, outs[i], 64);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(add.compilations().size(), 1u);
  for (const Buffer<i64> &out : outs)
    EXPECT_EQ(out.download(), std::vector<std::int64_t>(64, 6));
}

TEST_F(VariantTest, threadsCompileDifferentConfigsAtOnce) {
  const auto add = makeAdd<i64>();
  const Device device = interp();
  const Buffer<i64> x = device.upload(std::vector<std::int64_t>(1024, 3));
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i != 8; ++i)
    threads.emplace_back([&, i] {
      Buffer<i64> out = device.buffer<i64>(1024);
      add.with({.block = 8 << i}).launch(device, 1024 / (8 << i), x, x, out, 1024);
      wrong += out.download() != std::vector<std::int64_t>(1024, 6);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(add.compilations().size(), 8u);
}

TEST_F(VariantTest, aFailureReachesEveryThread) {
  const auto add = makeAdd<i64>();
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int i = 0; i != 4; ++i)
    threads.emplace_back([&] {
      try {
        add.with({.block = 100}).launch(dev, 1, memory, memory, memory, 1);
      } catch (const UsageError &) {
        ++failures;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 4);
}
