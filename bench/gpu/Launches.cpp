//===- Launches.cpp - what a launch costs the host -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The same kernel, which does nothing, is launched a thousand times through us and a thousand times through the
// driver's own call, in turn: the cost of the latter differs between processes and drifts within one.
//
//===---------------------------------------------------------------------===//

#include "Case.h"
#include "RawDriver.h"

#include <array>
#include <chrono>
#include <cstdio>

namespace tessera::bench {

namespace {

constexpr int kRounds = 20, kLaunches = 1000;

/// A kernel that does nothing with as many pointers and as many integers.
template <std::size_t Pointers, std::size_t Integers>
const auto nothing = kernel("nothing", [](std::array<Ptr<f32>, Pointers>, std::array<Int, Integers>) {});

/// Microseconds of the host for one call of \p launch, and then waits for the device.
double cost(const Stream &stream, int launches, const std::function<void()> &launch) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i != launches; ++i)
    launch();
  const double us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  stream.synchronize();
  return us / launches;
}

void printCost(const char *bench, const std::string &shape, const std::string &system, std::vector<double> us) {
  const double middle = medianOf(std::move(us));
  print({bench, shape, "-", system, middle / 1000, middle, "us"});
}

/// The name of the kernel in \p ptx.
std::string entryOf(const std::string &ptx) {
  const std::string word = ".entry ";
  const std::size_t start = ptx.find(word);
  if (start == std::string::npos)
    return {};
  const std::size_t first = start + word.size();
  return ptx.substr(first, ptx.find_first_of("( \n", first) - first);
}

/// Launches of a kernel with these arguments: ours, ours prepared, and the driver's own with the same arguments packed.
template <std::size_t Pointers, std::size_t Integers> void measureWith(Settings &settings) {
  const std::string shape = std::to_string(Pointers) + "ptr+" + std::to_string(Integers) + "int";
  const Stream stream = device().create_stream();
  const Buffer<f32> x = device().buffer<f32>(16);
  std::array<Borrowed<f32>, Pointers> pointers;
  pointers.fill(x);
  std::array<std::int64_t, Integers> integers;
  integers.fill(16);
  const auto bound = nothing<Pointers, Integers>.with({}, CompileOptions{});
  const auto go = bound.prepare({1}, pointers, integers);
  const int rounds = settings.brief ? 1 : kRounds, launches = settings.brief ? 10 : kLaunches;

  std::function<void()> raw;
  std::array<std::uint64_t, Pointers + Integers> packed;
  std::array<void *, Pointers + Integers> parameters;
  for (std::size_t i = 0; i != packed.size(); ++i) {
    packed[i] = i < Pointers ? reinterpret_cast<std::uint64_t>(x.data()) : 16;
    parameters[i] = &packed[i];
  }
  try {
    if (const RawDriver *driver = RawDriver::get(); driver && device().target().family() == "cuda") {
      driver->useDevice();
      const std::string ptx = emit(bound, device().target(), "asm");
      void *function = driver->load(ptx, entryOf(ptx));
      raw = [=, &parameters, &stream] { driver->launch(function, 128, stream.native(), parameters.data()); };
      raw();
    }
    go(stream);
    stream.synchronize();
  } catch (const std::exception &error) {
    std::printf("# launch: %s\n", error.what());
    ++settings.failures;
    return;
  }
  const auto launched = [&] { bound.launch(stream, {1}, pointers, integers); };
  const auto preparedLaunch = [&] { go(stream); };
  cost(stream, 2 * launches, launched);
  std::vector<double> ours, prepared, driver;
  for (int round = 0; round != rounds; ++round) {
    if (raw)
      driver.push_back(cost(stream, launches, raw));
    ours.push_back(cost(stream, launches, launched));
    prepared.push_back(cost(stream, launches, preparedLaunch));
  }
  printCost("launch_overhead", shape, settings.system, ours);
  printCost("launch_prepared", shape, settings.system, prepared);
  if (raw)
    printCost("launch_raw", shape, settings.system + "-cuLaunchKernelEx", driver);
}

} // namespace

void measureLaunches(Settings &settings) {
  measureWith<3, 1>(settings);
  measureWith<30, 30>(settings);
}

} // namespace tessera::bench
