//===- process.cpp - a program that tunes, for tests with several processes -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

//
//   tune-process [--hang] [--fault] [--isolate] [--limit MS] [--factor F] ROUNDS...
//
// A candidate for each number of rounds, which are work that changes nothing; one that never ends and one that writes
// to where nothing is, if asked for. Prints `chosen=ROUNDS ending=... timed=N recorded=N skipped=N compiled=N`.
//
//===---------------------------------------------------------------------===//

#include <tessera/tessera.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using namespace tessera;

struct ProcessConfig {
  int rounds = 1;
  int block = 64;
};

constexpr int kHangs = -1, kFaults = -2;

int main(int argc, char **argv) {
  Space<ProcessConfig> space;
  TuneOptions<ProcessConfig> options;
  float factor = 2;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--hang")
      space.push_back({{.rounds = kHangs}});
    else if (word == "--fault")
      space.push_back({{.rounds = kFaults}});
    else if (word == "--isolate")
      options.isolate = true;
    else if (word == "--limit")
      options.time_limit_ms = std::atof(argv[++i]);
    else if (word == "--factor")
      factor = static_cast<float>(std::atof(argv[++i]));
    else
      space.push_back({{.rounds = std::atoi(argv[i])}});
  }
  const auto k = kernel("double", {"x", "out", "n"}, [factor](const ProcessConfig &c, Ptr<f32> x, Ptr<f32> out, Int n) {
    Tile i = program_id(0) * c.block + arange(0, c.block);
    Tile mask = i < n;
    Tile y = load(x + i, {.mask = mask}), z = y;
    if (c.rounds == kHangs)
      while_([&] { return n > 0; },
             [&] { store(out + i, load(out + i, {.mask = mask, .reload = true}) + 1.0f, {.mask = mask}); });
    if (c.rounds == kFaults)
      store(x + (program_id(0) + (std::int64_t{1} << 44)), 1.0f);
    for_range(0, c.rounds, 1, [&](Int) { z = z * 1.0000001f; });
    store(out + i, load(out + i, {.mask = mask}) + (y + z * 0.0f) * factor, {.mask = mask});
  });
  try {
    const Device device = Device::get("cpu");
    constexpr int n = 1000;
    const Buffer<f32> x = device.upload(std::vector<float>(n, 1));
    Buffer<f32> out = device.buffer<f32>(n);
    out.fill(5);
    const auto tuned = autotune(k, space, key("n"), options);
    tuned.launch(device, [&](const ProcessConfig &c) { return Grid{cdiv(n, c.block)}; }, x, out, n);
    for (const float value : out.download())
      if (value != 5 + factor) {
        std::printf("wrong: %g\n", static_cast<double>(value));
        return 1;
      }
    const TuneReport report = tuned.report();
    int timed = 0, recorded = 0, skipped = 0;
    for (const TuneRow &row : report.rows) {
      recorded += row.recorded;
      timed += row.samples > 0 && !row.recorded;
      skipped += !row.skipped.empty();
      if (!row.skipped.empty())
        std::printf("skipped %s: %s\n", row.config.c_str(), row.skipped.c_str());
    }
    std::printf("chosen=%d ending=%s timed=%d recorded=%d skipped=%d compiled=%zu\n",
                tuned.best_config()->config.rounds, report.ending.c_str(), timed, recorded, skipped,
                k.compilations().size());
    return 0;
  } catch (const Error &error) {
    std::printf("error: %s\n", error.what());
    return 1;
  }
}
