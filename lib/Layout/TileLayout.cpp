//===- TileLayout.cpp - which thread holds which element ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Layout/TileLayout.h"

#include "Layout/FlatIndex.h"
#include "Layout/LayoutBuilder.h"
#include "Layout/Span.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace tessera::layout {

std::string_view nameOf(Dim dim) {
  static constexpr std::string_view kNames[] = {"register", "lane", "warp", "block"};
  return kNames[static_cast<std::size_t>(dim)];
}

TileLayout::TileLayout(std::vector<std::int64_t> shape, Bases bases)
    : shape_(std::move(shape)), bases_(std::move(bases)) {}

std::string TileLayout::problemOf(std::span<const std::int64_t> shape, const Bases &bases) {
  if (std::string problem = problemOfShape(shape); !problem.empty())
    return problem;
  int elementBits = 0;
  for (const std::int64_t extent : shape)
    elementBits += log2Of(extent);
  Span span;
  std::size_t holderBits = 0;
  for (const Dim dim : kDims) {
    const std::vector<std::uint32_t> &columns = bases[static_cast<std::size_t>(dim)];
    holderBits += columns.size();
    if (columns.size() > kMaxBits)
      return fmt::format("expected at most {} bits of {}, got {}", kMaxBits, nameOf(dim), columns.size());
    for (const std::uint32_t column : columns)
      if (column >> elementBits != 0)
        return fmt::format("expected columns below the {} elements, got {} for a bit of {}",
                           std::uint32_t{1} << elementBits, column, nameOf(dim));
    span.insertAll(columns);
  }
  if (holderBits > 2 * kMaxBits)
    return fmt::format("expected at most {} bits in all dimensions, got {}", 2 * kMaxBits, holderBits);
  if (span.rank() != elementBits)
    return fmt::format("expected columns that span all {} elements, got {}", std::uint32_t{1} << elementBits,
                       std::uint32_t{1} << span.rank());
  return {};
}

TileLayout TileLayout::blocked(std::span<const std::int64_t> shape, std::span<const std::int64_t> perThread,
                               std::span<const std::int64_t> lanes, std::span<const std::int64_t> warps,
                               std::span<const int> order) {
  LayoutBuilder builder(shape);
  for (const int axis : order)
    builder.give(Dim::Register, axis, std::min(log2Of(perThread[axis]), builder.left(axis)));
  for (const int axis : order)
    builder.give(Dim::Lane, axis, log2Of(lanes[axis]));
  for (const int axis : order)
    builder.give(Dim::Warp, axis, log2Of(warps[axis]));
  for (const int axis : order)
    builder.give(Dim::Register, axis, builder.left(axis));
  return std::move(builder).finish();
}

std::int64_t TileLayout::elements() const {
  std::int64_t product = 1;
  for (const std::int64_t extent : shape_)
    product *= extent;
  return product;
}

std::uint32_t TileLayout::at(std::uint32_t reg, std::uint32_t lane, std::uint32_t warp, std::uint32_t block) const {
  return combined(bases(Dim::Register), reg) ^ combined(bases(Dim::Lane), lane) ^ combined(bases(Dim::Warp), warp) ^
         combined(bases(Dim::Block), block);
}

int TileLayout::axisShift(int axis) const { return axisShiftOf(shape_, axis); }

std::uint32_t TileLayout::axisMask(int axis) const {
  return static_cast<std::uint32_t>(shape_[axis] - 1) << axisShift(axis);
}

std::int64_t TileLayout::coordinate(std::uint32_t flat, int axis) const { return coordinateOf(shape_, flat, axis); }

std::uint32_t TileLayout::copyMask(Dim dim) const {
  Span span;
  for (const Dim before : kDims) {
    if (before == dim)
      break;
    span.insertAll(bases(before));
  }
  std::uint32_t mask = 0;
  for (int bit = 0; bit != bits(dim); ++bit)
    if (!span.insert(bases(dim)[bit]))
      mask |= std::uint32_t{1} << bit;
  return mask;
}

std::size_t TileLayout::hash() const {
  HashState state;
  state.addAll(shape_);
  for (const std::vector<std::uint32_t> &columns : bases_)
    state.addAll(columns);
  return state.value();
}

std::string TileLayout::str() const {
  std::string text = shapeText(shape_);
  for (const Dim dim : kDims) {
    if (bits(dim) == 0)
      continue;
    text += fmt::format("{}{} = [", text.empty() ? "" : ", ", nameOf(dim));
    for (int bit = 0; bit != bits(dim); ++bit)
      text += (bit == 0 ? "" : ", ") + coordinatesText(shape_, bases(dim)[bit]);
    text += ']';
  }
  return text;
}

// -- Layouts of results from those of sources -------------------------------------------------------------------------

/// The layout over \p shape where axis a of the source becomes axis `to[a]`, or is dropped where that is -1.
static TileLayout withAxesMoved(const TileLayout &layout, std::vector<std::int64_t> shape, std::span<const int> to) {
  TileLayout over(std::move(shape), {});
  TileLayout::Bases bases;
  for (const Dim dim : kDims)
    for (const std::uint32_t column : layout.bases(dim)) {
      std::uint32_t moved = 0;
      for (int axis = 0; axis != layout.rank(); ++axis)
        if (to[axis] != -1)
          moved |= static_cast<std::uint32_t>(layout.coordinate(column, axis)) << over.axisShift(to[axis]);
      bases[static_cast<std::size_t>(dim)].push_back(moved);
    }
  return TileLayout({over.shape().begin(), over.shape().end()}, std::move(bases));
}

static TileLayout::Bases basesOf(const TileLayout &layout) {
  TileLayout::Bases bases;
  for (const Dim dim : kDims)
    bases[static_cast<std::size_t>(dim)].assign(layout.bases(dim).begin(), layout.bases(dim).end());
  return bases;
}

TileLayout reshaped(const TileLayout &layout, std::span<const std::int64_t> shape) {
  return TileLayout({shape.begin(), shape.end()}, basesOf(layout));
}

TileLayout transposed(const TileLayout &layout, std::span<const int> permutation) {
  std::vector<std::int64_t> shape;
  std::vector<int> to(layout.rank());
  for (const int source : permutation) {
    to[source] = static_cast<int>(shape.size());
    shape.push_back(layout.shape()[source]);
  }
  return withAxesMoved(layout, std::move(shape), to);
}

TileLayout withoutAxis(const TileLayout &layout, int axis) {
  std::vector<std::int64_t> shape;
  std::vector<int> to(layout.rank(), -1);
  for (int kept = 0; kept != layout.rank(); ++kept)
    if (kept != axis) {
      to[kept] = static_cast<int>(shape.size());
      shape.push_back(layout.shape()[kept]);
    }
  return withAxesMoved(layout, std::move(shape), to);
}

TileLayout squeezed(const TileLayout &layout, std::span<const std::int64_t> shape) {
  std::vector<int> to(layout.rank());
  for (int axis = 0; axis != layout.rank(); ++axis)
    to[axis] = shape[axis] == 1 ? -1 : axis;
  return withAxesMoved(layout, {shape.begin(), shape.end()}, to);
}

TileLayout withoutRegisterCopies(const TileLayout &layout) {
  TileLayout::Bases bases = basesOf(layout);
  const std::uint32_t copies = layout.copyMask(Dim::Register);
  std::vector<std::uint32_t> kept;
  for (int bit = 0; bit != layout.bits(Dim::Register); ++bit)
    if ((copies >> bit & 1) == 0)
      kept.push_back(layout.bases(Dim::Register)[bit]);
  bases[0] = std::move(kept);
  return TileLayout({layout.shape().begin(), layout.shape().end()}, std::move(bases));
}

// -- Accesses ---------------------------------------------------------------------------------------------------------

std::uint32_t contiguousRegisters(const TileLayout &layout, int axis) {
  const int shift = layout.axisShift(axis), most = std::min(layout.bits(Dim::Register), log2Of(layout.shape()[axis]));
  int bits = 0;
  while (bits != most && layout.bases(Dim::Register)[bits] == std::uint32_t{1} << (shift + bits))
    ++bits;
  // Another column with one of these bits would start a group off its alignment.
  std::uint32_t others = 0;
  for (const Dim dim : kDims)
    for (const std::uint32_t column : layout.bases(dim).subspan(dim == Dim::Register ? bits : 0))
      others |= column;
  others = (others & layout.axisMask(axis)) >> shift;
  return std::uint32_t{1} << std::min<int>(bits, std::countr_zero(others));
}

} // namespace tessera::layout
