//===- RandomLayout.h - layouts of any kind, for tests ---------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_DIALECT_LAYOUT_RANDOMLAYOUT_H
#define TESSERA_TEST_UNIT_DIALECT_LAYOUT_RANDOMLAYOUT_H

#include "Layout/TileLayout.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <random>
#include <vector>

namespace tessera::ir::layout {

/// Makes layouts: independent columns spread over registers, lanes and warps, and some copies among them.
class RandomLayout {
public:
  ::tessera::layout::TileLayout operator()(std::vector<int64_t> shape) {
    int bits = 0;
    for (const int64_t extent : shape)
      bits += std::countr_zero(static_cast<uint64_t>(extent));
    const uint32_t mask = (uint32_t{1} << bits) - 1;
    std::vector<uint32_t> columns;
    for (int bit = 0; bit < bits; ++bit) // triangular, so they span everything
      columns.push_back((uint32_t{1} << bit) ^ (random() & ((uint32_t{1} << bit) - 1)));
    for (int copies = static_cast<int>(random() % 3); copies > 0; --copies)
      columns.push_back(random() & mask);
    std::shuffle(columns.begin(), columns.end(), random);
    ::tessera::layout::TileLayout::Bases bases;
    for (const uint32_t column : columns)
      bases[random() % 3].push_back(column);
    return ::tessera::layout::TileLayout(std::move(shape), std::move(bases));
  }

private:
  std::mt19937 random{7};
};

} // namespace tessera::ir::layout

#endif // TESSERA_TEST_UNIT_DIALECT_LAYOUT_RANDOMLAYOUT_H
