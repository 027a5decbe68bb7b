//===- Chip.h - facts about chips ------------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Passes and back ends ask a chip by name of the fact, never by comparing its number. The facts stand in Nvidia.def,
// Amdgpu.def and Cpu.def.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_ARCH_CHIP_H
#define TESSERA_ARCH_CHIP_H

#include "tessera/core/Target.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace tessera::arch {

/// What a chip can or cannot do.
enum class Feature : std::uint32_t {
  None = 0,
  AsyncCopy = 1 << 0,            ///< cp.async
  TensorMemoryAccess = 1 << 1,   ///< bulk tensor copies through descriptors
  ClusterLaunch = 1 << 2,        ///< programs of a cluster share memory
  Wgmma = 1 << 3,                ///< warpgroup matrix products
  Tcgen05 = 1 << 4,              ///< matrix products in tensor memory
  RegisterReallocation = 1 << 5, ///< setmaxnreg
  Fp8Mma = 1 << 6,               ///< matrix products of fp8 operands at warp level
  Fp8Ocp = 1 << 7,               ///< converts e4m3 and e5m2
  Fp8Fnuz = 1 << 8,              ///< converts e4m3fnuz and e5m2fnuz
  Mfma = 1 << 9,                 ///< matrix products of gfx9
  Wmma = 1 << 10,                ///< matrix products of gfx11 and later
  MfmaFlushesDenormals = 1 << 11,
  WarpReduce = 1 << 12,  ///< reduces an i32 over a warp in one instruction
  Bf16Atomics = 1 << 13, ///< adds bf16 in memory
  Access256 = 1 << 14,   ///< loads and stores of 32 bytes per lane
  MatrixStore = 1 << 15, ///< a warp stores small matrices to shared memory
  Mfma8Bytes = 1 << 16,  ///< its products of 8-bit operands take 8 bytes of each from a lane, not 4
  Mfma16Bytes = 1 << 17, ///< its products of 8- and 16-bit operands take 16 bytes of each from a lane
  MfmaTf32 = 1 << 18,    ///< it multiplies tf32
  WmmaCopies = 1 << 19,  ///< both halves of a warp hold the whole operands
};

constexpr Feature operator|(Feature a, Feature b) {
  return static_cast<Feature>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}

/// One chip of one family. Zero means "does not apply" in every number.
struct Chip {
  std::string_view family;
  std::string_view name;
  /// The family whose instructions it has: its own, or that of the chip it simulates. Empty for processors of hosts.
  std::string_view vendor = {};
  int warpSize = 0;
  std::int64_t sharedBytesOfProgram = 0;
  std::int64_t sharedBytesOfCore = 0; ///< of a multiprocessor
  int maxThreadsOfProgram = 0;
  int maxThreadsOfCore = 0;
  int maxProgramsOfCore = 0;
  int registersOfCore = 0;
  int maxRegistersOfThread = 0;
  int registerUnitOfWarp = 0;           ///< registers are given to warps in multiples of so many
  int warpUnit = 0;                     ///< and room for them is counted in multiples of so many warps
  std::int64_t sharedUnit = 0;          ///< shared memory is given to programs in multiples of so many bytes
  std::int64_t reservedSharedBytes = 0; ///< of each program, beside its own
  int sharedBanks = 0;                  ///< of 4 bytes, that serve shared memory at once
  std::string_view architecture = {};   ///< of a host processor: "x86-64", "aarch64"
  std::string_view instructionSets =
      {};                      ///< of a host processor, beyond its architecture's baseline; separated by commas
  int vectorBytes = 0;         ///< of a host processor
  int streamVectorBytes = 0;   ///< the same in loops that mostly move data
  int vectorRegisters = 0;     ///< of a host processor
  int directToSharedBytes = 0; ///< widest copy per lane from memory straight to shared memory
  int ptxVersion = 0;          ///< version of PTX that code for it is written in: 80 is 8.0
  Feature features = Feature::None;

  bool has(Feature feature) const { return static_cast<std::uint32_t>(features) & static_cast<std::uint32_t>(feature); }
};

/// All chips, in the order of the tables.
std::span<const Chip> chips();

/// The chip that a target's text names, "cuda:sm_80"; null if there is none.
const Chip *findChip(std::string_view target);

/// The facts about a target.
const Chip &chipOf(const Target &target);

} // namespace tessera::arch

#endif // TESSERA_ARCH_CHIP_H
