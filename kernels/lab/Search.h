//===- Search.h - candidates next to a good one ------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A space is a list that somebody wrote, and what is fastest may lie just outside. From the best candidate each number
// that the list varies is stepped in both directions: sizes and warps by a factor of two, stages by one.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_LAB_SEARCH_H
#define TESSERA_KERNELS_LAB_SEARCH_H

#include "tessera/tessera.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace tessera::kernels::lab {

/// Pointers to the numbers of a candidate that a search may step: the ints of its config, its warps and its stages,
/// which are the last two.
template <class Config> std::vector<int *> numbersOf(Candidate<Config> &candidate) {
  std::vector<int *> numbers;
  const auto add = [&](auto &field) {
    if constexpr (std::is_same_v<decltype(field), int &>)
      numbers.push_back(&field);
  };
  detail::withFields(candidate.config, [&](auto &...fields) { (add(fields), ...); });
  numbers.push_back(&candidate.options.num_warps);
  numbers.push_back(&candidate.options.num_stages);
  return numbers;
}

/// What tells candidates of one search apart.
template <class Config> std::string nameOf(const Candidate<Config> &candidate) {
  return detail::configText(candidate.config) + " " + detail::configText(candidate.options);
}

/// The candidates one step from \p best that \p known lacks, for the numbers that differ within \p space.
template <class Config>
Space<Config> neighbours(const Candidate<Config> &best, const Space<Config> &space, const Space<Config> &known) {
  std::vector<std::string> names;
  for (const Candidate<Config> &candidate : known)
    names.push_back(nameOf(candidate));
  Candidate<Config> start = best;
  const std::size_t count = numbersOf(start).size();
  Space<Config> found;
  for (std::size_t i = 0; i != count; ++i) {
    const auto differs = [&](Candidate<Config> candidate) {
      Candidate<Config> first = space.front();
      return *numbersOf(candidate)[i] != *numbersOf(first)[i];
    };
    if (std::none_of(space.begin(), space.end(), differs))
      continue;
    const int value = *numbersOf(start)[i];
    const bool stages = i == count - 1;
    for (const int other : {stages ? value + 1 : value * 2, stages ? value - 1 : value / 2}) {
      Candidate<Config> next = best;
      *numbersOf(next)[i] = other;
      if (other < 1 || std::find(names.begin(), names.end(), nameOf(next)) != names.end())
        continue;
      names.push_back(nameOf(next));
      found.push_back(std::move(next));
    }
  }
  return found;
}

} // namespace tessera::kernels::lab

#endif // TESSERA_KERNELS_LAB_SEARCH_H
