//===- Decode.h - from LLVM code to a program ------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_DECODE_DECODE_H
#define TESSERA_TARGET_SIM_DECODE_DECODE_H

#include "Arch/Chip.h"
#include "Target/Sim/Program.h"

#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace tessera::ir::sim {

/// Why a module cannot run here.
struct DecodeError {
  std::string text; ///< "`tessera.nv.mma…` has no meaning on the simulated GPU"
  std::string file; ///< of the user's line, where it is known
  unsigned line = 0, column = 0;
  /// "kernel.cpp:12:8: text".
  std::string message() const;
};

/// The simulated \p chip.
Machine machineOf(const arch::Chip &chip);

/// Decodes the function \p entry of \p module for \p machine. Null, with the reason in \p error, if it does something
/// that the simulated GPU does not know.
std::unique_ptr<Program> decode(const llvm::Module &module, llvm::StringRef entry, const Machine &machine,
                                DecodeError &error);

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_DECODE_DECODE_H
