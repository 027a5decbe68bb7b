//===- AmdBackend.h - compiles for AMD's chips -----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The stages: those that all GPUs share; "asm", the chip's instructions as text; "binary", a code object.
//
// A code object is what ROCm's runtime loads (version 5). A kernel's shared memory is the code object's own, so that a
// launch asks for none. Its parameters are the arguments of the image; a kernel that asks for the size of the grid
// reads it from `hidden_block_count_x`, `_y` and `_z`, which the runtime appends to the arguments it is given.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_AMD_AMDBACKEND_H
#define TESSERA_TARGET_AMD_AMDBACKEND_H

#include "Target/Backend.h"

#include <memory>

namespace tessera::ir {

/// The back end for targets of family "hip".
std::unique_ptr<Backend> createAmdBackend();

namespace amd {

/// The stages of that back end behind "llvm".
llvm::ArrayRef<Stage> stagesAfterLLVM();

} // namespace amd

} // namespace tessera::ir

#endif // TESSERA_TARGET_AMD_AMDBACKEND_H
