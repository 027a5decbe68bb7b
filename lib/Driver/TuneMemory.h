//===- TuneMemory.h - what tuning must put back --------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_DRIVER_TUNEMEMORY_H
#define TESSERA_DRIVER_TUNEMEMORY_H

#include "Driver/Compiler.h"
#include "Runtime/Autotune/Snapshot.h"

#include "tessera/runtime/LaunchArguments.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tessera::ir {

/// How the candidates together use the arguments of a launch.
struct ArgumentUse {
  SlotMask stored, read, zeroed;
  bool storesElsewhere = false;

  void add(const KernelFacts &facts);
};

/// Memory that a launch changes for the next one: what is read and written, through one argument or several.
struct ChangedMemory {
  std::vector<rt::MemoryRange> ranges; ///< united
  std::optional<std::size_t> unknown;  ///< a slot whose memory is of unknown size
  bool elsewhere = false;              ///< there is also memory behind loaded addresses
};

/// All memory that the arguments point to.
struct PointedMemory {
  std::vector<rt::MemoryRange> ranges; ///< united
  std::optional<std::size_t> unknown;  ///< a slot whose memory is of unknown size
  std::optional<std::size_t> table;    ///< a slot whose memory holds addresses
};
PointedMemory pointedMemory(std::span<const tessera::detail::LaunchSlot> slots,
                            std::span<const tessera::detail::ParamLeaf *const> leaves);

/// \p leaves are those of \p slots.
ChangedMemory changedMemory(std::span<const tessera::detail::LaunchSlot> slots,
                            std::span<const tessera::detail::ParamLeaf *const> leaves, const ArgumentUse &use);

} // namespace tessera::ir

#endif // TESSERA_DRIVER_TUNEMEMORY_H
