//===- Drivers.h - the drivers that need no compiler -----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Each function is defined in the room of its device, above this one; they meet in libtessera_runtime.so.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_DRIVERS_H
#define TESSERA_RUNTIME_DRIVERS_H

#include "Runtime/DeviceDriver.h"

#include <memory>

namespace tessera::rt {

/// "cpu": the processor of this machine (CPU/CpuDriver.h).
std::unique_ptr<DeviceDriver> createCpuDriver();
/// "cuda": NVIDIA's devices (CUDA/CudaDriver.h).
std::unique_ptr<DeviceDriver> createCudaDriver();
/// "hip": AMD's devices (HIP/HipDriver.h).
std::unique_ptr<DeviceDriver> createHipDriver();

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_DRIVERS_H
