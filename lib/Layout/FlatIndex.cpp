//===- FlatIndex.cpp - bits of numbers and of flat indices ----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Layout/FlatIndex.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tessera::layout {

std::string coordinatesText(std::span<const std::int64_t> shape, std::uint32_t flat) {
  std::string text = "(";
  for (int axis = 0; axis != static_cast<int>(shape.size()); ++axis)
    text += fmt::format("{}{}", axis == 0 ? "" : ", ", coordinateOf(shape, flat, axis));
  return text + ")";
}

std::string problemOfShape(std::span<const std::int64_t> shape) {
  int bits = 0;
  for (const std::int64_t extent : shape) {
    if (!isPowerOfTwo(extent))
      return fmt::format("expected extents that are powers of two, got {}", extent);
    bits += log2Of(extent);
    if (bits > kMaxBits)
      return fmt::format("expected at most 2^{} elements, got {}", kMaxBits, shapeText(shape));
  }
  return {};
}

std::string shapeText(std::span<const std::int64_t> shape) { return fmt::format("{}", fmt::join(shape, "x")); }

} // namespace tessera::layout
