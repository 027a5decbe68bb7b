//===- Chip.cpp - the tables of chips -------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Arch/Chip.h"

#include "tessera/core/Error.h"

#include <fmt/format.h>
#include <vector>

namespace tessera::arch {

using enum Feature;

static constexpr Chip kVendorChips[] = {
#define TESSERA_NVIDIA_CHIP(chip, programBytes, coreBytes, threads, programs, ptx, has)                                \
  {.family = "cuda",                                                                                                   \
   .name = chip,                                                                                                       \
   .vendor = "cuda",                                                                                                   \
   .warpSize = 32,                                                                                                     \
   .sharedBytesOfProgram = programBytes,                                                                               \
   .sharedBytesOfCore = coreBytes,                                                                                     \
   .maxThreadsOfProgram = 1024,                                                                                        \
   .maxThreadsOfCore = threads,                                                                                        \
   .maxProgramsOfCore = programs,                                                                                      \
   .registersOfCore = 65536,                                                                                           \
   .maxRegistersOfThread = 255,                                                                                        \
   .registerUnitOfWarp = 256,                                                                                          \
   .warpUnit = 4,                                                                                                      \
   .sharedUnit = 128,                                                                                                  \
   .reservedSharedBytes = 1024,                                                                                        \
   .sharedBanks = 32,                                                                                                  \
   .ptxVersion = ptx,                                                                                                  \
   .features = has},
#include "Arch/Nvidia.def"
#define TESSERA_AMDGPU_CHIP(chip, wave, programBytes, portion, banks, unitRegisters, registerPortion, waves, units,    \
                            copyBytes, has)                                                                            \
  {.family = "hip",                                                                                                    \
   .name = chip,                                                                                                       \
   .vendor = "hip",                                                                                                    \
   .warpSize = wave,                                                                                                   \
   .sharedBytesOfProgram = programBytes,                                                                               \
   .sharedBytesOfCore = programBytes,                                                                                  \
   .maxThreadsOfProgram = 1024,                                                                                        \
   .maxThreadsOfCore = (wave) * (waves) * (units),                                                                     \
   .maxProgramsOfCore = (waves) * (units),                                                                             \
   .registersOfCore = (wave) * (unitRegisters) * (units),                                                              \
   .maxRegistersOfThread = (unitRegisters) < 1024 ? (unitRegisters) : 256,                                             \
   .registerUnitOfWarp = (wave) * (registerPortion),                                                                   \
   .warpUnit = units,                                                                                                  \
   .sharedUnit = portion,                                                                                              \
   .sharedBanks = banks,                                                                                               \
   .directToSharedBytes = copyBytes,                                                                                   \
   .features = has},
#include "Arch/Amdgpu.def"
#define TESSERA_CPU_CHIP(chip, arch, sets, bytes, streamBytes, registers)                                              \
  {.family = "cpu",                                                                                                    \
   .name = chip,                                                                                                       \
   .architecture = arch,                                                                                               \
   .instructionSets = sets,                                                                                            \
   .vectorBytes = bytes,                                                                                               \
   .streamVectorBytes = streamBytes,                                                                                   \
   .vectorRegisters = registers},
#include "Arch/Cpu.def"
    {.family = "interp", .name = ""},
    {.family = "null", .name = ""},
};

/// Chips that the simulated GPU plays.
static constexpr std::string_view kSimulated[] = {"sm_80",  "sm_90a",  "gfx90a", "gfx942",
                                                  "gfx950", "gfx1100", "gfx1201"};

static std::vector<Chip> makeChips() {
  std::vector<Chip> all(std::begin(kVendorChips), std::end(kVendorChips));
  for (std::string_view name : kSimulated)
    for (Chip chip : kVendorChips)
      if (chip.name == name) {
        chip.family = "sim";
        all.push_back(chip);
      }
  return all;
}

std::span<const Chip> chips() {
  static const std::vector<Chip> all = makeChips();
  return all;
}

const Chip *findChip(std::string_view target) {
  const std::size_t colon = target.find(':');
  const std::string_view family = target.substr(0, colon);
  const std::string_view name = colon == std::string_view::npos ? std::string_view() : target.substr(colon + 1);
  for (const Chip &chip : chips())
    if (chip.family == family && chip.name == name)
      return &chip;
  return nullptr;
}

const Chip &chipOf(const Target &target) {
  if (const Chip *const chip = findChip(target.str()))
    return *chip;
  throw InternalError(fmt::format("target {} has no entry in the tables of chips", target.str()));
}

} // namespace tessera::arch
