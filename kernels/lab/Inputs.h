//===- Inputs.h - seeded inputs and the marks of unwritten outputs -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_LAB_INPUTS_H
#define TESSERA_KERNELS_LAB_INPUTS_H

#include "tessera/core/HostTypes.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace tessera::kernels::lab {

/// Numbers that depend on the seed alone: the same on every machine and standard library.
class Random {
public:
  explicit Random(std::uint64_t seed) : engine(seed) {}

  /// Uniform in [0, 1).
  double unit() { return static_cast<double>(engine() >> 11) * 0x1p-53; }
  /// Uniform in [low, high).
  double between(double low, double high) { return low + (high - low) * unit(); }
  /// True with the given probability.
  bool chance(double probability) { return unit() < probability; }

  /// \p count elements, uniform in [low, high) and rounded to \p T.
  template <DType T> std::vector<host_type<T>> values(std::size_t count, double low = -1, double high = 1) {
    std::vector<host_type<T>> result(count);
    for (host_type<T> &value : result)
      value = static_cast<host_type<T>>(between(low, high));
    return result;
  }

private:
  std::mt19937_64 engine;
};

/// What an output holds before the kernel runs: a NaN, which no sum or comparison hides; of integers, the least.
template <DType T> host_type<T> poison() {
  if constexpr (T.isInt())
    return std::numeric_limits<host_type<T>>::min();
  else
    return static_cast<host_type<T>>(std::numeric_limits<double>::quiet_NaN());
}
/// Whether \p value is what poison gives.
template <DType T> bool isPoison(host_type<T> value) {
  if constexpr (T.isInt())
    return value == poison<T>();
  else
    return std::isnan(static_cast<double>(value));
}

/// The exact values of host elements.
template <class Element> std::vector<double> exactValues(const std::vector<Element> &elements) {
  return std::vector<double>(elements.begin(), elements.end());
}

} // namespace tessera::kernels::lab

#endif // TESSERA_KERNELS_LAB_INPUTS_H
