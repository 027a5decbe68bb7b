//===- FatalErrors.h - outlive LLVM's fatal errors -------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Code generators end the process for what they have no instruction for. Where work runs under guard here, it ends and
// the process goes on.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_GPU_FATALERRORS_H
#define TESSERA_TARGET_GPU_FATALERRORS_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace tessera::ir::gpu {

/// Runs \p work. False, with LLVM's words, if it met a fatal error: then it was left where it was, no destructor has
/// run, and what it made itself is lost. So what others know of must not lie on the stack of \p work.
bool runGuarded(llvm::function_ref<void()> work, std::string &words);

} // namespace tessera::ir::gpu

#endif // TESSERA_TARGET_GPU_FATALERRORS_H
