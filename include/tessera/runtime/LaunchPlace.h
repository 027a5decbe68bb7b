//===- LaunchPlace.h - where and how often a launch runs -------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What launch functions take before the kernel's arguments, with the line it was written on.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_LAUNCHPLACE_H
#define TESSERA_RUNTIME_LAUNCHPLACE_H

#include "tessera/runtime/Device.h"
#include "tessera/runtime/Grid.h"

#include <concepts>
#include <source_location>
#include <type_traits>

namespace tessera::detail {

/// A stream, or a device's default one, and the line of the launch. Lives no longer than what it was made from.
struct LaunchPlace {
  LaunchPlace(const Stream &stream, std::source_location at = std::source_location::current())
      : stream(stream), at(at) {}
  LaunchPlace(const Device &device, std::source_location at = std::source_location::current())
      : stream(device.default_stream()), at(at) {}

  const Stream &stream;
  std::source_location at;
};

/// A grid and the line it was written on.
struct GridPlace {
  GridPlace(const Grid &grid, std::source_location at = std::source_location::current()) : grid(grid), at(at) {}
  template <std::integral TypeX, std::integral TypeY = int, std::integral TypeZ = int>
  GridPlace(TypeX x, TypeY y = 1, TypeZ z = 1, std::source_location at = std::source_location::current())
      : grid(x, y, z), at(at) {}

  Grid grid;
  std::source_location at;
};

template <class Function, class Config>
concept GridFunction =
    !std::convertible_to<const Function &, Grid> && std::is_invocable_r_v<Grid, const Function &, const Config &>;

} // namespace tessera::detail

#endif // TESSERA_RUNTIME_LAUNCHPLACE_H
