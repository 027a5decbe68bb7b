//===- LaunchPathTest.cpp - the steady state allocates and locks nothing -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/CountedCalls.h"
#include "unit/Driver/Kernels.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>

using namespace tessera;
using namespace tessera::test;

namespace {

/// Neither allocates nor locks once \p run ran.
template <class Run> void expectQuiet(Run run) {
  const Calls calls = callsOf(run);
  EXPECT_EQ(calls.allocations, 0);
  EXPECT_EQ(calls.locks, 0);
}

/// Launches with as many pointers and as many integers.
template <std::size_t Pointers, std::size_t Integers> void expectQuietLaunches() {
  SCOPED_TRACE(Pointers + Integers);
  const auto many = kernel("many", [](std::array<Ptr<f32>, Pointers> x, std::array<Int, Integers> n) {
    store(x[0] + n[0], load(x[Pointers - 1] + n[Integers - 1]));
  });
  for (const char *name : {"null", "cpu"}) {
    SCOPED_TRACE(name);
    const Device dev = Device::get(name);
    const Buffer<f32> memory = dev.buffer<f32>(64);
    const Stream stream = dev.stream();
    std::array<Borrowed<f32>, Pointers> x;
    x.fill(memory);
    std::array<std::int64_t, Integers> n;
    n.fill(5);
    const auto go = many.prepare({2}, x, n);
    // The host's programs are handed to other threads, which takes a lock.
    const bool locks = std::string_view(name) == "cpu";
    const Calls direct = callsOf([&] { many.launch(stream, {2}, x, n); }), prepared = callsOf([&] { go(stream); });
    stream.synchronize();
    EXPECT_EQ(direct.allocations, 0);
    EXPECT_EQ(prepared.allocations, 0);
    if (!locks)
      EXPECT_EQ(direct.locks + prepared.locks, 0);
  }
}

} // namespace

// Those inside the library are counted too.
TEST(LaunchPath, countsCalls) {
  EXPECT_GT(callsOf([] { Device::get("null").create_stream(); }).allocations, 0);
  const auto k = kernel("scratch", [](Ptr<i32> out, Int n) { store(out, load(workspace<i32>(n))); });
  const Device dev = Device::get("null");
  const Buffer<i32> x = dev.buffer<i32>(64);
  EXPECT_GT(callsOf([&] { k.launch(dev, 2, x, 100); }).locks, 0) << "kernels of a stream share its scratch memory";
}

TEST(LaunchPath, launchesWithoutArguments) {
  const auto k = kernel("nothing", [] {});
  const Device dev = Device::get("null");
  const auto go = k.prepare({2});
  expectQuiet([&] { k.launch(dev, {2}); });
  expectQuiet([&] { go(dev); });
}

TEST(LaunchPath, launchesWithManyArguments) {
  expectQuietLaunches<2, 2>();
  expectQuietLaunches<10, 10>();
  expectQuietLaunches<30, 30>();
  expectQuietLaunches<120, 120>();
}

TEST(LaunchPath, launchAllocatesNothing) {
  const auto add = makeAdd<f32>();
  const Device dev = Device::get("null");
  const Buffer<f32> x = dev.buffer<f32>(64);
  const Stream stream = dev.stream();
  expectQuiet([&] { add.with({.block = 32}, {.num_warps = 8}).launch(stream, {2}, x, x, x, 64); });
}

TEST(LaunchPath, preparedLaunchAllocatesNothing) {
  const auto add = makeAdd<f32>();
  const Device dev = Device::get("null");
  const Buffer<f32> x = dev.buffer<f32>(64);
  auto go = add.prepare({2}, x, x, x, 64);
  expectQuiet([&] { go(dev), go.set<3>(32), go(dev); });
}

// Also with a key that is read from arguments, and another one each time.
TEST(LaunchPath, tunedLaunchAllocatesNothing) {
  const auto add = makeAdd<f32>();
  const Device dev = Device::get("null");
  const Buffer<f32> x = dev.buffer<f32>(64);
  const auto tuned = autotune(add, {{{.block = 32}}, {{.block = 64}}}, key("n", bucket("n")), {.budget_ms = 1});
  const Stream stream = dev.stream();
  const auto grid = [](const AddConfig &c) { return Grid{cdiv(64, c.block)}; };
  expectQuiet([&] {
    tuned.launch(stream, grid, x, x, x, 64);
    tuned.launch(stream, grid, x, x, x, 32);
  });
  auto go = tuned.prepare(grid, x, x, x, 64);
  expectQuiet([&] { go(dev), go.set<3>(32), go(dev); });
}

TEST(LaunchPath, hiddenArgumentsAllocateNothing) {
  const auto k = kernel("scratch", [](Ptr<i32> out, Int n) { store(out, load(workspace<i32>(n))); });
  const Device dev = Device::get("null");
  const Buffer<i32> x = dev.buffer<i32>(64);
  EXPECT_EQ(callsOf([&] { k.launch(dev, 2, x, 100); }).allocations, 0);
}
