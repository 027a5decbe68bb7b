//===- Shape.h - the extents of a block ------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CORE_SHAPE_H
#define TESSERA_CORE_SHAPE_H

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace tessera {

/// The extents of a tile, or any short list of whole numbers fixed at trace time (offsets, a permutation). A plain
/// value; a list longer than `capacity` is cut, and rejected wherever it is used.
class Shape {
public:
  /// One number of a list written in braces; takes any C++ integer, so `{c.bm, 64u}` needs no casts.
  struct Extent {
    template <std::integral Integer> constexpr Extent(Integer number) : value(static_cast<std::int64_t>(number)) {}
    std::int64_t value;
  };
  static constexpr int maxRank = 5; ///< SEMANTICS T2
  static constexpr int capacity = 8;

  constexpr Shape() = default;
  constexpr Shape(std::initializer_list<Extent> list) {
    for (const Extent &extent : list)
      push_back(extent.value);
  }

  constexpr int rank() const { return count; }
  constexpr std::int64_t operator[](int axis) const { return values[axis]; }
  constexpr std::int64_t &operator[](int axis) { return values[axis]; }
  constexpr const std::int64_t *begin() const { return values; }
  constexpr const std::int64_t *end() const { return values + (count < capacity ? count : capacity); }
  constexpr void push_back(std::int64_t extent) {
    if (count < capacity)
      values[count] = extent;
    ++count;
  }
  /// The product of the extents; 1 for rank 0.
  constexpr std::int64_t elements() const {
    std::int64_t product = 1;
    for (std::int64_t extent : *this)
      product *= extent;
    return product;
  }
  constexpr bool operator==(const Shape &) const = default;

private:
  std::int64_t values[capacity] = {};
  int count = 0;
};

} // namespace tessera

#endif // TESSERA_CORE_SHAPE_H
