//===- Assembler.h - from PTX to a cubin -----------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The first of: `ptxas` (TESSERA_PTXAS, PATH, the usual folder of the CUDA toolkit), libnvJitLink opened at run time,
// the device's driver, which takes the PTX itself. TESSERA_PTXAS may also name `nvjitlink` or `driver`.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_NVIDIA_ASSEMBLER_H
#define TESSERA_TARGET_NVIDIA_ASSEMBLER_H

#include "Arch/Chip.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstddef>
#include <string>
#include <vector>

namespace tessera::ir::nvidia {

/// Where the CUDA toolkit puts its programs.
inline constexpr const char *kToolkitPrograms = "/usr/local/cuda/bin";

/// Who assembles.
struct Assembler {
  enum class Kind { Ptxas, JitLink, Driver };
  Kind kind = Kind::Driver;
  std::string path;     ///< of the program or library; empty for the driver
  std::string identity; ///< what tells it from another: path, size and time; part of keys
  std::string problem;  ///< why TESSERA_PTXAS is no use; else empty
};

/// What comes of PTX.
struct Assembled {
  std::string format; ///< of the image: "cubin", or "ptx" if the driver is to assemble it
  std::vector<std::byte> code;
  std::vector<std::string> warnings; ///< the assembler's, one a line
};

/// The assembler that the environment asks for. Looked for once for each state of TESSERA_PTXAS and PATH.
const Assembler &chooseAssembler();

/// Assembles \p ptx; the error has the assembler's words.
llvm::Expected<Assembled> assemble(const Assembler &assembler, llvm::StringRef ptx, const arch::Chip &chip,
                                   bool lineInfo);

/// \name For assemble()
/// @{
/// The path of a library libnvJitLink that can be opened; empty if there is none.
std::string findJitLink();
llvm::Expected<Assembled> assembleByJitLink(const std::string &library, llvm::StringRef ptx, const arch::Chip &chip,
                                            bool lineInfo);
/// The lines of \p log that warn.
std::vector<std::string> warningsIn(llvm::StringRef log);
/// @}

} // namespace tessera::ir::nvidia

#endif // TESSERA_TARGET_NVIDIA_ASSEMBLER_H
