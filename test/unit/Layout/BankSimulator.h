//===- BankSimulator.h - banks of shared memory, one by one ----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_LAYOUT_BANKSIMULATOR_H
#define TESSERA_TEST_UNIT_LAYOUT_BANKSIMULATOR_H

#include "Layout/Access.h"

#include <algorithm>
#include <set>
#include <vector>

namespace tessera::layout::test {

/// Who is served together: \p lanes lanes in a row or, of 64 that load 16 bytes, as was measured on chips that have
/// them.
inline std::vector<std::vector<std::uint32_t>> lanesInTurn(std::uint32_t lanes, std::uint32_t accessBytes,
                                                           const Service &service) {
  const auto banks = static_cast<std::uint32_t>(service.banks);
  std::vector<std::vector<std::uint32_t>> turns;
  if (service.loads && accessBytes == 16 && lanes == 64) {
    std::vector<std::vector<std::uint32_t>> rows{{0, 20}, {4, 16}, {8, 28}, {12, 24}}; // of four lanes
    if (banks == 64)
      rows = {{0, 12, 20, 24}, {4, 8, 16, 28}};
    for (const std::uint32_t half : {0u, 32u})
      for (const auto &turn : rows) {
        turns.emplace_back();
        for (const std::uint32_t row : turn)
          for (std::uint32_t lane = 0; lane != 4; ++lane)
            turns.back().push_back(half + row + lane);
      }
    return turns;
  }
  const std::uint32_t together = std::min({lanes, banks, 4 * banks / accessBytes});
  for (std::uint32_t first = 0; first != lanes; first += together) {
    turns.emplace_back();
    for (std::uint32_t lane = 0; lane != together; ++lane)
      turns.back().push_back(first + lane);
  }
  return turns;
}

/// The wavefronts of accesses of \p elements elements, which must be the same for each access of each warp; -1 if not.
inline Wavefronts wavefrontsOf(const TileLayout &layout, const SharedLayout &shared, std::uint32_t elements,
                               int elementBytes, const Service &service = {}) {
  const std::vector<std::uint32_t> groups = accessGroups(layout, shared, elements);
  const std::uint32_t accessBytes = elements * elementBytes, lanes = layout.size(Dim::Lane);
  const auto turns = lanesInTurn(lanes, accessBytes, service);
  Wavefronts result{.actual = 0, .ideal = static_cast<int>(turns.size())};
  for (std::uint32_t warp = 0; warp != layout.size(Dim::Warp); ++warp)
    for (std::size_t group = 0; group < groups.size(); group += elements) {
      int wavefronts = 0;
      for (const auto &turn : turns) {
        std::vector<std::set<std::uint32_t>> wordsOfBank(static_cast<std::size_t>(service.banks));
        for (const std::uint32_t lane : turn) {
          const std::uint32_t start = shared.offset(layout.at(groups[group], lane, warp)) * elementBytes;
          for (std::uint32_t byte = start; byte != start + accessBytes; ++byte)
            wordsOfBank[byte / 4 % static_cast<std::uint32_t>(service.banks)].insert(byte / 4);
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
