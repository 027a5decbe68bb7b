//===- SimDriver.h - the simulated GPUs as devices -------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_SIMDRIVER_H
#define TESSERA_TARGET_SIM_SIMDRIVER_H

#include "Runtime/DeviceDriver.h"

#include <memory>
#include <string_view>

namespace tessera::ir {

namespace sim {
struct Sabotage;

/// What images for these devices hold: LLVM's bitcode of the code at the border.
inline constexpr std::string_view kFormat = "llvm-bitcode";

/// Breaks later launches of this process on purpose, for tests; the default breaks nothing.
void setSabotage(const Sabotage &sabotage);
} // namespace sim

/// The driver of family "sim": one device for each simulated chip, called by it ("sim:sm_80"), never chosen by itself.
/// Memory is the host's, launches have finished when they return, and what they find wrong is a DeviceError.
std::unique_ptr<rt::DeviceDriver> createSimDriver();

} // namespace tessera::ir

#endif // TESSERA_TARGET_SIM_SIMDRIVER_H
