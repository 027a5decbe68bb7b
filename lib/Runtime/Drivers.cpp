//===- Drivers.cpp - the devices that need no compiler --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Drivers.h"

#include "Runtime/Null/NullDriver.h"
#include "Runtime/Registry.h"

namespace tessera::rt {

void addRuntimeDrivers(DriverList &list) {
  list.push_back(createCudaDriver());
  list.push_back(createHipDriver());
  list.push_back(createCpuDriver());
  list.push_back(createNullDriver());
}

} // namespace tessera::rt
