//===- LaunchRequest.h - one launch, without types -------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_DRIVER_LAUNCHREQUEST_H
#define TESSERA_DRIVER_LAUNCHREQUEST_H

#include "Driver/KernelState.h"
#include "Runtime/DeviceState.h"
#include "Runtime/Image.h"
#include "Runtime/LaunchCheck.h"

#include "tessera/runtime/Launch.h"

#include <cstdint>
#include <memory>
#include <source_location>
#include <span>
#include <string>
#include <string_view>

namespace tessera::ir {

using rt::argumentText;
using rt::SlotPattern;
using rt::throwLaunchError;

/// Everything about one launch but its grid.
struct LaunchRequest {
  const tessera::detail::BoundView &bound;
  rt::StreamState &stream;
  std::span<const tessera::detail::LaunchSlot> slots;
  std::uint64_t present;
  std::source_location at;
  std::string_view reason = {}; ///< for compiling; empty: found out from what was compiled before
  tessera::detail::LaunchMemo *memo = nullptr;

  const tessera::detail::KernelBase &kernel() const { return bound.kernel; }
  rt::DeviceState &device() const { return stream.device; }
};

/// `f32*, f32*, i64`
std::string typesText(std::span<const tessera::detail::LaunchSlot> slots);

/// Whether a launch with \p grid does nothing. UsageError if it cannot be.
bool isEmpty(const LaunchRequest &request, const Grid &grid);

/// UsageError for arguments that no kernel can be launched with.
void checkArguments(const LaunchRequest &request);

/// Finds or compiles the kernel and enqueues it.
void launch(const LaunchRequest &request, const Grid &grid);

/// A kernel that a launch would find compiled and loaded.
struct ReadyKernel {
  const KernelFacts *facts = nullptr;
  const rt::Image *image = nullptr;               ///< without the binary, with what loading found out
  std::shared_ptr<const rt::Image> code, general; ///< with it; `general` if asked for and `code` requires something
};

/// Finds or compiles the kernel without enqueuing it.
ReadyKernel makeReady(const LaunchRequest &request, const Grid &grid, bool withGeneral = false);

} // namespace tessera::ir

#endif // TESSERA_DRIVER_LAUNCHREQUEST_H
