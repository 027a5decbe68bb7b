//===- Limits.h - whether a kernel fits its chip ---------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_GPU_LIMITS_H
#define TESSERA_TARGET_GPU_LIMITS_H

#include "Analysis/Occupancy.h"
#include "Arch/Chip.h"
#include "Runtime/Image.h"

#include <string>

namespace tessera::ir::gpu {

/// Which limit of \p chip a launch of \p image would break, known before there is a binary: threads, shared memory.
/// Empty if none.
std::string brokenLimit(const rt::Image &image, const arch::Chip &chip);

/// That \p bytes of shared memory are more than a program has.
std::string tooMuchShared(std::uint64_t bytes, const arch::Chip &chip);

/// How many programs of \p image, whose threads take so many \p registers and blocks so much shared memory, a core
/// runs.
Occupancy occupancyOf(const rt::Image &image, const arch::Chip &chip, std::uint64_t registers,
                      std::uint64_t sharedBytes);

/// Facts that reports read: "programs_per_core", "occupancy", "warp_size".
void setOccupancy(rt::Image &image, const arch::Chip &chip, const Occupancy &occupancy);

} // namespace tessera::ir::gpu

#endif // TESSERA_TARGET_GPU_LIMITS_H
