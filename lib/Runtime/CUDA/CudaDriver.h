//===- CudaDriver.h - NVIDIA's devices -------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_CUDA_CUDADRIVER_H
#define TESSERA_RUNTIME_CUDA_CUDADRIVER_H

#include "Runtime/CUDA/CudaApi.h"
#include "Runtime/DeviceDriver.h"

#include <memory>
#include <string>

namespace tessera::rt::cuda {

/// The driver over the library called \p library, which is opened by the first question about devices.
std::unique_ptr<DeviceDriver> createDriver(std::string library);

/// The words of CUDA for a descriptor's values. DeviceError for a dtype that descriptors do not know.
TensorMapDataType tensorMapDataType(DType dtype);

} // namespace tessera::rt::cuda

#endif // TESSERA_RUNTIME_CUDA_CUDADRIVER_H
