//===- Random.h - random numbers that are the same everywhere --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_FUZZ_DIFFERENTIAL_RANDOM_H
#define TESSERA_TEST_FUZZ_DIFFERENTIAL_RANDOM_H

#include <cstdint>
#include <random>
#include <span>

namespace tessera::fuzz {

class Random {
public:
  explicit Random(std::uint64_t seed) : engine(seed * 0x9E3779B97F4A7C15ull + 1) {}

  std::uint64_t bits() { return engine(); }
  /// 0 to \p count - 1.
  std::int64_t below(std::int64_t count) {
    return static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(count));
  }
  bool chance(int percent) { return below(100) < percent; }
  template <class Range> const auto &pick(const Range &range) {
    return range[static_cast<std::size_t>(below(static_cast<std::int64_t>(std::size(range))))];
  }

private:
  std::mt19937_64 engine;
};

} // namespace tessera::fuzz

#endif // TESSERA_TEST_FUZZ_DIFFERENTIAL_RANDOM_H
