//===- SharedLayout.cpp - where an element lies in a buffer ---------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Layout/SharedLayout.h"

#include "Layout/Span.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace tessera::layout {

/// The columns of the inverse of a bijection.
static std::vector<std::uint32_t> inverseOf(std::span<const std::uint32_t> columns) {
  Span span;
  span.insertAll(columns);
  std::vector<std::uint32_t> result;
  for (std::size_t bit = 0; bit != columns.size(); ++bit)
    result.push_back(static_cast<std::uint32_t>(span.combinationOf(std::uint64_t{1} << bit).value_or(0)));
  return result;
}

SharedLayout::SharedLayout(std::vector<std::int64_t> shape, std::vector<std::uint32_t> bases)
    : shape_(std::move(shape)), bases_(std::move(bases)), inverse_(inverseOf(bases_)) {}

std::string SharedLayout::problemOf(std::span<const std::int64_t> shape, std::span<const std::uint32_t> bases) {
  if (std::string problem = problemOfShape(shape); !problem.empty())
    return problem;
  int bits = 0;
  for (const std::int64_t extent : shape)
    bits += log2Of(extent);
  if (bases.size() != static_cast<std::size_t>(bits))
    return fmt::format("expected a column for each of the {} bits of the index, got {}", bits, bases.size());
  Span span;
  for (const std::uint32_t column : bases) {
    if (column >> bits != 0)
      return fmt::format("expected columns below the {} elements, got {}", std::uint32_t{1} << bits, column);
    if (!span.insert(column))
      return fmt::format("expected different offsets for different elements, got a column {} that others make up",
                         column);
  }
  return {};
}

SharedLayout SharedLayout::inOrder(std::span<const std::int64_t> shape, std::span<const int> order) {
  int bits = 0;
  for (const std::int64_t extent : shape)
    bits += log2Of(extent);
  std::vector<std::uint32_t> bases(bits);
  int next = 0;
  for (const int axis : order)
    for (int bit = 0; bit != log2Of(shape[axis]); ++bit)
      bases[axisShiftOf(shape, axis) + bit] = std::uint32_t{1} << next++;
  return SharedLayout({shape.begin(), shape.end()}, std::move(bases));
}

SharedLayout SharedLayout::swizzled(std::span<const std::int64_t> shape, std::span<const int> order, std::int64_t vec,
                                    std::int64_t perPhase, std::int64_t maxPhase) {
  const SharedLayout plain = inOrder(shape, order);
  std::vector<std::uint32_t> bases = plain.bases_;
  const int rows = log2Of(shape[order[1]]), firstRow = log2Of(perPhase);
  for (int bit = 0; bit != log2Of(maxPhase) && firstRow + bit < rows; ++bit)
    bases[axisShiftOf(shape, order[1]) + firstRow + bit] ^= static_cast<std::uint32_t>(vec) << bit;
  return SharedLayout({shape.begin(), shape.end()}, std::move(bases));
}

SharedLayout SharedLayout::tensorCopy(std::span<const std::int64_t> shape, std::span<const int> order, int swizzleBytes,
                                      int elementBytes) {
  // Unswizzled: the columns of one row of chunks, the other axes, the remaining columns.
  std::vector<std::uint32_t> bases = inOrder(shape, order).bases_;
  const int inner = log2Of(swizzleBytes / elementBytes), columns = log2Of(shape[order[0]]);
  const int others = static_cast<int>(bases.size()) - columns;
  for (std::uint32_t &base : bases) {
    const int at = std::countr_zero(base);
    base = std::uint32_t{1} << (at < inner ? at : at < columns ? at + others : at - columns + inner);
  }
  // In bytes, bits 4 and up take those from 7 on.
  const int chunk = log2Of(16 / elementBytes), row = log2Of(128 / elementBytes);
  for (std::uint32_t &base : bases) {
    const int at = std::countr_zero(base) - row;
    if (at >= 0 && at < log2Of(swizzleBytes / 16))
      base |= std::uint32_t{1} << (chunk + at);
  }
  return SharedLayout({shape.begin(), shape.end()}, std::move(bases));
}

SharedLayout transposed(const SharedLayout &layout, std::span<const int> permutation) {
  std::vector<std::int64_t> shape;
  for (const int source : permutation)
    shape.push_back(layout.shape()[source]);
  std::vector<std::uint32_t> bases(layout.bases().size());
  for (int axis = 0; axis != layout.rank(); ++axis) {
    const auto from = layout.bases().subspan(axisShiftOf(layout.shape(), permutation[axis]), log2Of(shape[axis]));
    std::ranges::copy(from, bases.begin() + axisShiftOf(shape, axis));
  }
  return SharedLayout(std::move(shape), std::move(bases));
}

SharedLayout reshaped(const SharedLayout &layout, std::span<const std::int64_t> shape) {
  return SharedLayout({shape.begin(), shape.end()}, {layout.bases().begin(), layout.bases().end()});
}

std::size_t SharedLayout::hash() const {
  HashState state;
  state.addAll(shape_);
  state.addAll(bases_);
  return state.value();
}

std::string SharedLayout::str() const {
  std::string text = shapeText(shape_);
  bool rowMajor = true;
  for (std::size_t bit = 0; bit != bases_.size(); ++bit)
    rowMajor &= bases_[bit] == std::uint32_t{1} << bit;
  if (!rowMajor)
    text += fmt::format(", offsets = [{}]", fmt::join(bases_, ", "));
  return text;
}

} // namespace tessera::layout
