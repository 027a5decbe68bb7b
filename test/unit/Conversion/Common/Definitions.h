//===- Definitions.h - the elementary functions by name --------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_CONVERSION_COMMON_DEFINITIONS_H
#define TESSERA_TEST_UNIT_CONVERSION_COMMON_DEFINITIONS_H

#include "Conversion/Common/Elementary/Elementary.h"

#include <cmath>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::ir::elementary_test {

using Define1 = Value (*)(MathBuilder &, Value);
using Define2 = Value (*)(MathBuilder &, Value, Value);

/// The definition of a function of one argument; null if there is none of this name.
inline Define1 definitionOf(std::string_view name) {
  static constexpr std::pair<std::string_view, Define1> kDefinitions[] = {
      {"exp", elementary::exp},           {"exp2", elementary::exp2}, {"expm1", elementary::expm1},
      {"log", elementary::log},           {"log2", elementary::log2}, {"log10", elementary::log10},
      {"log1p", elementary::log1p},       {"sin", elementary::sin},   {"cos", elementary::cos},
      {"tan", elementary::tan},           {"tanh", elementary::tanh}, {"sigmoid", elementary::sigmoid},
      {"softplus", elementary::softplus}, {"erf", elementary::erf},   {"rsqrt", elementary::rsqrt},
  };
  for (const auto &[known, define] : kDefinitions)
    if (known == name)
      return define;
  return nullptr;
}

/// Zeros, units, infinities, NaN, the ends of the normal and denormal numbers, and what decides parity.
template <class F> std::vector<F> specials() {
  using Limits = std::numeric_limits<F>;
  const F parity = std::ldexp(F(1), Limits::digits);
  std::vector<F> values = {0,
                           1,
                           2,
                           3,
                           F(0.5),
                           F(1.5),
                           1 - Limits::epsilon() / 2,
                           1 + Limits::epsilon(),
                           parity,
                           parity - 1,
                           parity + 2,
                           Limits::denorm_min(),
                           Limits::min(),
                           Limits::max(),
                           Limits::infinity(),
                           Limits::quiet_NaN()};
  for (std::size_t i = 0, n = values.size(); i < n; ++i)
    values.push_back(-values[i]);
  return values;
}

} // namespace tessera::ir::elementary_test

#endif // TESSERA_TEST_UNIT_CONVERSION_COMMON_DEFINITIONS_H
