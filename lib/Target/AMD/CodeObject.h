//===- CodeObject.h - what a code object says of its kernel ----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A code object is an ELF file of AMD's machine type. A note in it, in the form MessagePack, describes its kernels; a
// kernel `k` is the code at symbol `k` and the descriptor that the hardware reads at symbol `k.kd`. No GPU or driver is
// needed to read it.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_AMD_CODEOBJECT_H
#define TESSERA_TARGET_AMD_CODEOBJECT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tessera::ir::amd {

/// A parameter of the kernel.
struct CodeObjectParameter {
  std::uint32_t offset = 0, bytes = 0;
};

/// One kernel of a code object.
struct CodeObjectFacts {
  std::uint32_t registers = 0;        ///< vector registers of a thread, accumulators included
  std::uint32_t accumulators = 0;     ///< those of them that only matrix products and copies reach
  std::uint32_t scalarRegisters = 0;  ///< of a warp
  std::uint32_t spilledRegisters = 0; ///< vector registers that wait in memory
  std::uint32_t spilledScalars = 0;   ///< scalar registers that wait in vector registers
  std::uint32_t stackBytes = 0;       ///< of a thread
  std::uint32_t sharedBytes = 0;      ///< of a program
  std::uint32_t warpSize = 0;
  std::uint32_t threads = 0;        ///< of a program, at most
  std::uint32_t parameterBytes = 0; ///< what the runtime appends included
  std::uint32_t codeBytes = 0;
  std::vector<CodeObjectParameter> parameters; ///< those that a launch gives
};

/// A code object of one kernel.
struct CodeObject {
  llvm::SmallString<0> code;
  CodeObjectFacts facts;
  std::string defect; ///< why it does not say them; empty where it does

  llvm::ArrayRef<std::byte> bytes() const { return {reinterpret_cast<const std::byte *>(code.data()), code.size()}; }
};

/// Reads the kernel \p entry of \p code, whatever the bytes are.
llvm::Expected<CodeObjectFacts> readCodeObject(llvm::ArrayRef<std::byte> code, llvm::StringRef entry);

} // namespace tessera::ir::amd

#endif // TESSERA_TARGET_AMD_CODEOBJECT_H
