//===- InterpDriver.h - the device that checks every step -------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_INTERP_INTERPDRIVER_H
#define TESSERA_TARGET_INTERP_INTERPDRIVER_H

#include "Runtime/DeviceDriver.h"

#include <memory>

namespace tessera::ir {

/// The driver of family "interp": memory on the host, launches that have finished when they return, and a DeviceError
/// with all findings when the checks found something.
std::unique_ptr<rt::DeviceDriver> createInterpDriver();

} // namespace tessera::ir

#endif // TESSERA_TARGET_INTERP_INTERPDRIVER_H
