//===- Limits.cpp - whether a kernel fits its chip ------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Gpu/Limits.h"

#include <fmt/format.h>

namespace tessera::ir::gpu {

std::string tooMuchShared(std::uint64_t bytes, const arch::Chip &chip) {
  return fmt::format("needs {} bytes of shared memory; a program has at most {} on {}; smaller blocks or fewer stages "
                     "need less",
                     bytes, chip.sharedBytesOfProgram, chip.name);
}

Occupancy occupancyOf(const rt::Image &image, const arch::Chip &chip, std::uint64_t registers,
                      std::uint64_t sharedBytes) {
  return ir::occupancyOf(chip, {.threads = image.threadsPerProgram,
                                .registersOfThread = static_cast<std::int64_t>(registers),
                                .sharedBytes = static_cast<std::int64_t>(sharedBytes)});
}

void setOccupancy(rt::Image &image, const arch::Chip &chip, const Occupancy &occupancy) {
  image.setFact("programs_per_core", fmt::format("{}", occupancy.blocks));
  image.setFact("occupancy", fmt::format("{:.4g}, limited by {}", occupancy.share, nameOf(occupancy.limit)));
  image.setFact("warp_size", fmt::format("{}", chip.warpSize));
}

std::string brokenLimit(const rt::Image &image, const arch::Chip &chip) {
  if (image.threadsPerProgram > static_cast<std::uint32_t>(chip.maxThreadsOfProgram))
    return fmt::format("needs {} threads; a program has at most {} on {}; lower num_warps", image.threadsPerProgram,
                       chip.maxThreadsOfProgram, chip.name);
  if (image.sharedBytes > chip.sharedBytesOfProgram)
    return tooMuchShared(image.sharedBytes, chip);
  return {};
}

} // namespace tessera::ir::gpu
