//===- Registry.h - the devices of this process ----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// One list of drivers, made when it is first asked for, from two written-out lists: Drivers.cpp here, and the one of
// the compiler library (lib/Driver/Drivers.cpp) if that library is in the process. No static initialiser takes part.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_REGISTRY_H
#define TESSERA_RUNTIME_REGISTRY_H

#include "Runtime/DeviceDriver.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::rt {

using DriverList = std::vector<std::unique_ptr<DeviceDriver>>;

/// Appends the drivers that need no compiler.
void addRuntimeDrivers(DriverList &list);

/// Appends the drivers that do. Defined by the compiler library; absent from a process that runs images only.
__attribute__((weak, visibility("default"))) void addCompilerDrivers(DriverList &list);

/// One device: a driver and its number there, with everything that is looked up once. Lives as long as the process.
struct DeviceState;

/// Every device of every driver that is present, named "cuda:0" (or "interp": families of one have no number).
/// Thread-safe.
class Registry {
public:
  static Registry &get();

  /// The device called \p name, or null; "cuda" means "cuda:0". Asks no other family's driver.
  DeviceState *find(std::string_view name);
  /// Why there is no device called \p name, and which there are.
  std::string describeMissing(std::string_view name);
  /// TESSERA_DEVICE if set (UsageError if there is no such device), else the first device of the most preferred family.
  DeviceState &current();
  /// Names of all devices of the families with priority ≥ 0, in order of preference.
  std::vector<std::string> available();
  /// Adds a driver at run time (tests; drivers of the user's own). Its family must be new.
  void add(std::unique_ptr<DeviceDriver> driver);

private:
  Registry();
  struct Contents;
  std::unique_ptr<Contents> contents;
};

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_REGISTRY_H
