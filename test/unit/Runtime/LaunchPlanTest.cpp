//===- LaunchPlanTest.cpp - what arrives at the driver -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/LaunchPlan.h"
#include "Runtime/DeviceRecords.h"
#include "unit/Expect.h"
#include "unit/Runtime/FakeDriver.h"

#include "tessera/runtime/Stream.h"

#include <bit>

using namespace tessera;
using namespace tessera::rt;
using tessera::test::FakeDriver;
using tessera::test::wordsOf;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class LaunchPlanTest : public testing::Test {
protected:
  LaunchPlanTest() {
    image.target = "null";
    image.kernel = image.entry = "k";
    add(ArgumentKind::Pointer, f32, "x");
    add(ArgumentKind::Scalar, i32, "n");
    add(ArgumentKind::Scalar, u8, "small");
  }
  Argument &add(ArgumentKind kind, DType dtype, const char *name) {
    Argument argument;
    argument.kind = kind;
    argument.dtype = dtype;
    argument.name = name;
    image.arguments.push_back(argument);
    return image.arguments.back();
  }
  /// Launches with x = memory, n, small = 200 on a grid of (2, 3, 1).
  bool launch(std::int32_t n = 10, std::array<std::int64_t, 3> grid = {2, 3, 1}) {
    image.layOut();
    if (!plan)
      plan.emplace(device, image);
    const CallArgument arguments[] = {
        {reinterpret_cast<std::uint64_t>(memory), sizeof memory, true}, {static_cast<std::uint32_t>(n)}, {200}};
    return plan->launch(*device.defaultStream, grid, arguments);
  }
  std::string problem(std::int32_t n = 10, std::array<std::int64_t, 3> grid = {2, 3, 1}) {
    try {
      launch(n, grid);
    } catch (const LaunchProblem &caught) {
      return caught.words;
    }
    ADD_FAILURE() << "nothing was wrong";
    return {};
  }
  const FakeDriver::Launch &last() const { return driver.launches.back(); }
  std::uint32_t offset(std::size_t argument) const { return image.arguments[argument].offset; }

  FakeDriver driver;
  DeviceState device{driver, 0, "fake"};
  Image image;
  std::optional<LaunchPlan> plan;
  float memory[4] = {1, 2, 3, 4};
};

} // namespace

TEST_F(LaunchPlanTest, packsArgumentsLowBytesFirst) {
  EXPECT_TRUE(launch(-2));
  ASSERT_EQ(driver.launches.size(), 1u);
  EXPECT_THAT(last().grid, ElementsAre(2, 3, 1));
  EXPECT_EQ(last().at<float *>(0), memory);
  EXPECT_EQ(last().at<std::int32_t>(8), -2);
  EXPECT_EQ(last().at<std::uint8_t>(12), 200);
  EXPECT_EQ(last().packed.size(), 13u);
  EXPECT_EQ(last().extents[0].address, memory);
  EXPECT_EQ(last().extents[0].bytes, sizeof memory);
  EXPECT_TRUE(last().extents[0].sized);
  EXPECT_EQ(last().extents[1].address, nullptr);
}

TEST_F(LaunchPlanTest, computesValues) {
  add(ArgumentKind::Value, i64, "v").value =
      Expr::argument(1) * Expr::numPrograms(1) + Expr::argument(2) + Expr::device(DeviceFact::Multiprocessors);
  launch(-10);
  EXPECT_EQ(last().at<std::int64_t>(offset(3)), -10 * 3 + 200 + 4);
}

TEST_F(LaunchPlanTest, unsignedArgumentsStayUnsigned) {
  add(ArgumentKind::Value, i64, "v").value = Expr::argument(2);
  launch();
  EXPECT_EQ(last().at<std::int64_t>(offset(3)), 200);
}

TEST_F(LaunchPlanTest, overflowInARecipeNamesIt) {
  add(ArgumentKind::Workspace, f32, "w").bytes = Expr::argument(1) * (std::int64_t{1} << 62);
  EXPECT_EQ(problem(),
            "the size of w is n * 4611686018427387904, which cannot be computed from these arguments: overflow");
}

TEST_F(LaunchPlanTest, givesWorkspace) {
  add(ArgumentKind::Workspace, f32, "a").bytes = Expr::argument(1) * 4;
  Argument &second = add(ArgumentKind::Workspace, i32, "b");
  second.bytes = 512;
  second.zeroed = true;
  launch(100);
  const auto *a = last().at<const std::byte *>(offset(3));
  const auto *b = last().at<const std::byte *>(offset(4));
  EXPECT_EQ(b - a, 512) << "400 bytes, then aligned to 256";
  EXPECT_EQ(last().extents[3].bytes, 400u);
  EXPECT_EQ(last().extents[4].address, b);
  EXPECT_EQ(std::to_integer<int>(a[0]), 0xab) << "not touched";
  for (int i = 0; i != 512; ++i)
    ASSERT_EQ(std::to_integer<int>(b[i]), 0);
}

TEST_F(LaunchPlanTest, workspaceIsReused) {
  add(ArgumentKind::Workspace, f32, "a").bytes = Expr::argument(1) * 4;
  launch(100);
  const int alive = driver.alive;
  launch(200);
  EXPECT_EQ(driver.alive, alive);
  EXPECT_EQ(last().at<void *>(offset(3)), driver.launches[0].at<void *>(offset(3)));
  launch(1 << 20);
  EXPECT_EQ(driver.alive, alive) << "the larger block replaces the smaller";
}

TEST_F(LaunchPlanTest, capturesKeepTheirWorkspace) {
  add(ArgumentKind::Workspace, f32, "a").bytes = Expr::argument(1) * 4;
  driver.capturing = true;
  EXPECT_THAT(problem(),
              HasSubstr("the stream is being captured, and memory for this kernel's hidden arguments is missing"));
  driver.capturing = false;
  launch(100);
  driver.capturing = true;
  launch(100);
  EXPECT_THAT(problem(1 << 20), HasSubstr("is being captured"));
  driver.capturing = false;
  const int alive = driver.alive;
  launch(1 << 20);
  EXPECT_EQ(driver.alive, alive + 1) << "the graph still uses the smaller block";
}

TEST_F(LaunchPlanTest, refusesAbsurdWorkspace) {
  add(ArgumentKind::Workspace, f32, "a").bytes = Expr::argument(1) * 4;
  EXPECT_EQ(problem(-1), "its workspace would take n * 4 = -4 bytes");
}

TEST_F(LaunchPlanTest, countersAreZeroedOnce) {
  add(ArgumentKind::Counters, u32, "c").bytes = 16;
  driver.kernel = [&](FakeDriver::Launch &launch) {
    auto *counter = launch.at<std::uint32_t *>(offset(3));
    EXPECT_EQ(*counter, 0u);
    *counter = 5; // a kernel that forgets to leave zero
  };
  launch();
  driver.kernel = nullptr;
  launch();
  EXPECT_EQ(*last().at<std::uint32_t *>(offset(3)), 5u) << "nothing is cleared between launches";
}

TEST_F(LaunchPlanTest, countersAreZeroAgainAfterAFailure) {
  add(ArgumentKind::Counters, u32, "c").bytes = 16;
  launch();
  *last().at<std::uint32_t *>(offset(3)) = 5;
  driver.failure = "a kernel died";
  EXPECT_THROW(device.defaultStream->synchronize(), DeviceError);
  launch();
  EXPECT_EQ(*last().at<std::uint32_t *>(offset(3)), 0u);
}

// SEMANTICS P1b
TEST_F(LaunchPlanTest, zeroedArgumentsAreCleared) {
  image.arguments[0].zeroed = true;
  driver.kernel = [&](FakeDriver::Launch &) { EXPECT_EQ(memory[3], 0.0f); };
  launch();
  EXPECT_EQ(memory[0], 0.0f);
}

TEST_F(LaunchPlanTest, zeroedArgumentsNeedASize) {
  image.arguments[0].zeroed = true;
  image.layOut();
  const LaunchPlan local(device, image);
  const CallArgument arguments[] = {{reinterpret_cast<std::uint64_t>(memory), 0}, {1}, {1}};
  try {
    local.launch(*device.defaultStream, {1, 1, 1}, arguments);
    FAIL();
  } catch (const LaunchProblem &caught) {
    EXPECT_EQ(caught.words, "is to be zeroed, but its size is unknown; pass a Buffer or borrow(pointer, count)");
    EXPECT_EQ(caught.argument, 0);
  }
  EXPECT_TRUE(driver.launches.empty());
}

TEST_F(LaunchPlanTest, requirementsChooseAnotherVariant) {
  image.requirements = {Expr::binary(ExprCode::Gt, Expr::argument(1), 5)};
  EXPECT_TRUE(launch(6));
  EXPECT_FALSE(launch(5));
  EXPECT_EQ(driver.launches.size(), 1u);
}

TEST_F(LaunchPlanTest, requirementsThatOverflowAreNotMet) {
  image.requirements = {Expr::argument(0) * Expr::argument(0)};
  EXPECT_FALSE(launch());
}

TEST_F(LaunchPlanTest, launchGridIsComputed) {
  image.launchGrid = {Expr::min(Expr::numPrograms(0) * Expr::numPrograms(1), Expr::device(DeviceFact::Multiprocessors)),
                      1, 1};
  launch();
  EXPECT_THAT(last().grid, ElementsAre(4, 1, 1));
}

TEST_F(LaunchPlanTest, launchGridMustFit) {
  image.launchGrid = {1, Expr::argument(1), 1};
  EXPECT_EQ(problem(17), "extent 17 of its grid on axis y does not fit device fake, which takes 1 to 16");
  EXPECT_THAT(problem(0), HasSubstr("extent 0 of its grid on axis y"));
}

TEST_F(LaunchPlanTest, clustersDivideTheGrid) {
  image.cluster = {2, 1, 1};
  EXPECT_TRUE(launch(1, {4, 1, 1}));
  EXPECT_THAT(problem(1, {3, 1, 1}), HasSubstr("extent 3 of its grid on axis x is no multiple of its cluster's 2"));
}

TEST_F(LaunchPlanTest, makesDescriptors) {
  image.arguments[1].dtype = i64;
  Argument &map = add(ArgumentKind::TensorMap, f32, "x.map");
  map.tensorMap.emplace();
  map.tensorMap->dtype = f32;
  map.tensorMap->extents = {Expr::argument(1), 7};
  map.tensorMap->strides = {Expr::argument(1) * 4};
  map.tensorMap->box = {32, 8};
  map.tensorMap->swizzle = TensorSwizzle::Bytes128;
  alignas(16) static float aligned[4];
  const auto attempt = [&](std::uint64_t address, std::uint64_t n) {
    const CallArgument arguments[] = {{address, 0}, {n}, {0}};
    return plan->launch(*device.defaultStream, {1, 1, 1}, arguments);
  };
  image.layOut();
  plan.emplace(device, image);
  EXPECT_TRUE(attempt(reinterpret_cast<std::uint64_t>(aligned), 64));
  ASSERT_EQ(driver.maps.size(), 1u);
  EXPECT_EQ(driver.maps[0].extents[0], 64u);
  EXPECT_EQ(driver.maps[0].extents[1], 7u);
  EXPECT_EQ(driver.maps[0].strideBytes[0], 256u);
  EXPECT_EQ(offset(3) % 64, 0u);
  EXPECT_EQ(last().at<std::uint8_t>(offset(3) + 127), 0x5a);
  try {
    attempt(reinterpret_cast<std::uint64_t>(aligned), 3);
    FAIL();
  } catch (const LaunchProblem &caught) {
    EXPECT_EQ(caught.words, "gives no descriptor: its stride of 12 bytes on axis 1 is not a multiple of 16 below 2^40");
    EXPECT_EQ(caught.argument, 0);
  }
}

TEST_F(LaunchPlanTest, keepsDescriptors) {
  image.arguments[1].dtype = i64;
  Argument &map = add(ArgumentKind::TensorMap, f32, "x.map");
  map.tensorMap.emplace();
  map.tensorMap->dtype = f32;
  map.tensorMap->extents = {Expr::argument(1), Expr::numPrograms(0)};
  map.tensorMap->strides = {4096};
  map.tensorMap->box = {32, 8};
  image.requirements = {Expr::binary(ExprCode::Le, Expr::argument(1), 1024)};
  alignas(16) static float first[4], second[4];
  image.layOut();
  plan.emplace(device, image);
  const auto attempt = [&](const float *address, std::uint64_t n, std::uint64_t other, std::int64_t programs = 1) {
    const CallArgument arguments[] = {{reinterpret_cast<std::uint64_t>(address)}, {n}, {other}};
    return plan->launch(*device.defaultStream, {programs, 1, 1}, arguments);
  };
  EXPECT_TRUE(attempt(first, 64, 0));
  EXPECT_EQ(driver.maps.size(), 1u);
  // Nothing that a descriptor is made of has changed.
  for (std::uint64_t other = 0; other != 5; ++other) {
    EXPECT_TRUE(attempt(first, 64, other));
    EXPECT_EQ(last().at<std::uint8_t>(offset(3) + 127), 0x5a);
  }
  EXPECT_EQ(driver.maps.size(), 1u);
  EXPECT_TRUE(attempt(second, 64, 0));
  EXPECT_TRUE(attempt(first, 96, 0));
  EXPECT_TRUE(attempt(first, 64, 0, 2));
  ASSERT_EQ(driver.maps.size(), 4u);
  EXPECT_EQ(driver.maps[1].address, reinterpret_cast<std::uint64_t>(second));
  EXPECT_EQ(driver.maps[2].extents[0], 96u);
  EXPECT_EQ(driver.maps[3].extents[1], 2u);
  // What breaks a requirement still does.
  EXPECT_FALSE(attempt(first, 1025, 0));
  EXPECT_FALSE(attempt(first, 1025, 0));
  EXPECT_EQ(driver.maps.size(), 4u);
}

TEST(TensorMap, saysWhatIsWrong) {
  TensorMapValues good;
  good.address = 4096;
  good.dtype = f16;
  good.rank = 2;
  good.extents = {64, 64};
  good.strideBytes = {128};
  good.box = {64, 64};
  good.swizzle = TensorSwizzle::Bytes128;
  EXPECT_EQ(problemOf(good), "");
  const auto wrong = [&](auto change) {
    TensorMapValues values = good;
    change(values);
    return problemOf(values);
  };
  EXPECT_EQ(wrong([](auto &v) { v.address = 0; }), "its address is null");
  EXPECT_EQ(wrong([](auto &v) { v.address = 4104; }), "its address 0x1008 is not a multiple of 16");
  EXPECT_EQ(wrong([](auto &v) { v.extents[1] = 0; }), "its extent 0 on axis 1 is not between 1 and 2^32");
  EXPECT_EQ(wrong([](auto &v) { v.box[1] = 512; }), "its box has 512 elements on axis 1; 1 to 256 are possible");
  EXPECT_EQ(wrong([](auto &v) { v.box[0] = 4; }), "a row of its box has 8 bytes, not a multiple of 16");
  EXPECT_EQ(wrong([](auto &v) { v.swizzle = TensorSwizzle::Bytes64; }),
            "a row of its box has 128 bytes, more than the 64 of its swizzle");
}

TEST_F(LaunchPlanTest, printsWhatKernelsRecorded) {
  image.sites = {{"row", "k.cpp:4:2", {"v"}, {f32}}, {"", "k.cpp:5:2", {"i", ""}, {i32, f32}}};
  add(ArgumentKind::PrintBuffer, {}, "print").bytes = sizeof(PrintHeader) + 6 * sizeof(PrintRecord);
  std::vector<std::string> lines;
  setPrintSink([&](std::string_view line) { lines.emplace_back(line); });
  driver.kernel = [&](FakeDriver::Launch &launch) {
    auto *header = launch.at<PrintHeader *>(offset(3));
    EXPECT_EQ(header->capacity, 6u);
    auto *records = reinterpret_cast<PrintRecord *>(header + 1);
    const auto record = [&](std::uint32_t site, std::uint32_t value, std::int32_t lane, std::uint32_t bits) {
      if (const std::uint32_t i = header->count++; i < header->capacity)
        records[i] = {site, value, {1, 0, 0}, {lane}, 1, bits};
    };
    for (std::int32_t lane : {0, 1})
      record(0, 0, lane, std::bit_cast<std::uint32_t>(0.5f + static_cast<float>(lane)));
    for (std::int32_t lane : {3, 4, 5}) { // two values a lane; the last of them finds no room
      record(1, 0, lane, static_cast<std::uint32_t>(lane));
      record(1, 1, lane, std::bit_cast<std::uint32_t>(2.5f));
    }
  };
  launch();
  EXPECT_TRUE(lines.empty());
  device.defaultStream->synchronize();
  EXPECT_THAT(lines, ElementsAre("k.cpp:4:2: row v = 0.5 in program (1, 0, 0) at (0)",
                                 "k.cpp:4:2: row v = 1.5 in program (1, 0, 0) at (1)",
                                 "k.cpp:5:2: i = 3, 2.5 in program (1, 0, 0) at (3)",
                                 "k.cpp:5:2: i = 4, 2.5 in program (1, 0, 0) at (4)",
                                 "kernel `k`: 2 more values were printed than the buffer holds"));
  device.defaultStream->synchronize();
  EXPECT_EQ(lines.size(), 5u) << "printed once";
  setPrintSink({});
}

TEST_F(LaunchPlanTest, failedChecksBecomeErrors) {
  image.sites = {{"", "k.cpp:1:1", {}, {}}, {"index in range", "k.cpp:9:5", {}, {}}};
  add(ArgumentKind::FaultFlag, {}, "fault");
  driver.kernel = [&](FakeDriver::Launch &launch) {
    *launch.at<FaultRecord *>(offset(3)) = {1, 1, {3, 2, 1}, {7, 8}, 2, 0};
  };
  launch();
  EXPECT_EQ(wordsOf<DeviceError>([&] { device.defaultStream->synchronize(); }),
            "k.cpp:9:5: kernel `k`: index in range in program (3, 2, 1) at (7, 8)");
  device.defaultStream->synchronize();
}

TEST_F(LaunchPlanTest, failedChecksExplainADeadKernel) {
  image.sites = {{"index in range", "k.cpp:9:5", {}, {}}};
  add(ArgumentKind::FaultFlag, {}, "fault");
  driver.kernel = [&](FakeDriver::Launch &launch) { launch.at<FaultRecord *>(offset(3))->state = 1; };
  launch();
  driver.failure = "fakeSync failed with code 719";
  EXPECT_EQ(wordsOf<DeviceError>([&] { device.defaultStream->synchronize(); }),
            "k.cpp:9:5: kernel `k`: index in range in program (0, 0, 0) (fakeSync failed with code 719)");
}

TEST_F(LaunchPlanTest, recordsWithWildNumbersAreHarmless) {
  const std::vector<Site> sites;
  const PrintRecord print[] = {{9, 9, {}, {}, 1000, 1}};
  EXPECT_THAT(describe(print, sites), HasSubstr("unknown site"));
  EXPECT_THAT(describe(FaultRecord{1, 77, {}, {}, -5, 0}, sites, "k"), HasSubstr("unknown site"));
}

TEST_F(LaunchPlanTest, elementsAsText) {
  EXPECT_EQ(elementText(0xff, i8), "-1");
  EXPECT_EQ(elementText(0xff, u8), "255");
  EXPECT_EQ(elementText(0x3e00, f16), "1.5");
  EXPECT_EQ(elementText(1, i1), "true");
  EXPECT_EQ(elementText(16, ptr_to(f32)), "0x10");
  EXPECT_EQ(elementText(~std::uint64_t{0}, i64), "-1");
}

TEST_F(LaunchPlanTest, largeArgumentListsWork) {
  for (int i = 0; i != 120; ++i)
    add(ArgumentKind::Value, i64, "v").value = i;
  Argument &map = add(ArgumentKind::TensorMap, f32, "map");
  map.tensorMap.emplace();
  map.tensorMap->dtype = f32;
  map.tensorMap->extents = {4};
  map.tensorMap->box = {4};
  image.arguments[0].dtype = f32;
  alignas(16) static float aligned[4];
  image.layOut();
  plan.emplace(device, image);
  const CallArgument arguments[] = {{reinterpret_cast<std::uint64_t>(aligned)}, {1}, {2}};
  EXPECT_TRUE(plan->launch(*device.defaultStream, {1, 1, 1}, arguments));
  EXPECT_EQ(last().at<std::int64_t>(offset(122)), 119);
  EXPECT_GT(last().packed.size(), 1024u);
}

TEST_F(LaunchPlanTest, loadingFindsFacts) {
  launch();
  EXPECT_EQ(*plan->description().fact("registers"), "40");
  EXPECT_TRUE(plan->description().binary.empty());
  EXPECT_EQ(plan->callerArguments(), 3u);
}

TEST_F(LaunchPlanTest, loadingChecksLimits) {
  image.layOut();
  image.threadsPerProgram = 512;
  EXPECT_THAT(wordsOf<CompileError>([&] { LaunchPlan(device, image); }),
              HasSubstr("kernel `k` needs 512 threads per program; device fake allows 256"));
  image.threadsPerProgram = 32;
  image.sharedBytes = 4000;
  image.staticSharedBytes = 97;
  EXPECT_THAT(wordsOf<CompileError>([&] { LaunchPlan(device, image); }),
              HasSubstr("needs 4097 bytes of shared memory"));
}

TEST_F(LaunchPlanTest, loadingPassesTheDriversWordsOn) {
  image.layOut();
  image.format = "unloadable";
  EXPECT_EQ(wordsOf<DeviceError>([&] { LaunchPlan(device, image); }), "fakeLoad failed with code 7 (invalid image)");
}

TEST_F(LaunchPlanTest, brokenImagesAreOurDefect) {
  image.layOut();
  image.packedBytes = 1;
  EXPECT_THAT(wordsOf<InternalError>([&] { LaunchPlan(device, image); }), HasSubstr("breaks the launch ABI"));
}

TEST_F(LaunchPlanTest, nothingLeaks) {
  {
    const Stream stream(std::make_shared<StreamState>(device, driver.createStream(0), true));
    add(ArgumentKind::Workspace, f32, "a").bytes = 4;
    add(ArgumentKind::Counters, f32, "c").bytes = 4;
    image.layOut();
    plan.emplace(device, image);
    const CallArgument arguments[] = {{reinterpret_cast<std::uint64_t>(memory)}, {1}, {2}};
    plan->launch(stream.state(), {1, 1, 1}, arguments);
    EXPECT_EQ(driver.alive, 2);
  }
  EXPECT_EQ(driver.alive, 0);
}
