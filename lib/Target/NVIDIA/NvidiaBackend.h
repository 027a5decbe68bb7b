//===- NvidiaBackend.h - compiles for NVIDIA's chips -----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The stages: those that all GPUs share; "asm", PTX; "binary", a cubin, or the PTX where no assembler is found and the
// driver has to do it; "sass", the cubin's instructions, only printed.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_NVIDIA_NVIDIABACKEND_H
#define TESSERA_TARGET_NVIDIA_NVIDIABACKEND_H

#include "Target/Backend.h"

#include <memory>

namespace tessera::ir {

/// The back end for targets of family "cuda".
std::unique_ptr<Backend> createNvidiaBackend();

namespace nvidia {

/// The stages of that back end behind "llvm".
llvm::ArrayRef<Stage> stagesAfterLLVM();

} // namespace nvidia

} // namespace tessera::ir

#endif // TESSERA_TARGET_NVIDIA_NVIDIABACKEND_H
