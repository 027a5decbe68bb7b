//===- Hooks.cpp - what vendors do their own way --------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Gpu/Stages.h"

#include "Conversion/LayoutToNVVM/NvidiaHooks.h"
#include "Conversion/LayoutToROCDL/AmdHooks.h"

#include <vector>

namespace tessera::ir::gpu {

static std::unique_ptr<GpuHooks> makeHooks(const arch::Chip &chip) {
  // Simulated chips are their vendors'.
  if (chip.vendor == "cuda")
    return std::make_unique<NvidiaHooks>(chip);
  if (chip.vendor == "hip")
    return std::make_unique<AmdHooks>(chip);
  return std::make_unique<GpuHooks>(chip);
}

const GpuHooks &hooksOf(const arch::Chip &chip) {
  static const auto *const all = [] {
    auto *hooks = new std::vector<std::unique_ptr<GpuHooks>>;
    for (const arch::Chip &known : arch::chips())
      hooks->push_back(makeHooks(known));
    return hooks;
  }();
  return *(*all)[static_cast<size_t>(&chip - arch::chips().data())];
}

const MatrixUnits &matrixUnitsOf(const arch::Chip &chip) { return hooksOf(chip); }

} // namespace tessera::ir::gpu
