//===- Cubin.h - what a cubin says of its kernel ---------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A cubin is an ELF file of NVIDIA's machine type. Resources of a kernel stand in its sections `.nv.info` (attributes
// by symbol) and `.nv.info.<kernel>` (attributes of one kernel), shared memory in the size of `.nv.shared.<kernel>`,
// code in
// `.text.<kernel>`: 16 bytes an instruction, its operation in the lowest 9 bits. No GPU or driver is needed to read it.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_NVIDIA_CUBIN_H
#define TESSERA_TARGET_NVIDIA_CUBIN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tessera::ir::nvidia {

/// Instructions of one kind, counted by the bytes each moves per lane: entry `i` those of `1 << i` bytes.
struct AccessCounts {
  std::array<std::uint32_t, 6> byWidth{};

  std::uint32_t count() const;
  std::uint64_t bytes() const; ///< that all of them move, each executed once
  /// Those that move \p width bytes, a power of two.
  std::uint32_t ofWidth(std::uint32_t width) const;
};

/// A parameter of the kernel.
struct CubinParameter {
  std::uint32_t ordinal = 0, offset = 0, bytes = 0;
};

/// One kernel of a cubin.
struct CubinFacts {
  std::uint32_t registers = 0;         ///< of a thread
  std::uint32_t stackBytes = 0;        ///< of a thread, in local memory
  std::uint32_t staticSharedBytes = 0; ///< beside what the launch adds
  std::uint32_t constantBytes = 0;     ///< of the bank that holds the parameters
  std::uint32_t parameterBytes = 0;
  std::vector<CubinParameter> parameters; ///< in order
  std::string assembler;                  ///< who wrote it: "ptxas V13.0.88"; empty if it does not say
  std::uint32_t instructions = 0;
  AccessCounts globalLoads, globalStores;
  AccessCounts localLoads, localStores; ///< the stack's: registers spilled
  AccessCounts flatLoads, flatStores;   ///< whose address may lie in any memory
};

/// Reads the kernel \p entry of \p cubin, whatever the bytes are.
llvm::Expected<CubinFacts> readCubin(llvm::ArrayRef<std::byte> cubin, llvm::StringRef entry);

} // namespace tessera::ir::nvidia

#endif // TESSERA_TARGET_NVIDIA_CUBIN_H
