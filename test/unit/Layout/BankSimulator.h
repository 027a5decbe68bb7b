//===- BankSimulator.h - banks of shared memory, one by one ----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_LAYOUT_BANKSIMULATOR_H
#define TESSERA_TEST_UNIT_LAYOUT_BANKSIMULATOR_H

#include "Layout/Access.h"

#include <algorithm>
#include <array>
#include <set>

namespace tessera::layout::test {

/// The wavefronts of accesses of \p elements elements, which must be the same for each access of each warp; -1 if not.
inline Wavefronts wavefrontsOf(const TileLayout &layout, const SharedLayout &shared, std::uint32_t elements,
                               int elementBytes) {
  const std::vector<std::uint32_t> groups = accessGroups(layout, shared, elements);
  const std::uint32_t accessBytes = elements * elementBytes, lanes = layout.size(Dim::Lane);
  const std::uint32_t together = std::min({lanes, 32u, 128 / accessBytes});
  Wavefronts result{.actual = 0, .ideal = static_cast<int>(lanes / together)};
  for (std::uint32_t warp = 0; warp != layout.size(Dim::Warp); ++warp)
    for (std::size_t group = 0; group < groups.size(); group += elements) {
      int wavefronts = 0;
      for (std::uint32_t first = 0; first != lanes; first += together) {
        std::array<std::set<std::uint32_t>, 32> wordsOfBank;
        for (std::uint32_t lane = first; lane != first + together; ++lane) {
          const std::uint32_t start = shared.offset(layout.at(groups[group], lane, warp)) * elementBytes;
          for (std::uint32_t byte = start; byte != start + accessBytes; ++byte)
            wordsOfBank[byte / 4 % 32].insert(byte / 4);
        }
        std::size_t most = 0;
        for (const auto &words : wordsOfBank)
          most = std::max(most, words.size());
        wavefronts += static_cast<int>(most);
      }
      result.actual = result.actual == 0 || result.actual == wavefronts ? wavefronts : -1;
    }
  return result;
}

} // namespace tessera::layout::test

#endif // TESSERA_TEST_UNIT_LAYOUT_BANKSIMULATOR_H
