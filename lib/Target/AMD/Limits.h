//===- Limits.h - whether a kernel fits its chip ---------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_AMD_LIMITS_H
#define TESSERA_TARGET_AMD_LIMITS_H

#include "Target/AMD/CodeObject.h"
#include "Target/Gpu/Limits.h"

#include <string>

namespace tessera::ir::amd {

using gpu::brokenLimit;
/// Which limit of \p chip a launch of \p image would break, with what the binary says of itself: registers, shared
/// memory. Empty if none.
std::string brokenLimit(const rt::Image &image, const CodeObjectFacts &facts, const arch::Chip &chip);

/// Where the parameters of the binary, its threads or its warps are not those of \p image; empty if they are. A defect
/// of ours.
std::string mismatch(const rt::Image &image, const CodeObjectFacts &facts, const arch::Chip &chip);

/// Writes what \p facts say into \p image: shared memory is the binary's own.
void setFacts(rt::Image &image, const CodeObjectFacts &facts, const arch::Chip &chip);

} // namespace tessera::ir::amd

#endif // TESSERA_TARGET_AMD_LIMITS_H
