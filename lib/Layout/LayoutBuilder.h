//===- LayoutBuilder.h - layouts axis by axis ------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_LAYOUTBUILDER_H
#define TESSERA_LAYOUT_LAYOUTBUILDER_H

#include "Layout/FlatIndex.h"
#include "Layout/TileLayout.h"

#include <algorithm>
#include <utility>

namespace tessera::layout {

/// Hands out the bits of a tile's axes, from the lowest of each, to registers, lanes, warps and blocks.
class LayoutBuilder {
public:
  explicit LayoutBuilder(std::span<const std::int64_t> shape) : shape(shape), used(shape.size(), 0) {}

  /// The next \p bits of \p axis to the next bits of \p dim. What the axis does not have makes copies.
  void give(Dim dim, int axis, int bits) {
    const int have = std::min(bits, left(axis));
    for (int bit = 0; bit != have; ++bit)
      columns(dim).push_back(std::uint32_t{1} << (axisShiftOf(shape, axis) + used[axis]++));
    copies(dim, bits - have);
  }
  /// Next bits of \p dim that only make copies.
  void copies(Dim dim, int bits) { columns(dim).resize(columns(dim).size() + bits, 0); }
  /// How many bits of \p axis are still to be had.
  int left(int axis) const { return log2Of(shape[axis]) - used[axis]; }

  TileLayout finish() && { return TileLayout({shape.begin(), shape.end()}, std::move(bases)); }

private:
  std::vector<std::uint32_t> &columns(Dim dim) { return bases[static_cast<std::size_t>(dim)]; }

  std::span<const std::int64_t> shape;
  std::vector<int> used;
  TileLayout::Bases bases;
};

} // namespace tessera::layout

#endif // TESSERA_LAYOUT_LAYOUTBUILDER_H
