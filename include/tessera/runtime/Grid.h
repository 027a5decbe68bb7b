//===- Grid.h - how many programs a launch runs ----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_GRID_H
#define TESSERA_RUNTIME_GRID_H

#include <array>
#include <concepts>
#include <cstdint>
#include <utility>

namespace tessera {

/// The extents of a grid of programs, written `{cdiv(n, 1024)}` or `{rows, columns, batch}`. A grid with an extent of
/// zero launches nothing; a negative extent is a UsageError at the launch (SEMANTICS P1a).
struct Grid {
  std::int64_t x = 1, y = 1, z = 1;

  constexpr Grid() = default;
  /// One to three integers of any type; those too large for 64 bits count as too large for any device.
  template <std::integral TypeX, std::integral TypeY = int, std::integral TypeZ = int>
  constexpr Grid(TypeX x, TypeY y = 1, TypeZ z = 1) : x(clamp(x)), y(clamp(y)), z(clamp(z)) {}

  constexpr std::array<std::int64_t, 3> extents() const { return {x, y, z}; }
  constexpr bool operator==(const Grid &) const = default;

private:
  template <std::integral Integer> static constexpr std::int64_t clamp(Integer value) {
    return std::in_range<std::int64_t>(value) ? static_cast<std::int64_t>(value) : INT64_MAX;
  }
};

} // namespace tessera

#endif // TESSERA_RUNTIME_GRID_H
