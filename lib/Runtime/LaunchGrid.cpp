//===- LaunchGrid.cpp - how a grid fits a device --------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/LaunchGrid.h"

#include <fmt/format.h>

namespace tessera::rt {

GridDecision decideGrid(const std::array<std::int64_t, 3> &programs, const std::array<std::int64_t, 3> &maxGrid,
                        const std::string &name) {
  const auto text = [&] { return fmt::format("grid ({}, {}, {})", programs[0], programs[1], programs[2]); };
  std::int64_t total = 1;
  bool overflow = false, direct = true;
  for (int axis = 0; axis != 3; ++axis)
    if (programs[axis] < 0)
      return {GridDecision::Refused, fmt::format("{} has a negative extent; extents are at least 0", text())};
  for (int axis = 0; axis != 3; ++axis) {
    if (programs[axis] == 0)
      return {GridDecision::Empty, {}};
    direct &= programs[axis] <= maxGrid[axis];
    overflow |= __builtin_mul_overflow(total, programs[axis], &total);
  }
  if (direct && !overflow)
    return {};
  if (overflow || total > maxGrid[0])
    return {GridDecision::Refused,
            fmt::format("{} has {} programs; device {} starts at most {} in one launch; let a program do more work",
                        text(), overflow ? "more than 2^63" : std::to_string(total), name, maxGrid[0])};
  return {GridDecision::Folded, {}};
}

} // namespace tessera::rt
