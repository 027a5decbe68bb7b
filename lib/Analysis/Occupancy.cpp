//===- Occupancy.cpp - blocks that run on one multiprocessor ---------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Analysis/Occupancy.h"

#include <algorithm>
#include <array>

namespace tessera::ir {

/// \p amount in multiples of \p unit, rounded up; a unit of 0 is 1.
static std::int64_t inUnits(std::int64_t amount, std::int64_t unit) {
  return unit > 1 ? (amount + unit - 1) / unit * unit : amount;
}

Occupancy occupancyOf(const arch::Chip &chip, const BlockNeeds &needs) {
  const std::int64_t warpSize = std::max(chip.warpSize, 1);
  const std::int64_t warps = std::max<std::int64_t>((needs.threads + warpSize - 1) / warpSize, 1);
  Occupancy result;
  bool limited = false;
  const auto limit = [&](Occupancy::Limit by, std::int64_t blocks) {
    if (limited && blocks >= result.blocks)
      return;
    limited = true;
    result.blocks = blocks;
    result.limit = by;
  };
  if (chip.maxProgramsOfCore > 0)
    limit(Occupancy::Limit::Blocks, chip.maxProgramsOfCore);
  if (chip.maxThreadsOfCore > 0)
    limit(Occupancy::Limit::Threads, chip.maxThreadsOfCore / (warps * warpSize));
  if (chip.registersOfCore > 0 && needs.registersOfThread > 0) {
    const std::int64_t ofWarp = inUnits(needs.registersOfThread * warpSize, chip.registerUnitOfWarp);
    const std::int64_t room = chip.registersOfCore / ofWarp;
    const std::int64_t counted = room - room % std::max(chip.warpUnit, 1);
    limit(Occupancy::Limit::Registers, counted / warps);
  }
  if (chip.sharedBytesOfCore > 0 && needs.sharedBytes + chip.reservedSharedBytes > 0)
    limit(Occupancy::Limit::SharedMemory,
          chip.sharedBytesOfCore / inUnits(needs.sharedBytes + chip.reservedSharedBytes, chip.sharedUnit));
  result.warps = result.blocks * warps;
  if (chip.maxThreadsOfCore > 0)
    result.share = static_cast<double>(result.warps * warpSize) / chip.maxThreadsOfCore;
  return result;
}

std::string_view nameOf(Occupancy::Limit limit) {
  static constexpr std::array<std::string_view, 4> kNames{"blocks", "threads", "registers", "shared memory"};
  return kNames[static_cast<std::size_t>(limit)];
}

} // namespace tessera::ir
