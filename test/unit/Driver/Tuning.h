//===- Tuning.h - kernels and helpers for tests of the tuner -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_DRIVER_TUNING_H
#define TESSERA_TEST_UNIT_DRIVER_TUNING_H

#include "Support/Log.h"
#include "Support/Subprocess.h"
#include "unit/Expect.h"
#include "unit/ScopedEnvironment.h"

#include <tessera/tessera.h>

#include <string>
#include <vector>

namespace tessera::test {

struct SpinConfig {
  int block = 64;
  int rounds = 1; ///< makes it slow and nothing else
  bool operator==(const SpinConfig &) const = default;
};

/// `x` with rounds of work that change nothing.
inline Tile spin(const Tile &x, int rounds) {
  Tile y = x;
  for_range(0, rounds, 1, [&](Int) { y = y * 1.0000001f; });
  return x + y * 0.0f;
}

/// 1, after some work.
inline Tile spinOne(int rounds) { return spin(sum(full(f32, {1}, 1.0f)), rounds); }

/// out = 2 * x, after some work. \p factor makes another text of it.
inline auto makeDouble(float factor = 2) {
  return kernel("double", {"x", "out", "n"}, [factor](const SpinConfig &c, Ptr<f32> x, Ptr<f32> out, Int n) {
    Tile i = program_id(0) * c.block + arange(0, c.block);
    store(out + i, spin(load(x + i, {.mask = i < n}), c.rounds) * factor, {.mask = i < n});
  });
}

/// out += x
inline auto makeAccumulate() {
  return kernel("accumulate", {"x", "out", "n"}, [](const SpinConfig &c, Ptr<f32> x, Ptr<f32> out, Int n) {
    Tile i = program_id(0) * c.block + arange(0, c.block);
    Tile mask = i < n;
    store(out + i, load(out + i, {.mask = mask}) + spin(load(x + i, {.mask = mask}), c.rounds), {.mask = mask});
  });
}

/// The grid of all of them.
inline auto gridFor(std::int64_t n) {
  return [n](const SpinConfig &c) { return Grid{cdiv(n, c.block)}; };
}

/// Three candidates of which the middle one is the fastest by far.
inline Space<SpinConfig> threeSpins() { return {{{.rounds = 3000}}, {{.rounds = 1}}, {{.rounds = 2000}}}; }

/// A cache of its own, and the log.
class TuneFolder {
public:
  TuneFolder() : mode("TESSERA_CACHE", "rw"), where("TESSERA_CACHE_DIR", folder.file("cache")) {}
  ~TuneFolder() { support::resetLog(); }

  std::string file() const { return folder.file("cache/tuning.txt"); }
  /// From now on lines of TESSERA_LOG=tune go to `lines`.
  void listen() {
    logged.emplace("TESSERA_LOG", "tune");
    support::resetLog([this](std::string_view line) { lines.emplace_back(line); });
  }

  const support::PrivateFolder folder;
  std::vector<std::string> lines;

private:
  const ScopedEnvironment mode, where;
  std::optional<ScopedEnvironment> logged;
};

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_DRIVER_TUNING_H
