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

const auto nothing = kernel("nothing", {"x", "y", "out", "n"}, [](Ptr<f32>, Ptr<f32>, Ptr<f32>, Int) {});

/// Microseconds of the host for one call of \p launch, and then waits for the device.
double cost(const Stream &stream, int launches, const std::function<void()> &launch) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i != launches; ++i)
    launch();
  const double us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  stream.synchronize();
  return us / launches;
}

void printCost(const char *bench, const std::string &system, std::vector<double> us) {
  const double middle = medianOf(std::move(us));
  print({bench, "3ptr+1int", "-", system, middle / 1000, middle, "us"});
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

} // namespace

void measureLaunches(Settings &settings) {
  const Stream stream = device().create_stream();
  const Buffer<f32> x = device().buffer<f32>(16);
  constexpr std::int64_t n = 16;
  const auto bound = nothing.with({}, CompileOptions{});
  const auto go = bound.prepare({1}, x, x, x, n);
  const int rounds = settings.brief ? 1 : kRounds, launches = settings.brief ? 10 : kLaunches;

  std::function<void()> raw;
  void *pointer = x.data();
  std::int64_t number = n;
  std::array<void *, 4> parameters{&pointer, &pointer, &pointer, &number};
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
  const auto launched = [&] { bound.launch(stream, {1}, x, x, x, n); };
  const auto preparedLaunch = [&] { go(stream); };
  cost(stream, 2 * launches, launched);
  std::vector<double> ours, packed, driver;
  for (int round = 0; round != rounds; ++round) {
    if (raw)
      driver.push_back(cost(stream, launches, raw));
    ours.push_back(cost(stream, launches, launched));
    packed.push_back(cost(stream, launches, preparedLaunch));
  }
  printCost("launch_overhead", settings.system, ours);
  printCost("launch_prepared", settings.system, packed);
  if (raw)
    printCost("launch_raw", settings.system + "-cuLaunchKernel", driver);
}

} // namespace tessera::bench
