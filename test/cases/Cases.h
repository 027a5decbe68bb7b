//===- Cases.h - running kernels that other compilers were reported to get wrong --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The tests here use the public API only, so that each runs on every device: TESSERA_DEVICE names it, and it is the
// interpreter otherwise. A test is named for its kind of mistake; its comment gives the report it is a sample of.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_CASES_CASES_H
#define TESSERA_TEST_CASES_CASES_H

#include <tessera/tessera.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace tessera::test {

/// The device under test.
inline Device device() { return std::getenv("TESSERA_DEVICE") ? Device::current() : Device::get("interp"); }

/// What the compiler may choose and results must not depend on (SEMANTICS L2).
inline std::vector<CompileOptions> variants() {
  return {{.num_warps = 1, .num_stages = 1}, {.num_warps = 4, .num_stages = 2}, {.num_warps = 8, .num_stages = 4}};
}

/// first, first + step, ...
template <class T> std::vector<T> ramp(std::size_t n, T first = 0, T step = 1) {
  std::vector<T> values(n);
  for (std::size_t i = 0; i != n; ++i)
    values[i] = static_cast<T>(first + static_cast<T>(i) * step);
  return values;
}

/// Multiples of 1/8 in [-4, 4): exact in every float type but fp8.
inline std::vector<float> eighths(std::size_t n, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::vector<float> values(n);
  for (float &value : values)
    value = static_cast<float>(random() % 64) / 8 - 4;
  return values;
}

/// Host elements as floats.
template <class H> std::vector<float> floats(const std::vector<H> &values) {
  std::vector<float> result;
  for (const H &value : values)
    result.push_back(static_cast<float>(value));
  return result;
}

/// c[m, n] = a[m, k] * b[k, n], in double.
inline std::vector<float> product(const std::vector<float> &a, const std::vector<float> &b, int m, int n, int k) {
  std::vector<float> c(static_cast<std::size_t>(m) * n);
  for (int i = 0; i != m; ++i)
    for (int j = 0; j != n; ++j) {
      double sum = 0;
      for (int p = 0; p != k; ++p)
        sum += double(a[i * k + p]) * b[p * n + j];
      c[i * n + j] = static_cast<float>(sum);
    }
  return c;
}

inline constexpr float kInf = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();

} // namespace tessera::test

#endif // TESSERA_TEST_CASES_CASES_H
