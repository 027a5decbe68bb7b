//===- HipKernel.h - a kernel on an AMD device -----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_HIP_HIPKERNEL_H
#define TESSERA_RUNTIME_HIP_HIPKERNEL_H

#include "Runtime/HIP/HipDevice.h"
#include "Runtime/Image.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::rt::hip {

/// A module of one kernel.
class HipKernel final : public LoadedKernel {
public:
  /// Loads \p image. DeviceError if the runtime refuses it or it is for another device.
  HipKernel(HipDevice &device, const Image &image);
  ~HipKernel() override;

  std::vector<std::pair<std::string, std::string>> facts() const override { return found; }
  /// Neither allocates nor locks.
  void launch(StreamHandle stream, const LaunchParams &params);

  HipDevice &device;

private:
  void loadModule(const Image &image);
  void checkResources();
  int attribute(FunctionAttribute attribute);

  const std::string &name; ///< lives forever
  ModuleHandle module = nullptr;
  FunctionHandle function = nullptr;
  std::uint32_t threads, sharedBytes;
  std::vector<std::pair<std::string, std::string>> found;
};

} // namespace tessera::rt::hip

#endif // TESSERA_RUNTIME_HIP_HIPKERNEL_H
