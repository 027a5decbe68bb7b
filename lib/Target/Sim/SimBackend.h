//===- SimBackend.h - compiles for simulated GPUs --------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_SIMBACKEND_H
#define TESSERA_TARGET_SIM_SIMBACKEND_H

#include "Target/Backend.h"

#include <memory>

namespace tessera::ir {

/// The back end of family "sim". Its binary is the code at the border, as bitcode.
std::unique_ptr<Backend> createSimBackend();

} // namespace tessera::ir

#endif // TESSERA_TARGET_SIM_SIMBACKEND_H
