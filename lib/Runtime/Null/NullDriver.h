//===- NullDriver.h - a device that runs nothing ---------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The device "null" has memory (the host's) and streams, accepts every image made for target "null" and skips its
// launches. What remains is this library's own work: it measures the launch path and serves as the smallest driver to
// start a new one from.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_NULL_NULLDRIVER_H
#define TESSERA_RUNTIME_NULL_NULLDRIVER_H

#include "Runtime/DeviceDriver.h"

namespace tessera::rt {

/// A driver with one device that Device::current() never chooses.
std::unique_ptr<DeviceDriver> createNullDriver();

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_NULL_NULLDRIVER_H
