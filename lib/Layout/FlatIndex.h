//===- FlatIndex.h - bits of numbers and of flat indices -------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A flat index is the row-major index of an element of a tile. Extents are powers of two, so that it is made of the
// bits of the coordinates, those of the last axis lowest.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_FLATINDEX_H
#define TESSERA_LAYOUT_FLATINDEX_H

#include <bit>
#include <cstdint>
#include <span>
#include <string>

namespace tessera::layout {

/// No number of elements or holders needs more bits.
inline constexpr int kMaxBits = 30;

/// The exponent of a power of two.
constexpr int log2Of(std::int64_t extent) { return std::bit_width(static_cast<std::uint64_t>(extent)) - 1; }
constexpr bool isPowerOfTwo(std::int64_t extent) {
  return extent > 0 && std::has_single_bit(static_cast<std::uint64_t>(extent));
}

/// The xor of the columns of the bits of \p number; bits without a column change nothing.
constexpr std::uint32_t combined(std::span<const std::uint32_t> columns, std::uint32_t number) {
  std::uint32_t sum = 0;
  for (const std::uint32_t column : columns) {
    sum ^= (number & 1) != 0 ? column : 0;
    number >>= 1;
  }
  return sum;
}

/// The lowest bit of flat indices that belongs to \p axis.
constexpr int axisShiftOf(std::span<const std::int64_t> shape, int axis) {
  int shift = 0;
  for (const std::int64_t extent : shape.subspan(axis + 1))
    shift += log2Of(extent);
  return shift;
}
constexpr std::int64_t coordinateOf(std::span<const std::int64_t> shape, std::uint32_t flat, int axis) {
  return (flat >> axisShiftOf(shape, axis)) & (shape[axis] - 1);
}
/// All coordinates, "(1, 2)".
std::string coordinatesText(std::span<const std::int64_t> shape, std::uint32_t flat);

/// What is wrong with the extents of a shape, in words; empty if nothing is.
std::string problemOfShape(std::span<const std::int64_t> shape);
/// The extents, "4x128".
std::string shapeText(std::span<const std::int64_t> shape);

/// Mixes numbers into a hash.
class HashState {
public:
  void add(std::uint64_t value) {
    state = (state ^ value) * 0xff51afd7ed558ccd;
    state ^= state >> 32;
  }
  /// A list, told apart from its parts.
  template <class Range> void addAll(const Range &values) {
    add(~std::uint64_t{std::size(values)});
    for (const auto value : values)
      add(static_cast<std::uint64_t>(value));
  }
  std::uint64_t value() const { return state; }

private:
  std::uint64_t state = 0x9e3779b97f4a7c15;
};

} // namespace tessera::layout

#endif // TESSERA_LAYOUT_FLATINDEX_H
