//===- NativeColumns.h - AMD's loads of columns ----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_OPS_NATIVECOLUMNS_H
#define TESSERA_TARGET_SIM_OPS_NATIVECOLUMNS_H

#include "Target/Sim/Program.h"

#include <optional>
#include <string_view>

namespace tessera::ir::sim {

/// The bytes of an element of a load of columns, whose name stands behind `tessera.amd.`; nothing for another name.
std::optional<unsigned> bytesOfColumnLoad(std::string_view name);
/// Reads the address and writes registers of 8 bytes together; `imm` are the bytes of an element. `extra` is its
/// MemoryOp.
ExecFn columnLoadFunction();

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_OPS_NATIVECOLUMNS_H
