//===- CudaLaunchPathTest.cpp - launches on `cuda` allocate and lock nothing -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/CUDA/CudaDriver.h"
#include "Runtime/DeviceState.h"
#include "Runtime/LaunchPlan.h"
#include "unit/CountedCalls.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

using namespace tessera;
using namespace tessera::rt;
using namespace tessera::test;

namespace {

/// A kernel with \p count arguments of 8 bytes: of more than two the library only reads the first two.
Image imageWith(std::size_t count) {
  Image image;
  image.target = "cuda:sm_90a";
  image.format = "ptx";
  image.kernel = image.entry = "store";
  image.threadsPerProgram = 128;
  std::string text = "entry store\nparams";
  for (std::size_t i = 0; i != count; ++i) {
    Argument argument;
    argument.kind = i % 2 ? ArgumentKind::Scalar : ArgumentKind::Pointer;
    argument.dtype = i64;
    image.arguments.push_back(argument);
    text += " 8";
  }
  image.layOut();
  text += count ? "\ndoes store" : "\ndoes nothing";
  const auto *bytes = reinterpret_cast<const std::byte *>(text.data());
  image.binary.assign(bytes, bytes + text.size());
  return image;
}

} // namespace

TEST(CudaLaunchPath, neitherAllocatesNorLocks) {
  const auto driver = cuda::createDriver(TESSERA_TEST_FAKE_CUDA);
  DeviceState device(*driver, 0, "cuda:0");
  StreamState stream(device, driver->createStream(0), true);
  for (const std::size_t count : {0, 4, 20, 60, 250}) {
    SCOPED_TRACE(count);
    const LaunchPlan plan(device, imageWith(count));
    std::int64_t out = 0;
    std::vector<CallArgument> arguments;
    for (std::size_t i = 0; i != count; ++i)
      arguments.push_back(i % 2 ? CallArgument{7}
                                : CallArgument{reinterpret_cast<std::uint64_t>(&out), sizeof out, true});
    for (StreamState *each : {&stream, &*device.defaultStream}) {
      const Calls calls = callsOf([&] { ASSERT_TRUE(plan.launch(*each, {1, 1, 1}, arguments)); });
      EXPECT_EQ(calls.allocations, 0);
      EXPECT_EQ(calls.locks, 0);
    }
    EXPECT_EQ(out, count ? 7 : 0);
  }
}
