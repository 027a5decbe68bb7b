//===- CpuDriverTest.cpp - the device `cpu` without a compiler ------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/LaunchPlan.h"
#include "Runtime/Registry.h"
#include "unit/Expect.h"
#include "unit/ScopedEnvironment.h"

#include "tessera/runtime/Device.h"

#include <fstream>
#include <iterator>
#include <thread>

using namespace tessera;
using tessera::test::ScopedEnvironment;
using tessera::test::wordsOf;
using testing::AllOf;
using testing::HasSubstr;

namespace {

std::vector<std::byte> fileBytes(const char *path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto *bytes = reinterpret_cast<const std::byte *>(text.data());
  return {bytes, bytes + text.size()};
}

/// The image of kernel.cpp.
rt::Image fillImage() {
  rt::Image image;
  image.target = "cpu";
  image.format = "shared-object";
  image.kernel = image.entry = "fill";
  rt::Argument out;
  out.kind = rt::ArgumentKind::Pointer;
  out.dtype = i64;
  out.name = "out";
  rt::Argument value;
  value.dtype = i64;
  value.name = "value";
  image.arguments = {out, value};
  image.sharedBytes = 1 << 16;
  image.layOut();
  image.binary = fileBytes(TESSERA_TEST_KERNEL);
  return image;
}

rt::DeviceState &device() { return *rt::Registry::get().find("cpu"); }

/// Launches and returns what is in `out`, which has one element more than there are programs.
std::vector<std::int64_t> run(const rt::LaunchPlan &plan, std::array<std::int64_t, 3> grid, std::int64_t value) {
  std::vector<std::int64_t> out(static_cast<std::size_t>(grid[0] * grid[1] * grid[2]) + 1, -1);
  const rt::CallArgument arguments[] = {{reinterpret_cast<std::uint64_t>(out.data()), out.size() * 8},
                                        {static_cast<std::uint64_t>(value)}};
  plan.launch(*device().defaultStream, grid, arguments);
  device().defaultStream->synchronize();
  return out;
}

std::string loadError(const rt::Image &image) {
  return wordsOf<DeviceError>([&] { rt::LaunchPlan plan(device(), image); });
}

} // namespace

TEST(CpuDriver, launches) {
  const rt::LaunchPlan plan(device(), fillImage());
  std::vector<std::int64_t> out = run(plan, {10, 3, 2}, 1000);
  EXPECT_EQ(out.back(), 1);
  out.pop_back();
  for (std::size_t i = 0; i != out.size(); ++i)
    ASSERT_EQ(out[i], 1000 + static_cast<std::int64_t>(i));
}

TEST(CpuDriver, everyLoadIsALibraryOfItsOwn) {
  const rt::Image image = fillImage();
  const rt::LaunchPlan first(device(), image);
  EXPECT_EQ(run(first, {1, 1, 1}, 0).back(), 1);
  EXPECT_EQ(run(first, {1, 1, 1}, 0).back(), 2);
  // The dynamic loader knows libraries by their file names, and descriptors are reused.
  for (int i = 0; i != 20; ++i)
    EXPECT_EQ(run(rt::LaunchPlan(device(), image), {1, 1, 1}, 0).back(), 1);
  EXPECT_EQ(run(first, {1, 1, 1}, 0).back(), 3);
}

TEST(CpuDriver, loadsOnManyThreads) {
  const rt::Image image = fillImage();
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int i = 0; i != 4; ++i)
    threads.emplace_back([&, i] {
      for (int j = 0; j != 10; ++j)
        wrong += run(rt::LaunchPlan(device(), image), {5, 1, 1}, i)[4] != i + 4;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(CpuDriver, refusesWhatIsNotForIt) {
  rt::Image image = fillImage();
  image.target = "interp";
  EXPECT_THAT(loadError(image),
              HasSubstr("kernel `fill` was compiled for interp as shared-object, and device cpu runs"));
  image = fillImage();
  image.format = "cubin";
  EXPECT_THAT(loadError(image), HasSubstr("as cubin"));
}

TEST(CpuDriver, refusesInstructionsThatAreNotThere) {
  rt::Image image = fillImage();
  image.setFact("cpu_features", "warp-drive");
  EXPECT_THAT(loadError(image), AllOf(HasSubstr("kernel `fill` was compiled for cpu and uses warp-drive, which this "
                                                "processor"),
                                      HasSubstr("x86-64-v2")));
}

TEST(CpuDriver, refusesDamagedCode) {
  rt::Image image = fillImage();
  image.binary.resize(40);
  EXPECT_THAT(loadError(image), HasSubstr("device cpu cannot load kernel `fill`: the code cannot be loaded: it is too "
                                          "short"));
  image = fillImage();
  image.binary[0] = std::byte{0};
  EXPECT_THAT(loadError(image), HasSubstr("it is no ELF file"));
  image = fillImage();
  image.binary[18] ^= std::byte{0xff}; // the machine
  EXPECT_THAT(loadError(image), HasSubstr("another architecture"));
  image = fillImage();
  image.binary.resize(200);
  EXPECT_THAT(loadError(image), HasSubstr("the code cannot be loaded: from memory: "));
}

TEST(CpuDriver, refusesCodeWithoutTheKernel) {
  rt::Image image = fillImage();
  image.entry = "empty";
  EXPECT_THAT(loadError(image), HasSubstr("its code has no symbol `empty`"));
}

TEST(CpuDriver, refusesGridsThatNeverEnd) {
  const rt::LaunchPlan plan(device(), fillImage());
  const rt::CallArgument arguments[] = {{0, 8}, {0}};
  EXPECT_THAT(wordsOf<DeviceError>(
                  [&] { plan.launch(*device().defaultStream, {std::int64_t{1} << 39, 1 << 20, 1}, arguments); }),
              HasSubstr("device cpu runs at most 2^40"));
}

TEST(CpuDriver, saysWhatItIs) {
  const Device cpu = Device::get("cpu");
  EXPECT_EQ(cpu.target(), Target("cpu"));
  EXPECT_EQ(cpu.warp_size(), 0);
  EXPECT_GE(cpu.multiprocessors(), 1);
  EXPECT_THAT(cpu.description(), HasSubstr(" thread"));
}

TEST(CpuDriver, environmentNamesTheProcessor) {
  // A device asks once, so each value is a driver's first.
  const auto targetFor = [](const char *name) {
    const ScopedEnvironment set("TESSERA_CPU", name);
    return device().driver.properties(0).target;
  };
  EXPECT_EQ(targetFor(""), Target("cpu"));
  EXPECT_EQ(targetFor("native"), Target("cpu"));
  EXPECT_EQ(targetFor("x86-64-v3"), Target("cpu:x86-64-v3"));
  EXPECT_THAT(wordsOf<UsageError>([&] { targetFor("pentium"); }),
              AllOf(HasSubstr("TESSERA_CPU is `pentium`, which names no processor"), HasSubstr("cpu:x86-64-v3")));
}
