//===- Limits.h - whether a kernel fits its chip ---------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_NVIDIA_LIMITS_H
#define TESSERA_TARGET_NVIDIA_LIMITS_H

#include "Target/Gpu/Limits.h"
#include "Target/NVIDIA/Cubin.h"

#include <string>

namespace tessera::ir::nvidia {

using gpu::brokenLimit;
/// Which limit of \p chip a launch of \p image would break, with what the binary says of itself: registers, shared
/// memory of its own. Empty if none.
std::string brokenLimit(const rt::Image &image, const CubinFacts &facts, const arch::Chip &chip);

/// Where the parameters of the binary are not the arguments of \p image; empty if they are. A defect of ours.
std::string parameterMismatch(const rt::Image &image, const CubinFacts &facts);

/// Writes what \p facts say into \p image.
void setFacts(rt::Image &image, const CubinFacts &facts, const arch::Chip &chip);

} // namespace tessera::ir::nvidia

#endif // TESSERA_TARGET_NVIDIA_LIMITS_H
