//===- main.cpp - random kernels on two executors -----------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// tessera-fuzz runs kernels with the seeds first, first + 1 … on the interpreter and on another device and compares
// what they write, or only compiles them for a target. A kernel that differs is cut down and printed as C++ and as tile
// IR. Exits with 1 if one did, with 3 if one has lost the device.
//
//===---------------------------------------------------------------------===//

#include "Generate.h"
#include "Run.h"
#include "Shrink.h"
#include "Trace.h"

#include "CLI/CLI.hpp"

#include <chrono>
#include <cstdio>
#include <fmt/format.h>

using namespace tessera;
using namespace tessera::fuzz;

namespace {

struct Settings {
  std::uint64_t first = 0, count = 300;
  double seconds = 0;
  std::string device = "cpu";
  std::string target; ///< if given, kernels are compiled for it and not run
  bool isPrinted = false, isVerbose = false;
  int tries = 3000;
};

/// Whether nothing more can be learnt in this process.
bool isLost(const std::string &failure) { return failure.find("is lost to this process") != std::string::npos; }

/// What is wrong with a kernel.
std::string failureOf(const Program &program, const Layout &layout, const Settings &settings) {
  if (settings.target.empty())
    return failureOf(program, layout, Device::get("interp"), Device::get(settings.device));
  try {
    kernelOf(program, layout).with({}, program.options).compile(Target(settings.target));
    return {};
  } catch (const Error &error) {
    return fmt::format("{}: {}", settings.target, error.what());
  }
}

/// Prints everything about a kernel that fails.
void report(const Program &program, const Settings &settings, const std::string &failure) {
  fmt::print("seed {} on {}: {}\n", program.seed, settings.target.empty() ? settings.device : settings.target, failure);
  std::fflush(stdout);
  if (isLost(failure)) {
    Program checked = program;
    const Layout layout = layOut(checked).value();
    fmt::print("{}\n", cppText(checked, layout));
    return;
  }
  // Another failure of the same kind counts: the kernel that is left is reported with its own words.
  const bool isWrong = failure.starts_with("store");
  const Program small = shrink(
      program,
      [&](const Program &candidate, const Layout &layout) {
        const std::string words = failureOf(candidate, layout, settings);
        return !words.empty() && !isLost(words) && words.starts_with("store") == isWrong;
      },
      settings.tries);
  Program checked = small;
  const Layout layout = layOut(checked).value();
  fmt::print("\nCut down: {}\n\n{}\n", failureOf(small, layout, settings), cppText(checked, layout));
  try {
    fmt::print("{}\n", kernelOf(small, layout).print());
  } catch (const Error &error) {
    fmt::print("{}\n", error.what());
  }
  std::fflush(stdout);
}

int check(const Settings &settings) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  std::uint64_t seed = settings.first, failed = 0;
  const auto goesOn = [&] {
    return settings.seconds > 0 ? elapsed() < settings.seconds : seed != settings.first + settings.count;
  };
  for (; goesOn(); ++seed) {
    Program program = generate(seed);
    const std::optional<Layout> layout = layOut(program);
    if (!layout) {
      fmt::print("seed {}: the generator made a kernel that is not well formed\n", seed);
      ++failed;
      continue;
    }
    if (settings.isVerbose) {
      fmt::print("seed {}\n", seed);
      std::fflush(stdout);
    }
    if (settings.isPrinted)
      fmt::print("{}\n", cppText(program, *layout));
    if (const std::string failure = failureOf(program, *layout, settings); !failure.empty()) {
      ++failed;
      report(program, settings, failure);
      if (isLost(failure)) {
        fmt::print("the device is lost; go on with --first {}\n", seed + 1);
        return 3;
      }
    }
  }
  fmt::print("{} kernels from seed {} in {:.1f} s, {} failed\n", seed - settings.first, settings.first, elapsed(),
             failed);
  return failed ? 1 : 0;
}

} // namespace

int main(int argc, char **argv) {
  Settings settings;
  CLI::App app("Runs random kernels on the interpreter and on another device and compares the results.");
  app.add_option("--first", settings.first, "the first seed");
  app.add_option("--count", settings.count, "how many kernels");
  app.add_option("--seconds", settings.seconds, "go on for so long instead");
  app.add_option("--device", settings.device, "the other device");
  app.add_option("--target", settings.target, "only compile, for this target");
  app.add_option("--tries", settings.tries, "how many smaller kernels are tried for one that fails");
  app.add_flag("--print", settings.isPrinted, "print each kernel as C++");
  app.add_flag("--verbose", settings.isVerbose, "print each seed");
  CLI11_PARSE(app, argc, argv);
  try {
    return check(settings);
  } catch (const Error &error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
