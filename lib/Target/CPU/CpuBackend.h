//===- CpuBackend.h - compiles for the host's processor --------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The stages: "host", loops over short vectors; "llvm", an optimised LLVM module; "asm", its assembly, only printed;
// "binary", a shared object that exports one function and needs nothing.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_CPU_CPUBACKEND_H
#define TESSERA_TARGET_CPU_CPUBACKEND_H

#include "Target/Backend.h"

#include <memory>

namespace tessera::ir {

/// The back end for targets of family "cpu".
std::unique_ptr<Backend> createCpuBackend();

namespace host {

/// The stages of that back end behind "host".
llvm::ArrayRef<Stage> stagesAfterHost();
/// The dialects of modules at that border, and their translations.
void registerDialectsAfterHost(mlir::DialectRegistry &registry);

} // namespace host

} // namespace tessera::ir

#endif // TESSERA_TARGET_CPU_CPUBACKEND_H
