//===- LaunchGrid.h - how a grid fits a device -----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_LAUNCHGRID_H
#define TESSERA_RUNTIME_LAUNCHGRID_H

#include "Runtime/DeviceDriver.h"

#include <array>
#include <cstdint>
#include <string>

namespace tessera::rt {

/// What becomes of a grid of programs (SEMANTICS P1a).
struct GridDecision {
  enum Kind {
    Direct, ///< launched as it is
    Folded, ///< an extent is too large for its axis: all programs go to axis x of a kernel compiled for that
    Empty,  ///< nothing to launch
    Refused ///< see `problem`
  };
  Kind kind = Direct;
  std::string problem; ///< in the words of a UsageError
};

/// Decides for \p programs on a device called \p name whose grids are limited to \p maxGrid. Allocates only when
/// refusing.
GridDecision decideGrid(const std::array<std::int64_t, 3> &programs, const std::array<std::int64_t, 3> &maxGrid,
                        const std::string &name);

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_LAUNCHGRID_H
