//===- HipDriver.h - AMD's devices -----------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_HIP_HIPDRIVER_H
#define TESSERA_RUNTIME_HIP_HIPDRIVER_H

#include "Runtime/DeviceDriver.h"

#include <memory>
#include <string>
#include <vector>

namespace tessera::rt::hip {

/// Where the driver looks.
struct Places {
  /// What the kernel offers of the devices: files, of which one must be there and open to the user before the library
  /// is touched, because opening that takes tens of milliseconds and tells no more. Empty: nothing is asked.
  std::vector<std::string> files;
  /// The library's names, the best first.
  std::vector<std::string> libraries;
};

/// The driver over the library found in \p places, which is opened by the first question about devices.
std::unique_ptr<DeviceDriver> createDriver(Places places);

} // namespace tessera::rt::hip

#endif // TESSERA_RUNTIME_HIP_HIPDRIVER_H
