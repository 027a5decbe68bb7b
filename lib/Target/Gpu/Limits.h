//===- Limits.h - whether a kernel fits its chip ---------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_GPU_LIMITS_H
#define TESSERA_TARGET_GPU_LIMITS_H

#include "Arch/Chip.h"
#include "Runtime/Image.h"

#include <string>

namespace tessera::ir::gpu {

/// Which limit of \p chip a launch of \p image would break, known before there is a binary: threads, shared memory.
/// Empty if none.
std::string brokenLimit(const rt::Image &image, const arch::Chip &chip);

/// That \p bytes of shared memory are more than a program has.
std::string tooMuchShared(std::uint64_t bytes, const arch::Chip &chip);

} // namespace tessera::ir::gpu

#endif // TESSERA_TARGET_GPU_LIMITS_H
