//===- CudaDevice.h - one NVIDIA device ------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A device's context and whether the device still works. The context is the primary one, which CUDA's own runtime and
// the frameworks on it use too: pointers, streams and events of theirs can be passed to us and ours to them.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_CUDA_CUDADEVICE_H
#define TESSERA_RUNTIME_CUDA_CUDADEVICE_H

#include "Arch/Capability.h"
#include "Runtime/CUDA/CudaApi.h"
#include "Runtime/DeviceDriver.h"
#include "Runtime/DeviceHealth.h"

#include <mutex>
#include <string>
#include <string_view>

namespace tessera::rt::cuda {

using arch::Capability;
using arch::chipFor;
using arch::runsOn;

class CudaDevice {
public:
  /// The device number \p index of the driver. DeviceError if the driver tells nothing about it.
  CudaDevice(const Api &api, int index);
  CudaDevice(const CudaDevice &) = delete;
  CudaDevice &operator=(const CudaDevice &) = delete;

  /// DeviceError if there is no code for its chip.
  DeviceProperties properties() const;
  Capability capability() const { return capability_; }
  bool hasTensorMemoryAccess() const { return tensorMemoryAccess; }
  /// "cuda:0".
  const std::string &name() const { return name_; }

  /// The primary context, retained by the first call and never released: buffers in static variables may outlive every
  /// other object. DeviceError if the driver refuses.
  ContextHandle context();

  /// Calls \p function, known as \p what. DeviceError if it fails.
  template <class... Parameters, class... Arguments>
  void call(const char *what, Result (*function)(Parameters...), Arguments... arguments) {
    if (const Result code = function(arguments...); code != Result::Success) [[unlikely]]
      fail(what, code);
  }
  /// DeviceError for the code that \p what gave; notes a fault that loses the device.
  [[noreturn]] void fail(std::string_view what, Result code);

  const Api &api;
  const int index;
  DeviceHealth health;

private:
  int attribute(DeviceAttribute attribute) const;

  const std::string name_;
  DeviceHandle handle = 0;
  Capability capability_;
  bool tensorMemoryAccess = false;
  std::once_flag retained;
  ContextHandle primary = nullptr;
};

/// While it lives, the device's context is the calling thread's current one.
class CurrentContext {
public:
  explicit CurrentContext(CudaDevice &device) : api(device.api) {
    device.call("cuCtxPushCurrent", api.cuCtxPushCurrent, device.context());
  }
  ~CurrentContext() {
    ContextHandle popped = nullptr;
    api.cuCtxPopCurrent(&popped);
  }
  CurrentContext(const CurrentContext &) = delete;
  CurrentContext &operator=(const CurrentContext &) = delete;

private:
  const Api &api;
};

} // namespace tessera::rt::cuda

#endif // TESSERA_RUNTIME_CUDA_CUDADEVICE_H
