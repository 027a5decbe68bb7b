//===- CudaKernel.h - a kernel on an NVIDIA device -------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_CUDA_CUDAKERNEL_H
#define TESSERA_RUNTIME_CUDA_CUDAKERNEL_H

#include "Runtime/CUDA/CudaDevice.h"
#include "Runtime/Image.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tessera::rt::cuda {

/// A module of one kernel.
class CudaKernel final : public LoadedKernel {
public:
  /// Loads \p image. DeviceError if the driver refuses it, it is for another device or its parameters are not those of
  /// the image's table.
  CudaKernel(CudaDevice &device, const Image &image);
  ~CudaKernel() override;

  std::vector<std::pair<std::string, std::string>> facts() const override { return found; }
  /// Neither allocates nor locks, up to a few hundred arguments.
  void launch(StreamHandle stream, const LaunchParams &params);

  CudaDevice &device;

private:
  void loadModule(const Image &image);
  void compareParameters(const Image &image);
  void claimResources(const Image &image);
  int attribute(FunctionAttribute attribute);

  const std::string &name; ///< lives forever
  ModuleHandle module = nullptr;
  FunctionHandle function = nullptr;
  std::vector<std::uint32_t> offsets; ///< of the arguments in the packed block
  std::array<std::uint32_t, 3> cluster;
  std::uint32_t threads, sharedBytes;
  std::vector<std::pair<std::string, std::string>> found;
};

} // namespace tessera::rt::cuda

#endif // TESSERA_RUNTIME_CUDA_CUDAKERNEL_H
