//===- Backends.cpp - the list of back ends and their devices -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A new target adds a line to each of the two lists, the second only if its device needs the compiler.
//
//===---------------------------------------------------------------------===//

#include "Driver/Backends.h"

#include "Runtime/Registry.h"
#include "Target/AMD/AmdBackend.h"
#include "Target/CPU/CpuBackend.h"
#include "Target/Interp/InterpBackend.h"
#include "Target/Interp/InterpDriver.h"
#include "Target/NVIDIA/NvidiaBackend.h"
#include "Target/Null/NullBackend.h"
#include "Target/Sim/SimBackend.h"
#include "Target/Sim/SimDriver.h"

#include "tessera/core/Export.h"

namespace tessera {

const ir::BackendRegistry &ir::backends() {
  static const BackendRegistry *const registry = [] {
    std::vector<std::unique_ptr<Backend>> list;
    list.push_back(createAmdBackend());
    list.push_back(createCpuBackend());
    list.push_back(createInterpBackend());
    list.push_back(createNullBackend());
    list.push_back(createNvidiaBackend());
    list.push_back(createSimBackend());
    return new BackendRegistry(std::move(list));
  }();
  return *registry;
}

TESSERA_API void rt::addCompilerDrivers(DriverList &list) {
  list.push_back(ir::createInterpDriver());
  list.push_back(ir::createSimDriver());
}

} // namespace tessera
