//===- StraightCopy.cpp - copies that go where lanes stand ----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Layout/StraightCopy.h"

#include "Layout/Span.h"

#include <algorithm>

namespace tessera::layout {

std::optional<TileLayout> straightLayout(const SharedLayout &shared, std::uint32_t elements, std::uint32_t lanes,
                                         std::uint32_t warps) {
  const std::span<const std::uint32_t> inverse = shared.inverse();
  TileLayout::Bases bases;
  std::size_t bit = 0;
  const auto take = [&](Dim dim, int count) {
    for (; count != 0 && bit != inverse.size(); --count)
      bases[static_cast<std::size_t>(dim)].push_back(inverse[bit++]);
    return count == 0;
  };
  if (!take(Dim::Register, log2Of(elements)) || !take(Dim::Lane, log2Of(lanes)) || !take(Dim::Warp, log2Of(warps)))
    return std::nullopt;
  take(Dim::Register, static_cast<int>(inverse.size() - bit));
  return TileLayout({shared.shape().begin(), shared.shape().end()}, std::move(bases));
}

bool isStraight(const TileLayout &layout, const SharedLayout &shared, std::uint32_t elements) {
  const std::uint32_t stretch = elements << layout.bits(Dim::Lane);
  if (layout.size(Dim::Register) < elements)
    return false;
  for (const Dim dim : kDims) {
    if (layout.copyMask(dim) != 0)
      return false;
    std::uint32_t inside = dim == Dim::Lane ? elements : 1;
    for (const std::uint32_t base : layout.bases(dim)) {
      const std::uint32_t offset = shared.offset(base);
      const bool isInside = dim == Dim::Lane || (dim == Dim::Register && inside < elements);
      if (isInside ? offset != inside : offset % stretch != 0)
        return false;
      inside *= 2;
    }
  }
  return true;
}

std::uint32_t linesOfAccess(const TileLayout &layout, std::uint32_t elements, int axis, std::uint32_t lineElements) {
  const auto extent = static_cast<std::uint32_t>(layout.shape()[static_cast<std::size_t>(axis)]);
  const std::uint32_t inLine = (std::min(lineElements, extent) - 1) << layout.axisShift(axis);
  Span lines;
  for (const std::uint32_t base : layout.bases(Dim::Register).first(static_cast<std::size_t>(log2Of(elements))))
    lines.insert(base & ~inLine);
  for (const std::uint32_t base : layout.bases(Dim::Lane))
    lines.insert(base & ~inLine);
  return std::uint32_t{1} << lines.rank();
}

/// The axis along which neighbours lie in memory, if threads that hold a tile as \p loaded load \p elements of them at
/// a time. Where that is one, they load as few lines as can be. Nothing if threads hold no neighbours.
static std::optional<int> memoryAxis(const TileLayout &loaded, std::uint32_t elements, std::uint32_t lineElements) {
  std::optional<int> along;
  for (int axis = loaded.rank(); axis-- != 0;)
    if (contiguousRegisters(loaded, axis) >= elements &&
        (!along ||
         linesOfAccess(loaded, elements, axis, lineElements) < linesOfAccess(loaded, elements, *along, lineElements)))
      along = axis;
  return along;
}

std::optional<StraightCopy> straightCopy(const TileLayout &loaded, const SharedLayout &shared, std::uint32_t elements,
                                         int elementBytes) {
  constexpr int kLineBytes = 128;
  const auto lineElements = static_cast<std::uint32_t>(kLineBytes / elementBytes);
  std::optional<TileLayout> straight = straightLayout(shared, elements, loaded.size(Dim::Lane), loaded.size(Dim::Warp));
  if (!straight || loaded.size(Dim::Register) < elements)
    return std::nullopt;
  const std::optional<int> along = memoryAxis(loaded, elements, lineElements);
  if (!along || contiguousRegisters(*straight, *along) < elements)
    return std::nullopt;
  const std::uint32_t lines = linesOfAccess(*straight, elements, *along, lineElements);
  if (lines > linesOfAccess(loaded, elements, *along, lineElements))
    return std::nullopt;
  return StraightCopy{std::move(*straight), lines};
}

} // namespace tessera::layout
