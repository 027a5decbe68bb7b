//===- NullDriver.cpp - a device that runs nothing ------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Null/NullDriver.h"

#include "Runtime/HostMemory.h"

#include "tessera/core/Error.h"

#include <fmt/format.h>

namespace tessera::rt {

namespace {

class NullDriver final : public HostMemoryDriver {
public:
  std::string_view family() const override { return "null"; }
  int priority() const override { return -1; }
  int deviceCount() noexcept override { return 1; }

  DeviceProperties properties(int) override {
    DeviceProperties properties;
    properties.name = "a device that runs nothing";
    properties.target = Target("null");
    properties.maxGrid = {0x7fffffff, 65535, 65535};
    properties.maxThreadsPerProgram = 1024;
    properties.maxSharedBytes = 1 << 20;
    return properties;
  }

  std::unique_ptr<LoadedKernel> load(int, const Image &image) override {
    if (image.target != "null")
      throw DeviceError(fmt::format("kernel `{}` was compiled for {}, and device null runs code for null", image.kernel,
                                    image.target));
    return std::make_unique<LoadedKernel>();
  }
  void launch(int, void *, LoadedKernel &, const LaunchParams &) override {}
};

} // namespace

std::unique_ptr<DeviceDriver> createNullDriver() { return std::make_unique<NullDriver>(); }

} // namespace tessera::rt
