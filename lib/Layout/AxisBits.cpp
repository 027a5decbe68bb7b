//===- AxisBits.cpp - who tells the elements of an axis apart ------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Layout/AxisBits.h"

#include <algorithm>
#include <bit>

namespace tessera::layout {

std::optional<std::vector<Holder>> axisHolders(const TileLayout &layout, int axis) {
  const std::uint32_t mask = layout.axisMask(axis);
  const int low = layout.axisShift(axis);
  std::vector<std::optional<Holder>> found(static_cast<std::size_t>(std::popcount(mask)));
  for (const Dim dim : kDims)
    for (int bit = 0; bit != layout.bits(dim); ++bit) {
      const std::uint32_t column = layout.bases(dim)[static_cast<std::size_t>(bit)];
      if ((column & mask) == 0)
        continue;
      if (!std::has_single_bit(column))
        return std::nullopt;
      std::optional<Holder> &holder = found[static_cast<std::size_t>(std::countr_zero(column) - low)];
      if (holder)
        return std::nullopt;
      holder = Holder{dim, bit};
    }
  std::vector<Holder> holders;
  for (const std::optional<Holder> &holder : found)
    holders.push_back(holder.value_or(Holder{}));
  return holders;
}

bool spansWarps(const TileLayout &layout, int axis) {
  const std::uint32_t mask = layout.axisMask(axis);
  const auto touches = [&](Dim dim) {
    return std::ranges::any_of(layout.bases(dim), [&](std::uint32_t column) { return (column & mask) != 0; });
  };
  return touches(Dim::Warp) || touches(Dim::Block);
}

TileLayout alongAxis(const TileLayout &like, int axis, AxisWarps warps) {
  std::vector<std::uint32_t> onAxis, others; // unit columns, from the lowest
  for (std::int64_t bit = 1; bit < like.elements(); bit *= 2)
    ((bit & like.axisMask(axis)) != 0 ? onAxis : others).push_back(static_cast<std::uint32_t>(bit));

  TileLayout::Bases bases;
  enum class End : std::uint8_t { Lowest, Highest };
  const auto give = [&](Dim dim, std::vector<std::uint32_t> &from, End end) {
    std::vector<std::uint32_t> &to = bases[static_cast<std::size_t>(dim)];
    while (to.size() < static_cast<std::size_t>(like.bits(dim)) && !from.empty()) {
      const auto at = end == End::Lowest ? from.begin() : from.end() - 1;
      to.push_back(*at);
      from.erase(at);
    }
  };
  for (const Dim dim : {Dim::Block, Dim::Warp}) {
    give(dim, others, End::Highest);
    if (warps != AxisWarps::None)
      give(dim, onAxis, warps == AxisWarps::Highest ? End::Highest : End::Lowest);
  }
  give(Dim::Lane, onAxis, End::Lowest);
  give(Dim::Lane, others, End::Lowest);
  // Threads beyond the elements hold copies, and registers what is left.
  for (const Dim dim : {Dim::Lane, Dim::Warp, Dim::Block})
    bases[static_cast<std::size_t>(dim)].resize(static_cast<std::size_t>(like.bits(dim)), 0);
  std::vector<std::uint32_t> &registers = bases[static_cast<std::size_t>(Dim::Register)];
  registers = others;
  registers.insert(registers.end(), onAxis.begin(), onAxis.end());
  return {{like.shape().begin(), like.shape().end()}, std::move(bases)};
}

} // namespace tessera::layout
